"""Values in SageMath: the methods by which Sage converts and prints objects of other libraries. Sage itself is imported only when it calls them."""

from __future__ import annotations

import importlib
import operator
from numbers import Integral
from typing import Any

from ._native import Value

_times = Value.__mul__


def _product(self: Value, other: Any) -> Any:
    # The native product takes an `int` alone for a number of copies, and Sage's integers are of another type.
    return _times(self, operator.index(other) if isinstance(other, Integral) else other)


def _latex(self: Value) -> str:
    """For ``latex(v)``."""
    return self.latex


def _rational(self: Value) -> Any:
    """For ``QQ(v)``, where the value is a number."""
    return importlib.import_module("sage.rings.rational_field").QQ(self.number)


def _integer(self: Value, _ring: object = None) -> Any:
    """For ``ZZ(v)``, where the value is an integer."""
    return importlib.import_module("sage.rings.integer_ring").ZZ(int(self))


def _real(self: Value, field: Any) -> Any:
    """For ``RR(v)``, where the value is a number."""
    return field(_rational(self))


for _name, _method in {
    "__mul__": _product,
    "__rmul__": _product,
    "_latex_": _latex,
    "_rational_": _rational,
    "_integer_": _integer,
    "_mpfr_": _real,
}.items():
    setattr(Value, _name, _method)
