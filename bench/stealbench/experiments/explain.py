"""`stealbench explain`: work, span and parallelism of a workload, and how near times are to them."""

from __future__ import annotations

import itertools
import math
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from stealbench import choices
from stealbench.analysis.budget import PARTS, WAITED, budgets_of
from stealbench.analysis.tabulate import WORKERS, Defined, entry, estimate, key, number, tabulate
from stealbench.analysis.tabulate import value
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.figures import Figures, figures_of
from stealbench.measuring import Design, Experiment, Search
from stealbench.options import Settings, duration, nanoseconds
from stealbench.profiles import machine_of
from stealbench.rawfile import RawFile, values_of
from stealbench.report.document import Axis, Block, Paragraph, Plot, Prominence, Section
from stealbench.report.document import Table
from stealbench.report.format import count, counted, joined, percent, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide, guide_text
from stealbench.report.parts import SERIAL, estimate_in, headed, workers_of
from stealbench.rounds import Plan
from stealbench.schedule import StopRule
from stealbench.statistics import Estimate
from stealbench.suite import Suite
from stealbench.workloads import instances_of

TRANSFERS_OF_A_STEAL = 4  # Of a cache line: the victim's indices, the job, its latch, its result.
SAME_WORK = 1.1  # Times of the same work by the recording and by serial are closer than this.
AMPLE = 10  # Times the workers: then a greedy schedule is within 10 % of linear speedup.
Row = dict[str, Any]


def times_of(figures: Figures) -> list[Row]:
    """Rows of `Figures.table`, of which serial has one worker; `lower` and `upper`, between which
    every greedy schedule lies (Graham 1966; Brent 1974) [s]; `doubt`: why nothing is concluded."""
    recorded = figures.raw.header["about"]["recorded"]
    work, span = recorded["work_ns"] * 1e-9, recorded["span_ns"] * 1e-9
    rows: list[Row] = figures.table.reset_index().to_dict("records")
    for row in rows:
        workers = row["workers"] = workers_of(row)
        row |= {"lower": max(work / workers, span), "upper": work / workers + span, "doubt": ""}
        if row["is_disturbed"]:
            row["doubt"] = WAITED
        elif row["seconds_high"] < row["lower"]:
            cause = doubt_of_recording(figures) or "T1 is of another run"
            row["doubt"] = f"beats the lower bound: {cause}"
        elif row["speedup_low"] > workers:
            cause = "more processors have more cache, or something slowed serial"
            row["doubt"] = f"above the ideal speedup: {cause}"
    return rows


def doubt_of_recording(figures: Figures) -> str:
    """Why work and span may be off: the recording took another time than serial, beyond noise."""
    work = figures.raw.header["about"]["recorded"]["work_ns"] * 1e-9
    for _, serial in figures.table[figures.table["scheduler"] == "serial"].iterrows():
        if serial["seconds_low"] > SAME_WORK * work or work > SAME_WORK * serial["seconds_high"]:
            return f"the recording took {ratio(work / serial['seconds'])} the time of serial"
    return ""


def _places_of(recorded: Row) -> list[Row]:
    """Those with a strand, by what they have of the span, the greatest first: `place`, `of_span`,
    `of_work`."""
    places = [place for place in recorded["places"] if place["work_ns"] > 0]
    return [
        {
            "place": f"{own['file']}:{own['line']}" if own["line"] else "start of the program",
            "of_span": own["span_ns"] / recorded["span_ns"],
            "of_work": own["work_ns"] / recorded["work_ns"],
        }
        for own in sorted(places, key=lambda own: -float(own["span_ns"]))
    ]


def _on_parallelism(parallelism: float, workers: int) -> str:
    words = counted(workers, "worker")
    burdened = f"{ratio(parallelism)} with a steal at each fork of the critical path"
    if parallelism >= AMPLE * workers:
        return f"There is parallelism enough for {words}: {burdened}."
    if parallelism >= workers:
        slower = f"may take {ratio(1 + workers / parallelism)} of the time of linear speedup"
        return f"Parallelism is scarce for {words}: {burdened}. A greedy schedule {slower}."
    used = f"No more than {max(1, math.ceil(parallelism))} can be used"
    return f"There is not enough parallelism for {words}: {burdened}. {used}."


