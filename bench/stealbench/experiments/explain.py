"""`stealbench explain`: work, span and parallelism of a workload, and how near times are to them."""

from __future__ import annotations

from typing import Any

from stealbench.analysis.advice import advice_of, by_span, mean_strand, place_text
from stealbench.analysis.budget import PARTS
from stealbench.analysis.explained import Explained
from stealbench.rawfile import RawFile
from stealbench.report.document import Axis, Column, Paragraph, Plot, PlotGroup, Prominence
from stealbench.report.document import ReferenceLine, Section, Table
from stealbench.report.format import MISSING, count, counted, joined, percent, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import simulation_note
from stealbench.report.parts import DNF, add_curve, add_plot, say, with_interval_kind
from stealbench.statistics import Estimate

NAME = "explain"
SUMMARY = (
    "Explain a workload: its work, span and parallelism, what its critical path consists of, and"
    " how near to their bounds the schedulers are"
)


def _values_table(known: Explained) -> Table:
    recorded = known.recorded
    times = {
        key: seconds(1e-9 * recorded[f"{key}_ns"]) for key in ("work", "span", "burdened_span")
    }
    numbers = {key: count(recorded[key]) for key in ("tasks", "strands", "depth")}
    rows = {
        "work T1": times["work"],
        "span T∞": times["span"],
        "parallelism T1 / T∞": ratio(recorded["parallelism"]),
        "burden: a steal": seconds(1e-9 * known.about["burden_ns"]),
        "burdened span": times["burdened_span"],
        "burdened parallelism": ratio(recorded["burdened_parallelism"]),
        "tasks": numbers["tasks"],
        "strands": numbers["strands"],
        "mean length of a strand": seconds(1e-9 * mean_strand(recorded)),
        "depth of nested tasks": numbers["depth"],
        "most live tasks with one worker": count(recorded["most_live_tasks"]),
    }
    columns = [Column("quantity", is_name=True), Column("value")]
    return Table("Work and span", columns, [list(row) for row in rows.items()])


def _places_table(recorded: dict[str, Any]) -> Table:
    headers = ["of the span", "of the work", "work / span"]
    columns = [Column("fork, loop, spawn or sync", is_name=True), *map(Column, headers)]
    table = Table("The critical path, by what precedes its strands", columns)
    for place in by_span(recorded):
        span, work = place["span_ns"], place["work_ns"]
        parts = [percent(span / recorded["span_ns"]), percent(work / recorded["work_ns"])]
        quotient = ratio(work / span) if span > 0 else MISSING
        table.rows.append([place_text(place), *parts, quotient])
    return table


def _add_doubts(table: Table, doubts: list[str]) -> Table:
    """A column more where there are doubts."""
    if any(doubts):
        table.columns.append(Column("doubt", is_name=True))
        for row, doubt in zip(table.rows, doubts):
            row.append(doubt)
    return table


def _bounds_table(known: Explained) -> Table:
    title = "Times and the bounds of a greedy schedule: median time"
    columns = [Column("scheduler", is_name=True), Column("workers"), Column("lower bound")]
    columns += [Column("time", is_name=True), Column("upper bound"), Column("time / lower bound")]
    table = Table(with_interval_kind(title, known.figures.have_intervals), columns, keys=2)
    for time in known.times:
        shown = DNF if time.seconds is None else seconds_with_interval(time.seconds)
        if time.cell is None and time.seconds:
            shown = f"{seconds(time.seconds.median)}, simulated"
        over = ratio(time.seconds.median / time.lower) if time.seconds and time.lower else MISSING
        bounds = [seconds(time.lower), seconds(time.upper)]
        table.rows.append([time.scheduler, str(time.workers), bounds[0], shown, bounds[1], over])
    return _add_doubts(table, [time.doubt for time in known.times])


def _on_simulation(known: Explained) -> list[str]:
    """With which profile, how far it is from what was measured, and what was not simulated."""
    if not known.simulation:
        return []
    notes = []
    if known.simulation["times"]:
        notes.append(simulation_note(known.simulation))
    measured = {(time.scheduler, time.workers): time.seconds for time in known.times if time.cell}
    errors = []
    for simulated in known.simulation["times"]:
        key = simulated["scheduler"], simulated["workers"]
        if time := measured.get(key):
            error = 100 * (simulated["time_ns"] * 1e-9 / time.median - 1)
            errors.append(f"{error:+.1f} % on {key[0]} with {counted(key[1], 'worker')}")
    if errors:
        notes.append(
            "Where this program is measured too, the simulated time is off by"
            f" {', '.join(errors)}."
        )
    return notes + [f"Not simulated: {gap}" for gap in known.simulation["gaps"]]


def _budget_section(known: Explained) -> Section:
    headers = ["workers", "P · T_P", "work", "tasks", *PARTS]
    headers += ["unexplained", "to explain", "explained"]
    title = "Where the time of all workers went: shares of P · T_P"
    table = Table(title, [Column("scheduler", is_name=True), *map(Column, headers)], keys=2)
    shares = ["work_ns", "tasks_ns", *PARTS.values(), "unexplained_ns", "to_explain_ns"]
    uncounted: dict[str, None] = {}
    doubts = []
    for _, row in known.budgets.iterrows():
        texts = [row["scheduler"], str(row["workers"]), seconds(1e-9 * row["total_ns"])]
        parts = [None if row[key] is None else row[key] / row["total_ns"] for key in shares]
        table.rows.append([*texts, *map(percent, parts), percent(row["explained"])])
        doubts.append(row["doubt"])
        if row["workers"] > 1 and row["steals_ns"] is None:
            uncounted[row["scheduler"]] = None
    section = guide("Budget")
    if uncounted:
        names = joined(list(uncounted))
        say(section, f"No counters of {names}: its wake-ups, steals and waiting are missing.")
    section.blocks.append(_add_doubts(table, doubts))
    return section


