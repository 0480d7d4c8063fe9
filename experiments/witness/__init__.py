"""The witness campaign: discovery policies compared on many tasks, with statistics whose unit is the task.

In: tasks, providers, policies, tracking labels. Out: a folder with every call, every judgement, a certificate for each episode,
and a report. Two runs with the same tasks and the same answers write the same bytes. See docs/witness-campaign.md.

    options   what a run is asked for, and its settings
    units     the pieces of work: an episode, a revision, attempts at an implementation
    rows      what they found, as JSON lines
    run       from beginning to end, or on from where a run was stopped
    cells     the rows as numbers;  scores, downstream  statistics;  tables, figures, report
"""
