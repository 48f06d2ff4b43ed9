"""Positions of shipped rules, by their sources and by brute force."""

from __future__ import annotations

import math
import pickle
import random
import threading
import time

import pytest

import brute
import cgdsl
from cgdsl import Left, Position, Right, Unknown, Value

Dom = cgdsl.ruleset("domineering")["Domineering"]
Nim = cgdsl.ruleset("nim")["Nim"]


def art(draw: random.Random, rows: int, columns: int) -> str:
    return "|".join("".join(draw.choice("...#") for _ in range(columns)) for _ in range(rows))


def test_random_domineering_against_brute_force() -> None:
    draw = random.Random(1)
    for _ in range(25):
        a, b = art(draw, 3, 4), art(draw, 2, 4)
        g, h = Dom(a), Dom(b)
        cells, others = brute.cells_of(a), brute.cells_of(b)
        assert g.outcome == brute.outcome(brute.domineering, cells)
        assert isinstance(g.value, Value) and g.value.outcome == g.outcome
        # The sum is a board with both parts apart; the negative is the transposed board.
        apart = cells | {(r + 9, c) for r, c in others}
        assert (g + h).outcome == brute.outcome(brute.domineering, apart)
        minus = cells | {(c + 9, r + 20) for r, c in others}
        assert (g - h).outcome == brute.outcome(brute.domineering, minus)
        assert (g + h).value == g.value + h.value  # type: ignore[operator]
        assert (g >= h) == (brute.outcome(brute.domineering, minus) in "LP")
        assert (g == h) == (g.value == h.value)
        for player in (Left, Right):
            options = g.options(player)
            assert isinstance(options, list)
            assert len(options) == len(set(brute.domineering(cells, player)))


def test_values_of_the_literature() -> None:
    # Winning Ways, chapter 5; the claims of the shipped files.
    assert Dom("grid(2, 2)").value == Value("+-1")
    assert Dom("grid(4, 3)").value == Value("3/2")
    assert Dom("grid(4, 2)").value == Value("{0||0|-2}")
    assert Nim(3, 5, 6).outcome == "P" and Nim(3, 4, 6).nimber == 1
    toads = cgdsl.ruleset("toads-and-frogs")
    assert list(toads)
    col = cgdsl.ruleset("col")["Col"]
    assert col("a:x -- b").value == -1


def test_games_are_compared_as_games() -> None:
    g = Dom("grid(2, 2)")
    assert g + g == 0 and g == -g and g != Dom("grid(2, 1)")
    assert Dom("grid(2, 1)") == 1 and Dom("grid(1, 2)") < 0 < Dom("grid(2, 1)")
    assert Dom("grid(2, 1)") == Value(1) and Value(1) == Dom("grid(2, 1)")
    assert hash(Dom("grid(2, 1)")) == hash(1)
    assert sum([g, g, g]) == g and 3 * g == g
    assert not g <= 0 and not g >= 0
    assert Dom("..|..").is_same(g) and not Dom("grid(2, 1)").is_same(-Dom("grid(1, 2)"))
    both = cgdsl.ruleset("domineering", "nim")
    assert (both["Domineering"]("grid(2, 2)") + both["Nim"](1)).value == Value("+-1") + Value("*")
    with pytest.raises(ValueError, match="load them together"):
        Dom("grid(2, 2)") + Nim(1)
    assert Dom("..") == -Dom(".|.") and Nim(1) == Nim(1, 2, 2)


def test_moves() -> None:
    g = Dom("grid(3, 3)")
    best = g.best(Left)
    assert isinstance(best, list) and best and all(m.best and m.player == "Left" for m in best)
    # 3x3 is +-1: Left's best moves are to 1.
    assert {m.value for m in best} == {Value(1)}
    moves = g.moves()
    assert isinstance(moves, list) and len(moves) == 12
    assert all(isinstance(m.position, Position) for m in moves)
    assert "a = (1, 1)" in moves[0].text
    with pytest.raises(TypeError, match="say whose"):
        g.options()
    assert len(Nim(3).options()) == 3  # type: ignore[arg-type]
    assert g.options("Left") and isinstance(g.options(0), list)
    with pytest.raises(ValueError, match="no player"):
        g.options("White")
    assert "+-1" in g.why() or "±1" in g.why()  # type: ignore[operator]


def test_play() -> None:
    play = Nim(3, 4, 6).play()
    assert play.standing == "Left to move" and not play.is_over
    text, stands = play.advice()
    assert stands == "wins" and text in play.moves
    while not play.is_over:
        play.reply()
    # 3, 4, 6 is not a zero position, so the first player wins.
    assert play.standing == "Left has won"
    made = len(play.made_moves)
    assert play.undo() is play and len(play.made_moves) == made - 1
    with pytest.raises(ValueError, match="names no move"):
        play.make("somewhere else")
    misere = Nim(1, 1).play(misere=True)
    assert misere.advice()[1] == "wins"


