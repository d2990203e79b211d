"""`stealbench report`: pages, tables and plots of what was measured."""

from __future__ import annotations

import argparse
import json

from stealbench.errors import BadInput
from stealbench.options import end_of_help, percentage, place
from stealbench.suite import Suite

_NOTES = (
    "report.html needs no network. Several runs are set beside each other, and never pooled: a rank is"
    " of one run, and a change is of two runs on the same machine, as `stealbench diff` finds it. The"
    " shares of a sweep (`mpirun stealbench simulate`, a folder rank-N for each) become the raw file"
    " and the report of the whole."
)
_STATUS = "0, 1 if a benchmark of a sweep failed or a file could not be written"


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    examples = ("build/compare/comparison --plots", "laptop server --output both")
    parser.epilog, add = end_of_help(_NOTES, _STATUS, "report", examples), parser.add_argument
    add("runs", metavar="RUN", nargs="+", type=place, help="a raw file or a folder")
    add("--output", type=place, metavar="FOLDER", help="where it is written (default: in RUN)")
    add("--plots", action="store_true", help="also write each plot as slides, SVG and PNG")
    text = "of several runs, the smallest change of a median that is reported [%%] (default: 3)"
    add("--threshold", type=percentage, default=3.0, metavar="N", help=text)
    only, text = parser.add_mutually_exclusive_group(), "print only {}, as Markdown; write no file"
    for name, part in (
        ("--summary", "the verdicts and ranks"),
        ("--regret", "how far each strategy is from the best"),
    ):
        only.add_argument(name, action="store_true", help=text.format(part))


def run(options: argparse.Namespace, _: Suite) -> int:
    """Writes and prints."""
    from stealbench.report import merge, write
    from stealbench.report.document import Document

    where, output = options.runs, options.output
    printed = "--summary" if options.summary else "--regret" if options.regret else ""
    if printed and (len(where) > 1 or output or options.plots):
        raise BadInput(f"{printed}: writes no file; valid: one RUN, without --output and --plots")
    if printed:
        print((write.summary_of if options.summary else write.regret_of)(where[0]), end="")
        return 0
    if len(where) == 1 and not merge.has_share(write.files_of(where[0])):
        write.write_report(where[0], output, options.plots)
        return 0
    if output is None:
        raise BadInput("--output is missing; valid: the folder for the report of several runs")
    runs = [raw for folder in where for raw in write.read_runs(folder)]
    if not any(map(merge.is_share, runs)):
        sections = merge.merged_sections(runs, options.threshold / 100)
        write.write_document(Document("Runs side by side", sections), output)
        return 0
    lines = merge.joined_lines([file for folder in where for file in write.files_of(folder)])
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    write.write_files({output / f"{lines[0]['experiment']}.jsonl": text}, output)
    write.write_report(output, output, options.plots)
    return int(any("failure" in line for line in lines))
