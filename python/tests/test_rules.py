"""Loading rules, their messages and answers; interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import cgdsl
from cgdsl import EvaluationError, RulesError, Table, Value

ROW = "ruleset Row\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n"


def test_load_from_text_and_path(tmp_path: Path) -> None:
    assert list(cgdsl.load(ROW)) == ["Row"]
    path = tmp_path / "row.rules"
    path.write_text(ROW + "\nassert value(Row[3]) == *\neval Row[2]\n", encoding="utf-8")
    rules = cgdsl.load(path)
    assert list(rules) == ["Row"] and len(rules) == 1
    verdict, card = rules.answers()
    assert (verdict.kind, verdict.status) == ("verdict", "held")
    assert card.kind == "card" and card.data["value"] == "0"
    assert "<svg" in card._repr_html_()
    assert rules["Row"](3).value == Value("*")
    with pytest.raises(KeyError, match="Row"):
        rules["Column"]


def test_shipped() -> None:
    assert len(cgdsl.shipped()) > 100 and "domineering" in cgdsl.shipped()
    assert cgdsl.ruleset("nim") is cgdsl.ruleset("nim")
    assert "Left places dominoes" in cgdsl.ruleset("domineering")["Domineering"].doc


def test_errors_have_places() -> None:
    with pytest.raises(RulesError) as caught:
        cgdsl.load("ruleset Row\n  board heeps\n  move by anyone: choose n then n -> [n - 1]\n")
    (first, *_) = caught.value.diagnostics
    assert first.severity == "error" and first.code.startswith("E")
    assert (first.places[0].line, first.places[0].column) == (2, 9)
    assert "heeps" in str(caught.value)
    with pytest.raises(RulesError, match="domineering"):
        cgdsl.ruleset("domineerin")
    with pytest.raises(RulesError):
        cgdsl.load(ROW)["Row"]("a -- b")
    with pytest.raises(EvaluationError):
        # A rule that can undo itself.
        cgdsl.load("ruleset Turn\n  board strip\n  pieces x = anyone\n  move by anyone: choose a where at(a) = empty then at(a) := x\n  move by anyone: choose a where at(a) = x then at(a) := empty\n")["Turn"](".").value


def test_expressions() -> None:
    nim = cgdsl.ruleset("nim")
    assert nim.eval("nimber(Nim[3, 5])") == 6
    assert nim.eval("value(Nim[2]) + 1") == Value("1*2")
    assert nim.eval("outcome(Nim[1, 1])") == "P"
    assert nim.eval("{1, 2, 3}") == {1, 2, 3} and nim.eval("(1, 2)") == (1, 2)
    assert nim.eval("Nim[1, 2]").nimber == 3
    assert nim.eval("1 = 1") is True
    assert nim.eval("2 ^ 70") == 2**70
    assert nim.position("Nim[4]").nimber == 4


def test_sets_keep_their_elements() -> None:
    rules = cgdsl.ruleset("domineering")
    for asked in ("options(Domineering[grid(2, 3)], Left)", "positions(Domineering[grid(2, 3)])", "best(Domineering[grid(2, 2)], Left)"):
        found = rules.eval(asked)
        # Positions of one value are different elements.
        assert isinstance(found, list) and len(found) == rules.eval(f"size({asked})"), asked
    assert rules.eval("edges(graph { a -- b, a -- b })") == ["a -- b"] * 2
    # Positions of rules that loop have no value to compare by.
    turn = cgdsl.load("ruleset Turn\n  board strip\n  pieces x = anyone\n  move by anyone: choose a, b in nbrs(a) where at(a) = x, at(b) = empty then at(a) := empty, at(b) := x\n")
    assert [str(g) for g in turn.eval('options(Turn["x."], Left)')] == ['Turn[".x"]']


def test_sets_of_sets() -> None:
    rules = cgdsl.load("ruleset Three\n  board heaps\n  players A, B, C\n  play last-wins\n  move by anyone: choose h, k in 1..h then h -> [h - k]\n")
    # A begins and takes the only heap.
    found = rules.eval("coalitions(Three[1], first: A)")
    assert found == {frozenset({"A"})}
    assert rules.eval("{{1}, {2, 3}}") == {frozenset({1}), frozenset({2, 3})}
    assert rules.eval("subsets({1, 2})") == {frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})}
    assert rules.eval("{[1, 2], [2, 1]}") == {(1, 2), (2, 1)}
    assert rules.eval("[{1}, {2}]") == [{1}, {2}]


def test_tables() -> None:
    table = cgdsl.ruleset("domineering").table("for m in 1..2, n in 1..3: value(Domineering[grid(m, n)])")
    assert isinstance(table, Table) and table.names == ["m", "n"] and len(table) == 6
    assert table.rows[3] == (("2", "1"), "1")
    columns = table.to_dict()
    assert columns["m"] == [1, 1, 1, 2, 2, 2] and columns["value"][0] == "0"
    assert "<svg" in table._repr_html_()


def test_the_program(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "cgdsl", *arguments], capture_output=True, text=True, timeout=120)

    assert run("--version").stdout == f"cgdsl {cgdsl.__version__}\n"
    # 3 xor 5 = 6 (Bouton).
    assert run("eval", "nim", "-e", "nimber(Nim[3, 5])").stdout == "nimber(Nim[3, 5]) = 6\n"
    wrong_claim = tmp_path / "wrong.rules"
    wrong_claim.write_text('use "nim"\nassert nimber(Nim[3]) = 4\n', encoding="utf-8")
    assert run("eval", str(wrong_claim)).returncode == 1
    wrong = run("eval", "--jsom")
    assert wrong.returncode == 2 and "--json" in wrong.stderr and "Usage: cgdsl eval" in wrong.stderr


def test_an_interrupt_ends_a_search() -> None:
    program = textwrap.dedent(
        """
        import cgdsl, time
        g = cgdsl.ruleset("domineering")["Domineering"]("grid(9, 9)")
        print("begun", flush=True)
        try:
            g.value
        except KeyboardInterrupt:
            print("ended", cgdsl.ruleset("domineering")["Domineering"]("grid(2, 2)").value, flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = process.stdout.readline()
    took = time.monotonic() - begun
    process.wait(10)
    assert said == "ended +-1\n"
    assert took < 2, took


def test_an_interrupt_ends_a_question_that_waits() -> None:
    program = textwrap.dedent(
        """
        import cgdsl, threading, time
        g = cgdsl.ruleset("domineering")["Domineering"]("grid(9, 9)")
        threading.Thread(target=lambda: g.value, daemon=True).start()
        time.sleep(0.3)
        print("begun", flush=True)
        try:
            g.outcome
        except KeyboardInterrupt:
            print("ended", flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    assert process.stdout.readline() == "ended\n"
    assert time.monotonic() - begun < 2
    process.kill()
    process.wait(10)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_loads_again() -> None:
    program = textwrap.dedent(
        """
        import os, cgdsl
        g = cgdsl.ruleset("nim")["Nim"](3)
        child = os.fork()
        if child == 0:
            try:
                g.value
            except RuntimeError as error:
                os._exit(0 if "forked" in str(error) and cgdsl.ruleset("nim")["Nim"](3).nimber == 3 else 1)
            os._exit(2)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", program], timeout=60, check=False).returncode == 0
