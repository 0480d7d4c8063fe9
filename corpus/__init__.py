"""The corpus: our own tasks, the edits made to them, and the right verdict for each."""
