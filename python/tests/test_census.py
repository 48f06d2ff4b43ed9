"""A census is what one search finds, however it is divided and whatever is killed."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import cgdsl
from cgdsl import Value
from cgdsl._census import Unit, _arguments, _parts

pytest.importorskip("pyarrow")

Snort = cgdsl.ruleset("snort")["Snort"]
SEARCH = ("snort", "Snort", "--up-to", "4")


def program(*arguments: str, text: str = "") -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "cgdsl", *arguments, "--json"], input=text, capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


def whole(*search: str) -> tuple[Counter[str], list[dict[str, Any]]]:
    """What one process finds: positions by value, and by size."""
    _, told = program("search", *search, "--group-by", "value")
    return Counter({g["group"]: g["count"] for g in told["groups"]}), told["sizes"]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The census of Snort to four vertices, in three parts."""
    folder = tmp_path_factory.mktemp("parts")
    for part in (1, 2, 3):
        code, told = program("search", *SEARCH, "--format", "parquet", "-o", str(folder), "--shard", f"{part}/3")
        assert (code, told["found"]) == (0, False)
    return folder


def copied(parts: Path, to: Path) -> Path:
    return Path(shutil.copytree(parts, to / "copy"))


def test_parts_are_one_search(parts: Path) -> None:
    found = cgdsl.merge(parts)
    counts, sizes = whole(*SEARCH)
    assert found.whole and found.counts == counts
    assert found.data["sizes"] == sizes
    assert found.positions == sum(counts.values()) == found.rows


@pytest.mark.parametrize(
    "search",
    [
        ("domineering", "Domineering", "--up-to", "2x3"),
        ("blocking-pebbles", "BlockingPebbles", "--board", "A -> B", "--counts", "4"),
        ("snort", "Snort", "--up-to", "3", "--where", "temperature > 0"),
        ("nim", "Nim", "--up-to", "2x5"),
    ],
)
def test_other_boards(search: tuple[str, ...], tmp_path: Path) -> None:
    for part in range(1, 6):
        unit = Unit(search, None, str(tmp_path), part, 5)
        assert unit()["found"] is False and unit()["found"] is True
    found = cgdsl.merge(tmp_path)
    counts, sizes = whole(*search)
    assert (found.counts, found.data["sizes"]) == (counts, sizes)


