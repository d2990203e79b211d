"""`stealbench simulate`: speedup over simulated worker counts, and where the time went."""

from __future__ import annotations

import functools
import itertools
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy

from stealbench import choices
from stealbench.analysis import ablation, regret
from stealbench.analysis.tabulate import WORKERS, estimate, key, name, number, tabulate, value
from stealbench.analysis.validation import shares_of
from stealbench.cell import FEWEST_ROUNDS
from stealbench.errors import BadInput
from stealbench.figures import Figures, estimate_at, figures_of
from stealbench.measuring import Design, Experiment
from stealbench.options import Settings, duration, items
from stealbench.profiles import OWN_FILE, REFERENCE, machine_of
from stealbench.rawfile import OWN_BASELINE, SHARES, RawFile
from stealbench.report.document import Axis, Paragraph, Plot, Prominence, References, Section, Table
from stealbench.report.format import MISSING, count, percent, ratio, ratio_with_interval
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import simulation_note
from stealbench.report.parts import estimate_in, headed, say
from stealbench.rounds import Plan
from stealbench.schedule import StopRule
from stealbench.suite import Suite

MOST_WORKERS = 4096  # That a simulation may have.
VARIED_COSTS = ("transfer=0.5", "transfer=2", "wake=0.5", "wake=2", "jitter=0", "jitter=2")
LEAST_SHARE = 0.0005  # What is not written as 0.0 %.
Row = dict[str, Any]


def hot_lines(raw: RawFile, cell: str) -> dict[str, float]:
    """The cache lines that workers waited for, the hottest first, and their mean shares."""
    simulations, shares = raw.simulations.get(cell, []), Counter[str]()
    for line in itertools.chain(*(simulation.get("lines") or [] for simulation in simulations)):
        shares[line["name"]] += line["share"] / len(simulations)
    return dict(sorted(shares.items(), key=lambda line: (-line[1], line[0])))


def curves_of(figures: Figures) -> dict[tuple[str, str], list[Row]]:
    """By instance and scheduler rows of `Figures.table` by workers, without a single worker that was
    simulated for the speedup alone. Beside its figures each has `shares`, by name; `lines`, see
    `hot_lines`; `tasks_moved` and `steal_attempts`; with a cost multiplied the `ratio` to without.
    """
    raw, rows = figures.raw, figures.table.reset_index().to_dict("records")
    pairs = {row["cell"]: (row["cell"], row["cell"].split("/vary:")[0]) for row in rows}
    pairs = {cell: pair for cell, pair in pairs.items() if figures.times.keys() >= {*pair}}
    ratios, shares = figures.ratios(pairs), shares_of(figures, *SHARES)
    counts = {of: figures.estimates(of)["median"] for of in ("tasks_moved", "steal_attempts")}
    curves = dict[tuple[str, str], list[Row]]()
    for row in sorted(rows, key=lambda row: int(row["workers"])):
        cell = row["cell"]
        row |= {of: medians.get(cell) for of, medians in counts.items()}
        row |= {"ratio": estimate_at(ratios, cell), "lines": hot_lines(raw, cell)}
        row["shares"] = shares.loc[cell].to_dict() if cell in shares.index else {}
        if row["workers"] in raw.header["about"]["workers"]:
            curves.setdefault((row["instance"], row["scheduler"]), []).append(row)
    ordered = itertools.product(figures.instances, figures.schedulers)
    return {of: curves[of] for of in ordered if of in curves}


def _share(of: str, row: Row) -> str:
    return percent(row["shares"].get(of))


def _hottest(row: Row) -> str:
    shares = list(row["lines"].items())[:3]
    texts = (f"{line} {percent(share)}" for line, share in shares if share >= LEAST_SHARE)
    return "; ".join(texts) or MISSING


