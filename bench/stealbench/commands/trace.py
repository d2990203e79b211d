"""`stealbench trace`: when each worker ran tasks, searched for work or slept."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable

from stealbench.commands.run import declare_cell, run_cell, status_of, title_of
from stealbench.errors import BadInput
from stealbench.files import expect_writable, file_to_replace, write_atomically, written_beside
from stealbench.options import end_of_help, number, place
from stealbench.report.format import count, time_unit
from stealbench.suite import Suite

# What each interval is called, its colour, and how much of a row it fills: it is told apart without
# colour too.
_ACTIVITIES = {
    "run": ("running", "#2f7fd1", 0.8),
    "look for work": ("searching", "#c96a12", 0.5),
    "parked": ("sleeping", "#7b838c", 0.2),
}
_MOST_LINES = 10_000  # Of the drawing: more are an image in it.


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    declare_cell(parser)
    help = "file for the trace, in Chrome's JSON format, for Perfetto; FILE.svg is a drawing of it"
    parser.add_argument("--output", required=True, type=place, metavar="FILE.json", help=help)
    help = "record the first N intervals of each worker (default: 100000)"
    kind = number(1, 10_000_000)
    parser.add_argument("--events", default=100_000, type=kind, metavar="N", help=help)
    notes, status = "Existing files are replaced.", "0 if both were written, 1 if not"
    first = "uts --scheduler work-stealing --workers 2 --output trace.json"
    second = "fib --scheduler central-queue --size test --output trace.json"
    parser.epilog = end_of_help(notes, status, "trace", (first, second))


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Writes both files."""
    file, drawing = options.output, options.output.parent / f"{options.output.stem}.svg"
    name, built = options.scheduler.partition(":")[0], suite.installation
    if not built.describe([name])[0]["counters"]:
        counting = [e["scheduler"] for e in built.describe(built.built()) if e["counters"]]
        valid = counting or "none of those that are built"
        raise BadInput(f"scheduler {name} cannot be traced, because it has no counters", valid)
    if file == drawing:
        raise BadInput(f"--output {file}: its drawing has this name", "FILE.json")
    for own in (file, drawing):
        expect_writable(own)
    # What the executable writes replaces the old file as a whole, once it is known to be right.
    with written_beside(target := file_to_replace(file), b"") as new:
        mode = ["--trace", str(new), "--events", str(options.events)]
        cell, ran = run_cell(options, suite, mode)
        if ran.failure or ran.entry is None:
            return status_of(cell, ran)
        os.rename(new, target)
    events, dropped = (ran.entry.get(key, 0) for key in ("events", "dropped_intervals"))
    print(f"{file}: {events} events of {cell.name}; open it in Perfetto or chrome://tracing")
    title = title_of(cell) + (f"; {count(dropped)} later intervals are missing" if dropped else "")
    try:
        with open(file, encoding="utf-8") as lines:
            picture = timeline(lines, title, cell.workers, ran.entry["time_ns"])
    except (ValueError, KeyError, TypeError):
        raise RuntimeError(f"{file}: unreadable output: not the JSON of a trace") from None
    write_atomically(drawing, picture)
    print(f"{drawing}: a drawing of it", flush=True)
    if dropped:
        words = f"{dropped} intervals of workers that had more than {options.events} are missing"
        print(f"stealbench: warning: {words}; increase --events", file=sys.stderr)
    return 0


def timeline(lines: Iterable[str], title: str, workers: int, time_ns: float) -> bytes:
    """A drawing of a trace, as SVG: a row for each worker."""
    import matplotlib
    from matplotlib.figure import Figure

    from stealbench.report.plots import STYLE

    (size, unit), nan = time_unit(time_ns * 1e-9), float("nan")
    intervals: dict[str, list[tuple[int, float, float]]] = {}
    # A line is an event, as our executables write it.
    for event in (json.loads(line.rstrip(",\n")) for line in lines if '"ph":"X"' in line):
        own = event["tid"], event["ts"], event["ts"] + event["dur"]
        intervals.setdefault(event["name"], []).append(own)
    height = max(min(24.0, 720 / workers), 2.0)  # Of a row [pt].
    with matplotlib.rc_context({"path.simplify": False}, fname=STYLE):
        figure = Figure(figsize=(12, (height * workers + 100) / 72), layout="constrained")
        axes = figure.add_subplot(xlabel=f"time [{unit}]", ylabel="worker")
        axes.set_title(title, loc="left")
        for activity, (name, colour, part) in _ACTIVITIES.items():
            rows = intervals.get(activity, [])
            x = [t * 1e-6 / size for _, begin, end in rows for t in (begin, end, nan)]
            y = [place for worker, *_ in rows for place in (worker, worker, nan)]
            form = {"linewidth": part * height, "solid_capstyle": "butt"}
            axes.plot(x, y, color=colour, label=name, rasterized=len(rows) > _MOST_LINES, **form)
        axes.set(xlim=(0, time_ns * 1e-9 / size), ylim=(workers - 0.5, -0.5))
        axes.set_yticks(range(0, workers, -(-workers // 32)))
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False)
        figure.savefig(stream := io.BytesIO(), format="svg", metadata={"Date": None})
    return stream.getvalue()
