"""What a notebook shows: representations, trees, the cell magic with its messages and its completion."""

from __future__ import annotations

from typing import Any

import pytest

import cgdsl
from cgdsl import Left, Tree, Value, _completion

Dom = cgdsl.ruleset("domineering")["Domineering"]
TAKING = """ruleset Täking
  board heaps
  move by anyone: choose n, k in 1..2 where k <= n then n -> [n - k]
"""


def test_representations() -> None:
    g = Dom("grid(2, 3)")
    pictures: list[Any] = [g, g.value.thermograph, g.play(), cgdsl.tree(g)]  # type: ignore[union-attr]
    assert all(x._repr_svg_().startswith("<svg") for x in pictures)
    assert Value("^*")._repr_latex_() == r"$\uparrow\ast$"
    table = cgdsl.ruleset("domineering").table("for m in 1..2, n in 1..2: temperature(Domineering[grid(m, n)])")
    assert "<svg" in table._repr_html_()


def test_answers_show_counterexamples_and_what_is_found() -> None:
    text = "ruleset Row\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n"
    asked = "claim for n in 0..3: nimber(Row[n]) = 0\nsearch for n in 0..60 where nimber(Row[n]) = 1\n"
    claim, search = cgdsl.load(text + asked).answers()
    assert claim.status == "failed" and "n = 1, nimber(Row[n]) = 1, Row[1]" in claim._repr_html_()
    assert "n = 39, Row[39]" in search._repr_html_() and "10 more" in search._repr_html_()


def test_trees() -> None:
    tree = cgdsl.tree(Dom("grid(2, 2)"), 1)
    assert isinstance(tree, Tree) and str(tree) == tree.text
    # The position, and two options of each player, whose values are 1 and -1.
    assert len(tree.text.splitlines()) == 5
    assert tree.text.count("= 1") == 2 and tree.text.count("= -1") == 2
    assert len(str(cgdsl.tree(Dom("grid(2, 2)"), 2)).splitlines()) == 9
    three = cgdsl.ruleset("n-player/nim")["Nim3"](1, 2)
    assert "C: Nim3[2]" in str(cgdsl.tree(three, 1))
    with cgdsl.limits(time=0.2):
        assert isinstance(cgdsl.tree(Dom("grid(9, 9)"), 3), cgdsl.Unknown)


def test_completion_of_rules() -> None:
    def words(text: str) -> tuple[str, list[str]]:
        lines = text.split("\n")
        word, found = _completion.complete(text, len(lines) - 1, len(lines[-1]))
        return word, [c.text for c in found]

    assert words(TAKING + "eval T") == ("T", ["Täking", "Tiny"])
    assert words("ruleset Täking\n  board he") == ("he", ["heaps"])
    assert words('/* 𝕏 */ use "domine')[1] == ["domineering"]
    word, found = words(TAKING + "eval Täking[3] == nim")
    assert word == "nim" and "nimber" in found
    assert words(TAKING + "eval Täking[1] == Nothing") == ("Nothing", [])


def test_a_language_server_that_ends_is_started_again() -> None:
    assert _completion.complete("ev", 0, 2)[0] == "ev"
    assert _completion._server is not None
    _completion._server._process.kill()
    _completion._server._process.wait()
    assert _completion.complete("ev", 0, 2) == ("", [])
    word, found = _completion.complete("ev", 0, 2)
    assert (word, [(c.text, c.kind) for c in found]) == ("ev", [("eval", "keyword")])


@pytest.fixture
def shell() -> Any:
    testing = pytest.importorskip("IPython.core.interactiveshell")
    shell = testing.InteractiveShell.instance()
    shell.run_line_magic("load_ext", "cgdsl")
    yield shell
    shell.run_line_magic("unload_ext", "cgdsl")


def test_the_tab_key(shell: Any) -> None:
    completer = pytest.importorskip("IPython.core.completer")
    if not hasattr(completer, "context_matcher"):
        pytest.skip("IPython is older than 8.6")

    def completed(cell: str) -> set[str]:
        with completer.provisionalcompleter():
            found = shell.Completer.completions(cell, len(cell))
            return {cell[: c.start] + c.text for c in found}

    cell = f"%%rules taking\n{TAKING}eval T"
    assert completed(cell) == {cell[:-1] + "Täking", cell[:-1] + "Tiny"}
    # Cells of Python, and the line of the magic, are completed as before.
    assert "import operator" in completed("import operato")
    assert "%%rules" in completed("%%rul")


def test_messages_of_a_cell(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    display = pytest.importorskip("IPython.utils.capture")
    with display.capture_output() as said:
        shell.run_cell("%%rules wrong\nruleset Taking\n  board heeps\n  move by anyone: choose n then n -> [n - 1]\n")
    (message,) = said.outputs
    # Counted with the line of the magic.
    assert ":3:9" in message.data["text/html"] and "heeps" in message.data["text/html"]
    with display.capture_output() as said:
        shell.run_cell(f"%%rules taking\n{TAKING}eval Täking[3]\n")
    assert "<svg" in said.outputs[-1].data["text/html"]
    assert shell.user_ns["taking"]["Täking"](3).value == 0


def test_warnings_of_a_cell(shell: Any) -> None:
    display = pytest.importorskip("IPython.utils.capture")
    unused = TAKING.replace("k <= n", "k <= n, k > 0") + "let unused(x) = y\n"
    with display.capture_output() as said:
        shell.run_cell(f"%%rules taking\n{unused}")
    assert said.outputs and "<pre" in said.outputs[0].data["text/html"]


def test_best_moves_have_pictures() -> None:
    best = Dom("grid(2, 3)").best(Left)
    assert isinstance(best, list) and "<svg" in best[0].position.svg
