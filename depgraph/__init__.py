"""The closure audit: the call graph of a crate, the catalogue of escape hatches, and what a target's proof leans on."""
