"""Games that are written in Python, with values from the engine."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterable
from typing import Any, Generic, TypeVar

from ._native import GameEngine, Unknown, Value
from ._players import Player

P = TypeVar("P", bound=Hashable)


class Game(Generic[P]):
    """A game for two players, who move in turn; whoever cannot move loses.

    Write ``options``. Positions are hashable objects that do not change; equal ones are the same.

    >>> class Subtraction(Game[int]):
    ...     impartial = True
    ...     def options(self, position, player):
    ...         return [position - k for k in (1, 2, 3) if k <= position]
    >>> game = Subtraction()
    >>> game.nimber(7), game.outcome(8)
    (3, 'P')
    """

    impartial = False
    """Say ``True`` if both players have the same options at every position: then nimbers are looked for first."""

    def options(self, position: P, player: Player) -> Iterable[P]:
        """The positions that a player can move to."""
        raise NotImplementedError(f"{type(self).__name__} has to define options(self, position, player)")

    def key(self, position: P) -> Hashable:
        """What positions with the same game tree may have in common, such as a mirror image: less is searched then."""
        return position

    def parts(self, position: P) -> Iterable[P]:
        """Positions whose sum the position is: less is searched then."""
        return [position]

    def value(self, position: P) -> Value | Unknown:
        """The canonical form."""
        return self._engine.value(position)

    def nimber(self, position: P) -> int | Unknown:
        """The n of ``*n``; ``ValueError`` if the value is not a nimber."""
        found = self._engine.nimber(position)
        if found is None:
            raise ValueError(f"the value of {position!r} is not a nimber")
        return found

    def outcome(self, position: P) -> str | Unknown:
        """``L``, ``R``, ``N`` or ``P``; where play need not end also ``D``, ``LD``, ``RD``, ``DL``, ``DR``."""
        return self._engine.outcome(position)

    def misere_outcome(self, position: P) -> str | Unknown:
        """Who wins if whoever moves last loses."""
        return self._engine.misere_outcome(position)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_native"}

    _player = Player

    @property
    def _engine(self) -> GameEngine:
        known: Any = self.__dict__.get("_native")
        if known is None:
            kind = type(self)
            known = GameEngine(weakref.ref(self), self.impartial, kind.key is not Game.key, kind.parts is not Game.parts)
            self.__dict__["_native"] = known
        return known  # type: ignore[no-any-return]