def test_boards() -> None:
    by_rows = Dom(["...", ".#."])
    assert by_rows.is_same(Dom("...|.#.")) and by_rows.is_same(Dom("...\n.#.\n"))
    assert by_rows.is_same(Dom([[True, True, True], [True, False, True]]))
    assert by_rows.is_same(Dom([[0, 0, 0], [0, 1, 0]], symbols={0: ".", 1: "#"}))
    assert Nim([3, 4]).is_same(Nim(3, 4)) and Nim("3, 4").is_same(Nim((3, 4)))
    token = cgdsl.ruleset("edge-geography")["EdgeGeography"]("path(3)", token="p[1]")
    # Edge Geography from the end of a path of two edges: both are walked (the file's claim).
    assert token.nimber == 0
    with pytest.raises(ValueError, match="symbols"):
        Dom([[0, 1]], symbols={})
    with pytest.raises(TypeError):
        Dom(None)


def test_pickles() -> None:
    g = Dom("...|.#.")
    back = pickle.loads(pickle.dumps(g))
    assert back.value == g.value and str(back) == str(g)
    both = cgdsl.load("ruleset Row\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n")
    h = both["Row"](3)
    assert pickle.loads(pickle.dumps(h)).value == Value("*") == h.value


def test_many_players() -> None:
    # Propp, Three-player impartial games: the claims of the shipped file.
    nim = cgdsl.ruleset("n-player/nim")
    three = nim["Nim3"]
    assert three(1, 1).players == ["A", "B", "C"]
    assert three(1, 1).winner("A") == "B" and three(1, 1, 1).winner(0) == "C"
    assert three(1, 2).winner("A") == "queer"
    found = nim["NNim(4)"](1, 2).coalitions(0)
    assert isinstance(found, list)
    assert sorted(found) == [["1", "2"], ["1", "3"], ["2", "3"]]
    with pytest.raises(cgdsl.EvaluationError, match="3 players"):
        _ = three(1, 1).value
    assert len(three(2).moves("B")) == 2  # type: ignore[arg-type]


def test_games_without_values() -> None:
    start = cgdsl.ruleset("tic-tac-toe")["TicTacToe"]("...|...|...")
    # Nobody can force a win.
    assert start.outcome == "D"
    with pytest.raises(cgdsl.EvaluationError):
        _ = start.value
    assert start == start and start != Nim(1)
    won = cgdsl.ruleset("tic-tac-toe")["TicTacToe"]("xx.|oo.|...")
    best = won.best(Left)
    assert isinstance(best, list)
    assert [m.fate for m in best] == ["won by Left"] and won.remoteness(Left) == 1
    with pytest.raises(ValueError, match="no values"):
        _ = best[0].value
    assert cgdsl.ruleset("nim")["Nim"](1, 1).misere_outcome == "N"
    assert cgdsl.ruleset("tic-tac-toe")["TicTacToe"]("...|...|...").remoteness(Left) in (9, math.inf)


def test_unknown_within_limits() -> None:
    big = Dom("grid(9, 9)")
    with cgdsl.limits(time=0.3):
        begun = time.monotonic()
        found = big.value
        assert time.monotonic() - begun < 3
    assert isinstance(found, Unknown) and found.limit == "time"
    with pytest.raises(TypeError, match="unknown"):
        bool(found)
    with cgdsl.limits(memory="1 MB"):
        other = big.value
    assert isinstance(other, Unknown) and other.limit == "memory"
    # What was ended does not get in the way of the next question.
    assert Dom("grid(4, 4)").outcome == "N"


def test_threads_share_rules() -> None:
    found: list[object] = []

    def ask(n: int) -> None:
        found.append(Dom(f"grid({n % 4 + 1}, 4)").outcome)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12 and not any(isinstance(x, Unknown) for x in found)


def test_the_interpreter_goes_on_meanwhile() -> None:
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    with cgdsl.limits(time=0.5):
        _ = Dom("grid(9, 9)").value
    stop.set()
    thread.join()
    assert ticks > 10


def test_a_question_takes_microseconds() -> None:
    g = Dom("grid(4, 4)")
    _ = g.value
    begun = time.perf_counter()
    for _ in range(200):
        _ = g.value
    each = (time.perf_counter() - begun) / 200
    assert each < 0.02, f"{each * 1e6:.0f} microseconds"
