"""The program of the command line: ``cgdsl`` and ``python -m cgdsl``. It is a part of the native half."""

from __future__ import annotations

import sys

from ._native import program


def main() -> int:
    """Runs the command line of this process; the exit code."""
    return program(["cgdsl", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