def _tables_of(figures: Figures, curves: Mapping[Any, list[Row]]) -> list[Table]:
    """The greatest speedup of each curve; times and shares of them; and with one cost multiplied."""
    keys = [key("instance"), key("scheduler"), WORKERS]
    time = estimate(headed("time", figures), seconds_with_interval, "seconds")
    speedup = estimate(headed("speedup", figures), ratio_with_interval, "speedup")
    counts = [
        value("moved", count, "tasks_moved"),
        value("steal attempts", count, "steal_attempts"),
    ]
    shares = [number(of, functools.partial(_share, of)) for of in SHARES]
    shares.append(name("hottest cache lines", _hottest))
    cost = name("cost", lambda row: row["varied"].replace("=", " × "))
    ratios = headed("ratio to unvaried", figures)
    quotient = name(ratios, lambda row: ratio_with_interval(row["ratio"]))
    points = [[row for row in own if not row["varied"]] for own in curves.values()]
    varied = [row for own in curves.values() for row in own if row["varied"]]
    # Of a curve that has no speedup the first point says why.
    best = [max(own, key=lambda row: float(numpy.nan_to_num(row["speedup"]))) for own in points]
    times, every = [*keys, time, speedup, *counts, *shares], itertools.chain(*points)
    return [
        tabulate("Greatest speedup", [*keys, speedup, *shares], best, 3),
        tabulate("Times, speedup, and shares of the time", times, every, 3),
        tabulate("One cost varied", [*keys, cost, time, quotient], varied, 3),
    ]


def _plots_of(figures: Figures, curves: Mapping[Any, list[Row]]) -> list[Plot]:
    base, plots = figures.raw.header["baseline"], dict[str, Plot]()
    y = Axis(f"speedup over {'one worker' if base == OWN_BASELINE else base}", True, text_of=ratio)
    ideal: References = {"ideal": [(at, at) for at in (1, figures.worker_counts[-1])]}
    for (instance, scheduler), rows in curves.items():
        plot = Plot(f"Simulated speedup of {instance}", Axis("workers", True), y, [], ideal)
        points = [(r["workers"], estimate_in(r, "speedup")) for r in rows if not r["varied"]]
        plots.setdefault(instance, plot).add(scheduler, points)
    return [plot for plot in plots.values() if plot.curves]


def sections(raw: RawFile) -> list[Section]:
    """Of an ablation the contrasts; else the curves over the worker counts."""
    figures = figures_of(raw)
    # An ablation has many strategies, of which each is compared with one alone.
    if not (all_sections := ablation.sections_of_one(figures)):
        curves, summary = curves_of(figures), Section("Simulated scaling", [], Prominence.SUMMARY)
        say(summary, regret.choice_of(figures, figures.worker_counts[-1]), is_lead=True)
        greatest, times, varied = _tables_of(figures, curves)
        summary.blocks.append(greatest)
        plots = Section("Simulated speedup", [*_plots_of(figures, curves)], Prominence.SUMMARY)
        all_sections = [summary, plots, *regret.sections_of_one(figures)]
        all_sections.append(Section("Simulated times", [times], Prominence.TABLES))
        if varied.rows:
            title = "Sensitivity of the simulation"
            all_sections.append(Section(title, [varied], Prominence.TABLES))
    all_sections[0].blocks.insert(0, Paragraph(simulation_note(raw)))
    return [*all_sections, guide("How to read a simulation")]


def values(raw: RawFile) -> list[Row]:
    """An object for each curve, for other programs; a point lacks what is no number."""
    figures, about, objects = figures_of(raw), raw.header["about"], list[Row]()
    profile, seeds = about["profile"], raw.header["settings"]["seeds"]
    of_all = {key: profile[key] for key in ("processor", "date", "accuracy")}
    of_all |= {"profile": profile["name"], "changes": about.get("changes") or [], "seeds": seeds}
    for (_, scheduler), rows in curves_of(figures).items():
        first = raw.cells[rows[0]["cell"]]
        own: Row = {"workload": first.workload, "scheduler": scheduler, "simulated": True}
        own |= {"parameters": dict(first.parameters), "points": [], "sensitivity": []} | of_all
        for row in rows:
            point = {key: value for key, value in row.items() if value == value}  # Not NaN.
            own["sensitivity" if row["varied"] else "points"].append(point)
        objects.append(own | {"regret": regret.values(figures, scheduler)})
    return objects


