"""`stealbench grain`: how coarse the pieces of a workload should be.

Pieces that are too fine cost overhead; pieces that are too coarse leave workers without any.
"""

from __future__ import annotations

from typing import Any

import pandas

from stealbench.analysis.grains import BEST, EFFICIENCY, FLATNESS, GOOD, TOO_COARSE
from stealbench.analysis.grains import TOO_FINE, grains_of, model_of, rate
from stealbench.analysis.sweeps import Sweep, sweeps_over
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.document import Axis, Column, Plot, PlotGroup, Prominence, Section, Table
from stealbench.report.format import MISSING, count, counted, ratio, ratio_with_interval, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import add_curve, add_plot, context_of, estimate_in, say
from stealbench.report.parts import not_told_apart_yet, scheduler_in, with_interval_kind
from stealbench.report.parts import workers_in, workers_in_words
from stealbench.statistics import Estimate

NAME = "grain"
SUMMARY = (
    "Measure a workload at several grain sizes. Report the best grain size and the range of grain"
    " sizes that are at most 5 % slower"
)

MANY_WORKERS = 64
"""The model predicts for them too."""
GREATEST_MODEL_ERROR = 0.2
"""A model that misses a time by more explains nothing."""
WITHIN = f"within {100 * FLATNESS:.0f} %"


def _pieces(row: Any) -> str:
    if row["fork_count"] <= 1:
        return "one branch" if row["fork_count"] == 1 else "no branch"
    return f"{count(row['tasks'])} branches of {seconds(row['task_seconds'])} each"


def _side(grains: pandas.DataFrame, row: Any, sets_in: str) -> str:
    slowdown = row["seconds"] / grains["seconds"].min()
    slower = f"{100 * (slowdown - 1):.0f} % slower"
    if slowdown >= 2:
        slower = f"{slowdown:.1f} times as slow"
    return f"{sets_in} at {count(row['value'])}: {slower}, with {_pieces(row)}."


def _good_ends(grains: pandas.DataFrame, ratings: list[str]) -> tuple[str, str, int]:
    """The least and the greatest good grain, and how many are good."""
    good = grains["value"][[rating in (BEST, GOOD) for rating in ratings]]
    return count(good.min()), count(good.max()), len(good)


def verdict_of(grains: pandas.DataFrame, parameter: str) -> str:
    """The best grain, how flat it is, and where overhead and imbalance set in."""
    best = grains[grains["rating"] == BEST].iloc[0]
    time = seconds_with_interval(estimate_in(best, "seconds"))
    spot = f"The best {parameter} is {count(best['value'])}, with {_pieces(best)}: {time}."
    if len(grains) == 1:
        return spot
    least, most, good = _good_ends(grains, list(grains["rating"]))
    flatness = f"It is sharp: no other {parameter} is {WITHIN}."
    if good > 1:
        flatness = f"It is flat from {least} to {most}: {good} of {len(grains)} values lie {WITHIN}"
        flatness += " of it."
    finest, coarsest = grains["value"].iloc[0], grains["value"].iloc[-1]
    down, up = ("down", "up") if finest < coarsest else ("up", "down")
    fine = f"No overhead shows {down} to {count(finest)}."
    if TOO_FINE in set(grains["rating"]):
        row = grains[grains["rating"] == TOO_FINE].iloc[-1]
        fine = _side(grains, row, "Overhead sets in")
    # One worker has all pieces, so whatever slows it is something else, such as the caches.
    is_alone = best["worker_count"] <= 1
    coarse = f"No {'cost of coarse pieces' if is_alone else 'imbalance'} shows {up} to"
    coarse += f" {count(coarsest)}."
    if TOO_COARSE in set(grains["rating"]):
        alone = "Coarse pieces cost without imbalance, for there is one worker,"
        row = grains[grains["rating"] == TOO_COARSE].iloc[0]
        coarse = _side(grains, row, alone if is_alone else "Imbalance sets in")
    return f"{spot} {flatness} {fine} {coarse}"


