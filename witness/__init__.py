"""Completeness witnesses: wrong programs that a weak contract admits.

In: a task (`witness.model.Task`: a full contract, a weakened one, cases). Out: candidates judged at four gates, and a
certificate for the one that was selected. The words and the records are in `witness.model`; the flow is

    witness.tasks ─ Task ─> witness.discover (or any other source) ─ text ─> witness.language ─ Candidate ─>
        witness.gates ─ GateResult x 4 ─> witness.select ─> witness.certificate ─ folder ─> recheck
"""
