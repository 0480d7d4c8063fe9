"""Many pairs at once: `samespec batch`.

In: JSON lines, each an original and a submission. Out: JSON lines, each a verdict. `items` reads the input, `judge` decides
one pair, `worker` and `process` hold a process that does so within limits, `local` and `ray_engine` spread the work, `output`
keeps the result file, and `run` puts them together.
"""
