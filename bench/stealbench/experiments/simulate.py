"""`stealbench simulate`: speedup over simulated worker counts, and where the time went."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas

from stealbench.analysis import ablation, regret
from stealbench.analysis.simulation import LEAST_SHARE, Curve, cost_of, cost_ratios, curves_of
from stealbench.analysis.simulation import foreign_units, hot_lines, shares_of
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import OWN_BASELINE, SHARES, RawFile
from stealbench.report.document import Axis, Column, Emphasis, Paragraph, Plot, PlotGroup
from stealbench.report.document import Prominence, ReferenceLine, Section, Table
from stealbench.report.format import MISSING, count, counted, percent, ratio
from stealbench.report.format import ratio_with_interval, seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import simulation_note
from stealbench.report.parts import DNF, add_curve, add_plot, estimate_in, say, with_interval_kind

NAME = "simulate"
SUMMARY = "Simulate schedulers with more workers than this machine has processors"

PHRASES = {
    "overhead": "overhead of the scheduler",
    "search": "search for tasks",
    "lines": "waiting for cache lines",
    "asleep": "sleep",
}
"""Of each share but work, for a sentence."""


def _greatest_speedup(figures: Figures, curve: Curve) -> str:
    known = curve.points[curve.points["speedup"].notna()]
    if known.empty:
        base = figures.raw.header["baseline"]
        name = "one worker" if base == OWN_BASELINE else base
        has_any = curve.points["failure"].isna().any()
        return f"no speedup, because {name} did not finish." if has_any else "nothing finished."
    best = known.loc[known["speedup"].idxmax()]
    speedup = ratio_with_interval(estimate_in(best, "speedup"))
    return f"greatest speedup {speedup} with {counted(best['workers'], 'worker')}."


def _limit(figures: Figures, shares: pandas.DataFrame, curve: Curve) -> str:
    """What the workers do instead of work, with the greatest worker count that has finished."""
    finished = curve.points.index[curve.points["failure"].isna()]
    if finished.empty:
        return ""
    cell = str(finished[-1])
    largest = shares.loc[cell, list(PHRASES)].idxmax()
    text = (
        f" With {counted(curve.points.at[cell, 'workers'], 'worker')},"
        f" {percent(shares.at[cell, 'work'])} of the workers' time is work; the largest other part"
        f" is {PHRASES[largest]} ({percent(shares.at[cell, largest])})."
    )
    for name, share in hot_lines(figures.raw, cell)[:1]:
        if share >= LEAST_SHARE:
            text += f" The hottest cache line is: {name} ({percent(share)})."
    units = foreign_units(figures.raw)
    if unit := next((units[name] for name in finished if units[name]), ""):
        text += f" The time of a unit of work is that of {unit}."
    return text


def _table_of(
    title: str,
    headers: Sequence[Column],
    rows: pandas.DataFrame,
    texts_of: Callable[[Any], list[str]],
) -> Table:
    """A row for each benchmark. One that failed has the reason."""
    table = Table(title, [Column("scheduler", is_name=True), Column("workers"), *headers])
    for number, (_, row) in enumerate(rows.iterrows()):
        texts = [row["scheduler"], str(row["workers"])]
        if row["failure"] is None:
            texts += texts_of(row)
        else:
            table.marks[number, len(texts)] = Emphasis.FAILED
            texts.append(f"{DNF}: {row['failure']}")
        table.rows.append(texts + [MISSING] * (len(table.columns) - len(texts)))
    return table


def _hottest(raw: RawFile, cell: str) -> list[str]:
    lines = hot_lines(raw, cell)[:3]
    return [f"{name} {percent(share)}" for name, share in lines if share >= LEAST_SHARE]


def _tables_of(
    figures: Figures, shares: pandas.DataFrame, instance: str, curves: Sequence[Curve]
) -> tuple[list[Table], list[Table], list[Table]]:
    """Times and speedups; where the time went; and with one cost varied, if one was."""
    moved, attempts = (
        figures.estimates(name)["median"] for name in ("tasks_moved", "steal_attempts")
    )
    ratios = cost_ratios(figures)
    points, varied = (
        pandas.concat([getattr(curve, part) for curve in curves]) for part in ("points", "varied")
    )

    def named(*headers: str, has_interval: bool = True) -> list[Column]:
        kinds = (with_interval_kind(header, figures.have_intervals) for header in headers)
        return [Column(header, is_name=True) for header in (kinds if has_interval else headers)]

    def times_of(row: Any) -> list[str]:
        times = [seconds_with_interval(estimate_in(row, "seconds"))]
        times.append(ratio_with_interval(estimate_in(row, "speedup")))
        return [*times, count(moved[row.name]), count(attempts[row.name])]

    def varied_of(row: Any) -> list[str]:
        cost, factor = cost_of(row["varied"])
        time = seconds_with_interval(estimate_in(row, "seconds"))
        return [f"{cost} × {factor:g}", time, ratio_with_interval(ratios.get(row.name))]

    times = _table_of(
        f"{instance}: simulated time and speedup",
        [*named("time", "speedup"), Column("moved"), Column("steal attempts")],
        points,
        times_of,
    )
    parts = _table_of(
        f"{instance}: shares of the workers' simulated time",
        list(map(Column, SHARES)),
        points,
        lambda row: list(map(percent, shares.loc[row.name])),
    )
    lines = _table_of(
        f"{instance}: hottest cache lines, simulated, and their shares",
        named("first", "second", "third", has_interval=False),
        points,
        lambda row: _hottest(figures.raw, row.name),
    )
    sensitivity = _table_of(
        f"{instance}: simulated time with one cost varied",
        [Column("cost", is_name=True), *named("time", "ratio to unvaried")],
        varied,
        varied_of,
    )
    return [times], [parts, lines], [sensitivity] if len(varied) else []


def _plot_of(figures: Figures, instance: str, curves: Sequence[Curve]) -> Plot:
    base, most = figures.raw.header["baseline"], figures.worker_counts[-1]
    plot = Plot(
        f"Simulated speedup of {instance}",
        Axis("workers", is_logarithmic=True),
        Axis(f"speedup over {'one worker' if base == OWN_BASELINE else base}", True, text_of=ratio),
        [],
        [ReferenceLine("ideal", [(1, 1), (most, most)])],
    )
    for curve in curves:
        known = curve.points[curve.points["speedup"].notna()]
        points = [(row["workers"], estimate_in(row, "speedup")) for _, row in known.iterrows()]
        add_curve(curve.scheduler, [(x, y) for x, y in points if y], plot)
    return plot


def _curve_sections(figures: Figures) -> list[Section]:
    curves, shares = curves_of(figures), shares_of(figures)
    summary = Section("Simulated scaling", shown=Prominence.SUMMARY)
    say(summary, regret.choice_of(figures, figures.worker_counts[-1]), is_lead=True)
    for curve in curves:
        speedup, limit = _greatest_speedup(figures, curve), _limit(figures, shares, curve)
        say(summary, f"{curve.instance} on {curve.scheduler}: {speedup}{limit}")
    titles = ("Simulated times", "Where the simulated time went", "Sensitivity of the simulation")
    of_tables = [Section(title, shown=Prominence.TABLES) for title in titles]
    plots = PlotGroup([])
    for instance in figures.instances:
        own = [curve for curve in curves if curve.instance == instance]
        for section, tables in zip(of_tables, _tables_of(figures, shares, instance, own)):
            section.blocks += tables
        add_plot(_plot_of(figures, instance, own), plots)
    times, parts, sensitivity = of_tables
    sections = [summary, times, parts, *regret.sections_of_one(figures)]
    sections += [sensitivity] if sensitivity.blocks else []
    if plots.plots:
        sections.append(Section("Simulated speedup", [plots], Prominence.SUMMARY))
    return sections


def sections(raw: RawFile) -> list[Section]:
    """Of an ablation the contrasts; else the curves over the worker counts."""
    figures = figures_of(raw)
    # An ablation has many strategies, of which each is compared with one alone.
    all_sections = ablation.sections_of_one(figures) or _curve_sections(figures)
    for section in all_sections:
        if section.blocks and isinstance(section.blocks[0], PlotGroup):
            section.blocks[0].meaning = simulation_note(raw)
        else:
            section.blocks.insert(0, Paragraph(simulation_note(raw)))
    return [*all_sections, guide("How to read a simulation")]


def _point_values(figures: Figures, shares: pandas.DataFrame, row: Any) -> dict[str, Any]:
    raw, cell, workers = figures.raw, row.name, row["workers"]
    if row["failure"] is not None:
        names = ("seconds", "low", "high", "speedup", "verified", "tasks_moved", "steal_attempts")
        nothing = dict.fromkeys((*names, "shares", "lines"))
        return {"workers": workers, **nothing, "failure": row["failure"]}
    counts = {
        name: float(figures.estimates(name).at[cell, "median"])
        for name in ("tasks_moved", "steal_attempts")
    }
    return {
        "workers": workers,
        "seconds": row["seconds"],
        "low": row["seconds_low"],
        "high": row["seconds_high"],
        "speedup": None if pandas.isna(row["speedup"]) else row["speedup"],
        "verified": raw.simulations[cell][0].get("verified"),
        **{name: _whole(value) for name, value in counts.items()},
        "shares": {name: float(share) for name, share in shares.loc[cell].items()},
        "lines": [{"name": name, "share": share} for name, share in hot_lines(raw, cell)],
    }


def _whole(value: float) -> float:
    """Whole numbers as such."""
    return int(value) if value.is_integer() else value


def _sensitivity_values(figures: Figures, curve: Curve) -> list[dict[str, Any]]:
    ratios = cost_ratios(figures)
    entries = []
    for _, row in curve.varied.iterrows():
        cost, factor = cost_of(row["varied"])
        has_failed = row["failure"] is not None
        entry = {"cost": cost, "factor": _whole(factor), "workers": row["workers"]}
        entry["seconds"] = None if has_failed else row["seconds"]
        entry["ratio"] = ratios[row.name].median if row.name in ratios else None
        entries.append(entry | ({"failure": row["failure"]} if has_failed else {}))
    return entries


def values(raw: RawFile) -> list[dict[str, Any]]:
    """An object for each curve, for other programs."""
    figures = figures_of(raw)
    shares = shares_of(figures)
    about = raw.header["about"]
    profile = about["profile"]
    objects = []
    for curve in curves_of(figures):
        # The process knows the defaults of the parameters too.
        first = raw.cells[str(curve.points.index[0])]
        runs = [raw.simulations.get(cell, [{}])[0] for cell in curve.points.index]
        said = [run["parameters"] for run in runs if isinstance(run.get("parameters"), dict)]
        objects.append(
            {
                "workload": first.workload,
                "scheduler": curve.scheduler,
                "parameters": said[-1] if said else dict(first.parameters),
                "profile": profile["name"],
                "processor": profile["processor"],
                "date": profile["date"],
                "changes": about.get("changes") or [],
                "seeds": raw.header["settings"]["seeds"],
                "simulated": True,
                "accuracy": profile["accuracy"],
                "points": [
                    _point_values(figures, shares, row) for _, row in curve.points.iterrows()
                ],
                "sensitivity": _sensitivity_values(figures, curve),
                "regret": regret.values(figures, curve.scheduler),
            }
        )
    return objects
