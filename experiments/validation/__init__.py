"""The validation of the corpus: every label checked by all means that there are."""
