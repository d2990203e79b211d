"""`stealbench diff`: what has changed between two runs."""

from __future__ import annotations

import argparse
import sys

from stealbench.errors import BadInput
from stealbench.options import end_of_help, percentage, place
from stealbench.suite import Suite

_NOTES = (
    "A benchmark has changed if its median time differs by more than the threshold and a test shows"
    " that its times differ: where nothing has changed, at most 5 % of pairs of runs have one. With"
    " fewer than six rounds in a run, a benchmark is not told apart yet. One that no longer finishes"
    " counts as slower."
)
_STATUS = (
    "0 if no benchmark is shown to be slower, also where they are not told apart yet, 1 if one is"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    examples = ("old new", "old/micro.jsonl new/micro.jsonl --threshold 10")
    parser.epilog, add = end_of_help(_NOTES, _STATUS, "diff", examples), parser.add_argument
    add("old", metavar="OLD", type=place, help="the earlier run: a raw file or a folder")
    add("new", metavar="NEW", type=place, help="the later run")
    text = "the smallest change of a median time that is reported [%%] (default: 3)"
    add("--threshold", type=percentage, default=3.0, metavar="N", help=text)
    add("--all", action="store_true", help="show unchanged benchmarks too")


def run(options: argparse.Namespace, _: Suite) -> int:
    """Prints what has changed in each experiment that both have."""
    from stealbench.figures import figures_of
    from stealbench.report.diff import blocks_of, difference_between
    from stealbench.report.document import Document, Prominence, Section
    from stealbench.report.origin import machine_note, name_machine
    from stealbench.report.render import console_of, print_document
    from stealbench.report.write import read_runs

    old, new = ({raw.experiment: raw for raw in read_runs(w)} for w in (options.old, options.new))
    both, is_worse = [name for name in old if name in new], False
    if not both:
        both_runs = f"'{options.old}' and '{options.new}'"
        raise BadInput(f"{both_runs} have no experiment in common; valid: two runs of one")
    for name in both:
        sides = figures_of(old[name]), figures_of(new[name])
        difference = difference_between(*sides, options.threshold / 100)
        section = Section("", blocks_of(difference, name, options.all), Prominence.SUMMARY)
        name_machine(machine_note(old[name]), [section])
        print_document(Document("", [section]), console_of(sys.stdout))
        is_worse |= difference.is_worse
    return int(is_worse)
