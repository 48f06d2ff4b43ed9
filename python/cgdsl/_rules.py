"""Files of rules, their rulesets, and their answers."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from . import _native
from ._answers import Answer, Table, answer_of
from ._boards import literals
from ._errors import Diagnostic, RulesError, diagnostics_of
from ._native import Position

# A path has no line break, and rules are longer than a name.
_RULES = re.compile(r"\s*(///?|ruleset\b|use\b|let\b|eval\b|assert\b|claim\b|table\b|search\b)")


class Ruleset:
    """A ruleset of a file. Called with a board, it gives a position."""

    def __init__(self, rules: Rules, name: str, parameters: tuple[str, ...], doc: str) -> None:
        self.rules = rules
        self.name = name
        """Its name, with arguments if it takes some."""
        self.parameters = parameters
        """The parameters that it takes."""
        self.doc = doc
        """What the file says of it."""

    def __call__(
        self, *board: object, symbols: Mapping[Any, str] | None = None, **state: object
    ) -> Position:
        """The position on a board.

        A board is a text as in the brackets of the language (``"grid(3, 4)"``, ``"a -- b"``) or drawn (``"..|.#"``), the
        sizes of heaps, rows of cells or an array of them (with ``symbols`` for what is in it), or a graph of networkx.
        Other state goes by name: ``Geography("path(3)", token="p[1]")``.
        """
        one = board[0] if len(board) == 1 else list(board)
        more = [f"{name}: {value}" for name, value in state.items()]
        texts = []
        for text in literals(one, symbols):
            inside = ", ".join([text, *more] if text else more)
            texts.append(f"{self.name}[{inside}]")
        return self.rules._native.position(texts)

    def __repr__(self) -> str:
        takes = f"({', '.join(self.parameters)})" if self.parameters else ""
        return f"<Ruleset {self.name}{takes}>"


class Rules(Mapping[str, Ruleset]):
    """A file of rules that is loaded: a mapping from names to rulesets. ``r["Subtraction({1, 2})"]`` gives arguments."""

    def __init__(self, name: str, text: str | None = None) -> None:
        self._native = _native.Rules(name, text)
        shown, data, broken = self._native.messages
        self.diagnostics: tuple[Diagnostic, ...] = diagnostics_of(data)
        """Warnings and remarks on the file."""
        if broken:
            raise RulesError.from_json(shown, data)
        self._rulesets = {
            name: Ruleset(self, name, tuple(parameters), doc)
            for name, parameters, doc in self._native.rulesets
        }

    def __getitem__(self, name: str) -> Ruleset:
        if name in self._rulesets:
            return self._rulesets[name]
        head = name.partition("(")[0].strip()
        if head != name and head in self._rulesets:
            return Ruleset(self, name, (), self._rulesets[head].doc)
        raise KeyError(f"{name}; the rulesets are {', '.join(self._rulesets)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._rulesets)

    def __len__(self) -> int:
        return len(self._rulesets)

    def position(self, text: str) -> Position:
        """The position that a text of the language stands for: ``"Domineering[grid(2, 3)]"``."""
        return self._native.position([text])

    def eval(self, expression: str) -> Any:
        """The value of an expression of the language as an object of Python.

        A set of positions or of edges is a list, since positions are compared as games and edges by their ends. Within a
        set, sets are frozen and lists are tuples.
        """
        return self._native.eval(expression)

    def answers(self) -> list[Answer]:
        """The answers to all that the file asks."""
        return [answer_of(data, pictures) for data, pictures in self._native.answers()]

    def table(self, text: str) -> Table:
        """A table: ``r.table("for m in 1..3, n in 1..3: value(Domineering[grid(m, n)])")``."""
        found = answer_of(*self._native.table(text))
        if not isinstance(found, Table):
            raise RulesError(found.text)
        return found

    def __reduce__(self) -> tuple[Any, tuple[str, str | None]]:
        return (Rules, self._native.source)

    def __repr__(self) -> str:
        return f"<Rules {self._native.source[0]}: {', '.join(self._rulesets)}>"


def load(source: str | os.PathLike[str]) -> Rules:
    """Loads rules from a file, by its path, or from a text."""
    if isinstance(source, str) and ("\n" in source or _RULES.match(source)):
        return Rules("<text>", source)
    return Rules(os.fspath(source))


@functools.lru_cache(maxsize=64)
def ruleset(*names: str) -> Rules:
    """Loads shipped rules by name, several of them together so that their positions can be added.

    The same names give the same object, with what its engines have found.
    """
    if len(names) == 1:
        return Rules(names[0])
    return Rules(" + ".join(names), "\n".join(f'use "{name}.rules"' for name in names))


def shipped() -> dict[str, str]:
    """The names of the shipped files of rules, with their titles."""
    return {name: title for name, _folder, title, _text in _native.shipped()}


@functools.lru_cache(maxsize=64)
def _loaded(name: str, text: str | None) -> Rules:
    return Rules(name, text)


# A forked process has none of the threads in which rules are evaluated, so it loads them again.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=ruleset.cache_clear)
    os.register_at_fork(after_in_child=_loaded.cache_clear)


def _position(name: str, text: str | None, literal: str) -> Position:
    """A position from what ``pickle`` keeps of it."""
    return _loaded(name, text).position(literal)


__all__ = ["Rules", "Ruleset", "load", "ruleset", "shipped"]
