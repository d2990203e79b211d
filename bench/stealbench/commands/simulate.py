"""`stealbench simulate`: the experiment, or with --check how far its times are from measured ones."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from stealbench import measuring
from stealbench.analysis.validation import Validation, sections_of
from stealbench.errors import BadInput
from stealbench.experiments.simulate import EXPERIMENT
from stealbench.figures import Figures, figures_of
from stealbench.files import write_atomically
from stealbench.profiles import read_profile
from stealbench.report.document import Document
from stealbench.report.format import on_one_line
from stealbench.report.render import console_of, print_document, to_markdown
from stealbench.report.write import read_runs
from stealbench.suite import Suite


def declare(parser: ArgumentParser) -> None:
    """Its options."""
    settings = measuring.declare("simulate", EXPERIMENT, parser)
    help = "compare the output folder with this run of `compare`; replace --profile's accuracy"
    parser.add_argument("--check", default="", metavar="RUN", help=help)
    help = "print the comparison as Markdown"
    parser.add_argument("--markdown", action="store_true", help=help)
    parser.set_defaults(settings=settings)


def run(typed: Namespace, suite: Suite) -> int:
    """Simulates, or checks."""
    if typed.check:
        return _check(typed)
    if typed.markdown:
        raise BadInput("--markdown: valid: with --check RUN")
    return measuring.run("simulate", EXPERIMENT, typed.settings, typed, suite)


def _check(typed: Namespace) -> int:
    """Starts no process."""
    settings = typed.settings
    beside = settings.are_in(Namespace(**{k: v for k, v in vars(typed).items() if k != "profile"}))
    if beside or typed.json or typed.jobs or typed.resume or typed.overwrite:
        raise BadInput("--check: valid: with RUN, --output, --profile FILE and --markdown alone")
    measured = _run_of("compare", "--check", Path(typed.check))
    validation = Validation(measured, _run_of("simulate", "--output", typed.output))
    if "profile" in typed:
        _write_accuracy(validation, Path(typed.profile))
    for doubt in validation.doubts():
        print(f"Warning: {on_one_line(doubt)}", file=sys.stderr)
    document, console = Document("", sections_of(validation)), console_of(sys.stdout)
    print(to_markdown(document), end="") if typed.markdown else print_document(document, console)
    return 0


def _run_of(experiment: str, option: str, where: Path) -> Figures:
    for raw in read_runs(where):
        if raw.experiment == experiment:
            return figures_of(raw)
    raise BadInput(f"{option} {where}: valid: a run of `stealbench {experiment}`")


def _write_accuracy(validation: Validation, file: Path) -> None:
    """Leaves all else in the file as it is. Raises BadInput for a profile other than that of the
    simulation, whatever accuracy either states, and if the two runs do not belong together."""
    used = validation.simulated.raw.header["about"]["profile"]
    if read_profile(file) | {"accuracy": None} != used | {"accuracy": None}:
        raise BadInput(f"--profile {file}: the simulation has other costs; valid: its profile")
    for doubt in validation.doubts():
        raise BadInput(f"--profile {file}: {doubt}; valid: two runs of one build and machine")
    date = validation.measured.raw.header["date"][:10]
    whole = json.loads(file.read_bytes()) | {"accuracy": validation.accuracy() | {"date": date}}
    write_atomically(file, json.dumps(whole, ensure_ascii=False, indent=2) + "\n")
