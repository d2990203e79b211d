"""What has changed between two runs of an experiment, or differs between two builds of one run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stealbench.analysis.tabulate import key, name, tabulate
from stealbench.cell import FEWEST_ROUNDS
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Block, Paragraph, Table
from stealbench.report.format import counted, joined, ratio, ratio_with_interval
from stealbench.report.format import seconds_with_interval
from stealbench.report.origin import differing, facts_of
from stealbench.report.parts import DNF, context_of, estimate_in, title_of
from stealbench.statistics import Separation, estimate_ratio, estimate_unpaired_ratio
from stealbench.statistics import geometric_mean

CONFIDENCE = 0.99
"""Of the interval of a ratio that is shown. It decides nothing."""
SLOWER, FASTER, UNKNOWN = "slower", "faster", "not told apart yet"
Row = dict[str, Any]


@dataclass
class Difference:
    """`names` are what the two are called. A row has, of a benchmark of both: `benchmark`; `before`
    and `after`, its times, None if it did not finish; `why` it did not finish afterwards; `ratio`,
    after over before; `word`: SLOWER, FASTER, UNKNOWN (a side has fewer than six rounds), or empty.
    """

    names: tuple[str, str]
    threshold: float
    rows: list[Row]
    warnings: list[str]  # What else is not the same, such as the compiler; what was disturbed.

    @property
    def is_worse(self) -> bool:
        """Whether a benchmark is slower, or no longer finishes."""
        return any(row["word"] == SLOWER for row in self.rows)


def of_build(raw: RawFile, build: str) -> RawFile:
    """The part of a raw file that one build has, as a run of its own."""
    own = [cell for cell in raw.cells.values() if cell.build == build]
    cells = {cell.name: dataclasses.replace(cell, build="") for cell in own}
    rows = [row for row in raw.processes if row["cell"] in cells]
    by_cell: Row = {
        member: {cells[n].name: v for n, v in getattr(raw, member).items() if n in cells}
        for member in ("counters", "simulations", "failures", "rounds")
    }
    by_cell["cells"] = {cell.name: cell for cell in cells.values()}
    by_cell["processes"] = [{**row, "cell": cells[row["cell"]].name} for row in rows]
    return dataclasses.replace(raw, contexts={"": context_of(raw, build)}, **by_cell)


def why_incomparable(before: RawFile, after: RawFile) -> str:
    """Why the times of two runs say nothing together; empty if they do."""
    old, new = facts_of(before), facts_of(after)
    if before.experiment != after.experiment:
        names = f"one is of the experiment {before.experiment}, the other of {after.experiment}"
        return f"{names}; valid: two of one"
    # Without a context no process has finished yet.
    for fact in ("processor", "processors") if before.contexts and after.contexts else ():
        if old[fact] != new[fact]:
            was = f"{fact} was {old[fact]}, and is {new[fact]}"
            return f"the machines differ: {was}; valid: two of one machine"
    if not before.cells.keys() & after.cells.keys():
        return "the two have no benchmark in common; valid: two that measured some of the same"
    return ""


def _warnings(sides: dict[str, Figures]) -> Iterator[str]:
    """What may be just what is compared, and may be an oversight."""
    if text := differing({of: side.raw for of, side in sides.items()}):
        yield text
    for (of, one), other in zip(sides.items(), reversed(sides.values())):
        if not one.raw.is_finished:
            yield f"the {of} one is not finished"
        if alone := [cell for cell in one.raw.cells if cell not in other.raw.cells]:
            yield f"{counted(len(alone), 'benchmark')} only in {of}: {joined(alone, 4)}"
        if count := int(one.cells["is_disturbed"].sum()):
            benchmarks = f"{counted(count, 'benchmark')} of {of}"
            yield f"{benchmarks} waited for a processor: those times are too long"


def _row_of(before: Figures, after: Figures, cell: str) -> Row:
    """All but what the times of both say together."""
    old, new = (estimate_in(side.cells.loc[cell], "seconds") for side in (before, after))
    word = (SLOWER if old else FASTER) if (old is None) != (new is None) else ""
    for side, time in ((before, old), (after, new)):
        if time is None and cell not in side.raw.failures:
            word = UNKNOWN
    row: Row = {"benchmark": title_of(before, cell), "before": old, "after": new, "ratio": None}
    return row | {"why": after.cells.at[cell, "failure"] or "", "word": word}


def difference_between(
    before: Figures, after: Figures, threshold: float, are_rounds_shared: bool = False
) -> Difference:
    """What has changed by more than `threshold`, a part of 1, either way.

    A benchmark is slower if the ratio of its medians is above 1 + threshold and its times are told
    apart, all benchmarks of the two being one family: of two runs between which nothing changed, at
    most 5 % have a change. One that failed where it had finished is slower. Intervals of ratios are
    drawn by whole rounds where both were measured in the same. Raises BadInput if the two are of
    different machines or experiments, or have no benchmark in common.
    """
    if problem := why_incomparable(before.raw, after.raw):
        raise BadInput(problem)
    both = [cell for cell in before.raw.cells if cell in after.raw.cells]
    rows = {cell: _row_of(before, after, cell) for cell in both}
    finished = [cell for cell in both if cell in before.times and cell in after.times]
    times = [(before.times[cell], after.times[cell]) for cell in finished]
    separation = Separation(times)
    for table, (cell, (old, new)) in enumerate(zip(finished, times)):
        size = min(len(old), len(new))
        if are_rounds_shared:
            change = estimate_ratio(new[:size], old[:size], CONFIDENCE)
        else:
            change = estimate_unpaired_ratio(new, old, CONFIDENCE)
        rows[cell]["ratio"] = change
        if size < FEWEST_ROUNDS:
            rows[cell]["word"] = UNKNOWN
        elif separation.is_slower(table, 1, 0) and change.median > 1 + threshold:
            rows[cell]["word"] = SLOWER
        elif separation.is_slower(table, 0, 1) and change.median < 1 / (1 + threshold):
            rows[cell]["word"] = FASTER
    names = ("A", "B") if are_rounds_shared else ("old", "new")
    warnings = list(_warnings(dict(zip(names, (before, after)))))
    return Difference(names, threshold, list(rows.values()), warnings)


def table_of(difference: Difference, title: str = "", is_whole: bool = False) -> Table:
    """The benchmarks that have changed, or all."""
    before, after = difference.names
    rows = [row for row in difference.rows if is_whole or row["word"] in (SLOWER, FASTER)]
    has_ranges = any(row["word"] == UNKNOWN and row["ratio"] for row in rows)
    kind = "99 %" + (f", below {FEWEST_ROUNDS} rounds the range" if has_ranges else "")
    columns = [
        key("benchmark"),
        name(before, lambda row: seconds_with_interval(row["before"]) if row["before"] else DNF),
        name(after, lambda row: seconds_with_interval(row["after"]) if row["after"] else DNF),
        name(f"{after} ÷ {before} [{kind}]", lambda row: ratio_with_interval(row["ratio"])),
        name(
            "change", lambda row: f"{row['word']} {row['why'] and '({why})'.format(**row)}".strip()
        ),
    ]
    return tabulate(title, columns, rows)


def summary_of(difference: Difference) -> list[str]:
    """In a sentence or a few: how many are slower, faster, neither, and the mean over all."""
    rows, least = difference.rows, difference.threshold
    words = [row["word"] for row in rows]
    ratios = [row["ratio"].median for row in rows if row["ratio"]]
    unchanged = [row["ratio"].median for row in rows if row["ratio"] and not row["word"]]
    undecided = sum(max(value, 1 / value) > 1 + least for value in unchanged)
    sentences = [
        f"{counted(len(words), 'benchmark')}: {words.count(SLOWER)} slower, {words.count(FASTER)}"
        f" faster, {words.count('')} without a significant change of more than {100 * least:g} %."
    ]
    if unknown := words.count(UNKNOWN):
        sentences.append(
            f"{counted(unknown, 'benchmark')} not told apart yet: that needs {FEWEST_ROUNDS}"
            f" rounds on either side (--rounds {FEWEST_ROUNDS})."
        )
    if undecided:
        sentences.append(
            f"{undecided} of these differ by more than that, but the rounds are too few or too far"
            " apart to tell: unchanged is not shown."
        )
    if ratios:
        quotient = " ÷ ".join(reversed(difference.names))
        finished = f"{quotient} ({len(ratios)} that finished in both)"
        sentences.append(f"Geometric mean of {finished}: {ratio(geometric_mean(ratios))}")
    return sentences


def blocks_of(difference: Difference, title: str, is_whole: bool = False) -> list[Block]:
    """The summary, the warnings, and the table, if anything has changed."""
    blocks: list[Block] = [Paragraph(f"{title}: {' '.join(summary_of(difference))}", is_lead=True)]
    blocks += [Paragraph(f"{title}, warning: {warning}") for warning in difference.warnings]
    table = table_of(difference, title, is_whole)
    return [*blocks, table] if table.rows else blocks
