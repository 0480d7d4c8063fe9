"""Reports: the records of `equiv.verdict` as text for people and as JSON for programs."""
