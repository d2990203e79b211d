"""Which grain of a program is best, how far one may miss it, and what is wrong on either side."""

from __future__ import annotations

from typing import NamedTuple

import numpy
import pandas
from numpy.typing import ArrayLike

from stealbench.analysis.sweeps import Sweep
from stealbench.figures import Figures
from stealbench.statistics import Floats

FLATNESS = 0.05
"""How much slower than the best a grain may be and still count as good."""

BEST, GOOD, TOO_FINE, TOO_COARSE = "best", "good", "too fine", "too coarse"
EFFICIENCY = ["efficiency", "efficiency_low", "efficiency_high"]


def rate(seconds: ArrayLike) -> list[str]:
    """The rating of each time, the finest grain first.

    Good are those around the best, without a gap, that exceed it by 5 % at most.
    """
    times = numpy.asarray(seconds, dtype=float)
    best = first = last = int(times.argmin())
    is_good = times <= (1 + FLATNESS) * times[best]
    while first > 0 and is_good[first - 1]:
        first -= 1
    while last + 1 < len(times) and is_good[last + 1]:
        last += 1
    ratings = [GOOD] * len(times)
    ratings[best] = BEST
    ratings[:first] = [TOO_FINE] * first
    ratings[last + 1 :] = [TOO_COARSE] * (len(times) - last - 1)
    return ratings


def grains_of(figures: Figures, sweep: Sweep, greater_is_finer: bool) -> pandas.DataFrame:
    """The finished benchmarks of a sweep, the finest first, with the columns

    `tasks`: one at least; `task_seconds`: time × workers over the tasks; `rating`; `efficiency`
    with its interval: the time of the best grain over this one's, in the same rounds.
    """
    rows = sweep.finished
    if rows.empty:
        return rows
    rows = rows.iloc[::-1] if greater_is_finer else rows
    tasks = rows["fork_count"].clip(lower=1)
    rows = rows.assign(
        tasks=tasks,
        task_seconds=rows["seconds"] * rows["worker_count"] / tasks,
        rating=rate(rows["seconds"]),
    )
    best = str(rows.index[rows["rating"] == BEST][0])
    efficiency = figures.ratios({str(cell): (best, str(cell)) for cell in rows.index})
    return rows.join(efficiency.set_axis(EFFICIENCY, axis=1))


class Model(NamedTuple):
    """T = (work + τ · tasks) / P + s · (1 − 1 / P) · work / tasks.

    The workers share the work and what each task costs; the span grows with the length of a task,
    for which the others wait.
    """

    work_seconds: float
    task_seconds: float
    """τ."""
    waited_for: float
    """s: tasks in a row for which the other workers wait."""
    greatest_error: float
    """Over all grains, as a part of the measured time."""

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
    others = 1 - 1 / workers
    parts = numpy.stack([numpy.ones_like(tasks) / workers, tasks / workers, others / tasks], axis=1)
    parts /= grains[["seconds"]].to_numpy(float)
    scale = numpy.where(parts.any(axis=0), parts.max(axis=0), 1)
    fitted = nnls(parts / scale, numpy.ones(len(tasks)))[0] / scale
    work, price, span = fitted.tolist()
    if work <= 0:
        return None
    return Model(work, price, span / work, float(numpy.abs(1 - parts @ fitted).max()))
