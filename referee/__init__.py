"""The referee: Verus has the last word, behind a fence that is tested. Outcomes are decided outside the agent's reach."""
