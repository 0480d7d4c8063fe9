"""Experiments on contract tests: the mutation engine, and the measurements made with it."""