def test_rows_say_what_values_say(parts: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    rows = [row for file in sorted(parts.glob("*.parquet")) for row in pyarrow.read_table(file).to_pylist()]
    assert [row["number"] for row in sorted(rows, key=lambda r: r["number"])] == list(range(len(rows)))
    ids: dict[int, str] = {}
    for row in rows:
        assert row["status"] == "known" and row["ruleset"] == "Snort" and row["version"] == cgdsl.__version__
        assert ids.setdefault(row["value_id"], row["value"]) == row["value"]
        value = Value(row["value"])
        assert value == Snort.rules.position(row["position"]).value
        assert (Fraction(row["mean"]), Fraction(row["temperature"])) == (value.mean, value.temperature)
        assert tuple(Fraction(row[stop]) for stop in ("left_stop", "right_stop")) == value.stops
        assert row["outcome"] == value.outcome
        assert row["is_all_small"] == value.is_all_small and row["birthday"] == value.birthday
        assert row["as_nimber"] == (value.nimber if value.is_nimber else None)
        assert (row["as_number"] is None) is (not value.is_number)


def test_columns_are_documented(parts: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    text = (Path(__file__).parents[2] / "docs/census.md").read_text()
    table = text.partition("## The columns")[2].partition("The metadata")[0]
    told = [name for line in table.splitlines() if line.startswith("| `") for name in re.findall("`(.+?)`", line.split("|")[1])]
    assert pyarrow.read_schema(next(parts.glob("*.parquet"))).names == told


def test_a_part_that_was_changed_is_refused(parts: Path, tmp_path: Path) -> None:
    folder = copied(parts, tmp_path)
    good = cgdsl.merge(parts).data
    file = sorted(folder.glob("*.parquet"))[1]
    data = file.read_bytes()
    generator = random.Random(5)
    places = [*range(8), *(len(data) - 1 - i for i in range(12)), *(generator.randrange(len(data)) for _ in range(20))]
    for at in places:
        file.write_bytes(data[:at] + bytes([data[at] ^ (1 << generator.randrange(8))]) + data[at + 1 :])
        code, told = program("census", "merge", str(folder))
        # What says nothing (names of writers, statistics) may be changed.
        if code == 0:
            assert {**told, "folder": ""} == {**good, "folder": ""}, at
        else:
            assert code == 1 and [Path(r["file"]).name for r in told["refused"]] == [file.name], at
    for length in (0, 3, 12, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:length])
        assert program("census", "merge", str(folder))[0] == 1


def test_what_does_not_belong_is_refused(parts: Path, tmp_path: Path) -> None:
    folder = copied(parts, tmp_path)
    first, second, third = sorted(folder.glob("*.parquet"))
    third.unlink()
    code, told = program("census", "merge", str(folder))
    assert (code, told["missing"], told["refused"]) == (1, [3], [])
    # One part under the name of another, which then is there twice.
    shutil.copy(first, third)
    code, told = program("census", "merge", str(folder))
    assert code == 1 and "under another name" in told["refused"][0]["reason"]
    # A part of other rules, and one of another condition: not written here, and not accepted from elsewhere.
    for n, search in enumerate((("col", "Col", "--up-to", "4"), ("snort", "Snort", "--up-to", "4", "--where", "is_number"))):
        third.unlink()
        elsewhere = tmp_path / f"elsewhere{n}"
        part = ("search", *search, "--format", "parquet", "--shard", "3/3", "-o")
        assert program(*part, str(folder))[0] == 2
        assert program(*part, str(elsewhere))[0] == 0
        shutil.copy(elsewhere / third.name, third)
        code, told = program("census", "merge", str(folder))
        assert code == 1 and "another census" in told["refused"][0]["reason"]
        # And the search that belongs there does not take it for its own.
        assert program("search", *SEARCH, "--format", "parquet", "-o", str(folder), "--shard", "3/3")[0] == 2
    with pytest.raises(cgdsl.CensusError, match="another census"):
        cgdsl.merge(folder)
    assert program("census", "merge", str(tmp_path / "nothing"))[0] == 2


def test_a_folder_holds_one_census(parts: Path, tmp_path: Path) -> None:
    folder = copied(parts, tmp_path)
    before = sorted(folder.iterdir())
    # Another number of parts is refused before anything is computed.
    code, told = program("search", *SEARCH, "--format", "parquet", "-o", str(folder), "--shard", "1/2")
    assert code == 2 and "divided into 3 parts, not into 2" in told["diagnostics"][0]["message"]
    with pytest.raises(cgdsl.CensusError, match="divided into 3 parts, not into 4"):
        cgdsl.census(Snort, 4, folder=folder, parts=4)
    assert sorted(folder.iterdir()) == before
    assert cgdsl.census(Snort, 4, folder=folder, parts=3).whole
    # The parts of two censuses would be read as one table.
    shutil.copy(before[0], folder / "part-000001-of-000002.parquet")
    with pytest.raises(cgdsl.CensusError, match="into 2 and into 3 parts"):
        cgdsl.scan(folder)


def test_a_search_that_was_ended_writes_nothing(tmp_path: Path) -> None:
    arguments = ("snort", "Snort", "--up-to", "7", "--time", "0.2s", "--format", "parquet", "-o", str(tmp_path))
    assert program("search", *arguments)[0] == 3
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_part(tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    resource = pytest.importorskip("resource")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))  # noqa: E731
    command = [sys.executable, "-m", "cgdsl", "search", *SEARCH, "--format", "parquet", "-o", str(tmp_path)]
    ignoring = "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from cgdsl.__main__ import main; sys.exit(main())"
    done = subprocess.run([command[0], "-c", ignoring, *command[3:]], preexec_fn=limit, capture_output=True, check=False)
    assert done.returncode == 2 and list(tmp_path.glob("part-*")) == []


def test_a_worker_that_is_killed_leaves_nobody_behind(tmp_path: Path) -> None:
    arguments, text = _arguments(Snort, 7, None, None, None, None, ())
    unit = Unit(arguments, text, str(tmp_path), 1, 1)
    code = f"from cgdsl._census import Unit\n{unit!r}()"
    worker = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".part-*")) and time.monotonic() < deadline:
        time.sleep(0.1)
    (held,) = tmp_path.glob(".part-*")
    child = int(held.name.split(".")[-2].partition("-")[0])
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    while os.path.exists(f"/proc/{child}/status") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not os.path.exists(f"/proc/{child}/status")
    assert list(tmp_path.glob("part-*")) == []


