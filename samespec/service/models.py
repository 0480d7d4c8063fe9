"""What the end points take: the models that the OpenAPI document shows.

In: JSON. Out: checked records, or the framework's own answer (422) that says which field is wrong.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Source = Annotated[str, Field(min_length=1, description="The text of a Rust file.")]
Targets = Annotated[
    list[Annotated[str, Field(min_length=1)]] | None,
    Field(default=None, min_length=1, description="Functions, by path or the end of one; null: all that have a contract."),
]
Budget = Annotated[
    int | None, Field(default=None, ge=1, description="Work one obligation may cost, in Z3's resource units; null: the default.")
]


class CheckRequest(BaseModel):
    """Two files: did the contracts of the first survive in the second?"""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "original": "verus! { fn f(x: u8) -> (r: u8) ensures r == x { x } }",
                "submitted": "verus! { fn f(x: u8) -> (r: u8) ensures r >= x { x } }",
            }
        },
    )

    original: Source
    submitted: Source
    targets: Targets
    mode: Literal["contract", "proof"] = Field("contract", description="proof: executable code must be the same too.")
    audit: bool = Field(False, description="What the targets' proofs lean on must be sound too.")
    strict: bool = Field(False, description="Accept only equivalent contracts.")
    budget: Budget


class AuditRequest(BaseModel):
    """One file: what do the proofs of its functions lean on? With `original`, what that trusted already is told apart."""

    model_config = ConfigDict(extra="forbid")

    submitted: Source
    original: str | None = Field(None, min_length=1, description="The file before the edit.")
    targets: Targets
