"""Contracts between two revisions of a git repository: what changed, read with git, judged with `equiv`."""
