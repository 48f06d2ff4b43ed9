"""The program in a process that ends when the one that began it ends: ``python -m cgdsl._unit PARENT ARGUMENTS``.

A worker of a cluster that is killed leaves nobody behind who goes on computing.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from ._native import program


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def main() -> int:
    """Runs the command line after the number of the parent."""
    if hasattr(os, "fork"):
        threading.Thread(target=_watch, args=(int(sys.argv[1]),), daemon=True).start()
    return program(["cgdsl", *sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())
