"""Translation: from Verus source text to typed terms (tokens, syntax tree, names and types, terms, their readings)."""
