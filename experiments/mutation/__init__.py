"""The mutation engine: a source text with contracts in, edited texts out, each with its kind, its label and a reason.

Every edit is made through byte spans of the syntax tree. Rules of the label `kept` keep the meaning by construction, whatever the
contract; rules of the label `candidate-broken` should break it, and `confirm` asks the checker whether they did.

    for mutant in mutants(source, seed=7):
        print(mutant.kind, mutant.label, mutant.why)
"""

from experiments.mutation.confirm import Confirmation, confirm
from experiments.mutation.engine import RULES, combined, mutants, pick, rules_of
from experiments.mutation.model import CANDIDATE, KEPT, Mutant, Rule
from experiments.mutation.work import Work

__all__ = [
    "CANDIDATE",
    "KEPT",
    "RULES",
    "Confirmation",
    "Mutant",
    "Rule",
    "Work",
    "combined",
    "confirm",
    "mutants",
    "pick",
    "rules_of",
]
