"""`stealbench compare --against BUILD`: two builds in the same rounds."""

from __future__ import annotations

from stealbench.figures import figures_of
from stealbench.rawfile import RawFile
from stealbench.report.diff import Difference, difference_between, of_build, summary_of, table_of
from stealbench.report.document import Column, Paragraph, Prominence, Section, Table
from stealbench.report.parts import context_of, text_at

NAME = "ab"
SUMMARY = (
    "Measure two builds in the same rounds. Report on which benchmarks build B is slower than"
    " build A"
)

MEANING = (
    "B ÷ A: the median time of B divided by that of A. The interval is drawn by whole rounds, so"
    " what slowed both builds in a round cancels. B is slower, or faster, if this ratio differs from"
    " 1 by more than the threshold and a test of the times tells the builds apart, corrected for the"
    " number of benchmarks: of two equal builds, at most 5 % have a difference."
)


def difference_in(raw: RawFile) -> Difference:
    """B against A, with the threshold that the run was given."""
    a, b = (figures_of(of_build(raw, build)) for build in ("A", "B"))
    return difference_between(a, b, raw.header["settings"]["threshold"] / 100, True)


def is_worse(raw: RawFile) -> bool:
    """Whether a benchmark of B is shown to be slower, or did not finish: status 1."""
    difference = difference_in(raw)
    return difference.is_worse or any(change.failure for change in difference.cells)


def _builds(raw: RawFile) -> Table:
    """Where they are, and what they were built from and how; the provenance has the rest."""
    names = ("what", "A", "B")
    table = Table("The builds", [Column(name, is_name=True) for name in names])
    settings, contexts = raw.header["settings"], [context_of(raw, build) for build in "AB"]
    table.rows.append(["folder", *(text_at(settings, f"BUILD_{build}") for build in "AB")])
    for key in ("commit", "compiler", "build_type", "flags"):
        table.rows.append([key, *(text_at(context, key) for context in contexts)])
    return table


def sections(raw: RawFile) -> list[Section]:
    """The verdict, what differs, the builds, and every benchmark."""
    difference = difference_in(raw)
    verdict = Section("Verdict", shown=Prominence.SUMMARY)
    for index, sentence in enumerate([*summary_of(difference), *difference.warnings]):
        verdict.blocks.append(Paragraph(sentence, is_lead=index == 0))
    changed = table_of(difference, "What differs")
    verdict.blocks += [changed, _builds(raw)] if changed.rows else [_builds(raw)]
    every = table_of(difference, "Every benchmark", is_whole=True)
    return [verdict, Section("All values", [every, Paragraph(MEANING)], Prominence.TABLES)]