def _model_in_words(grains: pandas.DataFrame) -> str:
    """What the model of the times predicts; nothing where it has too few points."""
    model = model_of(grains)
    if model is None:
        return ""
    error = f"{100 * model.greatest_error:.0f} %"
    if model.greatest_error > GREATEST_MODEL_ERROR:
        return (
            f" No model of work, tasks and span fits these times: the best one is off by {error}."
        )
    workers = int(grains["worker_count"].iloc[0])
    ranges = []
    for many in [workers, MANY_WORKERS] if 1 < workers < MANY_WORKERS else [workers]:
        least, most, _ = _good_ends(grains, rate(model.seconds(grains["tasks"], many)))
        few = f"{least} alone" if least == most else f"{least} to {most}"
        ranges.append(f"{few} with {counted(many, 'worker')}")
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
    if context_of(figures.raw).get("processors") in ("1", 1):
        return "This process had one processor, so the times say nothing about grains."
    if not grains["fork_count"].any():
        return "No task was made at any grain, so the times say nothing about grains."
    if not figures.have_intervals:
        return f"The grains are {not_told_apart_yet(figures)}"
    if waited := int(grains["is_disturbed"].sum()):
        return (
            f"At {waited} of {counted(len(grains), 'grain')} the workers waited for a processor:"
            " other programs had it, or there are fewer processors than workers. Those times are"
            " too long, so no best grain is named. Stop the other programs, and measure again."
        )
    return ""


def _rows(figures: Figures, sweep: Sweep, grains: pandas.DataFrame, is_rated: bool) -> Any:
    first = [sweep.scheduler, workers_in(figures, sweep.scheduler, sweep.workers)]
    for _, row in grains.iterrows():
        time = seconds_with_interval(estimate_in(row, "seconds"))
        yield [
            *first,
            count(row["value"]),
            time + (" (waited)" if row["is_disturbed"] else ""),
            ratio_with_interval(estimate_in(row, "efficiency")),
            count(row["fork_count"]),
            seconds(row["task_seconds"]),
            row["rating"] if is_rated else MISSING,
        ]
    for _, row in sweep.table.dropna(subset=["failure"]).iterrows():
        yield [*first, count(row["value"]), f"DNF: {row['failure']}", *[MISSING] * 4]


def _empty_table(figures: Figures, instance: str, parameter: str) -> Table:
    time = with_interval_kind("median time", figures.have_intervals)
    headers = ["scheduler", "workers", parameter, time, "efficiency", "tasks", "per task", "rating"]
    names = ("scheduler", time, "efficiency", "rating")
    columns = [Column(header, header in names) for header in headers]
    return Table(f"{instance}: {parameter}", columns)


def sections(raw: RawFile) -> list[Section]:
    """The verdict on each sweep, efficiency over the grain, and every grain."""
    figures, about = figures_of(raw), raw.header["about"]
    parameter = about["parameter"]
    verdict = Section("Granularity", shown=Prominence.SUMMARY)
    values = Section("Every grain", shown=Prominence.TABLES)
    tables: dict[str, Table] = {}
    plots: dict[str, Plot] = {}
    for sweep in sweeps_over(figures, parameter):
        table = tables.setdefault(sweep.instance, _empty_table(figures, sweep.instance, parameter))
        plot = plots.setdefault(
            sweep.instance,
            Plot(
                f"{sweep.instance}: efficiency over {parameter}",
                # Levels are few and may be 0; sizes go in steps of a factor.
                Axis(parameter, is_logarithmic=about["unit"] == "size"),
                Axis("efficiency", text_of=ratio),
                [],
            ),
        )
        grains = grains_of(figures, sweep, about["greater"] == "finer")
        doubt = why_inconclusive(figures, grains)
        table.rows += _rows(figures, sweep, grains, is_rated=not doubt)
        points = [(row["value"], Estimate(*row[EFFICIENCY])) for _, row in grains.iterrows()]
        scheduler = scheduler_in(figures, sweep.scheduler, sweep.workers)
        name = f"{scheduler}, {workers_in_words(figures, sweep.workers)}"
        add_curve(name, points, plot)
        words = doubt or verdict_of(grains, parameter) + _model_in_words(grains)
        say(verdict, f"{sweep.instance} on {name}: {words}")
    values.blocks += tables.values()
    group = PlotGroup([])
    for plot in plots.values():
        add_plot(plot, group)
    drawn = [Section("Efficiency and grain", [group], Prominence.SUMMARY)] if group.plots else []
    return [verdict, *drawn, values, guide("How to read the grains")]
