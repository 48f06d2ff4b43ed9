"""Runs the examples of a document at the prompt of Sage; it is run by the Python of Sage. Exit code 77: that Python is too old."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

PROMPT = re.compile(r"(sage: |\.\.\.\.: )(.*)")


def main(path: str) -> int:
    if sys.version_info < (3, 10):
        return 77
    import sage.all
    from sage.repl.preparse import preparse

    lines = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        at_prompt = PROMPT.fullmatch(line)
        if at_prompt:
            lines.append((">>> " if at_prompt[1] == "sage: " else "... ") + preparse(at_prompt[2]))
        else:
            # What is printed ends with the block.
            lines.append("" if line == "```" else line)
    names = {name: getattr(sage.all, name) for name in dir(sage.all) if not name.startswith("_")}
    test = doctest.DocTestParser().get_doctest("\n".join(lines), names, path, path, 0)
    result = doctest.DocTestRunner().run(test)
    print(f"{result.attempted} examples, {result.failed} failed")
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
