"""The examples of the documents, run as they stand, and the notebooks."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

import cgdsl
import cgdsl._game

HERE = Path(__file__).resolve().parent.parent
DOCUMENTS = [HERE / "README.md", HERE.parent / "docs" / "python.md"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_documents(path: Path) -> None:
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 5 and failed == 0


@pytest.mark.parametrize("module", [cgdsl, cgdsl._game])
def test_modules(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 2 and failed == 0


@pytest.mark.parametrize("path", sorted((HERE / "notebooks").glob("*.ipynb")), ids=lambda p: p.name)
def test_notebooks(path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert any("image/svg+xml" in o.get("data", {}) or "text/html" in o.get("data", {}) for o in outputs)
