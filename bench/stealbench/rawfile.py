"""The raw file of an experiment: JSON Lines, one for each process that ended.

`results/README.md` describes them. `read` is the only reader: it checks all of a file, and refuses
what it does not understand.
"""

from __future__ import annotations

import gzip
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.shape import MOST_EVENTS, MOST_WORKERS, expect_line, is_number, parse, shown

FORMAT = 3
"""Of the lines. A file of another format is refused."""

ENDINGS = (".jsonl", ".jsonl.gz")
"""Of their names. The plain one is read where both are there."""

OWN_BASELINE = "itself"
"""As the baseline of an experiment: each scheduler with one worker."""

MOST_FILE_BYTES = 2 << 30
MOST_LINE_BYTES = 16 << 20
MOST_LEVELS = 32
MOST_CELLS = 20_000
MOST_ROUNDS = 10_000

LEAST_SECONDS, MOST_SECONDS = 1e-15, 1e9

# Each value of a process, with the least and the greatest that it may be.
MEASURED = {
    "cpu_seconds": (0, MOST_SECONDS),
    "user_seconds": (0, MOST_SECONDS),
    "system_seconds": (0, MOST_SECONDS),
    "start_up_seconds": (0, MOST_SECONDS),
    "first_run_seconds": (0, MOST_SECONDS),
    "voluntary_switches": (0, MOST_EVENTS),
    "forced_switches": (0, MOST_EVENTS),
    "peak_rss_bytes": (0, MOST_EVENTS),
    "bytes_per_worker": (0, MOST_EVENTS),
    "waiting_threads": (0, MOST_EVENTS),
    "runs": (1, MOST_EVENTS),
    "fork_count": (0, MOST_EVENTS),
    "worker_count": (1, MOST_WORKERS),
}
MAY_BE_MISSING = ("bytes_per_worker", "waiting_threads")
MOST_WAITING = 0.1
"""Of its workers' time, how long its threads may be ready and wait for a processor."""
LEAST_DISTURBED = 1 / 3
"""Of the processes of a benchmark: if so many waited for longer, it is disturbed."""
MOST_SHARE = 1.000001  # A quotient of rounded sums.
SHARES = ("work", "overhead", "search", "lines", "asleep")
SIMULATED = {
    "seconds": (LEAST_SECONDS, MOST_SECONDS),
    "fork_count": (0, MOST_EVENTS),
    "tasks_moved": (0, MOST_EVENTS),
    "steal_attempts": (0, MOST_EVENTS),
}
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass
class RawFile:
    """What one raw file says. `processes` has a dictionary for each line of a process."""

    header: dict[str, Any]
    cells: dict[str, Cell]
    contexts: dict[str, dict[str, Any]] = field(default_factory=dict)
    host_checks: list[dict[str, Any]] = field(default_factory=list)
    processes: list[dict[str, Any]] = field(default_factory=list)
    counters: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    simulations: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    is_finished: bool = False
    spent_seconds: float = 0
    times_resumed: int = 0
    whole_bytes: int = 0
    """Of the complete lines: what follows was being written."""
    computed: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Kept by `figures.figures_of`."""

    @property
    def experiment(self) -> str:
        """`compare`, `grain`, …"""
        return str(self.header["experiment"])

    @property
    def is_simulated(self) -> bool:
        """Whether its times are simulated: the first line has the profile that they follow from."""
        return "profile" in self.header["about"]

    def simulates(self, cell: Cell) -> bool:
        """Whether the processes of a benchmark are simulations."""
        return self.is_simulated or cell.machine != ""


def read(file: Path, may_be_packed: bool = True) -> RawFile:
    """Reads a raw file, compressed or not. Raises BadInput, which names the file and the line.

    `may_be_packed`: not where the file is to grow.
    """

    def refused(why: object) -> BadInput:
        return BadInput(
            f"'{file}': {why}; valid: a file that a stealbench experiment wrote, such as"
            " compare.jsonl"
        )

    try:
        status = file.stat()
        if stat.S_ISDIR(status.st_mode):
            raise refused("that is a folder")
        if not stat.S_ISREG(status.st_mode):  # To read a pipe may take for ever.
            raise refused("that is no regular file")
        if status.st_size > MOST_FILE_BYTES:
            raise refused(f"it has {status.st_size} bytes, and at most {MOST_FILE_BYTES} are read")
        with _opened(file) if may_be_packed else open(file, "rb") as stream:
            return read_lines(stream)
    except FileNotFoundError:
        raise refused("there is no such file") from None
    except BadInput as problem:
        raise problem if str(problem).startswith(f"'{file}'") else refused(problem) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise refused("it cannot be read to its end") from None
    except OSError as problem:
        raise refused(problem.strerror or problem) from None


def _opened(file: Path) -> IO[bytes]:
    plain = open(file, "rb")
    is_compressed = plain.read(2) == b"\x1f\x8b"
    plain.seek(0)
    if not is_compressed:
        return plain
    return gzip.GzipFile(fileobj=plain)  # type: ignore[return-value]


def lines_of(file: Path) -> Iterator[Any]:
    """The lines themselves, of a file that `read` takes."""
    with _opened(file) as stream:
        for _, text in _whole_lines(stream):
            yield parsed(text)


def _whole_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    number = 0
    while text := stream.readline(MOST_LINE_BYTES + 2):
        if text.endswith(b"\n"):
            number += 1
            yield number, text
        elif len(text) > MOST_LINE_BYTES:
            raise BadInput(f"line {number + 1}: it is longer than {MOST_LINE_BYTES} bytes")
    if number == 0:
        raise BadInput("it has no complete line")


def read_lines(stream: IO[bytes]) -> RawFile:
    """The same of its text; the message does not name the file."""
    raw: RawFile | None = None
    whole_bytes = 0
    for number, text in _whole_lines(stream):
        try:
            raw = apply(raw, parsed(text))
        except BadInput as problem:
            raise BadInput(f"line {number}: {problem}") from None
        whole_bytes += len(text)
        if whole_bytes > MOST_FILE_BYTES:  # Decompressed.
            raise BadInput(f"it has more than {MOST_FILE_BYTES} bytes")
    assert raw is not None
    raw.whole_bytes = whole_bytes
    return raw


def _levels(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_levels, value.values()), default=0)
    return 1 + max(map(_levels, value), default=0) if isinstance(value, list) else 0


def parsed(text: bytes) -> Any:
    """A line of a raw file. Raises BadInput."""
    line = parse(text)
    if line is None:
        raise BadInput("it is not JSON")
    if text.count(b"[") + text.count(b"{") > MOST_LEVELS and _levels(line) > MOST_LEVELS:
        raise BadInput(f"it is nested too deeply; valid: {MOST_LEVELS} levels")
    return line


def apply(raw: RawFile | None, line: Any) -> RawFile:
    """Takes over what the next line says; the first one begins a file. Raises BadInput."""
    is_first = isinstance(line, dict) and line.get("type") == "experiment"
    if raw is None and not is_first:
        raise BadInput(
            "the first line does not describe an experiment: its 'type' is not \"experiment\""
        )
    if raw is not None and is_first:
        raise BadInput("an experiment begins inside of another one")
    if is_first and line.get("format") != FORMAT:
        raise BadInput(
            f"it has format {shown(line.get('format'))}; this stealbench reads format {FORMAT}"
        )
    kind = expect_line(line)
    if raw is None:
        return _begin(line)
    if kind == "context":
        known = raw.contexts.setdefault(line.get("build") or "", {})
        raw.contexts[line.get("build") or ""] = {**known, **line["context"], **known}
    elif kind in ("process", "counters"):
        _add_process(raw, line, is_counting=kind == "counters")
    elif kind == "resumed":
        raw.times_resumed += 1
        for check in line.get("host_checks") or []:
            _keep_worse(raw.host_checks, check)
    else:
        _finish(raw, line)
    return raw


def _begin(line: dict[str, Any]) -> RawFile:
    if len(line["cells"]) > MOST_CELLS:
        raise BadInput(f"it has {len(line['cells'])} benchmarks; valid: at most {MOST_CELLS}")
    cells: dict[str, Cell] = {}
    for entry in line["cells"]:
        if entry["workers"] == 0:
            raise BadInput(f"workers of {shown(entry['name'])} is 0, not a whole number from 1")
        cell = Cell(
            entry["workload"],
            tuple(entry["parameters"].items()),
            entry["scheduler"],
            entry["workers"],
            *(entry.get(key) or "" for key in ("varied", "build", "machine")),
        )
        if cell.name != entry["name"]:
            raise BadInput(f"the benchmark {shown(cell.name)} is named {shown(entry['name'])}")
        if cell.name in cells:
            raise BadInput(f"it has the benchmark {shown(cell.name)} twice")
        cells[cell.name] = cell
    if not cells:
        raise BadInput("it has no benchmarks")
    header = {**line, "about": line.get("about") or {}}
    raw = RawFile(header, cells, host_checks=list(line["host_checks"]))
    if raw.is_simulated and not line["about"]["workers"]:
        raise BadInput("'about.workers' is empty; valid: one worker count or more")
    return raw


def _add_process(raw: RawFile, line: dict[str, Any], is_counting: bool) -> None:
    name = line["cell"]
    if name not in raw.cells:
        raise BadInput(f"there is no benchmark {shown(name)}")
    raw.spent_seconds = line["spent_seconds"]
    row: dict[str, Any] = {"cell": name, "kind": "counted" if is_counting else "timed"}
    if "failure" in line:
        failure = line["failure"]
        if not failure:
            raise BadInput("'failure' is empty; valid: a reason, or no such key")
        raw.failures[name] = row["failure"] = failure
        if is_counting:
            raw.counters.setdefault(name, None)
    elif is_counting:
        counters = line.get("counters", "nothing")
        if counters is not None and not isinstance(counters, dict):
            raise BadInput(f"counters of {shown(name)} are neither an object nor null")
        raw.counters[name] = counters
        row |= _numbers_in(counters)
    else:
        row |= _timed_row(raw, line, raw.cells[name])
    raw.processes.append(row)


def _numbers_in(counters: dict[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (counters or {}).items() if is_number(value)}


def _timed_row(raw: RawFile, line: dict[str, Any], cell: Cell) -> dict[str, Any]:
    name = shown(cell.name)
    due = raw.rounds.get(cell.name, 0) + 1
    if due > MOST_ROUNDS:
        raise BadInput(f"{name} has more than {MOST_ROUNDS} rounds")
    if line.get("round") != due:
        raise BadInput(f"round {shown(line.get('round'))} of {name} where round {due} is due")
    is_simulation = "simulation" in line
    if is_simulation != raw.simulates(cell):
        has = "simulated, and the first line has no profile"
        lacks = "measured, and the first line has a profile"
        raise BadInput(f"round {due} of {name} is {has if is_simulation else lacks}")
    entry = line.get("simulation" if is_simulation else "benchmark")
    try:
        values = values_of(entry, is_simulation)
    except BadInput as problem:
        raise BadInput(f"round {due} of {name}: {problem}") from None
    raw.rounds[cell.name] = due
    if is_simulation:
        assert isinstance(entry, dict)
        counters = entry.get("counters")
        raw.counters.setdefault(cell.name, counters)
        rest = {key: value for key, value in entry.items() if key != "counters"}
        raw.simulations.setdefault(cell.name, []).append(rest)
    return {"round": due, "kind": "simulated" if is_simulation else "timed", **values}


def values_of(entry: object, is_simulation: bool = False) -> dict[str, float]:
    """The values of a process, by name, from what was written of it. Raises BadInput."""
    if not isinstance(entry, dict):
        raise BadInput(f"it is {shown(entry)}, not an object")
    if is_simulation:
        values = {key: _value(entry, key, *bounds) for key, bounds in SIMULATED.items()}
        values["worker_count"] = _value(entry, "workers", 1, MOST_WORKERS)
        shares = entry.get("shares")
        for key in SHARES:
            shares_of_run = shares if isinstance(shares, dict) else {}
            values[f"{key}_share"] = _value(shares_of_run, key, 0, MOST_SHARE)
        return values
    unit = entry.get("time_unit")
    if not isinstance(unit, str) or unit not in UNITS:
        raise BadInput(f"'time_unit' is {shown(unit)}; valid: ns, us, ms, s")
    seconds = UNITS[unit]
    least, most = LEAST_SECONDS / seconds, MOST_SECONDS / seconds
    values = {"seconds": seconds * _value(entry, "real_time", least, most)}
    for key, bounds in MEASURED.items():
        if key in entry or key not in MAY_BE_MISSING:
            values[key] = _value(entry, key, *bounds)
    return values


def _value(entry: dict[str, Any], key: str, least: float, most: float) -> float:
    if key not in entry:
        raise BadInput(f"the key '{key}' is missing; it must be a number")
    value = entry[key]
    if is_number(value) and least <= value <= most:
        return float(value)
    raise BadInput(f"'{key}' is {shown(value)}, not a number from {least:g} to {most:g}")


def _keep_worse(checks: list[dict[str, Any]], check: dict[str, Any]) -> None:
    badness = {"warn": 2, "unknown": 1}
    for index, known in enumerate(checks):
        if known["check"] == check["check"]:
            if badness.get(check["status"], 0) > badness.get(known["status"], 0):
                checks[index] = check
            return
    checks.append(check)


def _finish(raw: RawFile, line: dict[str, Any]) -> None:
    for name in raw.cells:
        if name not in raw.failures and name not in raw.rounds:
            raise BadInput(f"{shown(name)} has neither a value nor a failure")
    raw.host_checks = list(line["host_checks"])
    raw.spent_seconds = line["spent_seconds"]
    raw.is_finished = True
