"""What the functions return and raise."""

from __future__ import annotations

from typing import Generic, Literal, NamedTuple, TypeVar

TextField = Literal[
    "external_id",
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "state",
    "zip",
    "email",
    "phone",
    "case_type",
    "opened_on",
    "settled_on",
]
"""The name of a field that is stored as a text."""
Field = Literal[TextField, "do_not_mail"]
"""The name of a field."""

Values = TypeVar("Values")


class RefusedValue(ValueError):
    """A value that the rule of its field refuses."""

    # The name that programs use.
    __module__ = "matterbook_rules"

    def __init__(self, field: str, kind: str, message: str) -> None:
        # The arguments, so that the error can be pickled.
        super().__init__(field, kind, message)
        self.field = field
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return f"{self.field} {self.message}"


class Problem(NamedTuple):
    """Why a value is refused."""

    kind: str
    """The kind of the problem, for programs, such as ``zip_format``. Later versions may add kinds."""
    message: str
    """What to fix, as the part of a sentence after the field's name. It never repeats the value."""


class RowProblem(NamedTuple):
    """Why the value of a row is refused."""

    row: int
    """The place of the row, counted from 0."""
    kind: str
    """The kind of the problem, for programs, such as ``zip_format``. Later versions may add kinds."""
    message: str
    """What to fix, as the part of a sentence after the field's name. It never repeats the value."""


class Column(Generic[Values]):
    """A normalized column."""

    __slots__ = ("problems", "values")

    def __init__(self, values: Values, problems: list[RowProblem]) -> None:
        self.values = values
        """One value for each row, without one where it is blank or refused."""
        self.problems = problems
        """The problems of the refused values, in the order of the rows."""

    def __repr__(self) -> str:
        # The values are client data, which belongs in no log.
        return f"<Column with {len(self.problems)} problems>"


class NormalizedRecord(NamedTuple):
    """A normalized record."""

    values: dict[str, str | bool]
    """The values of the fields that are neither blank nor refused."""
    problems: dict[str, Problem]
    """The problems of the refused values."""
    ignored: list[str]
    """The names of the members that are no fields, in their order."""
