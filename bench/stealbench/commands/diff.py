"""`stealbench diff`: what has changed between two runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stealbench.commands.options import percentage
from stealbench.errors import BadInput

if TYPE_CHECKING:
    from stealbench.rawfile import RawFile

EPILOG = """\
A benchmark has changed if its median time differs by more than the threshold and a test shows that
its times differ: where nothing has changed, at most 5 % of pairs of runs have one. With fewer than
six rounds in a run, a benchmark is not told apart yet. One that no longer finishes counts as slower.

Exit status: 0 if no benchmark is shown to be slower, also where they are not told apart yet, 1 if
one is, 2 for bad input.

Examples:
  stealbench diff old new
  stealbench diff old/micro.jsonl new/micro.jsonl --threshold 10
"""


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    parser.epilog = EPILOG
    add = parser.add_argument
    add("old", metavar="OLD", type=Path, help="the earlier run: a raw file or a folder")
    add("new", metavar="NEW", type=Path, help="the later run")
    add(
        "--threshold",
        type=percentage,
        default=3.0,
        metavar="N",
        help="the smallest change of a median time that is reported [%%] (default: 3)",
    )
    add("--all", action="store_true", help="show unchanged benchmarks too")


def run(options: argparse.Namespace) -> int:
    """Prints a table of each experiment that both have."""
    from stealbench.report.write import read_runs

    old, new = ({raw.experiment: raw for raw in read_runs(w)} for w in (options.old, options.new))
    both = [name for name in old if name in new]
    if not both:
        raise BadInput(
            f"'{options.old}' and '{options.new}' have no experiment in common; valid: two runs of"
            " the same experiment"
        )
    is_worse = False
    for name in both:
        if len(old) > 1:
            print(name)
        is_worse |= _print(old[name], new[name], options.threshold / 100, options.all)
    _note("experiment", "old", [name for name in old if name not in new])
    _note("experiment", "new", [name for name in new if name not in old])
    return 1 if is_worse else 0


def _print(old: RawFile, new: RawFile, threshold: float, is_whole: bool) -> bool:
    from stealbench.figures import figures_of
    from stealbench.report.diff import difference_between, summary_of, table_of
    from stealbench.report.document import Document, Prominence, Section
    from stealbench.report.origin import machine_note
    from stealbench.report.terminal import console_of, print_document

    difference = difference_between(figures_of(old), figures_of(new), threshold)
    for warning in difference.warnings:
        print(f"Warning: {warning}", file=sys.stderr)
    _note("benchmark", "old", difference.only_before)
    _note("benchmark", "new", difference.only_after)
    table = table_of(difference, f"What has changed in {old.experiment}", is_whole)
    table.origin = machine_note(old)
    if table.rows:
        section = Section("", [table], Prominence.SUMMARY)
        print_document(Document("", [section]), console_of(sys.stdout))
    print("\n".join(summary_of(difference)))
    return difference.is_worse


def _note(noun: str, where: str, names: Sequence[str]) -> None:
    from stealbench.report.format import counted, joined

    if names:
        text = f"{counted(len(names), noun)} only in the {where} run: {joined(names, 4)}"
        print(text, file=sys.stderr)
