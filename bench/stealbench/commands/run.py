"""`stealbench run`: one run of a workload; and what `stealbench trace` has in common with it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from stealbench.cell import Cell
from stealbench.choices import instances_named
from stealbench.invocation import Run, Target, run_once
from stealbench.machine import MOST_WORKERS
from stealbench.options import assignments, end_of_help, number
from stealbench.process import Runner
from stealbench.report.format import counted, seconds
from stealbench.suite import SEQUENTIAL, Suite
from stealbench.workloads import SIZES


def declare_cell(parser: argparse.ArgumentParser) -> None:
    """What runs once."""
    add = parser.add_argument
    add("workload", metavar="WORKLOAD", help="workload; see `stealbench list`")
    help = "scheduler, as NAME or NAME:KEY=VALUE:KEY=VALUE; see `stealbench list`"
    add("--scheduler", "--schedulers", required=True, metavar="NAME", help=help)
    kind: dict[str, Any] = {"metavar": "N", "type": number(1, MOST_WORKERS)}
    add("--workers", default=1, help="worker count (default: 1)", **kind)
    help = "preset parameter values, of several the first: test, small, standard (default) or large"
    add("--size", default="standard", choices=SIZES, metavar="SIZE", help=help)
    kind = {"metavar": "KEY=VALUE,...", "type": assignments("--set"), "default": []}
    help = "set a parameter; may be repeated; see `stealbench list WORKLOAD`"
    add("--set", action="extend", help=help, **kind)


def run_cell(options: argparse.Namespace, suite: Suite, mode: Sequence[str]) -> tuple[Cell, Run]:
    """Raises BadInput for a name that is unknown, and a scheduler that is not built."""
    values = argparse.Namespace(size=options.size, size_of=[], set=options.set)
    workload, parameters = instances_named(suite, [options.workload], values)[0]
    scheduler, executable = suite.installation.choose(options.scheduler)
    workers = 1 if scheduler in ("serial", SEQUENTIAL) else options.workers
    cell = Cell(workload, parameters, scheduler, workers)
    with Runner() as runner:
        return cell, run_once(Target(cell, executable), mode, None, runner)


def title_of(cell: Cell) -> str:
    """`fib n=20 on work-stealing, 2 workers`."""
    return f"{cell.instance} on {cell.scheduler}, {counted(cell.workers, 'worker')}"


def status_of(cell: Cell, ran: Run) -> int:
    """The exit status; and on the standard error output why the run does not count."""
    sys.stdout.flush()
    if ran.failure:
        print(f"stealbench: {cell.name}: {ran.failure}", file=sys.stderr)
    return 1 if ran.failure else 0


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    declare_cell(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    notes = "It runs once more for the counters of a scheduler that has them."
    status = "0 if the answer is right or cannot be checked, 1 if it is wrong or the run fails"
    first = "uts --scheduler work-stealing --workers 2 --set tree=T3"
    second = "mergesort --scheduler onetbb --workers 2 --json"
    parser.epilog = end_of_help(notes, status, "run", (first, second))


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Prints what came of it."""
    cell, ran = run_cell(options, suite, ["--once"])
    if ran.entry is not None and options.json:
        print(json.dumps(ran.entry, ensure_ascii=False, separators=(",", ":")))
    elif ran.entry is not None:
        is_right, time_ns, counters = map(ran.entry.get, ("verified", "time_ns", "counters"))
        unknown = "not checked: the right answer for these parameters is not known"
        print(title_of(cell))
        print(f"  answer    {json.dumps(ran.entry['answer'])}")
        print(f"  check     {unknown if is_right is None else 'right' if is_right else 'WRONG'}")
        print(f"  time      {'unknown' if time_ns is None else seconds(time_ns * 1e-9)}")
        print(f"  counters  {counters and json.dumps(counters) or 'none for this scheduler'}")
    return status_of(cell, ran)
