"""The cell magic ``%%rules`` for notebooks: a cell of rules is checked, answered and completed in place."""

from __future__ import annotations

import html
import re
from typing import Any

from ._completion import complete
from ._errors import RulesError
from ._rules import load

_CELL = re.compile(r"%%rules\b.*")


def rules(line: str, cell: str) -> None:
    """``%%rules name``: loads the cell into the variable ``name`` and shows its answers."""
    from IPython import get_ipython  # type: ignore[attr-defined, unused-ignore]
    from IPython.display import HTML, display

    name = line.strip()
    try:
        # The line of the magic counts, so that messages have the numbers that the notebook shows.
        loaded = load("\n" + cell)
    except RulesError as error:
        display(HTML(shown(str(error))))  # type: ignore[no-untyped-call, unused-ignore]
        return
    shell = get_ipython()  # type: ignore[no-untyped-call, unused-ignore]
    if name and shell is not None:
        shell.user_ns[name] = loaded
    if loaded.diagnostics:
        display(HTML(shown(loaded._native.messages[0], "#850")))  # type: ignore[no-untyped-call, unused-ignore]
    for answer in loaded.answers():
        display(answer)  # type: ignore[no-untyped-call, unused-ignore]


def shown(messages: str, colour: str = "#a33") -> str:
    """Messages as the program draws them."""
    return f"<pre style='color:{colour}'>{html.escape(messages.strip())}</pre>"


def completions(context: Any) -> dict[str, Any]:
    """A matcher of IPython: in a cell of rules, what may stand at the cursor."""
    from IPython.core.completer import SimpleCompletion

    if context.cursor_line == 0 or not _CELL.match(context.full_text):
        return {"completions": [], "suppress": False}
    word, found = complete(_CELL.sub("", context.full_text, count=1), context.cursor_line, context.cursor_position)
    all_ = [SimpleCompletion(c.text, type=c.kind or "<unknown>") for c in found]
    # Names of Python mean nothing here.
    return {"completions": all_, "matched_fragment": word, "ordered": True, "suppress": True}


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext cgdsl``"""
    shell.register_magic_function(rules, "cell", "rules")
    try:
        from IPython.core.completer import context_matcher
    except ImportError:
        # IPython before 8.6 tells matchers nothing but a word.
        return
    context_matcher(identifier="cgdsl.rules")(completions)
    if completions not in shell.Completer.custom_matchers:
        shell.Completer.custom_matchers.append(completions)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext cgdsl``"""
    if completions in shell.Completer.custom_matchers:
        shell.Completer.custom_matchers.remove(completions)
