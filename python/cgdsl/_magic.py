"""The cell magic ``%%rules`` for notebooks: a cell of rules is checked and answered in place."""

from __future__ import annotations

import html
from typing import Any

from ._errors import RulesError
from ._rules import load


def rules(line: str, cell: str) -> None:
    """``%%rules name``: loads the cell into the variable ``name`` and shows its answers."""
    from IPython import get_ipython  # type: ignore[attr-defined, unused-ignore]
    from IPython.display import HTML, display

    name = line.strip()
    try:
        loaded = load(cell if "\n" in cell else cell + "\n")
    except RulesError as error:
        display(HTML(shown(error)))  # type: ignore[no-untyped-call, unused-ignore]
        return
    shell = get_ipython()  # type: ignore[no-untyped-call, unused-ignore]
    if name and shell is not None:
        shell.user_ns[name] = loaded
    for diagnostic in loaded.diagnostics:
        at = f"line {diagnostic.places[0].line}: " if diagnostic.places else ""
        print(f"{diagnostic.severity}: {at}{diagnostic.message}")
    for answer in loaded.answers():
        display(answer)  # type: ignore[no-untyped-call, unused-ignore]


def shown(error: RulesError) -> str:
    """The messages of an error as the program draws them."""
    return f"<pre style='color:#a33'>{html.escape(str(error).strip())}</pre>"


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext cgdsl``"""
    shell.register_magic_function(rules, "cell", "rules")
