"""Combinatorial games: rulesets in the language of cgdsl, positions, exact values.

>>> import cgdsl
>>> from cgdsl import Left, Right, Value
>>> Domineering = cgdsl.ruleset("domineering")["Domineering"]
>>> g = Domineering("grid(2, 3)")
>>> g.value
Value('{2|-1/2}')
>>> g.value.temperature
Fraction(5, 4)
>>> Domineering("grid(2, 2)") + Domineering("grid(2, 2)") == 0
True
"""

from __future__ import annotations

from . import _sage as _sage
from ._answers import Answer, Table, Tree, tree
from ._boards import to_networkx
from ._census import Census, CensusError, Plan, census, merge, plan, scan, slurm
from ._errors import Diagnostic, Error, EvaluationError, LimitError, Place, RulesError
from ._game import Game
from ._magic import load_ipython_extension, unload_ipython_extension
from ._native import Move, Play, Position, Thermograph, Unknown, Value, __version__, limits
from ._players import Left, Player, Right
from ._rules import Rules, Ruleset, load, ruleset, shipped

__all__ = [
    "Answer",
    "Census",
    "CensusError",
    "Diagnostic",
    "Error",
    "EvaluationError",
    "Game",
    "Left",
    "LimitError",
    "Move",
    "Place",
    "Plan",
    "Play",
    "Player",
    "Position",
    "Right",
    "Rules",
    "RulesError",
    "Ruleset",
    "Table",
    "Thermograph",
    "Tree",
    "Unknown",
    "Value",
    "__version__",
    "census",
    "limits",
    "load",
    "load_ipython_extension",
    "merge",
    "plan",
    "ruleset",
    "scan",
    "shipped",
    "slurm",
    "to_networkx",
    "tree",
    "unload_ipython_extension",
]
