"""What has changed between two runs of an experiment, or differs between two builds of one run."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Table
from stealbench.report.format import counted, ratio, ratio_with_interval, seconds_with_interval
from stealbench.report.parts import DNF, benchmark_in, context_of, estimate_in, text_at
from stealbench.statistics import FEWEST_FOR_INTERVAL, Estimate, Separation
from stealbench.statistics import estimate_ratio, estimate_unpaired_ratio, geometric_mean

CONFIDENCE = 0.99
"""Of the interval of a ratio that is shown. It decides nothing."""

MACHINE_KEYS = ("processor", "num_cpus")
"""What two runs must have in common if their times are to be compared: members of the context."""
BUILD_KEYS = ("compiler", "flags", "build_type", "kernel", "governor", "environment")
SETTINGS = ("size", "pin")

SLOWER, FASTER, UNKNOWN = "slower", "faster", "not told apart yet"


@dataclass
class Change:
    """A benchmark of both. A time is in seconds, None if it did not finish."""

    cell: str
    before: Estimate | None
    after: Estimate | None
    failure: str
    """Why it did not finish afterwards; empty if it did."""
    ratio: Estimate | None = None
    """After over before."""
    word: str = ""
    """SLOWER, FASTER, UNKNOWN (a side has fewer than six rounds, or none), or empty: not shown."""


@dataclass
class Difference:
    """`cells` are in the order of the old one. `names` are what the two are called."""

    names: tuple[str, str]
    threshold: float
    cells: list[Change]
    only_before: list[str]
    only_after: list[str]
    warnings: list[str]
    """What else is not the same, such as the compiler, and what was disturbed."""

    @property
    def is_worse(self) -> bool:
        """Whether a benchmark is slower, or no longer finishes."""
        return any(change.word == SLOWER for change in self.cells)


def of_build(raw: RawFile, build: str) -> RawFile:
    """The part of a raw file that one build has, as a run of its own."""
    names, cells = {}, {}
    for name, cell in raw.cells.items():
        if cell.build == build:
            alone = dataclasses.replace(cell, build="")
            names[name] = alone.name
            cells[alone.name] = alone

    def renamed(values: dict[str, Any]) -> dict[str, Any]:
        return {names[name]: value for name, value in values.items() if name in names}

    return dataclasses.replace(
        raw,
        cells=cells,
        contexts={"": context_of(raw, build)},
        processes=[
            {**row, "cell": names[row["cell"]]} for row in raw.processes if row["cell"] in names
        ],
        counters=renamed(raw.counters),
        simulations=renamed(raw.simulations),
        failures=renamed(raw.failures),
        rounds=renamed(raw.rounds),
    )


def costs_of(about: dict[str, Any]) -> dict[str, Any]:
    """The profile without its accuracy: whether it was validated since changes no time."""
    return {key: value for key, value in about["profile"].items() if key != "accuracy"}


def _changes(keys: Sequence[str], before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    texts = [(key, text_at(before, key), text_at(after, key)) for key in keys]
    return [f"{key} was {old}, and is {new}" for key, old, new in texts if old != new]


def _expect_comparable(before: RawFile, after: RawFile) -> None:
    if before.experiment != after.experiment:
        raise BadInput(
            f"one is of the experiment {before.experiment}, the other of {after.experiment};"
            " valid: two of one"
        )
    old, new = context_of(before), context_of(after)
    if not old or not new:  # No process has finished yet.
        return
    if changes := _changes(MACHINE_KEYS, old, new):
        raise BadInput(
            f"the machines differ: {changes[0]}; valid: two that were measured on one machine"
        )


def _oversights(before: RawFile, after: RawFile) -> list[str]:
    """What may be just what is compared, and may be an oversight."""
    warnings = _changes(BUILD_KEYS, context_of(before), context_of(after))
    warnings += _changes(SETTINGS, before.header["settings"], after.header["settings"])
    if before.is_simulated and after.is_simulated:
        old, new = costs_of(before.header["about"]), costs_of(after.header["about"])
        if old != new:
            warnings.append(
                f"the profile was {old['name']}, and is {new['name']}, with other values"
            )
    sides = (("old", before), ("new", after))
    return warnings + [
        f"the {name} one is not finished" for name, raw in sides if not raw.is_finished
    ]


def _waited(name: str, figures: Figures) -> list[str]:
    count = int(figures.table["is_disturbed"].sum())
    text = (
        f"{counted(count, 'benchmark')} of {name} waited for a processor: those times are too long"
    )
    return [text] if count else []


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
    changes = {
        name: _change_of(before, after, name)
        for name in before.raw.cells
        if name in after.raw.cells
    }
    if not changes:
        raise BadInput(
            "the two have no benchmark in common; valid: two that measured some of the same"
            " schedulers, workloads and worker counts"
        )
    times = {
        name: (before.times[name], after.times[name])
        for name in changes
        if name in before.times and name in after.times
    }
    separation = Separation(list(times.values()))
    for table, (name, (old, new)) in enumerate(times.items()):
        change, size = changes[name], min(len(old), len(new))
        if are_rounds_shared:
            change.ratio = estimate_ratio(new[:size], old[:size], CONFIDENCE)
        else:
            change.ratio = estimate_unpaired_ratio(new, old, CONFIDENCE)
        if size < FEWEST_FOR_INTERVAL:
            change.word = UNKNOWN
        elif separation.is_slower(table, 1, 0) and change.ratio.median > 1 + threshold:
            change.word = SLOWER
        elif separation.is_slower(table, 0, 1) and change.ratio.median < 1 / (1 + threshold):
            change.word = FASTER
    names = ("A", "B") if are_rounds_shared else ("old", "new")
    warnings = [] if are_rounds_shared else _oversights(before.raw, after.raw)
    return Difference(
        names,
        threshold,
        list(changes.values()),
        [name for name in before.raw.cells if name not in changes],
        [name for name in after.raw.cells if name not in changes],
        warnings + _waited(names[0], before) + _waited(names[1], after),
    )


def _change_of(before: Figures, after: Figures, name: str) -> Change:
    """All but what the times of both say together."""
    old, new = (estimate_in(side.table.loc[name], "seconds") for side in (before, after))
    word = SLOWER if old else FASTER
    if (old is None) == (new is None):
        word = ""
    for side, time in ((before, old), (after, new)):
        if time is None and name not in side.raw.failures:
            word = UNKNOWN
    failure = after.table.at[name, "failure"] or ""
    return Change(benchmark_in(before, name), old, new, failure, word=word)


def table_of(difference: Difference, title: str = "", is_whole: bool = False) -> Table:
    """The benchmarks that have changed, or all."""
    before, after = difference.names
    has_ranges = is_whole and any(
        change.word == UNKNOWN and change.ratio for change in difference.cells
    )
    kind = f"99 %, below {FEWEST_FOR_INTERVAL} rounds the range" if has_ranges else "99 %"
    headers = ("benchmark", before, after, f"{after} ÷ {before} [{kind}]", "change")
    table = Table(title, [Column(header, is_name=True) for header in headers])
    for change in difference.cells:
        if is_whole or change.word in (SLOWER, FASTER):
            times = (change.before, change.after)
            words = [change.word, f"({change.failure})" if change.failure else ""]
            table.rows.append(
                [
                    change.cell,
                    *(seconds_with_interval(time) if time else DNF for time in times),
                    ratio_with_interval(change.ratio),
                    " ".join(filter(None, words)),
                ]
            )
    return table


def summary_of(difference: Difference) -> list[str]:
    """In a sentence or a few: how many are slower, faster, neither, and the mean over all."""
    words = [change.word for change in difference.cells]
    percent = f"{100 * difference.threshold:g} %"
    sentences = [
        f"{counted(len(words), 'benchmark')}: {words.count(SLOWER)} slower, {words.count(FASTER)}"
        f" faster, {words.count('')} without a significant change of more than {percent}."
    ]
    if unknown := words.count(UNKNOWN):
        sentences.append(
            f"{counted(unknown, 'benchmark')} not told apart yet: that needs {FEWEST_FOR_INTERVAL}"
            f" rounds on either side (--rounds {FEWEST_FOR_INTERVAL}), and a change of theirs counts"
            " as none."
        )
    ratios = [change.ratio.median for change in difference.cells if change.ratio]
    unchanged = [
        change.ratio.median for change in difference.cells if change.ratio and not change.word
    ]
    if undecided := sum(max(value, 1 / value) > 1 + difference.threshold for value in unchanged):
        sentences.append(
            f"{undecided} of these {'differs' if undecided == 1 else 'differ'} by more than that,"
            " but the rounds are too few or too far apart to tell: unchanged is not shown."
        )
    if ratios:
        before, after = difference.names
        sentences.append(
            f"Geometric mean of {after} ÷ {before} ({counted(len(ratios), 'benchmark')} that"
            f" finished in both): {ratio(geometric_mean(ratios))}"
        )
    return sentences
