"""Experiment 1: how often is each contract test fooled, and how often is it wrong about an honest edit?

In: edits whose answer is known (the corpus's, or mutants of a folder of originals). Out: what every test says of each of
them, and a report with exact intervals and paired comparisons.
"""
