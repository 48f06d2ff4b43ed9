"""What is raised where something is wrong: the message as the program draws it, and the same as data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Place:
    """A place in a text. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    """What is said of the place."""


@dataclass(frozen=True)
class Diagnostic:
    """A message about rules."""

    code: str
    """``E0203``; ``cgdsl explain E0203`` tells more."""
    severity: str
    """``error``, ``warning`` or ``note``."""
    message: str
    places: tuple[Place, ...] = ()
    """The first is where the fault is."""
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    edits: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    """What to write instead, as the program gives it in JSON."""


def diagnostics_of(text: str) -> tuple[Diagnostic, ...]:
    """The messages of a JSON text."""

    def place(label: dict[str, Any]) -> Place:
        return Place(
            label["file"],
            label["line"],
            label["column"],
            label["end_line"],
            label["end_column"],
            label["text"],
        )

    return tuple(
        Diagnostic(
            d["code"],
            d["severity"],
            d["message"],
            tuple(place(label) for label in d["labels"]),
            tuple(d["notes"]),
            tuple(d["help"]),
            tuple(d["suggestions"]),
        )
        for d in json.loads(text)
    )


class Error(Exception):
    """What cgdsl raises."""


class LimitError(Error):
    """A limit was met where an answer is needed: in arithmetic, or to compare."""


class _Told(Error):
    diagnostics: tuple[Diagnostic, ...] = ()
    """The messages as data."""

    @classmethod
    def from_json(cls, text: str, data: str) -> _Told:
        error = cls("\n" + text if "\n" in text else text)
        error.diagnostics = diagnostics_of(data)
        return error


class RulesError(_Told):
    """Rules, a board or an expression that cannot be read."""


class EvaluationError(_Told):
    """A question that has no answer: a rule goes wrong, or the rules have no values."""