def _on_choice(times: Sequence[Row], workers: int) -> str:
    """Which scheduler is ahead of all others with that many workers, serial among them, and by what.
    Empty where the measurement does not show it, or one of the first two is in doubt."""
    rivals = [row for row in times if row["workers"] == workers or row["scheduler"] in SERIAL]
    rivals = sorted((r for r in rivals if r["failure"] is None), key=lambda r: float(r["seconds"]))
    if len(rivals) < 3 or any(row["doubt"] for row in rivals[:2]) or not rivals[1]["is_behind"]:
        return ""
    best, second = (row["scheduler"] for row in rivals[:2])
    behind = ratio(rivals[1]["seconds"] / rivals[0]["seconds"])
    return f"With {counted(workers, 'worker')}, {best} is the fastest: {second} takes {behind} its time."


def advice_of(figures: Figures, times: Sequence[Row]) -> list[str]:
    """Sentences that the recorded values and the times carry; the most important one first."""
    recorded, workers = figures.raw.header["about"]["recorded"], figures.worker_counts[-1]
    parallelism, doubt = recorded["burdened_parallelism"], doubt_of_recording(figures)
    doubtful = {doubt: ["work, span and bounds"]} if doubt else dict[str, list[str]]()
    for row in (row for row in times if row["doubt"]):
        benchmark = f"{row['scheduler']} with {counted(row['workers'], 'worker')}"
        doubtful.setdefault(row["doubt"], []).append(benchmark)
    reasons = "; ".join(f"{joined(names)} ({why})" for why, names in doubtful.items())
    doubts = [f"Nothing is concluded from {reasons}."] if doubtful else []
    if doubt:  # No bound is concluded from it.
        return doubts
    advice = [_on_parallelism(parallelism, workers), *doubts]
    for first in _places_of(recorded)[: parallelism < AMPLE * workers]:
        shorten = f"To shorten the critical path, begin with what follows {first['place']}"
        advice.append(f"{shorten}: it is {percent(first['of_span'])} of the span.")
    return [*advice, *filter(None, [_on_choice(times, workers)])]


def _values_table(about: Row) -> Table:
    def of_time(nanoseconds: float) -> str:
        return seconds(1e-9 * nanoseconds)

    quantities: list[tuple[str, str, Callable[[float], str]]] = [
        ("work T1", "work_ns", of_time),
        ("span T∞", "span_ns", of_time),
        ("parallelism T1 / T∞", "parallelism", ratio),
        ("burden: a steal", "burden_ns", of_time),
        ("burdened span", "burdened_span_ns", of_time),
        ("burdened parallelism", "burdened_parallelism", ratio),
        ("tasks", "tasks", count),
        ("strands", "strands", count),
        ("depth of nested tasks", "depth", count),
        ("most live tasks with one worker", "most_live_tasks", count),
    ]
    recorded = about | about["recorded"]
    rows = [(name, in_words(recorded[key])) for name, key, in_words in quantities]
    return tabulate("Work and span", [entry("quantity", 0), entry("value", 1, is_name=False)], rows)


def _with_doubts(title: str, columns: Sequence[Defined], rows: Sequence[Row]) -> Table:
    """Behind scheduler and workers; with a column more where there are doubts."""
    doubts = [key("doubt")] if any(row["doubt"] for row in rows) else []
    return tabulate(title, [key("scheduler"), WORKERS, *columns, *doubts], rows, 2)


def _bounds_table(figures: Figures, times: Sequence[Row]) -> Table:
    columns = [
        value("lower bound", seconds, "lower"),
        estimate("time", seconds_with_interval, "seconds"),
        value("upper bound", seconds, "upper"),
        number("time / lower bound", lambda row: ratio(row["seconds"] / row["lower"])),
    ]
    title = headed("Times and the bounds of a greedy schedule: median time", figures)
    return _with_doubts(title, columns, times)


