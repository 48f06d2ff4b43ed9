"""A census: a search whose parts are computed on one machine or on a cluster, as files of Parquet in one folder.

A part is written under another name and then renamed, and one that is there is not computed again. So whatever is killed, the
same call goes on from what is there.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import html
import importlib
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._errors import Error
from ._rules import Ruleset

# What one part should take, in seconds, and the greatest share of it that is the same work in each part.
_PART = 120.0
_OVERHEAD = 0.02
# So often a part is given out again whose worker was lost.
_TRIES = 10


class CensusError(Error):
    """A census that could not be taken, or is not whole."""


@dataclass(frozen=True)
class Unit:
    """One part of a census: what a worker computes."""

    arguments: tuple[str, ...]
    """Of ``cgdsl search``."""
    text: str | None
    """The rules, where they are no file."""
    folder: str
    part: int
    parts: int

    def command(self) -> list[str]:
        """The command line without the program."""
        shard = f"{self.part}/{self.parts}"
        return ["search", *self.arguments, "--format", "parquet", "-o", self.folder, "--shard", shard, "--json"]

    def __call__(self, started: Callable[[subprocess.Popen[str]], object] = lambda _: None) -> dict[str, Any]:
        """Computes the part, in a process of its own that ends with this one; what the program says of it."""
        # The child looks whether its parent lives.
        command = [sys.executable, "-m", "cgdsl._unit", str(os.getpid()), *self.command()]
        began = time.monotonic()
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
            try:
                started(process)
                out, err = process.communicate(self.text or "")
            except BaseException:
                process.kill()
                raise
        try:
            told: dict[str, Any] = json.loads(out)
        except ValueError:
            told = {}
        if process.returncode not in (0, 3) or "rows" not in told:
            said = "; ".join(d["message"] for d in told.get("diagnostics", ())) or err.strip()
            raise CensusError(f"part {self.part} of {self.parts}: {said or f'ended with {process.returncode}'}")
        told["seconds"] = time.monotonic() - began
        return told


@dataclass(frozen=True)
class Plan:
    """How large a census is, measured on a small part of it."""

    positions: int
    """How many positions there are to look at."""
    seconds: float
    """About how long one process takes for all of them."""
    fixed: float
    """How long each part takes for what all parts do: to make the boards."""
    parts: int
    """Into how many parts it is divided."""

    @property
    def overhead(self) -> float:
        """The share of a part's time that is the same work in each part."""
        return self.fixed / (self.fixed + self.seconds / self.parts) if self.seconds else 1.0


@dataclass(frozen=True)
class Census:
    """What the parts in a folder say together, as ``cgdsl census merge`` checks and counts it."""

    folder: str
    data: dict[str, Any] = field(repr=False)

    @property
    def whole(self) -> bool:
        """Whether all parts are there and agree."""
        return bool(self.data["whole"])

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(size["positions"] for size in self.data["sizes"])

    @property
    def rows(self) -> int:
        """How many of them fulfil the condition, or are unknown."""
        return int(self.data["rows"])

    @property
    def unknown(self) -> int:
        """How many met a limit."""
        return int(self.data["unknown"])

    @property
    def outcomes(self) -> dict[str, int]:
        """How many positions have each outcome."""
        return dict(self.data["outcomes"])

    @property
    def counts(self) -> dict[str, int]:
        """How many positions have each value, or are in each group: the first 10,000 that a search meets."""
        return {group["group"]: group["count"] for group in self.data["groups"]}

    def scan(self, engine: str = "polars") -> Any:
        """The rows: see :func:`scan`."""
        return scan(self.folder, engine)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(g['group'])}</td><td>{g['count']}</td><td>{html.escape(g['position'])}</td></tr>"
            for g in self.data["groups"][:20]
        )
        state = "whole" if self.whole else "not whole"
        head = f"{html.escape(self.data['ruleset'])}: {self.positions} positions, {self.data['different']} values, {state}"
        return f"<b>{head}</b><table><tr><th>value</th><th>positions</th><th>first</th></tr>{rows}</table>"


def _arguments(
    ruleset: Ruleset,
    up_to: int | str | None,
    where: str | None,
    group_by: str | None,
    boards: str | os.PathLike[str] | None,
    counts: int | None,
    options: Iterable[str],
) -> tuple[tuple[str, ...], str | None]:
    """The arguments of a search, and the rules where they are no file."""
    name, text = ruleset.rules._native.source
    if text is not None:
        name = "-"
    elif os.path.exists(name):
        name = os.path.abspath(name)
    all_ = [name, ruleset.name]
    if up_to is not None:
        all_ += ["--up-to", str(up_to)]
    if where is not None:
        all_ += ["--where", where]
    if group_by is not None:
        all_ += ["--group-by", group_by]
    if boards is not None:
        all_ += ["--boards", os.path.abspath(boards)]
    if counts is not None:
        all_ += ["--counts", str(counts)]
    return (*all_, *options), text


