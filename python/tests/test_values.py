"""The algebra of values, by what the books say and by laws."""

from __future__ import annotations

import itertools
import pickle
import random
from fractions import Fraction

import pytest

from cgdsl import LimitError, Value, limits

up, star, one = Value("^"), Value("*"), Value(1)


def test_texts_and_numbers() -> None:
    assert str(Value("{1|-1}")) == "+-1"
    assert Value("{1|-1}").latex == r"\pm 1"
    assert Value(r"\uparrow*") == Value("^*") == up + star
    assert Value("1/2") == Fraction(1, 2) == Value(0.5)
    assert Value(3) == 3 and hash(Value(3)) == hash(3)
    assert hash(Value("3/4")) == hash(Fraction(3, 4))
    assert {Value("1/2"): "half"}[Fraction(1, 2)] == "half"  # type: ignore[index]
    assert Value(2**100 + 1).number == 2**100 + 1
    with pytest.raises(ValueError, match="power of 2"):
        Value(Fraction(1, 3))
    with pytest.raises(ValueError, match="is not a value"):
        Value("{1|")
    with pytest.raises(TypeError):
        Value(None)  # type: ignore[arg-type]
    assert (Value(1) == Fraction(1, 3)) is False
    assert Value(1) != "1"


def test_infinitesimals() -> None:
    # Winning Ways, chapters 2 and 8.
    assert star + star == 0
    assert up > 0 and up.is_confused_with(star)
    assert up + up > star and (up + up).compare("*") == ">"
    assert up == Value.from_options([0], [star])
    assert up + star == Value.from_options([0, star], [0])
    assert up.atomic_weight == 1 and (3 * up + star).atomic_weight == 3
    assert Value("Tiny(2)") == Value.from_options([0], [Value.from_options([0], [-2])])
    with pytest.raises(ValueError, match="not all small"):
        _ = one.atomic_weight
    assert Value("*5").nimber == 5
    assert [str(v) for v in Value("*2").left_options] == ["0", "*"]


def test_hot_games() -> None:
    # Winning Ways, chapter 6: {5|3||-1} and its thermograph.
    g = Value("{5|3||-1}")
    assert g.stops == (Fraction(3), Fraction(-1)) and (g.left_stop, g.right_stop) == g.stops
    assert isinstance(g.mean, Fraction)
    t = g.thermograph
    assert (t.mean, t.temperature) == (g.mean, g.temperature)
    assert t.left(0) == 3 and t.right(0) == -1
    assert t.left(100) == t.right(100) == g.mean
    assert t.svg.startswith("<svg") and "temperature" in t.svg
    switch = Value("{7|-3}")
    assert (switch.mean, switch.temperature) == (Fraction(2), Fraction(5))
    assert switch.cool(1) == Value("{6|-2}")
    assert switch.is_hot and not switch.is_number
    assert Value("1/2").temperature == Fraction(-1, 2)


def test_predicates() -> None:
    assert one.is_integer and one.is_number and not one.is_infinitesimal
    assert up.is_infinitesimal and up.is_all_small and up.is_numberish
    assert star.is_nimber
    assert int(Value(-4)) == -4 and float(Value("3/8")) == 0.375
    for wrong in (lambda: star.number, lambda: int(Value("1/2")), lambda: up.nimber):
        with pytest.raises(ValueError):
            wrong()


def test_born() -> None:
    # Siegel, Combinatorial Game Theory, III.1: 1, 4, 22 and 1474 games.
    assert [len(Value.born_by(day)) for day in range(3)] == [1, 4, 22]
    assert all(v.birthday <= 2 for v in Value.born_by(2))
    with pytest.raises(ValueError):
        Value.born_by(4)


def test_laws() -> None:
    day2 = Value.born_by(2)
    draw = random.Random(7)
    for g, h in draw.sample(list(itertools.product(day2, day2)), 120):
        assert g + h == h + g and g - h == -(h - g)
        assert (g == h) == (hash(g) == hash(h) and g.compare(h) == "=")
        relations = [g < h, g > h, g == h, g.is_confused_with(h)]
        assert relations.count(True) == 1
        assert (g <= h) == ((g - h).outcome in ("R", "P"))
        # Mean values are additive.
        assert (g + h).mean == g.mean + h.mean
        assert Value.from_options(g.left_options, g.right_options) == g
        assert pickle.loads(pickle.dumps(g)) == g
        assert Value(str(g)) == g == Value(g.unicode) == Value(g.latex)


def test_multiples_and_products() -> None:
    assert 3 * up == up + up + up and -2 * star == 0
    assert Value("3/4") * Value("1/2") == Fraction(3, 8)
    with pytest.raises(ValueError, match="numbers"):
        up * up
    with pytest.raises(TypeError):
        up + "1"  # type: ignore[operator]


def test_a_limit_of_time_ends_arithmetic() -> None:
    big = Value("+-{20|*}")
    with limits(time=0.2), pytest.raises(LimitError, match="time"):
        for n in range(5, 60):
            big = big + Value(f"{{{n * n}|^{n % 7 + 1}||-{n}|*}}")
    # The arena is as good as before.
    assert Value("{1|-1}") + Value("{1|-1}") == 0
