"""Experiment 2: what gets through when only a subset is checked?

In: the corpus, or a folder of originals. Out: a report on three senses of "only a subset was checked": a subset of the clauses,
of the functions, of the postconditions; each with its own table and picture.
"""