def _measure(arguments: tuple[str, ...], text: str | None) -> Plan:
    def first(parts: int) -> dict[str, Any]:
        # A folder holds the parts of one census.
        with tempfile.TemporaryDirectory() as folder:
            return Unit(arguments, text, folder, 1, parts)()

    # A part with next to nothing in it takes what every part takes.
    none = first(10**9)["seconds"]
    parts, seconds, looked = 10**5, 0.0, 0
    while parts >= 1:
        told = first(parts)
        looked = sum(size["positions"] for size in told["sizes"])
        seconds = told["seconds"]
        if parts == 1 or (seconds - none > max(1.0, none) and looked > 100):
            break
        parts //= 10
    alone = max(seconds - none, 0.0) * parts
    return Plan(looked * parts, alone, none, _parts(alone, none))


def _parts(seconds: float, fixed: float) -> int:
    """Parts of minutes, of which no more than a fiftieth is the same work in each."""
    least = max(_PART, fixed * (1 - _OVERHEAD) / _OVERHEAD)
    return max(1, math.floor(seconds / least))


def plan(
    ruleset: Ruleset,
    up_to: int | str | None = None,
    *,
    where: str | None = None,
    group_by: str | None = None,
    boards: str | os.PathLike[str] | None = None,
    counts: int | None = None,
    options: Iterable[str] = (),
) -> Plan:
    """Measures a small part of a census: how long all of it takes, and into how many parts it is best divided."""
    return _measure(*_arguments(ruleset, up_to, where, group_by, boards, counts, options))


def census(
    ruleset: Ruleset,
    up_to: int | str | None = None,
    *,
    folder: str | os.PathLike[str],
    where: str | None = None,
    group_by: str | None = None,
    boards: str | os.PathLike[str] | None = None,
    counts: int | None = None,
    parts: int | None = None,
    cluster: Any = None,
    workers: int | None = None,
    options: Iterable[str] = (),
) -> Census:
    """Computes all parts of a census that are not in ``folder`` yet, and puts them together.

    ``cluster`` is a cluster or client of Dask, the address of a scheduler, or ``"ray"``; without it, ``workers`` processes of
    this machine compute. Workers need this module, and the folder under the same path. ``options`` go to ``cgdsl search``, for
    example ``["--memory", "2G"]``.
    """
    arguments, text = _arguments(ruleset, up_to, where, group_by, boards, counts, options)
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    there = _divided(folder)
    if parts is None:
        parts = there or _measure(arguments, text).parts
    elif there not in (None, parts):
        raise CensusError(
            f"{folder}: the census in this folder is divided into {there} parts, not into {parts}: leave parts= out, or name another folder"
        )
    units = [Unit(arguments, text, folder, part, parts) for part in range(1, parts + 1)]
    with _progress(parts) as tell:
        for _told in _run(units, cluster, workers):
            tell()
    # All parts are there: what killed workers left is of no use.
    for left in Path(folder).glob(".part-*.tmp"):
        left.unlink(missing_ok=True)
    return merge(folder)


