"""What has changed between two runs of an experiment, or differs between two builds of one run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stealbench.cell import FEWEST_ROUNDS
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Block, Column, Paragraph, Table
from stealbench.report.format import counted, joined, ratio, ratio_with_interval
from stealbench.report.format import seconds_with_interval
from stealbench.report.parts import DNF, benchmark_in, context_of, estimate_in, text_at
from stealbench.statistics import Estimate, Separation, estimate_ratio, estimate_unpaired_ratio
from stealbench.statistics import geometric_mean

CONFIDENCE = 0.99
"""Of the interval of a ratio that is shown. It decides nothing."""

MACHINE_KEYS = ("processor", "num_cpus")
"""What two runs must have in common if their times are to be compared: members of the context."""
BUILD_KEYS = ("compiler", "flags", "build_type", "kernel", "governor", "environment")

SLOWER, FASTER, UNKNOWN = "slower", "faster", "not told apart yet"


@dataclass
class Change:
    """A benchmark of both: its times in seconds, None if it did not finish."""

    cell: str
    before: Estimate | None
    after: Estimate | None
    failure: str  # Why it did not finish afterwards.
    word: str  # SLOWER, FASTER, UNKNOWN (a side has fewer than six rounds), or no change is shown.
    ratio: Estimate | None = None  # After over before.


@dataclass
class Difference:
    """`names` are what the two are called, `cells` in the order of the first."""

    names: tuple[str, str]
    threshold: float
    cells: list[Change]
    warnings: list[str]  # What else is not the same, such as the compiler; what was disturbed.

    @property
    def is_worse(self) -> bool:
        """Whether a benchmark is slower, or no longer finishes."""
        return any(change.word == SLOWER for change in self.cells)


def of_build(raw: RawFile, build: str) -> RawFile:
    """The part of a raw file that one build has, as a run of its own."""
    own = [cell for cell in raw.cells.values() if cell.build == build]
    cells = {cell.name: dataclasses.replace(cell, build="") for cell in own}
    rows = [row for row in raw.processes if row["cell"] in cells]
    by_cell = {
        member: {cells[n].name: v for n, v in getattr(raw, member).items() if n in cells}
        for member in ("counters", "simulations", "failures", "rounds")
    }
    return dataclasses.replace(
        raw,
        cells={cell.name: cell for cell in cells.values()},
        contexts={"": context_of(raw, build)},
        processes=[{**row, "cell": cells[row["cell"]].name} for row in rows],
        **by_cell,
    )


def costs_of(about: dict[str, Any]) -> dict[str, Any]:
    """The profile without its accuracy: whether it was validated since changes no time."""
    return {key: value for key, value in about["profile"].items() if key != "accuracy"}


def _changes(keys: Sequence[str], before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    texts = [(key, text_at(before, key), text_at(after, key)) for key in keys]
    return [f"{key} was {old}, and is {new}" for key, old, new in texts if old != new]


def _expect_comparable(before: RawFile, after: RawFile) -> None:
    old, new = context_of(before), context_of(after)
    problem = ""
    if not before.cells.keys() & after.cells.keys():
        problem = "the two have no benchmark in common; valid: two that measured some of the same"
    # Without a context no process has finished yet.
    if old and new and (changes := _changes(MACHINE_KEYS, old, new)):
        problem = f"the machines differ: {changes[0]}; valid: two of one machine"
    if before.experiment != after.experiment:
        names = f"one is of the experiment {before.experiment}, the other of {after.experiment}"
        problem = f"{names}; valid: two of one"
    if problem:
        raise BadInput(problem)


def _oversights(old: RawFile, new: RawFile) -> Iterator[str]:
    """What may be just what is compared, and may be an oversight."""
    yield from _changes(BUILD_KEYS, context_of(old), context_of(new))
    yield from _changes(("size", "pin"), old.header["settings"], new.header["settings"])
    if old.is_simulated and new.is_simulated:
        was, now = costs_of(old.header["about"]), costs_of(new.header["about"])
        if was != now:
            yield f"the profile was {was['name']}, and is {now['name']}, with other values"
    for name, raw in (("old", old), ("new", new)):
        if not raw.is_finished:
            yield f"the {name} one is not finished"


def _of_one_alone(name: str, one: Figures, other: Figures) -> Iterator[str]:
    if alone := [cell for cell in one.raw.cells if cell not in other.raw.cells]:
        yield f"{counted(len(alone), 'benchmark')} only in {name}: {joined(alone, 4)}"
    if count := int(one.cells["is_disturbed"].sum()):
        benchmarks = f"{counted(count, 'benchmark')} of {name}"
        yield f"{benchmarks} waited for a processor: those times are too long"


def _change_of(before: Figures, after: Figures, name: str) -> Change:
    """All but what the times of both say together."""
    old, new = (estimate_in(side.cells.loc[name], "seconds") for side in (before, after))
    word = (SLOWER if old else FASTER) if (old is None) != (new is None) else ""
    for side, time in ((before, old), (after, new)):
        if time is None and name not in side.raw.failures:
            word = UNKNOWN
    return Change(benchmark_in(before, name), old, new, after.cells.at[name, "failure"] or "", word)


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
    _expect_comparable(before.raw, after.raw)
    both = [name for name in before.raw.cells if name in after.raw.cells]
    changes = {name: _change_of(before, after, name) for name in both}
    finished = [name for name in both if name in before.times and name in after.times]
    times = [(before.times[name], after.times[name]) for name in finished]
    separation = Separation(times)
    for table, (name, (old, new)) in enumerate(zip(finished, times)):
        change, size = changes[name], min(len(old), len(new))
        if are_rounds_shared:
            change.ratio = estimate_ratio(new[:size], old[:size], CONFIDENCE)
        else:
            change.ratio = estimate_unpaired_ratio(new, old, CONFIDENCE)
        if size < FEWEST_ROUNDS:
            change.word = UNKNOWN
        elif separation.is_slower(table, 1, 0) and change.ratio.median > 1 + threshold:
            change.word = SLOWER
        elif separation.is_slower(table, 0, 1) and change.ratio.median < 1 / (1 + threshold):
            change.word = FASTER
    names = ("A", "B") if are_rounds_shared else ("old", "new")
    warnings = [] if are_rounds_shared else list(_oversights(before.raw, after.raw))
    warnings += _of_one_alone(names[0], before, after)
    warnings += _of_one_alone(names[1], after, before)
    return Difference(names, threshold, list(changes.values()), warnings)


def table_of(difference: Difference, title: str = "", is_whole: bool = False) -> Table:
    """The benchmarks that have changed, or all."""
    before, after = difference.names
    shown = [change for change in difference.cells if is_whole or change.word in (SLOWER, FASTER)]
    has_ranges = any(change.word == UNKNOWN and change.ratio for change in shown)
    kind = "99 %" + (f", below {FEWEST_ROUNDS} rounds the range" if has_ranges else "")
    headers = ("benchmark", before, after, f"{after} ÷ {before} [{kind}]", "change")
    table = Table(title, [Column(header, is_name=True) for header in headers])
    for change in shown:
        times = [seconds_with_interval(t) if t else DNF for t in (change.before, change.after)]
        why = f"({change.failure})" if change.failure else ""
        words = " ".join(filter(None, (change.word, why)))
        table.rows.append([change.cell, *times, ratio_with_interval(change.ratio), words])
    return table


def summary_of(difference: Difference) -> list[str]:
    """In a sentence or a few: how many are slower, faster, neither, and the mean over all."""
    words = [change.word for change in difference.cells]
    sentences = [
        f"{counted(len(words), 'benchmark')}: {words.count(SLOWER)} slower, {words.count(FASTER)}"
        f" faster, {words.count('')} without a significant change of more than"
        f" {100 * difference.threshold:g} %."
    ]
    if unknown := words.count(UNKNOWN):
        sentences.append(
            f"{counted(unknown, 'benchmark')} not told apart yet: that needs {FEWEST_ROUNDS}"
            f" rounds on either side (--rounds {FEWEST_ROUNDS})."
        )
    ratios = [(change.ratio.median, change.word) for change in difference.cells if change.ratio]
    unchanged = [max(value, 1 / value) for value, word in ratios if not word]
    if undecided := sum(value > 1 + difference.threshold for value in unchanged):
        sentences.append(
            f"{undecided} of these differ by more than that, but the rounds are too few or too far"
            " apart to tell: unchanged is not shown."
        )
    if ratios:
        sentences.append(
            f"Geometric mean of {' ÷ '.join(reversed(difference.names))} ({len(ratios)} that"
            f" finished in both): {ratio(geometric_mean([value for value, _ in ratios]))}"
        )
    return sentences


def blocks_of(difference: Difference, title: str, is_whole: bool = False) -> list[Block]:
    """The summary, the warnings, and the table, if anything has changed."""
    blocks: list[Block] = [Paragraph(f"{title}: {' '.join(summary_of(difference))}")]
    blocks += [Paragraph(f"{title}, warning: {warning}") for warning in difference.warnings]
    table = table_of(difference, title, is_whole)
    return [*blocks, table] if table.rows else blocks