def _budget_section(figures: Figures) -> Section:
    def share(part: str) -> Defined:
        key = part.replace(" ", "_").replace("-", "_") + "_ns"
        return number(part, lambda row: percent(row[key] and row[key] / row["total_ns"]))

    columns = [number("P · T_P", lambda row: seconds(1e-9 * row["total_ns"]))]
    columns += map(share, ("work", "tasks", *PARTS, "unexplained", "to explain"))
    columns += [value("explained", percent)]
    section, title = guide("Budget"), "Where the time of all workers went: shares of P · T_P"
    section.blocks.append(_with_doubts(title, columns, budgets_of(figures)))
    return section


def _plots_of(recorded: Row, times: Sequence[Row]) -> list[Plot]:
    workers, y = Axis("workers", True), Axis("speedup over serial", True, text_of=ratio)
    speedup = Plot("Speedup, and the bounds of a greedy schedule", workers, y)
    for scheduler in sorted({row["scheduler"] for row in times} - {"serial"}):
        own = [row for row in times if row["scheduler"] == scheduler]
        speedup.add(scheduler, [(row["workers"], estimate_in(row, "speedup")) for row in own])
    for label, bound in (("upper bound", "lower"), ("lower bound", "upper")):
        ends = {row["workers"]: 1e-9 * recorded["work_ns"] / row[bound] for row in times}
        speedup.references |= {label: sorted(ends.items())} if len(ends) > 1 else {}
    over_time, interval = recorded["parallelism_over_time"], recorded["interval_ns"] * 1e-9
    x = Axis("time, µs", unit=1e-6, text_of=seconds)
    strands = Axis("strands that can run", min(over_time, default=0) > 0, text_of=ratio)
    parallelism = Plot("Parallelism over time, on unlimited processors", x, strands)
    values = [(at * interval, Estimate(*[value] * 3)) for at, value in enumerate(over_time)]
    parallelism.add("parallelism", values)
    return [plot for plot in (speedup, parallelism) if plot.curves]


def sections(raw: RawFile) -> list[Section]:
    """What was recorded, the bounds beside each time, and where the time went."""
    recorded, times = raw.header["about"]["recorded"], times_of(figures := figures_of(raw))
    first, *advice = advice_of(figures, times)
    blocks: list[Block] = [Paragraph(first, is_lead=True), _values_table(raw.header["about"])]
    columns = [entry("fork, loop, spawn or sync", "place")]
    columns += [value("of the span", percent, "of_span"), value("of the work", percent, "of_work")]
    title = "The critical path, by what precedes its strands"
    places = tabulate(title, columns, _places_of(recorded))
    plotted = "Speedup and parallelism over time"
    plots: list[Block] = [Paragraph(guide_text(plotted)), *_plots_of(recorded, times)]
    return [
        Section(
            "Work, span and parallelism", [*blocks, *map(Paragraph, advice)], Prominence.SUMMARY
        ),
        Section("Critical path", [places], Prominence.TABLES),
        Section("Bounds", [_bounds_table(figures, times)], Prominence.TABLES),
        _budget_section(figures),
        Section(plotted, plots, Prominence.SUMMARY),
    ]


def values(raw: RawFile) -> list[Row]:
    """One object: what was recorded, the times with their bounds, the budget and the advice."""
    about, rows = raw.header["about"], times_of(figures := figures_of(raw))
    ends = {"time_ns": "seconds", "lower_bound_ns": "lower", "upper_bound_ns": "upper"}
    times = list[Row]()
    for row in rows:
        times.append({of: row[of] for of in ("scheduler", "workers", "doubt")})
        times[-1] |= {of: row[end] * 1e9 if row[end] > 0 else None for of, end in ends.items()}
    recorded = {key: about["recorded"][key] for key in about["recorded"].keys() - {"counters"}}
    more = {"burden_ns": about["burden_ns"], "times": times, "budget": budgets_of(figures)}
    return [{**recorded, **more, "advice": advice_of(figures, rows)}]