def _declare(settings: Settings) -> None:
    help = "workloads that are bound by computation, or all of them; see `stealbench list`"
    settings.add("WORKLOAD", default=[], type=items(), help=help)
    choices.add_schedulers(settings, "all whose simulations are built")
    help = "simulate the in-house schedulers, and each with one setting changed at a time"
    settings.add("--ablation", default=False, help=help)
    choices.add_workers(settings, [1, 2, 4, 8, 16, 32, 64], most=MOST_WORKERS)
    choices.add_instances(settings)
    shown = f"{OWN_FILE} if it is in this folder, else {REFERENCE}"
    help = "costs of the simulated machine: the name of a profile, or a file"
    settings.add("--profile", default="", metavar="PROFILE", shown=shown, help=help)
    kind: dict[str, Any] = {"default": "", "type": duration, "shown": "that of the profile"}
    help = "time in which a cache line comes from another processor, such as 90ns"
    settings.add("--transfer", metavar="TIME", help=help, **kind)
    help = "time from a wake-up call until the sleeper runs, such as 11us"
    settings.add("--wake", metavar="TIME", help=help, **kind)
    help = "do not simulate the greatest worker count again with other costs"
    settings.add("--no-sensitivity", default=False, help=help)


def _design(values: Namespace, suite: Suite) -> Design:
    built, contrasts = suite.installation, list[dict[str, str]]()
    if not values.WORKLOAD:
        raise BadInput("simulate: WORKLOAD is required", [*suite.simulated_names(), "all"])
    values.WORKLOAD = choices.simulated_workloads(suite, values.WORKLOAD, "WORKLOAD")
    if values.ablation and not values.resume:
        if values.schedulers:
            raise BadInput("--ablation: it chooses the schedulers", "without --schedulers")
        built.expect_all_built(are_simulations=True)
        contrasts = choices.contrasts_among(suite, built.built_simulations())
        values.schedulers = choices.strategies_in(contrasts)
    values.schedulers = choices.schedulers_named(suite, values.schedulers, is_simulated=True)
    instances = choices.instances_named(suite, values.WORKLOAD, values)
    instances = instances[: 1 if len(values.WORKLOAD) == 1 else None]  # As `stealbench run` does.
    # One worker for the speedup.
    cells = choices.every_cell(instances, [1, *values.workers], values.schedulers)
    if not values.no_sensitivity:
        most = [cell for cell in cells if cell.workers == max(values.workers)]
        cells += [replace(cell, varied=cost) for cell in most for cost in VARIED_COSTS]
    if values.resume:  # With the profile in its raw file.
        return Design(cells)
    about = machine_of(suite, values.profile, transfer=values.transfer, wake=values.wake)
    for name in {*values.WORKLOAD} - {unit["workload"] for unit in about["profile"]["work"]}:
        lacks = f"--profile {about['profile']['name']}: it has no price of a unit of {name}"
        raise BadInput(lacks, "one that `stealbench calibrate` has written, with it")
    about |= {"workers": values.workers} | ({"ablation": contrasts} if contrasts else {})
    return Design(cells, about)


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("uts --set tree=T1 --schedulers work-stealing", "fib --workers 1,64 --wake 5us"),
    notes="The source of the scheduler and of the workload runs in simulated time. A profile says what"
    " a processor, a cache line and a wake-up cost; `stealbench calibrate` measures that of this"
    " machine. The greatest worker count is simulated again with one cost varied. Of one workload the"
    " first preset of a size is simulated.",
    method="A benchmark is one scheduler, one workload with all its parameters and one worker count,"
    " simulated once with each seed. The same seed gives the same result.",
    plan=Plan(StopRule(rounds=FEWEST_ROUNDS), seed=1, simulated="all"),
    json_help="print JSON, an object for each curve, and no report",
)
