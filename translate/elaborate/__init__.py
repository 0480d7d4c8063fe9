"""Elaboration: from the syntax tree and names of a file to typed terms.

`Elaborator` (expressions and calls), `translate.elaborate.types` (types to sorts), `inference` (unification of the sorts that a
file leaves out), `definitions` (functions and constants to symbols), `contracts` (a function's contract).
"""
