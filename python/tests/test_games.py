"""Games that are written in Python."""

from __future__ import annotations

import random

import pytest

import brute
import cgdsl
from cgdsl import Game, Left, Player, Unknown, Value


class Domineering(Game[brute.Cells]):
    def options(self, position: brute.Cells, player: Player) -> list[brute.Cells]:
        return brute.domineering(position, player)


class Kayles(Game[tuple[int, ...]]):
    """Rows of pins; a ball takes one or two pins that stand side by side."""

    impartial = True

    def options(self, position: tuple[int, ...], player: Player) -> list[tuple[int, ...]]:
        (n,) = position
        return [tuple(sorted((a, n - k - a))) for k in (1, 2) for a in range(n - k + 1)]

    def parts(self, position: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [(n,) for n in position if n]


def test_values_agree_with_the_language() -> None:
    game = Domineering()
    shipped = cgdsl.ruleset("domineering")["Domineering"]
    draw = random.Random(3)
    for _ in range(20):
        art = "|".join("".join(draw.choice("...#") for _ in range(4)) for _ in range(3))
        cells = brute.cells_of(art)
        assert game.value(cells) == shipped(art).value
        assert game.outcome(cells) == brute.outcome(brute.domineering, cells)


def test_parts() -> None:
    # Winning Ways, chapter 4: the nimbers of Kayles.
    known = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8]
    game = Kayles()
    assert [game.nimber((n,)) for n in range(28)] == known
    assert game.value((3, 3)) == 0 and game.value((5,)) == Value("*4")


def test_keys_join_equal_trees() -> None:
    class Counting(Game[tuple[int, int]]):
        impartial = True
        asked = 0

        def options(self, position: tuple[int, int], player: Player) -> list[tuple[int, int]]:
            type(self).asked += 1
            a, b = position
            return [(i, b) for i in range(a)] + [(a, j) for j in range(b)]

        def key(self, position: tuple[int, int]) -> tuple[int, ...]:
            return tuple(sorted(position))

    game = Counting()
    assert game.nimber((9, 5)) == 9 ^ 5
    assert game.outcome((6, 6)) == "P"


def test_faults_and_loops() -> None:
    class Wrong(Game[int]):
        def options(self, position: int, player: Player) -> list[int]:
            raise ZeroDivisionError("by me")

    class Loop(Game[int]):
        def options(self, position: int, player: Player) -> list[int]:
            return [1 - position] if player == Left else []

    with pytest.raises(ZeroDivisionError, match="by me"):
        Wrong().value(1)
    with pytest.raises(NotImplementedError, match="options"):
        Game[int]().value(1)
    with pytest.raises(TypeError, match="hash"):
        Game[int]().value([])  # type: ignore[arg-type]
    # Left has always a move and Right has none.
    assert Loop().outcome(0) == "L"

    class Round(Game[int]):
        def options(self, position: int, player: Player) -> list[int]:
            return [(position + 1) % 3]

    assert Round().outcome(0) == "D"
    with pytest.raises(cgdsl.EvaluationError, match="comes again"):
        Round().value(0)


def test_limits_and_misere() -> None:
    class Endless(Game[int]):
        def options(self, position: int, player: Player) -> list[int]:
            return [position + 1, position + 2]

    with cgdsl.limits(time=0.3):
        found = Endless().value(0)
    assert isinstance(found, Unknown)

    class Nim(Game[tuple[int, ...]]):
        impartial = True

        def options(self, position: tuple[int, ...], player: Player) -> list[tuple[int, ...]]:
            return [
                tuple(sorted((*position[:i], m, *position[i + 1 :])))
                for i, n in enumerate(position)
                for m in range(n)
            ]

    # Misere Nim with heaps of one: the parity decides.
    assert Nim().misere_outcome((1, 1)) == "N" and Nim().misere_outcome((1,)) == "P"
    assert Nim().misere_outcome((2, 2)) == "P"
