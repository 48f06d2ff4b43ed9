"""Boards and numbers of SageMath: stand-ins that answer as Sage 9.5 does, and the examples of the document under Sage itself."""

from __future__ import annotations

import functools
import numbers
import os
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import cgdsl
from cgdsl import Value

HERE = Path(__file__).resolve().parent


class Integer:
    """An integer of Sage: registered as one, and no `int`."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __index__(self) -> int:
        return self.n

    def __str__(self) -> str:
        return str(self.n)

    __repr__ = __str__

    def __hash__(self) -> int:
        return hash(self.n)

    def __eq__(self, other: object) -> bool:
        return self.n == other

    def __ge__(self, other: int) -> bool:
        return self.n >= other

    def as_integer_ratio(self) -> tuple[Integer, Integer]:
        return self, Integer(1)


numbers.Integral.register(Integer)


class Rational:
    """A rational number of Sage."""

    def __init__(self, x: Fraction) -> None:
        self.x = x

    def as_integer_ratio(self) -> tuple[Integer, Integer]:
        return Integer(self.x.numerator), Integer(self.x.denominator)

    def __float__(self) -> float:
        return float(self.x)


class Graph:
    """A graph of Sage."""

    def __init__(
        self, edges: list[tuple[Any, Any, Any]], objects: dict[Any, Any] | None = None, directed: bool = False
    ) -> None:
        self._edges = edges
        self._vertices = list(dict.fromkeys(v for a, b, _ in edges for v in (a, b)))
        self._objects = objects or {}
        self._directed = directed

    def vertices(self, sort: bool = True) -> list[Any]:
        return self._vertices

    def edges(self, labels: bool = True, sort: bool = True) -> list[tuple[Any, ...]]:
        return [*self._edges] if labels else [(a, b) for a, b, _ in self._edges]

    def get_vertices(self) -> dict[Any, Any]:
        return {v: self._objects.get(v) for v in self._vertices}

    def is_directed(self) -> bool:
        return self._directed

    def __iter__(self) -> Iterator[Any]:
        return iter(self._vertices)


class Poset:
    """A poset of Sage; one that is no facade wraps its points."""

    class Point:
        def __init__(self, element: Any) -> None:
            self.element = element

    def __init__(self, points: list[Any], covers: list[list[Any]], facade: bool = True) -> None:
        wrapped = {p: p if facade else self.Point(p) for p in points}
        self._points = list(wrapped.values())
        self._covers = [[wrapped[a], wrapped[b]] for a, b in covers]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._points)

    def cover_relations(self) -> list[list[Any]]:
        return self._covers


class Matrix:
    """A matrix of Sage: it has no `tolist`, and its rows are vectors."""

    def __init__(self, rows: list[list[int]]) -> None:
        self._rows = rows

    def nrows(self) -> int:
        return len(self._rows)

    def rows(self) -> list[Iterator[Integer]]:
        return [iter([Integer(n) for n in row]) for row in self._rows]


def test_graphs() -> None:
    kayles = cgdsl.ruleset("node-kayles")["NodeKayles"]
    vertices = [Integer(n) for n in range(5)]
    cycle = Graph([(vertices[i], vertices[(i + 1) % 5], None) for i in range(5)])
    assert kayles(cycle).is_same(kayles("0 -- 1 -- 2 -- 3 -- 4 -- 0"))
    # Weights are no pieces.
    assert kayles(Graph([("a", "b", 3), ("b", "c", Integer(1))])).is_same(kayles("a -- b -- c"))
    walk = cgdsl.ruleset("geography")["Geography"]
    arcs = Graph([("a", "b", None), ("c", "b", "")], directed=True)
    assert walk(arcs, token="a").is_same(walk("a -> b, c -> b", token="a"))


def test_pieces() -> None:
    hackenbush = cgdsl.ruleset("hackenbush")["Hackenbush"]
    stalk = Graph([("ground", Integer(1), "b"), (Integer(1), Integer(2), "r"), (Integer(2), Integer(3), {"piece": "b"})])
    # Berlekamp's rule: blue, red, blue is 3/4.
    assert hackenbush(stalk).value == Fraction(3, 4)
    col = cgdsl.ruleset("col")["Col"]
    assert col(Graph([("a", "b", None)], {"a": "x"})).is_same(col("a:x -- b"))


@pytest.mark.parametrize("facade", [True, False])
def test_posets(facade: bool) -> None:
    game = cgdsl.ruleset("poset-game")["PosetGame"]
    chain = Poset([Integer(n) for n in range(4)], [[Integer(n), Integer(n + 1)] for n in range(3)], facade)
    # A chain of n points is a Nim heap of n.
    assert game(chain).nimber == 4
    loose = Poset(["a", "b", "c"], [], facade)
    assert game(loose).nimber == 1
    one = Poset([Integer(7)], [], facade)
    assert game(one).nimber == 1


def test_a_lattice_against_brute_force() -> None:
    @functools.cache
    def nimber(points: frozenset[int]) -> int:
        # Removing a subset removes all sets that contain it.
        found = {nimber(frozenset(q for q in points if q & p != p)) for p in points}
        return next(n for n in range(9) if n not in found)

    covers = [[Integer(p), Integer(p | 1 << i)] for p in range(8) for i in range(3) if not p >> i & 1]
    lattice = Poset([Integer(p) for p in range(8)], covers)
    assert cgdsl.ruleset("poset-game")["PosetGame"](lattice).nimber == nimber(frozenset(range(8))) == 4


def test_matrices() -> None:
    dom = cgdsl.ruleset("domineering")["Domineering"]
    board = Matrix([[0, 0, 0], [0, 1, 0]])
    assert dom(board, symbols={0: ".", 1: "#"}).is_same(dom("...|.#."))
    with pytest.raises(ValueError, match="symbols"):
        dom(board)


def test_numbers() -> None:
    nim: Any = cgdsl.ruleset("nim")["Nim"]
    assert nim(Integer(3), Integer(5), 6).is_same(nim(3, 5, 6))
    up: Any = Value("^")
    assert Integer(3) * up == up * Integer(3) == up + up + up
    half = Rational(Fraction(1, 2))
    made: Any = Value
    assert made(half) == Fraction(1, 2) and made(1) + half == half + made(1) == Fraction(3, 2)
    assert made("1/2") == half and made("1/2") < Rational(Fraction(3, 4)) and half * made("3/4") == Fraction(3, 8)
    assert made("{7|-3}").cool(half) == Value("{13/2|-5/2}")
    limits: Any = cgdsl.limits
    with limits(time=half, memory=Integer(10**9), threads=Integer(1)):
        assert nim(3).nimber == 3


def test_conversions(monkeypatch: pytest.MonkeyPatch) -> None:
    value: Any = Value("3/4")
    assert Value("{1|-1}")._latex_() == r"\pm 1"  # type: ignore[attr-defined]
    rationals, integers = types.ModuleType("rational_field"), types.ModuleType("integer_ring")
    monkeypatch.setattr(rationals, "QQ", Fraction, raising=False)
    monkeypatch.setattr(integers, "ZZ", Integer, raising=False)
    for name, module in (("rational_field", rationals), ("integer_ring", integers)):
        monkeypatch.setitem(sys.modules, f"sage.rings.{name}", module)
    for name in ("sage", "sage.rings"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    assert value._rational_() == Fraction(3, 4) and value._mpfr_(float) == 0.75
    assert Value(3)._integer_(None) == 3  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="not an integer"):
        value._integer_(None)
    with pytest.raises(ValueError, match="not a number"):
        Value("*")._rational_()  # type: ignore[attr-defined]


def test_the_examples_under_sage() -> None:
    sage = shutil.which("sage")
    if sage is None:
        pytest.skip("there is no Sage here")
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONHOME")}
    environment["PYTHONPATH"] = str(HERE.parent)
    command = [sage, "-python", str(HERE / "sage_examples.py"), str(HERE.parent.parent / "docs" / "sage.md")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 77:
        pytest.skip("Sage has a Python older than 3.10")
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-4]) > 25
