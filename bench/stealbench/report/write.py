"""From the raw files of a folder to a report: a page, Markdown, CSV, slides, and the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from stealbench import rawfile
from stealbench.analysis import ablation, regret
from stealbench.errors import BadInput
from stealbench.experiments import NAMES, experiment
from stealbench.figures import export, figures_of
from stealbench.files import file_to_replace, make_folder, write_atomically
from stealbench.rawfile import RawFile
from stealbench.report import origin, render
from stealbench.report.document import Document, Paragraph, Prominence, Section
from stealbench.report.guides import guide
from stealbench.report.plots import Slides

UNFINISHED = "This experiment is unfinished: results are missing, and the values may still change."


def files_of(where: Path) -> list[Path]:
    """One raw file, or those of a folder in the order of the experiments. Raises BadInput."""
    if not where.is_dir():
        return [where]
    of_experiments = [[where / f"{name}{end}" for end in rawfile.ENDINGS] for name in NAMES]
    files = [next((file for file in of_one if file.exists()), None) for of_one in of_experiments]
    if not any(files):
        names = ", ".join(f"{name}.jsonl" for name in NAMES)
        raise BadInput(
            f"'{where}' contains none of {names}", "the --output folder of an experiment"
        )
    return [file for file in files if file]


def _read(files: Iterable[Path]) -> list[RawFile]:
    runs = []
    for file in files:
        runs.append(rawfile.read(file))
        try:
            experiment(runs[-1].experiment)
        except BadInput as problem:
            raise BadInput(f"'{file}': {problem}") from None
    return runs


def read_runs(where: Path) -> list[RawFile]:
    """What these files say."""
    return _read(files_of(where))


def runs_of_machines(where: Path) -> list[RawFile]:
    """Of the folder `machines`, by name: the same simulated with other costs, or more workers.

    The findings of an ablation are compared with them.
    """
    files = sorted((where / "machines").glob("*")) if where.is_dir() else []
    return _read(file for file in files if file.name.endswith(rawfile.ENDINGS))


def _sections_of(raw: RawFile, name: str) -> list[Section]:
    """Of a run: behind its first line, what was measured on what. `name` where others are beside."""
    sections: list[Section] = experiment(raw.experiment).sections(raw)
    more = [Paragraph(origin.subtitle_of(raw))]
    # What ablations show together says so of them.
    more += [] if raw.is_finished or regret.contrasts_of(raw) else [Paragraph(UNFINISHED)]
    sections[0].blocks[1:1] = more
    sections += origin.origin_sections(raw, name)
    origin.name_machine(origin.machine_note(raw), sections)
    return sections


def _assembled(runs: Sequence[RawFile], others: Sequence[RawFile] = ()) -> Document:
    """What is said of each run, below what all ablations among them show, beside others."""
    instances = {cell.instance for raw in runs for cell in raw.cells.values()}
    on = f" on {instances.pop()}" if len(instances) == 1 else ""
    sections = ablation.sections_of(list(map(figures_of, [*runs, *others])))
    for raw in runs:
        sections += _sections_of(raw, raw.experiment if len(runs) > 1 else "")
    if not all(raw.is_simulated for raw in runs):
        sections.append(guide("How each value was measured", Prominence.DETAIL))
    return Document(f"Fork-join schedulers compared{on}", sections)


def summary_of(where: Path) -> str:
    """The verdicts and ranks, as Markdown."""
    return render.summary_in_markdown(_assembled(read_runs(where)).sections)


def regret_of(where: Path) -> str:
    """How far each strategy is from the best one, as Markdown. Raises BadInput of fewer than 3."""
    runs = read_runs(where) + runs_of_machines(where)
    if not (sections := regret.sections_of(list(map(figures_of, runs)))):
        few = f"--regret: '{where}' has fewer than three strategies in common"
        raise BadInput(few, "three or more")
    return render.summary_in_markdown(sections)


def _rendered(where: Path, plots: bool) -> tuple[dict[str, str | bytes], Document]:
    runs, machines = read_runs(where), runs_of_machines(where)
    whole, files, slides = _assembled(runs, machines), dict[str, str | bytes](), dict[str, Slides]()
    for raw in runs:
        files[f"{raw.experiment}.md"] = render.to_markdown(_assembled([raw]))
        files[f"{raw.experiment}.csv"] = render.to_csv(export(figures_of(raw)))
    if of_ablations := ablation.sections_of(list(map(figures_of, [*runs, *machines]))):
        ablations = [raw for raw in runs if regret.contrasts_of(raw)]
        of_ablations[0].blocks += [Paragraph(origin.subtitle_of(raw)) for raw in ablations]
        page = Document("Ablation of the strategies", of_ablations)
        files["ablation.md"] = render.to_markdown(page)
    files["report.html"] = render.to_html(whole, slides if plots else None)
    for name, kinds in slides.items():
        files |= {f"plots/{name}.{kind}": content for kind, content in kinds.items()}
    return files, whole


def write_report(
    where: Path, output: Path | None = None, plots: bool = False, out: IO[str] | None = None
) -> list[Path]:
    """Writes a report on a raw file or a folder of them, prints what matters, returns the files.

    NAME.md and NAME.csv for each run, ablation.md of what all ablations show together, report.html,
    and with `plots` each plot as slides and their values. All are rendered before the first is
    written. Raises BadInput before anything is created, and OSError if a file cannot be written.
    """
    output = output or (where if where.is_dir() else where.absolute().parent)
    try:
        files, whole = _rendered(where, plots)
    except ValueError as problem:
        valid = "files as they were written"
        raise BadInput(f"'{where}': a plot cannot be drawn: {problem}", valid) from None
    return _write_and_print(files, whole, output, out or sys.stdout)


def write_document(document: Document, output: Path) -> None:
    """Writes report.html and report.md, and prints what matters. Raises as `write_report`."""
    page, text = render.to_html(document), render.to_markdown(document)
    _write_and_print({"report.html": page, "report.md": text}, document, output, sys.stdout)


def _write_and_print(
    files: Mapping[str, str | bytes], document: Document, output: Path, out: IO[str]
) -> list[Path]:
    written = write_files({output / name: content for name, content in files.items()}, output)
    render.print_document(document, render.console_of(out))
    shown = [str(file) for file in written if file.parent == output]
    if plots := len(written) - len(shown):
        shown.append(f"{output / 'plots'}/: {plots} files")
    print("Written:", "\n         ".join(shown), file=out, flush=True)
    return written


def write_files(files: Mapping[Path, str | bytes], output: Path) -> list[Path]:
    """Writes these files of a folder, which is made if there is none, once all can be written."""
    for file in files:
        file_to_replace(file)
    for folder in dict.fromkeys([output, *(file.parent for file in files)]):
        make_folder(folder)
    for file, content in files.items():
        write_atomically(file, content)
    return list(files)