def merge(folder: str | os.PathLike[str]) -> Census:
    """Checks that the parts in a folder are all there and belong together, and counts what is in them."""
    command = [sys.executable, "-m", "cgdsl", "census", "merge", os.fspath(folder), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    data = json.loads(done.stdout)
    if "whole" not in data:
        raise CensusError("; ".join(d["message"] for d in data.get("diagnostics", ())) or done.stderr)
    if not data["whole"]:
        said = [f"{r['file']}: {r['reason']}" for r in data["refused"]]
        said += [f"parts that are not there: {data['missing']}"] if data["missing"] else []
        raise CensusError("; ".join(said))
    return Census(os.fspath(folder), data)


def scan(folder: str | os.PathLike[str], engine: str = "polars") -> Any:
    """The rows of all parts in a folder: a lazy frame of polars, or a relation of DuckDB (``engine="duckdb"``)."""
    _divided(os.fspath(folder))
    files = os.path.join(os.fspath(folder), "part-*.parquet")
    if engine == "polars":
        import polars

        return polars.scan_parquet(files)
    if engine == "duckdb":
        import duckdb

        return duckdb.read_parquet(files)
    raise ValueError("engine is polars or duckdb")


def slurm(
    ruleset: Ruleset,
    up_to: int | str | None = None,
    *,
    folder: str | os.PathLike[str],
    parts: int,
    where: str | None = None,
    group_by: str | None = None,
    boards: str | os.PathLike[str] | None = None,
    counts: int | None = None,
    options: Iterable[str] = (),
    time: str = "01:00:00",
    memory: str = "4G",
) -> str:
    """A script for ``sbatch``: an array with a task for each part, which may be submitted again until all parts are there."""
    arguments, text = _arguments(ruleset, up_to, where, group_by, boards, counts, options)
    if text is not None:
        raise ValueError("rules given as a text are no file that tasks can read: save them first")
    folder = os.path.abspath(folder)
    search = shlex.join(["cgdsl", "search", *arguments, "--format", "parquet", "-o", folder])
    return f"""#!/bin/bash
#SBATCH --job-name=census
#SBATCH --array=1-{parts}
#SBATCH --cpus-per-task=1
#SBATCH --time={time}
#SBATCH --mem={memory}
# A part that is there is not computed again. When all tasks have ended: cgdsl census merge {shlex.quote(folder)}
exec {search} --shard "$SLURM_ARRAY_TASK_ID/{parts}"
"""


def _divided(folder: str) -> int | None:
    """Into how many parts the census in a folder is divided."""
    names = (path.stem.rpartition("-of-")[2] for path in Path(folder).glob("part-*-of-*.parquet"))
    found = sorted({int(name) for name in names if name.isdecimal()})
    if len(found) > 1:
        raise CensusError(
            f"{folder}: censuses divided into {' and into '.join(map(str, found))} parts: remove the files of all but one, such as part-*-of-{found[0]:06}.parquet"
        )
    return found[0] if found else None


@contextlib.contextmanager
def _progress(parts: int) -> Iterator[Callable[[], object]]:
    """A bar by tqdm, where it is installed."""
    try:
        with warnings.catch_warnings():
            # Without ipywidgets a notebook gets a bar of text, and a warning that says so.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        yield lambda: None
        return
    with tqdm(total=parts, unit="part") as bar:
        yield lambda: bar.update(1)


def _run(units: Sequence[Unit], cluster: Any, workers: int | None) -> Iterator[dict[str, Any]]:
    if cluster is None:
        return _here(units, workers or os.cpu_count() or 1)
    if cluster == "ray":
        return _by_ray(units)
    return _by_dask(units, cluster)


def _here(units: Sequence[Unit], workers: int) -> Iterator[dict[str, Any]]:
    pool = concurrent.futures.ThreadPoolExecutor(workers)
    running: list[subprocess.Popen[str]] = []
    ended = threading.Event()

    def started(process: subprocess.Popen[str]) -> None:
        running.append(process)
        if ended.is_set():
            process.kill()

    try:
        for done in concurrent.futures.as_completed([pool.submit(unit, started) for unit in units]):
            yield done.result()
    except (KeyboardInterrupt, GeneratorExit):
        # An interrupt may reach this process alone, and a part may take minutes.
        ended.set()
        for process in running:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _by_dask(units: Sequence[Unit], cluster: Any) -> Iterator[dict[str, Any]]:
    # Its types are not complete.
    distributed: Any = importlib.import_module("distributed")

    own = not isinstance(cluster, distributed.Client)
    client = distributed.Client(cluster) if own else cluster
    try:
        tries = dict.fromkeys(units, 0)
        # A part has an effect, and none that depends on how often it is computed.
        of = {client.submit(_compute, unit, pure=False): unit for unit in units}
        waiting = distributed.as_completed(list(of))
        for done in waiting:
            unit = of.pop(done)
            try:
                yield done.result()
            except distributed.KilledWorker:
                # Workers that die are no fault of the part, up to a point.
                tries[unit] += 1
                if tries[unit] >= _TRIES:
                    raise
                again = client.submit(_compute, unit, pure=False)
                of[again] = unit
                waiting.add(again)
    finally:
        if own:
            client.close()


def _by_ray(units: Sequence[Unit]) -> Iterator[dict[str, Any]]:
    import ray

    if not ray.is_initialized():
        ray.init()
    compute = ray.remote(max_retries=_TRIES)(_compute)
    waiting = [compute.remote(unit) for unit in units]
    while waiting:
        done, waiting = ray.wait(waiting)
        yield ray.get(done[0])


def _compute(unit: Unit) -> dict[str, Any]:
    return unit()


__all__ = ["Census", "CensusError", "Plan", "Unit", "census", "merge", "plan", "scan", "slurm"]
