"""The players."""

from enum import IntEnum


class Player(IntEnum):
    """The two players of most games. Of more players each is a number from 0, in the order of turns, or a name."""

    Left = 0
    Right = 1


Left = Player.Left
Right = Player.Right