def test_an_interrupt_ends_a_census(tmp_path: Path) -> None:
    folder = str(tmp_path)
    code = f"import cgdsl\ncgdsl.census(cgdsl.ruleset('snort')['Snort'], 8, folder={folder!r}, parts=8, workers=2)"
    # The interrupt reaches the caller alone, not the processes that compute.
    caller = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(list(tmp_path.glob(".part-*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    children = [int(held.name.split(".")[-2].partition("-")[0]) for held in tmp_path.glob(".part-*")]
    begun = time.monotonic()
    caller.send_signal(signal.SIGINT)
    _, said = caller.communicate(timeout=30)
    assert "KeyboardInterrupt" in said and time.monotonic() - begun < 5
    assert len(children) == 2 and not any(os.path.exists(f"/proc/{child}/status") for child in children)


def test_workers_of_dask_may_be_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    killed: list[int] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        over = threading.Event()

        def kill() -> None:
            generator = random.Random(3)
            while not over.wait(generator.uniform(1.0, 2.0)) and len(killed) < 5:
                alive = [w.pid for w in cluster.workers.values() if w.pid]
                if alive:
                    pid = generator.choice(alive)
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            found = cgdsl.census(Snort, 5, folder=tmp_path, parts=24, cluster=cluster)
        finally:
            over.set()
            killer.join()
    counts, sizes = whole("snort", "Snort", "--up-to", "5")
    assert killed and found.whole
    assert (found.counts, found.data["sizes"]) == (counts, sizes)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"part-{part:06}-of-000024.parquet" for part in range(1, 25)]


def test_a_census_goes_on_from_what_is_there(tmp_path: Path) -> None:
    rules = cgdsl.load("ruleset One\n  board graph\n  pieces x = Left, o = Right\n  move by p: choose v where at(v) = p then remove v\n")
    first = cgdsl.census(rules["One"], 3, folder=tmp_path, parts=3, workers=2)
    (tmp_path / "part-000002-of-000003.parquet").unlink()
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    # Into how many parts it is divided is seen from those that are there.
    again = cgdsl.census(rules["One"], 3, folder=tmp_path)
    assert again.data == first.data
    assert all((tmp_path / name).stat().st_mtime_ns == time for name, time in times.items())


def test_workers_share_a_store(tmp_path: Path) -> None:
    store = tmp_path / "store"
    code, _ = program("eval", "snort", "-e", "value(Snort[path(6)])", "--store", str(store))
    assert code == 0
    before = {path.name: path.read_bytes() for path in store.iterdir()}
    options = ["--store", str(store), "--read-only"]
    shared = cgdsl.census(Snort, up_to=4, folder=tmp_path / "shared", parts=3, workers=2, options=options)
    alone = cgdsl.census(Snort, up_to=4, folder=tmp_path / "alone", parts=3, workers=2)
    assert shared.counts == alone.counts and shared.whole
    assert {path.name: path.read_bytes() for path in store.iterdir()} == before


def test_scan(parts: Path) -> None:
    found = cgdsl.merge(parts)
    polars = pytest.importorskip("polars")
    by_value = cgdsl.scan(parts).group_by("value").agg(polars.len()).collect()
    assert dict(by_value.iter_rows()) == found.counts
    pytest.importorskip("duckdb")
    counted = cgdsl.scan(parts, "duckdb").aggregate("value, count(*)").fetchall()
    assert dict(counted) == found.counts


def test_parts_are_long_enough() -> None:
    # The work that all parts do is at most a fiftieth of a part, and a part takes minutes.
    for seconds, fixed in [(1e6, 1.0), (1e6, 20.0), (500.0, 0.1), (3.0, 0.2), (0.0, 0.1)]:
        n = _parts(seconds, fixed)
        assert n == 1 or (fixed / (fixed + seconds / n) <= 0.02 and seconds / n >= 100)
    plan = cgdsl.plan(Snort, 4)
    _, sizes = whole(*SEARCH)
    assert plan.positions == sum(size["positions"] for size in sizes) and plan.parts == 1


def test_slurm_script(tmp_path: Path) -> None:
    script = cgdsl.slurm(Snort, 3, folder=tmp_path, parts=2, where="temperature > 1")
    assert "#SBATCH --array=1-2\n" in script
    # As a task of the array would run it.
    script = script.replace("exec cgdsl", f"exec {sys.executable} -m cgdsl")
    for task in ("1", "2"):
        subprocess.run(["bash", "-c", script], env={**os.environ, "SLURM_ARRAY_TASK_ID": task}, check=True)
    assert cgdsl.merge(tmp_path).whole
