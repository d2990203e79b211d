"""`stealbench grain`: how coarse the pieces of a workload should be.

Pieces that are too fine cost overhead; pieces that are too coarse leave workers without any.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import numpy
import pandas
from numpy.typing import ArrayLike

from stealbench import choices
from stealbench.analysis.sweeps import Sweep, sweeps_over
from stealbench.analysis.tabulate import WORKERS, estimate, key, name, tabulate, time_in, value
from stealbench.errors import BadInput
from stealbench.figures import ENDS, Figures, figures_of
from stealbench.machine import Machine
from stealbench.measuring import Design, Experiment
from stealbench.options import Settings, items
from stealbench.rawfile import RawFile
from stealbench.report.document import Axis, Plot, Prominence, Section
from stealbench.report.format import MISSING, count, ratio, ratio_with_interval, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import estimate_in, headed, processors_of, say
from stealbench.report.verdict import doubt_of
from stealbench.suite import Suite
from stealbench.workloads import Assignment, Workload, range_of_grain, text_of, values_of

FLATNESS = 0.05
"""How much slower than the best a grain may be and still count as good."""
BEST, GOOD, TOO_FINE, TOO_COARSE = "best", "good", "too fine", "too coarse"


def rate(seconds: ArrayLike) -> list[str]:
    """The rating of each time, the finest grain first.

    Good are those around the best, without a gap, that exceed it by 5 % at most.
    """
    times = numpy.asarray(seconds, dtype=float)
    best = int(times.argmin())
    is_bad = numpy.r_[True, times > (1 + FLATNESS) * times[best], True]  # And what lies beyond.
    first, last = best - is_bad[best::-1].argmax(), best + is_bad[best + 2 :].argmax()
    coarse = len(times) - 1 - last
    ratings = [TOO_FINE] * first + [GOOD] * (last - first + 1) + [TOO_COARSE] * coarse
    ratings[best] = BEST
    return ratings


def grains_of(figures: Figures, sweep: Sweep, greater_is_finer: bool) -> Any:
    """The finished rows of a sweep, the finest first, with `task_seconds`: time × workers over the
    tasks; `rating`; `efficiency`: the time of the best grain over this one's, in the same rounds.
    """
    rows = sweep.rows[sweep.rows["failure"].isna()][:: -1 if greater_is_finer else 1]
    if rows.empty:
        return rows
    per_task = rows["seconds"] * rows["worker_count"] / rows["fork_count"].clip(lower=1)
    rows = rows.assign(task_seconds=per_task, rating=rate(rows["seconds"]))
    best = rows.index[rows["rating"] == BEST][0]
    efficiency = figures.ratios({cell: (best, cell) for cell in rows.index})
    return rows.join(efficiency.set_axis([f"efficiency{end}" for end in ENDS], axis=1))


def _pieces(row: Any) -> str:
    many = row["fork_count"]
    if many <= 1:
        return "one branch" if many == 1 else "no branch"
    return f"{count(many)} branches of {seconds(row['task_seconds'])} each"


def verdict_of(grains: pandas.DataFrame, parameter: str) -> str:
    """The best grain, how flat it is, and where overhead and imbalance set in."""
    rows_of = {str(rating): rows for rating, rows in grains.groupby("rating", sort=False)}
    best, good = rows_of[BEST].iloc[0], grains[grains["rating"].isin((BEST, GOOD))]["value"]
    time = seconds_with_interval(estimate_in(best, "seconds"))
    text = f"The best {parameter} is {count(best['value'])}, with {_pieces(best)}: {time}."
    within = f"within {100 * FLATNESS:.0f} %"
    if len(good) > 1:
        text += f" It is flat from {count(good.min())} to {count(good.max())}: {len(good)} of"
        text += f" {len(grains)} values lie {within} of it."
    else:
        text += f" It is sharp: no other {parameter} is {within}."
    # One worker has all pieces, so whatever slows it is something else, such as the caches.
    coarse = "Imbalance" if best["worker_count"] > 1 else "The cost of coarse pieces"
    for cost, rating, nearest in (("Overhead", TOO_FINE, -1), (coarse, TOO_COARSE, 0)):
        if rating in rows_of:
            row = rows_of[rating].iloc[nearest]
            slower = 100 * (row["seconds"] / best["seconds"] - 1)
            text += f" {cost} sets in at {count(row['value'])}: {slower:.0f} % slower, with"
            text += f" {_pieces(row)}."
    return text


def why_inconclusive(figures: Figures, grains: pandas.DataFrame) -> str:
    """Why a sweep says nothing about grains; empty if it does."""
    if processors_of(figures.raw) == 1:
        return "This process had one processor, so the times say nothing about grains."
    if not grains.empty and not grains["fork_count"].any():
        return "No task was made at any grain, so the times say nothing about grains."
    return doubt_of(figures, grains, "grain")


def sections(raw: RawFile) -> list[Section]:
    """The verdict on each sweep, efficiency over the grain, and every grain."""
    figures, about = figures_of(raw), raw.header["about"]
    parameter = about["parameter"]
    verdict = Section("Granularity", shown=Prominence.SUMMARY)
    rows: dict[str, list[Any]] = {}
    plots: dict[str, Plot] = {}
    for sweep in sweeps_over(figures, parameter):
        grains, curve = (
            grains_of(figures, sweep, about["greater"] == "finer"),
            f"{sweep.name}, {sweep.on_workers}",
        )
        doubt = why_inconclusive(figures, grains)
        shown = grains.assign(rating=MISSING) if doubt else grains
        every = pandas.concat([shown, sweep.rows[sweep.rows["failure"].notna()]])
        rows.setdefault(sweep.instance, []).extend(every.to_dict("records"))
        # Levels are few and may be 0; sizes go in steps of a factor.
        axes = Axis(parameter, about["unit"] == "size"), Axis("efficiency", text_of=ratio)
        title = f"{sweep.instance}: efficiency over {parameter}"
        points = [(row["value"], estimate_in(row, "efficiency")) for _, row in grains.iterrows()]
        plot = plots.setdefault(sweep.instance, Plot(title, *axes))
        plot.add(curve, points)
        say(verdict, f"{sweep.instance} on {curve}: {doubt or verdict_of(grains, parameter)}")
    columns = [
        key("scheduler"),
        WORKERS,
        value(parameter, count, "value"),
        name(headed("median time", figures), time_in),
        estimate("efficiency", ratio_with_interval, "efficiency"),
        value("tasks", count, "fork_count"),
        value("per task", seconds, "task_seconds"),
        key("rating"),
    ]
    tables = [tabulate(f"{of}: {parameter}", columns, own, keys=3) for of, own in rows.items()]
    drawn = [plot for plot in plots.values() if plot.curves]
    group = Section("Efficiency and grain", [*drawn], Prominence.SUMMARY)
    every_grain = Section("Every grain", [*tables], Prominence.TABLES)
    return [verdict, *([group] if drawn else []), every_grain, guide("How to read the grains")]


def _declare(settings: Settings) -> None:
    choices.add_workload(settings, "workload that has a grain size")
    choices.add_schedulers(settings, "work-stealing")
    processors = Machine().usable_processors()
    choices.add_workers(settings, [processors], "the number of processors")
    choices.add_instances(settings)
    shown = "powers of 2 or 4 over the useful range; if the parameter counts levels, every level"
    help = "grain sizes to measure, as values of the workload's grain parameter"
    kind: dict[str, Any] = {"default": [], "type": items(), "metavar": "N,..."}
    settings.add("--grains", shown=shown, help=help, **kind)


def _design(values: Namespace, suite: Suite) -> Design:
    valid = [workload.name for workload in suite.workloads if workload.grain]
    choices.expect_workload(suite, "grain", values.WORKLOAD, valid)
    values.schedulers = choices.schedulers_named(suite, values.schedulers or ["work-stealing"])
    workload = suite.workload(values.WORKLOAD)
    assert workload.grain is not None
    parameter, unit = workload.grain.parameter, workload.grain.counts
    if any(text.startswith(f"{parameter}=") for text in values.set):
        problem = f"--set {parameter}: this command varies {parameter}, the grain size"
        raise BadInput(problem, "--grains N,... to choose its values")
    instances = []
    for _, chosen in choices.instances_named(suite, [workload.name], values):
        others = [own for own in chosen if own[0] != parameter]
        for grain in values.grains or map(str, grains_between(workload, chosen)):
            own, is_set = values_of(workload, [*others, (parameter, grain)], "--grains")
            texts = tuple((key, text_of(own[key])) for key in own if key in is_set)
            instances.append((workload.name, texts))
    about = {"parameter": parameter, "unit": "size" if unit == "size" else "levels"}
    about["greater"] = "finer" if unit == "levels_of_forks" else "coarser"
    distinct = dict.fromkeys(instances)
    return Design(choices.every_cell(distinct, values.workers, values.schedulers), about)


def grains_between(workload: Workload, chosen: Sequence[Assignment]) -> list[int]:
    """The useful grains of an instance and its own: every level, or powers of 2 or, over more than
    ten doublings, 4."""
    assert workload.grain is not None
    values, _ = values_of(workload, chosen)
    least, most = range_of_grain(workload, values)
    own = min(max(int(values[workload.grain.parameter]), least), most)
    if workload.grain.counts != "size":
        return list(range(least, most + 1))
    first = max(least, 1)
    shift = 2 if most // first > 1 << 10 else 1
    powers = (first << shift * at for at in range(most.bit_length()))
    return sorted({own, least, most, *(grain for grain in powers if grain < most)})


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("mergesort", "nqueens --schedulers work-stealing,onetbb --workers 2 --budget 60"),
)
