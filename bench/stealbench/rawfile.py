"""The raw file of an experiment: JSON Lines, one for each process that ended.

`results/README.md` describes them. `read` is the only reader: it checks all of a file, and refuses
what it does not understand.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.shape import expect, expect_line, fits, in_words, is_number, numbers_of
from stealbench.shape import parse, shapes, shown

FORMAT = 3  # Of the lines. A file of another format is refused.
ENDINGS = (".jsonl", ".jsonl.gz")  # Of their names. The plain one is read where both are there.
OWN_BASELINE = "itself"  # As the baseline of an experiment: each scheduler with one worker.
MOST_FILE_BYTES = 2 << 30

MOST_WAITING = 0.1
"""Of its workers' time, how long its threads may be ready and wait for a processor."""
LEAST_DISTURBED = 1 / 3
"""Of the processes of a benchmark: if so many waited for longer, it is disturbed."""
MEASURED = tuple(key.rstrip("?") for key in shapes()["benchmark"])  # The values of a process.
SHARES = tuple(shapes()["shares"])
BADNESS = {"warn": 2, "unknown": 1}  # Of the status of a check of the host.
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
    why: object = ""
    try:
        # To read a pipe may take for ever.
        if file.exists() and not file.is_file():
            why = "that is a folder" if file.is_dir() else "that is no regular file"
        else:
            with _opened(file) if may_be_packed else open(file, "rb") as stream:
                return read_lines(stream)
    except FileNotFoundError:
        why = "there is no such file"
    except (EOFError, zlib.error, gzip.BadGzipFile):
        why = "it cannot be read to its end"
    except (BadInput, OSError) as problem:
        why = getattr(problem, "strerror", None) or problem
    valid = "valid: a file that a stealbench experiment wrote, such as compare.jsonl"
    raise BadInput(f"'{file}': {why}; {valid}")


def _opened(file: Path) -> IO[bytes]:
    plain = open(file, "rb")
    is_compressed = plain.peek(2)[:2] == b"\x1f\x8b"
    return gzip.GzipFile(fileobj=plain) if is_compressed else plain  # type: ignore[return-value]


def lines_of(file: Path) -> Iterator[Any]:
    """The lines themselves, of a file that `read` takes."""
    with _opened(file) as stream:
        yield from (parsed(text) for text in stream if text.endswith(b"\n"))


def read_lines(stream: IO[bytes]) -> RawFile:
    """The same of its text; the message does not name the file."""
    raw: RawFile | None = None
    whole_bytes = 0
    for number, text in enumerate(stream, 1):
        if not text.endswith(b"\n"):  # It was being written.
            break
        try:
            raw = apply(raw, parsed(text))
        except BadInput as problem:
            raise BadInput(f"line {number}: {problem}") from None
        whole_bytes += len(text)
        if whole_bytes > MOST_FILE_BYTES:  # Decompressed.
            raise BadInput(f"it has more than {MOST_FILE_BYTES} bytes")
    if raw is None:
        raise BadInput("it has no complete line")
    raw.whole_bytes = whole_bytes
    return raw


def parsed(text: bytes) -> Any:
    """A line of a raw file. Raises BadInput."""
    line = parse(text)
    if line is None:
        raise BadInput("it is not JSON")
    return line


