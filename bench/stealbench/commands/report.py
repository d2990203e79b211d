"""`stealbench report`: pages, tables and plots of what was measured."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from stealbench.commands.options import percentage
from stealbench.errors import BadInput

EPILOG = """\
report.html needs no network. Several runs are set beside each other, and never pooled: a rank is of
one run, and a change is of two runs on the same machine, as `stealbench diff` finds it. The shares
of a sweep (`mpirun stealbench simulate`, a folder rank-N for each) become the raw file and the
report of the whole.

Exit status: 0, 1 if a benchmark of a sweep failed or a file could not be written, 2 for bad input.

Examples:
  stealbench report build/compare/comparison --plots
  stealbench report laptop server --output both
"""


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    parser.epilog = EPILOG
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="a raw file or a folder")
    add = parser.add_argument
    add("--output", type=Path, metavar="FOLDER", help="where it is written (default: in RUN)")
    add("--plots", action="store_true", help="also write each plot as slides, SVG and PNG")
    add(
        "--threshold",
        type=percentage,
        default=3.0,
        metavar="N",
        help="of several runs, the smallest change of a median that is reported [%%] (default: 3)",
    )
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--summary",
        action="store_true",
        help="print only the verdicts and ranks, as Markdown; write no file",
    )
    only.add_argument(
        "--regret",
        action="store_true",
        help="print only how far each strategy is from the best, as Markdown; write no file",
    )


def run(options: argparse.Namespace) -> int:
    """Writes and prints."""
    from stealbench.report import write

    printed = "--summary" if options.summary else "--regret" if options.regret else ""
    if printed and (len(options.runs) > 1 or options.output or options.plots):
        raise BadInput(f"{printed}: writes no file; valid: one RUN, without --output and --plots")
    if printed:
        text = write.summary_of if options.summary else write.regret_of
        print(text(options.runs[0]), end="")
        return 0
    if len(options.runs) == 1:
        write.write_report(options.runs[0], options.output, options.plots)
        return 0
    return _several(options.runs, options.output, options.plots, options.threshold / 100)


def _several(where: Sequence[Path], output: Path | None, plots: bool, threshold: float) -> int:
    from stealbench.report import merge, write
    from stealbench.report.document import Document

    if output is None:
        raise BadInput("--output is missing; valid: the folder for the report of several runs")
    runs = [raw for folder in where for raw in write.read_runs(folder)]
    if not any(map(merge.is_share, runs)):
        document = Document("Runs side by side", merge.merged_sections(runs, threshold))
        write.write_document(document, output)
        return 0
    files = [file for folder in where for file in write.files_of(folder)]
    lines = merge.joined_lines(files)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    joined = output / f"{lines[0]['experiment']}.jsonl"
    write.write_files({joined: text}, output)
    write.write_report(output, output, plots)
    return 1 if any("failure" in line for line in lines) else 0
