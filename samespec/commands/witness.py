"""`samespec witness`: completeness witnesses, the group of its subcommands.

A subcommand lives in a module of its own, `samespec/commands/witness_NAME.py`, and has a line in the table here.
"""

from __future__ import annotations

from collections.abc import Mapping

import click

from samespec.main import LazyGroup, Subcommand

_HERE = "samespec.commands.witness_"


class WitnessGroup(LazyGroup):
    """The subcommands, imported on demand."""

    subcommands: Mapping[str, Subcommand] = {
        "tasks": Subcommand(f"{_HERE}tasks", "tasks", "Weakened contracts with cases: made by rule, fixed with a hash."),
        "discover": Subcommand(f"{_HERE}discover", "discover", "Looks for a witness with the solver, without a model."),
        "certify": Subcommand(f"{_HERE}certify", "certify", "Judges expressions at the four gates."),
        "recheck": Subcommand(f"{_HERE}recheck", "recheck", "Does everything in a certificate again."),
        "find": Subcommand(f"{_HERE}find", "find_command", "Does a contract pin the output down?"),
        "repair": Subcommand(f"{_HERE}repair", "repair_command", "From a witness, a contract that rejects it."),
        "campaign": Subcommand(f"{_HERE}campaign", "campaign_group", "Discovery policies compared, with or without a model."),
        "survey": Subcommand(f"{_HERE}survey", "survey", "Tasks and discovery over a whole benchmark, with a summary."),
    }


@click.group(name="witness", cls=WitnessGroup, context_settings={"help_option_names": ["-h", "--help"]})
def witness_group() -> None:
    """Wrong programs that a contract admits.

    A contract can be kept and still be too weak. A completeness witness is a program (here: a Rust expression) that

    \b
      1. verifies under the weakened contract,
      2. does not verify once the omitted postcondition is restored,
      3. compiles and runs,
      4. gives a wrong output on at least one official case.

    docs/witness.md says what each of the four means, and what a certificate holds.
    """