def apply(raw: RawFile | None, line: Any) -> RawFile:
    """Takes over what the next line says; the first one begins a file. Raises BadInput."""
    is_first = isinstance(line, dict) and line.get("type") == "experiment"
    if is_first and raw:
        raise BadInput("an experiment begins inside of another one")
    if not is_first and not raw:
        why = "does not describe an experiment: its 'type' is not \"experiment\""
        raise BadInput(f"the first line {why}")
    if is_first and line.get("format") != FORMAT:
        has = shown(line.get("format"))
        raise BadInput(f"it has format {has}; this stealbench reads format {FORMAT}")
    kind = expect_line(line)
    if raw is None:
        return _begin(line)
    if kind == "context":
        context = raw.contexts.setdefault(line.get("build") or "", {})
        context |= {**line["context"], **context}
    elif kind == "resumed":
        raw.times_resumed += 1
        checks = [*raw.host_checks, *(line.get("host_checks") or [])]
        checks.sort(key=lambda check: BADNESS.get(check["status"], 0))  # The worst one stays.
        raw.host_checks = list({check["check"]: check for check in checks}.values())
    elif kind == "finished":
        for name in raw.cells:
            if name not in raw.failures and name not in raw.rounds:
                raise BadInput(f"{shown(name)} has neither a value nor a failure")
        raw.host_checks, raw.is_finished = list(line["host_checks"]), True
        raw.spent_seconds = line["spent_seconds"]
    else:
        _add_process(raw, line, is_counting=kind == "counters")
    return raw


def _begin(line: dict[str, Any]) -> RawFile:
    cells: dict[str, Cell] = {}
    for entry in line["cells"]:
        rest = [entry.get(key) or "" for key in ("varied", "build", "machine")]
        of = entry["workload"], tuple(entry["parameters"].items())
        cell = Cell(*of, entry["scheduler"], entry["workers"], *rest)
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
        if not line["failure"]:
            raise BadInput("'failure' is empty; valid: a reason, or no such key")
        raw.failures[name] = row["failure"] = line["failure"]
        if is_counting:
            raw.counters.setdefault(name, None)
    elif is_counting:
        expect(line, {"counters~": {}})
        counters = raw.counters[name] = line["counters"]
        row |= {key: value for key, value in (counters or {}).items() if is_number(value)}
    else:
        row |= _timed_row(raw, line, raw.cells[name])
    raw.processes.append(row)


def _timed_row(raw: RawFile, line: dict[str, Any], cell: Cell) -> dict[str, Any]:
    due, is_simulation = raw.rounds.get(cell.name, 0) + 1, "simulation" in line
    if line.get("round") != due:
        was = shown(line.get("round"))
        raise BadInput(f"round {was} of {shown(cell.name)} where round {due} is due")
    entry = line.get("simulation" if is_simulation else "benchmark")
    try:
        if is_simulation != raw.simulates(cell):
            has = "simulated, and the first line has no profile"
            raise BadInput(has if is_simulation else "measured, and the first line has a profile")
        values = values_of(entry, is_simulation)
    except BadInput as problem:
        raise BadInput(f"round {due} of {shown(cell.name)}: {problem}") from None
    raw.rounds[cell.name] = due
    if is_simulation:
        rest = dict(entry)  # type: ignore[arg-type]
        raw.counters.setdefault(cell.name, rest.pop("counters", None))
        raw.simulations.setdefault(cell.name, []).append(rest)
    return {"round": due, "kind": "simulated" if is_simulation else "timed", **values}


def values_of(entry: object, is_simulation: bool = False) -> dict[str, float]:
    """The values of a process, by name, from what was written of it. Raises BadInput."""
    if not isinstance(entry, dict):
        raise BadInput(f"it is {shown(entry)}, not an object")
    if is_simulation:
        expect(entry, {"shares": {}})
        shares = numbers_of(entry["shares"], "shares")
        values = numbers_of(entry, "simulation")
        values |= {f"{key}_share": share for key, share in shares.items()}
        return values | {"worker_count": values.pop("workers")}
    time: Any = entry.get("real_time")
    unit: Any = entry.get("time_unit")
    if unit not in (*UNITS,):
        raise BadInput(f"'time_unit' is {shown(unit)}; valid: {', '.join(UNITS)}")
    seconds = UNITS[unit] * time if is_number(time) else 0.0
    if not fits(seconds, "time"):
        raise BadInput(f"'real_time' is {shown(time)}, not {in_words('time')} s")
    return {"seconds": seconds, **numbers_of(entry, "benchmark")}
