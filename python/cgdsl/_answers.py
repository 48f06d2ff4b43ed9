"""Answers of the program, which come as JSON with pictures, as objects that a notebook shows."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._native import Unknown

if TYPE_CHECKING:
    from ._native import Position


# So many results of a search are shown.
_SHOWN = 20


@dataclass(frozen=True)
class Answer:
    """The answer to a query of a file."""

    kind: str
    """``card``, ``value``, ``verdict``, ``table``, ``search`` or ``none``."""
    status: str
    """``held``, ``failed``, ``unknown``, ``broken`` or ``skipped``."""
    text: str
    """What was asked, as written."""
    data: dict[str, Any] = field(repr=False)
    """All of it, as ``cgdsl eval --json`` prints it."""
    svg: str = field(repr=False, default="")
    """A picture, if there is one."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
            for name, value in self._rows()
        )
        head = f"<b>{html.escape(self.text)}</b> <i>{self.status}</i>"
        return f"<div>{head}<div>{self.svg}</div><table>{rows}</table></div>"

    def _rows(self) -> Iterator[tuple[str, object]]:
        shown = ("value", "outcome", "mean", "temperature", "name", "source", "range", "instances", "limit")
        for name in shown:
            value = self.data.get(name)
            if value not in (None, ""):
                yield name, value["text"] if isinstance(value, dict) else value
        if wrong := self.data.get("counterexample"):
            yield "counterexample", _instance(wrong)
        if self.kind == "search":
            found = self.data["found"]
            for instance in found[:_SHOWN]:
                yield "found", _instance(instance)
            if len(found) > _SHOWN:
                yield "found", f"{len(found) - _SHOWN} more"
        for d in self.data.get("diagnostics", ()):
            yield d["severity"], d["message"]


@dataclass(frozen=True)
class Table(Answer):
    """A table: a row for each instance of its names."""

    @property
    def names(self) -> list[str]:
        """What the rows range over."""
        return list(self.data["names"])

    @property
    def rows(self) -> list[tuple[tuple[str, ...], str]]:
        """What the names stand for, and the value; ``unknown`` where a limit was met."""
        return [(tuple(row["keys"]), row["value"] or "unknown") for row in self.data["rows"]]

    def to_dict(self) -> dict[str, list[str | int]]:
        """Columns by name, for ``pandas.DataFrame`` or ``polars.DataFrame``: integers as ``int``, all else as texts."""
        columns = {name: [_plain(row["keys"][i]) for row in self.data["rows"]] for i, name in enumerate(self.names)}
        values = [_plain(row["value"] or "unknown") for row in self.data["rows"]]
        columns["value"] = values if all(isinstance(v, int) for v in values) else [str(v) for v in values]
        return columns

    def to_pandas(self) -> Any:
        """The table as a frame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """The table as a frame of polars."""
        import polars

        return polars.DataFrame(self.to_dict())

    def to_arrow(self) -> Any:
        """The table as a table of pyarrow."""
        import pyarrow

        return pyarrow.table(self.to_dict())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table by the Arrow C interface, for whatever takes it: ``polars.DataFrame(table)``, ``duckdb``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self.data["rows"])

    def _repr_html_(self) -> str:
        if self.svg:
            return f"<div>{self.svg}</div>"
        columns = self.to_dict()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(x))}</td>" for x in row) + "</tr>"
            for row in zip(*columns.values(), strict=True)
        )
        return f"<table><tr>{head}</tr>{body}</table>"


@dataclass(frozen=True)
class Tree:
    """The positions within some moves of one: see :func:`tree`."""

    text: str
    """As text, one line for each position."""
    svg: str = field(repr=False)
    """A picture."""

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


def tree(position: Position, depth: int = 2) -> Tree | Unknown:
    """The positions within ``depth`` moves, with their values, and which options count: a picture and a text."""
    found = position._tree(depth)
    if isinstance(found, Unknown):
        return found
    svg, text = found
    return Tree(text, svg)


def _instance(instance: dict[str, Any]) -> str:
    """What the names stand for, the values found, and the positions."""
    named = [f"{x['name']} = {x['value']}" for x in (*instance["bindings"], *instance["found"])]
    return ", ".join([*named, *(picture["text"] for picture in instance["pictures"])])


def _plain(text: str) -> str | int:
    try:
        return int(text)
    except ValueError:
        return text


def answer_of(data: str, pictures: list[str]) -> Answer:
    """An item of the program as an object."""
    item: dict[str, Any] = json.loads(data)
    text = item.get("expression") or item.get("text") or ""
    kind = Table if item["kind"] == "table" else Answer
    return kind(item["kind"], item["status"], text, item, pictures[0] if pictures else "")