def _declare(settings: Settings) -> None:
    choices.add_workload(settings, "workload")
    choices.add_schedulers(settings, "serial,work-stealing")
    shown = "1, 2, 4, ... and the numbers of cores and of processors"
    choices.add_workers(settings, choices.usual_worker_counts(), shown)
    choices.add_instances(settings)
    shown = f"{TRANSFERS_OF_A_STEAL} transfers of a cache line by the profile of simulations"
    help = "what a steal costs, such as 1us, for each stolen branch in the burdened span"
    settings.add("--burden", default="", type=duration, metavar="TIME", shown=shown, help=help)


def _design(values: Namespace, suite: Suite) -> Design:
    choices.expect_workload(suite, "explain", values.WORKLOAD, suite.workload_names)
    schedulers = choices.schedulers_named(suite, values.schedulers or ["serial", "work-stealing"])
    values.schedulers = [*({"serial"} - {*schedulers}), *schedulers]
    suite.installation.recorder()
    instances = choices.instances_named(suite, [values.WORKLOAD], values)[:1]
    design = Design(choices.every_cell(instances, [1, *values.workers], values.schedulers))  # T1.
    if values.burden:
        design.about["burden_ns"] = nanoseconds(values.burden)
    elif not values.resume:  # Then its raw file has it.
        transfer_ns = machine_of(suite)["profile"]["costs"]["transfer_ns"]
        design.about["burden_ns"] = TRANSFERS_OF_A_STEAL * transfer_ns
    return design


def _search(search: Search, design: Design) -> None:
    about, serial = design.about, replace(design.cells[0], scheduler="serial", workers=1)
    search.begin("recording work and span")
    if (run := search.timed(serial)).failure:
        raise RuntimeError(f"serial: {run.failure}")
    time = str(values_of(run.entry)["seconds"])
    mode = ["--seconds", time, "--burden", str(about["burden_ns"])]
    about["recorded"] = search.recorded(serial, mode)
    search.begin("measuring prices")
    about["prices"] = _prices(search, serial)


def _prices(search: Search, serial: Cell) -> dict[str, Row]:
    """Of each scheduler what can be measured: of a task, by a small other instance, so that it is a
    price and not the difference that it explains; of a steal and of a wake-up."""
    suite, workload = search.suite, search.suite.workload(serial.workload)
    sizes = [instances_of(workload, size, ()) for size in ("small", "standard", "test")]
    others = [own for instances in sizes for own in instances if own != serial.parameters]
    other = workload.name, [*others, serial.parameters][0]
    rounds = range(search.plan.until.rounds or FEWEST_ROUNDS)
    timed: dict[str, list[dict[str, float]]] = {}
    for _, name in itertools.product(rounds, search.values.schedulers):
        if not (run := search.timed(Cell(*other, name))).failure:
            timed.setdefault(name, []).append(values_of(run.entry))
    fastest = {name: min(run["seconds"] for run in runs) for name, runs in timed.items()}
    prices: dict[str, Row] = {}
    for name in (name for name in search.values.schedulers if name != "serial"):
        own = prices[name] = {}
        if {name, "serial"} <= timed.keys() and (tasks := timed[name][0]["fork_count"]):
            own["tasks_of"] = Cell(*other, name).instance
            own["task_ns"] = max(0, fastest[name] - fastest["serial"]) * 1e9 / tasks
        for metric in (metric for metric in suite.metrics if metric.name in ("steal", "waker")):
            why_not = metric.why_not_applicable(name.partition(":")[0])
            if metric.workers <= suite.processors and not why_not:
                run = search.timed(Cell(metric.name, (), name, metric.workers), is_metric=True)
                if not run.failure:
                    own[f"{metric.name}_ns"] = 1e9 * values_of(run.entry)["seconds"]
    return prices


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("mergesort --set merge=serial", "uts --set tree=T1 --json"),
    notes="One more process runs the program serially and records its strands: the instructions"
    " between two forks or joins, as long as their units of work, or else their processor time. A"
    " task has its price from another instance, a steal and a wake-up from metrics of `stealbench"
    " micro`. `stealbench simulate` shows more workers than there are processors.",
    plan=Plan(StopRule(budget_s=30), counts=True, sample_ms=300),  # Of small differences.
    json_help="print one JSON object, and no report",
    search=_search,
)
