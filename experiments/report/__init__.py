"""Reports of experiments: a folder with results, a summary, tables, figures and a text that a reader can follow by itself.

In: the rows that an experiment found, and what it was made from. Out: the folder of docs/experiments.md. Two runs with the same
input, seed and code write the same bytes; what the clock says stands in `timings.json` alone.

    folder = ReportFolder(Path("out"), settings)      new, or one to go on with
    run_units(judge, units, jobs, folder.add)         all units that are not done yet, on all cores
    folder.finish(); folder.write(…); folder.seal()
"""
