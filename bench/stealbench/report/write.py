"""From the raw files of a folder to a report: a page, Markdown, CSV, slides, and the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from stealbench import rawfile
from stealbench.analysis import findings, regret
from stealbench.analysis.ablation import contrasts_of
from stealbench.errors import BadInput
from stealbench.experiments import NAMES, experiment
from stealbench.figures import export, figures_of
from stealbench.files import file_to_replace, make_folder, write_atomically
from stealbench.rawfile import RawFile
from stealbench.report import markdown, page, svg, terminal
from stealbench.report.document import Document, Paragraph, Section
from stealbench.report.origin import definitions, machine_note, name_machine, origin_sections
from stealbench.report.origin import subtitle_of

UNFINISHED = "This experiment is unfinished: results are missing, and the values may still change."

Step = Callable[[str], None]
"""Told what takes a while, for a line of progress."""


def _ignored(step: str) -> None:
    """No progress."""


def _read(file: Path) -> RawFile:
    raw = rawfile.read(file)
    try:
        experiment(raw.experiment)
    except BadInput as problem:
        raise BadInput(f"'{file}': {problem}") from None
    return raw


def files_of(where: Path) -> list[Path]:
    """One raw file, or those of a folder in the order of the experiments. Raises BadInput."""
    if not where.is_dir():
        return [where]
    of_experiments = [[where / f"{name}{ending}" for ending in rawfile.ENDINGS] for name in NAMES]
    files = [
        next(file for file in of_one if file.exists())
        for of_one in of_experiments
        if any(file.exists() for file in of_one)
    ]
    if not files:
        names = ", ".join(f"{name}.jsonl" for name in NAMES)
        raise BadInput(
            f"'{where}' contains none of {names}; valid: the --output folder of an experiment"
        )
    return files


def read_runs(where: Path) -> list[RawFile]:
    """What these files say."""
    return list(map(_read, files_of(where)))


def runs_of_machines(where: Path) -> list[RawFile]:
    """Of the folder `machines`, by name: the same simulated with other costs, or more workers.

    The findings of an ablation are compared with them.
    """
    files = (where / "machines").glob("*") if where.is_dir() else ()
    return [_read(file) for file in sorted(files) if file.name.endswith(rawfile.ENDINGS)]


def document_of(runs: Sequence[RawFile], of_ablations: Sequence[Section] = ()) -> Document:
    """What is said of each run, below what all ablations among them show."""
    found = [experiment(raw.experiment).sections(raw) for raw in runs]
    return _assembled(runs, found, of_ablations)


def _assembled(
    runs: Sequence[RawFile], found: Sequence[list[Section]], of_ablations: Sequence[Section]
) -> Document:
    document = Document("Fork-join schedulers compared", list(of_ablations))
    instances = {cell.instance for raw in runs for cell in raw.cells.values()}
    if len(instances) == 1:
        document.title += f" on {instances.pop()}"
    for raw, (first, *others) in zip(runs, found):
        blocks = [first.blocks[0], Paragraph(subtitle_of(raw)), *first.blocks[1:]]
        # What ablations show together says so of them.
        if not raw.is_finished and not contrasts_of(raw):
            blocks.append(Paragraph(UNFINISHED))
        name = "" if len(runs) == 1 else raw.experiment
        sections = [Section(first.title, blocks, first.shown), *others]
        sections += origin_sections(raw, name)
        name_machine(machine_note(raw), sections)
        document.sections += sections
    if not all(raw.is_simulated for raw in runs):
        document.sections.append(definitions())
    return document


def _ablation_page(runs: Sequence[RawFile], sections: list[Section]) -> Document:
    """What all ablations among them show, and what each of them is."""
    first, *others = sections
    subtitles = [Paragraph(subtitle_of(raw)) for raw in runs if contrasts_of(raw)]
    first = Section(first.title, [*first.blocks, *subtitles], first.shown)
    return Document("Ablation of the strategies", [first, *others])


def summary_of(where: Path) -> str:
    """The verdicts and ranks, as Markdown."""
    runs = read_runs(where)
    return markdown.summary_in_markdown(
        document_of(runs, findings.sections_of(list(map(figures_of, runs))))
    )


def regret_of(where: Path) -> str:
    """How far each strategy is from the best one, as Markdown. Raises BadInput of fewer than 3."""
    runs = read_runs(where) + runs_of_machines(where)
    sections = regret.sections_of(list(map(figures_of, runs)))
    if not sections:
        raise BadInput(
            f"--regret: '{where}' has fewer than three strategies in common; valid: three or more"
        )
    return markdown.summary_in_markdown(Document("", sections))


def write_report(
    where: Path,
    output: Path | None = None,
    plots: bool = False,
    out: IO[str] | None = None,
    step: Step = _ignored,
) -> list[Path]:
    """Writes a report on a raw file or a folder of them, prints what matters, returns the files.

    NAME.md and NAME.csv for each run, ablation.md of what all ablations show together, report.html,
    and with `plots` each plot as slides and their values. All are rendered before the first is
    written. Raises BadInput before anything is created, and OSError if a file cannot be written.
    """
    out = out or sys.stdout
    output = output or (where if where.is_dir() else where.absolute().parent)
    step("reading the raw files")
    runs = read_runs(where)
    figures = list(map(figures_of, runs))
    step("estimating medians and intervals")
    found = [experiment(raw.experiment).sections(raw) for raw in runs]
    machines = list(map(figures_of, runs_of_machines(where)))
    of_ablations = findings.sections_of([*figures, *machines])
    step("writing the tables")
    files: dict[str, str | bytes] = {}
    for raw, own, sections in zip(runs, figures, found):
        document = _assembled([raw], [sections], findings.sections_of([own]))
        files[f"{raw.experiment}.md"] = markdown.to_markdown(document)
        files[f"{raw.experiment}.csv"] = markdown.to_csv(export(own))
    if of_ablations:
        files["ablation.md"] = markdown.to_markdown(_ablation_page(runs, of_ablations))
    whole = _assembled(runs, found, of_ablations)
    step("drawing the plots")
    try:
        files["report.html"] = page.to_html(whole)
        for name, plot in svg.named_plots(whole) if plots else ():
            for kind in ("svg", "png"):
                files[f"plots/{name}.{kind}"] = svg.to_slide(plot, kind)
            files[f"plots/{name}.csv"] = svg.to_csv(plot)
    except ValueError as problem:
        raise BadInput(
            f"'{where}': a plot cannot be drawn: {problem}; valid: files as they were written"
        ) from None
    written = write_files({output / name: content for name, content in files.items()}, output)
    terminal.print_document(whole, terminal.console_of(out))
    shown = [str(file) for file in written if file.parent == output]
    if plots:
        shown.append(f"{output / 'plots'}/: {len(written) - len(shown)} files")
    print("Written:", "\n         ".join(shown), file=out, flush=True)
    return written


def write_document(document: Document, output: Path) -> None:
    """Writes report.html and report.md, and prints what matters. Raises as `write_report`."""
    texts = {"html": page.to_html(document), "md": markdown.to_markdown(document)}
    files = {output / f"report.{kind}": text for kind, text in texts.items()}
    written = write_files(dict(files), output)
    terminal.print_document(document, terminal.console_of(sys.stdout))
    print("Written:", "\n         ".join(map(str, written)), flush=True)


def write_files(files: Mapping[Path, str | bytes], output: Path) -> list[Path]:
    """Writes these files of a folder, which is made if there is none, once all can be written."""
    for file in files:
        file_to_replace(file)
    make_folder(output)
    if any(file.parent != output for file in files):
        make_folder(output / "plots")
    for file, content in files.items():
        write_atomically(file, content)
    return list(files)
