"""Games from their definition, in a few lines, to hold the engine against. Nothing here imports cgdsl."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

P = TypeVar("P", bound=Hashable)
Cells = frozenset[tuple[int, int]]


def domineering(cells: Cells, player: int) -> list[Cells]:
    """Left (0) places dominoes north-south, Right (1) east-west."""
    down, across = (1, 0) if player == 0 else (0, 1)
    pairs = [{(r, c), (r + down, c + across)} for r, c in cells]
    return [cells - pair for pair in pairs if pair <= cells]


def node_kayles(edges: frozenset[frozenset[int]]) -> Callable[[frozenset[int], int], list[frozenset[int]]]:
    """A move takes a vertex with its neighbours."""

    def options(vertices: frozenset[int], _player: int) -> list[frozenset[int]]:
        closed = [{v} | {w for w in vertices if frozenset({v, w}) in edges} for v in vertices]
        return [vertices - taken for taken in closed]

    return options


def outcome(options: Callable[[P, int], Iterable[P]], start: P) -> str:
    """Who wins, by trying everything: who cannot move loses."""

    @functools.cache
    def wins(position: P, player: int) -> bool:
        return any(not wins(to, 1 - player) for to in options(position, player))

    left, right = wins(start, 0), wins(start, 1)
    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[left, right]


def nimber(options: Callable[[P, int], Iterable[P]], start: P) -> int:
    """The least number that no option has."""

    @functools.cache
    def value(position: P) -> int:
        found = {value(to) for to in options(position, 0)}
        return next(n for n in range(len(found) + 1) if n not in found)

    return value(start)


def cells_of(art: str) -> Cells:
    """The cells that are there."""
    return frozenset((r, c) for r, row in enumerate(art.split("|")) for c, x in enumerate(row) if x == ".")
