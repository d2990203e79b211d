"""`stealbench grain`: how coarse the pieces of a workload should be.

Pieces that are too fine cost overhead; pieces that are too coarse leave workers without any.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import pandas
from numpy.typing import ArrayLike

from stealbench.analysis.sweeps import sweeps_over
from stealbench.analysis.tabulate import WAITED_CAUSE, key, name, number, tabulate, time_in
from stealbench.choices import add_instances, add_schedulers, add_workers, add_workload, every_cell
from stealbench.choices import expect_workload, instances_named, schedulers_named
from stealbench.errors import BadInput
from stealbench.figures import Figures, figures_of
from stealbench.machine import Machine
from stealbench.measuring import Design, Experiment
from stealbench.options import Settings, items
from stealbench.rawfile import RawFile
from stealbench.report.document import Axis, Plot, PlotGroup, Prominence, Section
from stealbench.report.format import MISSING, count, counted, ratio, ratio_with_interval, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import DNF, add_curve, estimate_in, not_told_apart_yet, processors_of
from stealbench.report.parts import say, scheduler_in, with_interval_kind, workers_in
from stealbench.report.parts import workers_in_words
from stealbench.statistics import Floats
from stealbench.suite import Suite
from stealbench.workloads import Assignment, Workload, range_of_grain, text_of, values_of

FLATNESS = 0.05
"""How much slower than the best a grain may be and still count as good."""
BEST, GOOD, TOO_FINE, TOO_COARSE = "best", "good", "too fine", "too coarse"
EFFICIENCY = ["efficiency", "efficiency_low", "efficiency_high"]
MANY_WORKERS = 64
"""The model predicts for them too."""
GREATEST_MODEL_ERROR = 0.2
"""A model that misses a time by more explains nothing."""
WITHIN = f"within {100 * FLATNESS:.0f} %"


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


def grains_of(figures: Figures, sweep: Any, greater_is_finer: bool) -> pandas.DataFrame:
    """The finished benchmarks of a sweep, the finest first, with the columns

    `tasks`: one at least; `task_seconds`: time × workers over the tasks; `rating`; `efficiency`
    with its interval: the time of the best grain over this one's, in the same rounds.
    """
    rows = sweep[sweep["failure"].isna()].sort_values("value", ascending=not greater_is_finer)
    if rows.empty:
        return pandas.DataFrame(rows)
    tasks = rows["fork_count"].clip(lower=1)
    per_task = rows["seconds"] * rows["worker_count"] / tasks
    rows = rows.assign(tasks=tasks, task_seconds=per_task, rating=rate(rows["seconds"]))
    best = rows.index[rows["rating"] == BEST][0]
    efficiency = figures.ratios({cell: (best, cell) for cell in rows.index})
    return rows.join(efficiency.set_axis(EFFICIENCY, axis=1))


class Model(NamedTuple):
    """T = (work + τ · tasks) / P + s · (1 − 1 / P) · work / tasks.

    The workers share the work and what each task costs; the span grows with the length of a task,
    for which the others wait.
    """

    work_seconds: float
    task_seconds: float  # τ.
    waited_for: float  # s: tasks in a row for which the other workers wait.
    greatest_error: float  # Over all grains, as a part of the measured time.

    def seconds(self, tasks: ArrayLike, workers: float) -> Floats:
        """The time with so many tasks."""
        tasks = numpy.asarray(tasks, dtype=float)
        shared = (self.work_seconds + self.task_seconds * tasks) / workers
        waiting = self.waited_for * (1 - 1 / workers) * self.work_seconds / tasks
        return numpy.asarray(shared + waiting)


def model_of(grains: pandas.DataFrame) -> Model | None:
    """The fit of the least squares of relative errors of which no part is negative.

    None unless there is one more number of tasks than the model has parts, and some work.
    """
    from scipy.optimize import nnls  # It takes a tenth of a second to import.

    tasks, workers = grains["tasks"].to_numpy(float), float(grains["worker_count"].iloc[0])
    if len(set(tasks.tolist())) < (4 if workers > 1 else 3):
        return None
    parts = numpy.stack([0 * tasks + 1, tasks, (workers - 1) / tasks], axis=1) / workers
    parts /= grains[["seconds"]].to_numpy(float)
    scale = numpy.where(parts.any(axis=0), parts.max(axis=0), 1)
    fitted = nnls(parts / scale, numpy.ones(len(tasks)))[0] / scale
    work, price, span = fitted.tolist()
    error = float(numpy.abs(1 - parts @ fitted).max())
    return Model(work, price, span / work, error) if work > 0 else None


def _pieces(row: Any) -> str:
    many = row["fork_count"]
    if many <= 1:
        return "one branch" if many == 1 else "no branch"
    return f"{count(many)} branches of {seconds(row['task_seconds'])} each"


def _good_ends(grains: pandas.DataFrame, ratings: Sequence[str]) -> str:
    """The least and the greatest good grain."""
    good = grains["value"][[rating in (BEST, GOOD) for rating in ratings]]
    return " to ".join(dict.fromkeys((count(good.min()), count(good.max()))))


def verdict_of(grains: pandas.DataFrame, parameter: str) -> str:
    """The best grain, how flat it is, and where overhead and imbalance set in."""
    rows_of = {str(rating): rows for rating, rows in grains.groupby("rating", sort=False)}
    best, good = rows_of[BEST].iloc[0], 1 + len(rows_of.get(GOOD, ()))
    time = seconds_with_interval(estimate_in(best, "seconds"))
    text = f"The best {parameter} is {count(best['value'])}, with {_pieces(best)}: {time}."
    ends = _good_ends(grains, grains["rating"])
    flat = f"It is flat from {ends}: {good} of {len(grains)} values lie {WITHIN} of it."
    text += f" {flat}" if good > 1 else f" It is sharp: no other {parameter} is {WITHIN}."
    # One worker has all pieces, so whatever slows it is something else, such as the caches.
    coarse = "Imbalance" if best["worker_count"] > 1 else "The cost of coarse pieces"
    for cost, rating, nearest in (("Overhead", TOO_FINE, -1), (coarse, TOO_COARSE, 0)):
        if rating in rows_of:
            row = rows_of[rating].iloc[nearest]
            slower = 100 * (row["seconds"] / best["seconds"] - 1)
            text += f" {cost} sets in at {count(row['value'])}: {slower:.0f} % slower, with"
            text += f" {_pieces(row)}."
    return text


def _model_in_words(grains: pandas.DataFrame) -> str:
    """What the model of the times predicts; nothing where it has too few points."""
    if (model := model_of(grains)) is None:
        return ""
    error = f"{100 * model.greatest_error:.0f} %"
    if model.greatest_error > GREATEST_MODEL_ERROR:
        return f" No model of work, tasks and span fits: the best one is off by {error}."
    workers = int(grains["worker_count"].iloc[0])
    ranges = [
        f"{_good_ends(grains, rate(model.seconds(grains['tasks'], many)))}"
        f" with {counted(many, 'worker')}"
        for many in dict.fromkeys((workers, MANY_WORKERS if workers > 1 else 1))
    ]
    best = grains["value"].iloc[model.seconds(grains["tasks"], workers).argmin()]
    return (
        f" A model within {error} of each time has {seconds(model.task_seconds)} for a task, and"
        f" predicts {count(best)} as the best. By it, the grains {WITHIN} of the best are"
        f" {'; '.join(ranges)}."
    )


def why_inconclusive(figures: Figures, grains: pandas.DataFrame) -> str:
    """Why a sweep says nothing about grains; empty if it does."""
    if grains.empty:
        return "No grain has finished."
    if processors_of(figures.raw) == 1:
        return "This process had one processor, so the times say nothing about grains."
    if not grains["fork_count"].any():
        return "No task was made at any grain, so the times say nothing about grains."
    if not figures.have_intervals:
        return f"The grains are {not_told_apart_yet(figures)}"
    waited = (
        f"At {int(grains['is_disturbed'].sum())} of {counted(len(grains), 'grain')} the workers"
    )
    waited += f" waited for a processor, so no best grain is named. {WAITED_CAUSE}"
    return waited if grains["is_disturbed"].any() else ""


def sections(raw: RawFile) -> list[Section]:
    """The verdict on each sweep, efficiency over the grain, and every grain."""
    figures, about = figures_of(raw), raw.header["about"]
    parameter = about["parameter"]
    verdict = Section("Granularity", shown=Prominence.SUMMARY)
    rows: dict[str, list[Any]] = {}
    plots: dict[str, Plot] = {}
    for (instance, scheduler, workers), sweep in sweeps_over(figures, parameter):
        grains = grains_of(figures, sweep, about["greater"] == "finer")
        doubt = why_inconclusive(figures, grains)
        shown = grains.assign(rating=MISSING) if doubt else grains
        failed = sweep[sweep["failure"].notna()]
        rows.setdefault(instance, []).extend(pandas.concat([shown, failed]).to_dict("records"))
        # Levels are few and may be 0; sizes go in steps of a factor.
        axes = Axis(parameter, about["unit"] == "size"), Axis("efficiency", text_of=ratio)
        title = f"{instance}: efficiency over {parameter}"
        plot = plots.setdefault(instance, Plot(title, *axes, []))
        points = [(row["value"], estimate_in(row, "efficiency")) for _, row in grains.iterrows()]
        curve = f"{scheduler_in(figures, scheduler, workers)}, {workers_in_words(figures, workers)}"
        add_curve(curve, [(x, y) for x, y in points if y], plot)
        words = doubt or verdict_of(grains, parameter) + _model_in_words(grains)
        say(verdict, f"{instance} on {curve}: {words}")
    columns = [
        key("scheduler"),
        number("workers", lambda row: workers_in(figures, row["scheduler"], row["workers"])),
        number(parameter, lambda row: count(row["value"])),
        name(with_interval_kind("median time", figures.have_intervals), time_in),
        name("efficiency", lambda row: ratio_with_interval(estimate_in(row, "efficiency"))),
        number("tasks", lambda row: count(row["fork_count"])),
        number("per task", lambda row: seconds(row["task_seconds"])),
        key("rating"),
    ]
    failure_of = lambda row: row["failure"] and f"{DNF}: {row['failure']}"
    tables = [
        tabulate(f"{instance}: {parameter}", columns, own, failure_of=failure_of, of_failed=3)
        for instance, own in rows.items()
    ]
    drawn = [plot for plot in plots.values() if plot.curves]
    group = Section("Efficiency and grain", [PlotGroup(drawn)], Prominence.SUMMARY)
    every = Section("Every grain", [*tables], Prominence.TABLES)
    return [verdict, *([group] if drawn else []), every, guide("How to read the grains")]


def _declare(settings: Settings) -> None:
    add_workload(settings, "workload that has a grain size")
    add_schedulers(settings, "work-stealing")
    add_workers(settings, [Machine().usable_processors()], "the number of processors")
    add_instances(settings)
    settings.add(
        "--grains",
        default=[],
        type=items(),
        metavar="N,...",
        shown="powers of 2 or 4 over the useful range; if the parameter counts levels, every level",
        help="grain sizes to measure, as values of the workload's grain parameter",
    )


def _design(values: Namespace, suite: Suite) -> Design:
    valid = [workload.name for workload in suite.workloads if workload.grain]
    expect_workload(suite, "grain", values.WORKLOAD, valid)
    values.schedulers = schedulers_named(suite, values.schedulers or ["work-stealing"])
    workload = suite.workload(values.WORKLOAD)
    assert workload.grain is not None
    parameter, unit = workload.grain.parameter, workload.grain.counts
    if any(text.startswith(f"{parameter}=") for text in values.set):
        raise BadInput(
            f"--set {parameter}: this command varies {parameter}, the grain size; valid: --grains"
            " N,... to choose its values"
        )
    instances = []
    for _, chosen in instances_named(suite, [workload.name], values):
        others = [each for each in chosen if each[0] != parameter]
        grains = values.grains or [str(each) for each in grains_between(workload, chosen)]
        for grain in grains:
            own, is_set = values_of(workload, [*others, (parameter, grain)], "--grains")
            texts = tuple((key, text_of(own[key])) for key in own if key in is_set)
            instances.append((workload.name, texts))
    greater = "finer" if unit == "levels_of_forks" else "coarser"
    about = {"parameter": parameter, "greater": greater}
    cells = every_cell(dict.fromkeys(instances), values.workers, values.schedulers)
    return Design(cells, about | {"unit": "size" if unit == "size" else "levels"})


def grains_between(workload: Workload, chosen: Sequence[Assignment]) -> list[int]:
    """The useful grains of an instance and its own: every level, or powers of 2 or, over more than
    ten doublings, 4."""
    assert workload.grain is not None
    values, _ = values_of(workload, chosen)
    least, most = range_of_grain(workload, values)
    own = min(max(int(values[workload.grain.parameter]), least), most)
    if workload.grain.counts != "size":
        return list(range(least, most + 1))
    factor = 4 if most // max(least, 1) > 1 << 10 else 2
    grains, grain = {own, least, most}, max(least, 1)
    while grain < most:
        grains.add(grain)
        grain *= factor
    return sorted(grains)


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("mergesort", "nqueens --schedulers work-stealing,onetbb --workers 2 --budget 60"),
)