def _speedup_plot(known: Explained) -> Plot:
    """Measured and simulated speedup, between the bounds of a greedy schedule."""
    plot = Plot(
        "Speedup, and the bounds of a greedy schedule",
        Axis("workers", is_logarithmic=True),
        Axis("speedup over serial", is_logarithmic=True, text_of=ratio),
        [],
    )
    curves: dict[str, list[tuple[float, Estimate]]] = {}
    serial = known.serial.seconds.median if known.serial and known.serial.seconds else 0
    bounds = {}
    for time in known.times:
        if time.lower and time.upper:
            bounds[time.workers] = serial / time.lower, serial / time.upper
        if time.scheduler != "serial" and time.speedup:
            name = time.scheduler + (", simulated" if time.cell is None else "")
            curves.setdefault(name, []).append((time.workers, time.speedup))
    for name, points in sorted(curves.items()):
        add_curve(name, points, plot)
    if len(bounds) > 1:
        for side, name in enumerate(("upper bound", "lower bound")):
            ends = [(workers, of[side]) for workers, of in sorted(bounds.items())]
            plot.references.append(ReferenceLine(name, ends))
    return plot


def _exact(value: float) -> Estimate:
    return Estimate(value, value, value)


def _profile_plot(recorded: dict[str, Any]) -> Plot:
    """Parallelism over time on unlimited processors."""
    over_time = recorded["parallelism_over_time"]
    interval = recorded["interval_ns"] * 1e-9
    plot = Plot(
        "Parallelism over time, on unlimited processors",
        Axis("time, µs", unit=1e-6, text_of=seconds),
        Axis(
            "strands that can run",
            is_logarithmic=recorded["parallelism"] > 1 and all(value > 0 for value in over_time),
            text_of=ratio,
        ),
        [],
    )
    points = [(place * interval, _exact(value)) for place, value in enumerate(over_time)]
    add_curve("parallelism", points, plot)
    return plot


def _lengths_plot(recorded: dict[str, Any]) -> Plot:
    """A histogram: how many strands have a length from a power of 2 up to the next."""
    plot = Plot(
        "Strands by their length",
        Axis("length from, µs", is_logarithmic=True, unit=1e-6, text_of=seconds),
        Axis("strands", is_logarithmic=True),
        [],
    )
    points = [
        (1e-9 * 2**power, _exact(number))
        for power, number in enumerate(recorded["strands_of_length"])
        if number > 0
    ]
    if len(points) > 1:
        add_curve("strands", points, plot)
    return plot


def sections(raw: RawFile) -> list[Section]:
    """What was recorded, the bounds beside each time, and where the time went."""
    known = Explained(raw)
    answer = Section("Work, span and parallelism", shown=Prominence.SUMMARY)
    first, *advice = advice_of(known)
    answer.blocks += [Paragraph(first, is_lead=True), _values_table(known)]
    answer.blocks += map(Paragraph, advice)
    path = Section("Critical path", [_places_table(known.recorded)], Prominence.TABLES)
    bounds = Section("Bounds", [_bounds_table(known)], Prominence.TABLES)
    for note in _on_simulation(known):
        say(bounds, note)
    lengths = (
        "How many strands, the instructions between two forks or joins, have a length from one"
        " value to twice as much."
    )
    if known.recorded["strands_by"] == "units":
        lengths += " A strand is as long as its units of the workload's work, each of one time."
    plots = {
        "Parallelism over time": (
            "How many strands could run at each time if there were a processor for each.",
            _profile_plot(known.recorded),
        ),
        "Lengths of strands": (lengths, _lengths_plot(known.recorded)),
        "Speedup": (
            "Speedup over serial. A greedy schedule without costs lies between the bounds.",
            _speedup_plot(known),
        ),
    }
    all_sections = [answer, path, bounds, _budget_section(known)]
    for title, (meaning, plot) in plots.items():
        group = PlotGroup([], meaning)
        add_plot(plot, group)
        if group.plots:
            all_sections.append(Section(title, [group], Prominence.SUMMARY))
    return all_sections


def values(raw: RawFile) -> list[dict[str, Any]]:
    """One object: what was recorded, the times with their bounds, the budget and the advice."""
    known = Explained(raw)
    unsaid = ("scheduler", "workers", "time_ns", "counters")
    recorded = {key: value for key, value in known.recorded.items() if key not in unsaid}

    def in_ns(value: float | None) -> float | None:
        return None if value is None else value * 1e9

    times = [
        {
            "scheduler": time.scheduler,
            "workers": time.workers,
            "is_simulated": time.cell is None,
            "time_ns": in_ns(time.seconds.median if time.seconds else None),
            "lower_bound_ns": in_ns(time.lower),
            "upper_bound_ns": in_ns(time.upper),
            "doubt": time.doubt or None,
        }
        for time in known.times
    ]
    budget = known.budgets.drop(columns=["alone_ns"], errors="ignore")
    return [
        {
            **recorded,
            "burden_ns": known.about["burden_ns"],
            "times": times,
            "budget": budget.to_dict("records"),
            "advice": advice_of(known),
        }
    ]
