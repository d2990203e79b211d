"""`stealbench explain`: work, span and parallelism of a workload, and how near times are to them."""

from __future__ import annotations

import itertools
import math
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stealbench.analysis.budget import PARTS, WAITED, budgets_of
from stealbench.analysis.tabulate import Defined, key, name, number, tabulate
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.choices import Instance, add_instances, add_schedulers, add_workers, add_workload
from stealbench.choices import every_cell, expect_workload, instances_named, schedulers_named
from stealbench.choices import usual_worker_counts
from stealbench.errors import BadInput
from stealbench.figures import figures_of
from stealbench.invocation import Target, read_timing, timing_of
from stealbench.measuring import Design, Experiment, Search
from stealbench.options import Settings, duration, nanoseconds
from stealbench.prices import simulate
from stealbench.profiles import machine_of
from stealbench.rawfile import RawFile, values_of
from stealbench.report.document import Axis, Paragraph, Plot, PlotGroup, Prominence, ReferenceLine
from stealbench.report.document import Section, Table
from stealbench.report.format import MISSING, count, counted, joined, percent, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import simulation_note
from stealbench.report.parts import DNF, add_curve, add_plot, estimate_in, say, with_interval_kind
from stealbench.rounds import Plan
from stealbench.schedule import StopRule
from stealbench.statistics import Estimate, Separation
from stealbench.suite import Suite
from stealbench.workloads import instances_of

TRANSFERS_OF_A_STEAL = 4
"""Of a cache line: the victim's indices, the job, its latch, and its result."""

SERIAL = ("serial", "sequential")
SAME_WORK = 1.1
"""Times of the same work by the recording and by serial are closer than this."""
FOREIGN = "simulated with another processor's profile, so without bounds"
"""No doubt of an order among simulated times."""
AMPLE = 10
"""With ten times as much parallelism as workers a greedy schedule is within 10 % of linear."""
USEFUL_LOSS = 0.05
"""A task has to be so long that no more than this part goes to it."""
TRUSTED = 0.9
"""A price that explains less of T1 - Ts, or more than all, carries no advice."""


@dataclass
class Time:
    """A measured or a simulated time; `cell` unless it is simulated. Serial has one worker.

    `lower` and `upper`: between which every greedy schedule lies (Graham 1966; Brent 1974), in
    seconds: max(T1 / P, T∞) and T1 / P + T∞. None where serial ran on another processor than the
    one that is simulated. `doubt`: why nothing is concluded from it, with the likely cause.
    """

    scheduler: str
    workers: int
    seconds: Estimate | None
    speedup: Estimate | None = None
    cell: str | None = None
    lower: float | None = None
    upper: float | None = None
    doubt: str = ""

    @property
    def name(self) -> str:
        """In a sentence."""
        return f"{self.scheduler} with {counted(self.workers, 'worker')}"


class Explained:
    """A run, and the times in it: measured, then simulated ones that were not measured."""

    def __init__(self, raw: RawFile) -> None:
        self.figures = figures_of(raw)
        self.workers = self.figures.worker_counts[-1]
        about = raw.header["about"]
        self.recorded, self.burden_ns = about["recorded"], about["burden_ns"]
        self.simulation = about.get("simulation") or {}
        self.is_foreign = bool(self.simulation.get("other_processor"))
        self.budgets = budgets_of(self.figures)
        self.times, table = [], self.figures.table
        for row in table.reset_index().to_dict("records"):
            workers = 1 if row["scheduler"] in SERIAL else row["workers"]
            found = estimate_in(row, "seconds"), estimate_in(row, "speedup")
            self.times.append(Time(row["scheduler"], workers, *found, cell=row["cell"]))
        self.serial = next((one for one in self.times[::-1] if one.scheduler == "serial"), None)
        serial = self.serial.seconds if self.serial else None
        self.serial_seconds = serial.median if serial else 0.0
        work, span = self.recorded["work_ns"] * 1e-9, self.recorded["span_ns"] * 1e-9
        is_same = serial is None or serial.low / SAME_WORK <= work <= serial.high * SAME_WORK
        # Beyond noise.
        self.doubt_of_recording = (
            ""
            if is_same
            else f"the recording took {ratio(work / self.serial_seconds)} the time of serial"
        )
        measured = {(time.scheduler, time.workers) for time in self.times}
        for one in self.simulation.get("times") or []:
            if (one["scheduler"], one["workers"]) not in measured:
                time = Time(one["scheduler"], one["workers"], _exact(one["time_ns"] * 1e-9))
                if serial and not self.is_foreign:
                    time.speedup = _exact(serial.median / (one["time_ns"] * 1e-9))
                self.times.append(time)
        self.disturbed = set(table.index[table["is_disturbed"]])
        for time in self.times:
            if time.cell or not self.is_foreign:
                time.lower, time.upper = max(work / time.workers, span), work / time.workers + span
            time.doubt = self._doubt_of(time)

    def _doubt_of(self, time: Time) -> str:
        if time.seconds is None:
            return ""
        if time.lower is None:
            return FOREIGN
        if time.cell in self.disturbed:
            return WAITED
        if time.seconds.high < time.lower:
            cause = self.doubt_of_recording or "T1 is of another run"
            cause = cause if time.cell else "the profile has other prices than this machine"
            return f"beats the lower bound: {cause}"
        if time.speedup is None or time.speedup.low <= time.workers:
            return ""
        waited = self.serial is not None and self.serial.cell in self.disturbed
        cause = "more processors have more cache, or something slowed serial"
        return f"above the ideal speedup: {f'serial {WAITED}' if waited else cause}"

    @property
    def places(self) -> list[dict[str, Any]]:
        """Those with a strand, by what they have of the span, the greatest first."""
        places = [place for place in self.recorded["places"] if place["work_ns"] > 0]
        return sorted(places, key=lambda place: -float(place["span_ns"]))

    @property
    def mean_strand(self) -> float:
        """In seconds."""
        return 1e-9 * float(self.recorded["work_ns"] / max(1.0, self.recorded["strands"]))


def _exact(value: float) -> Estimate:
    return Estimate(value, value, value)


def _place_text(place: dict[str, Any]) -> str:
    return f"{place['file']}:{place['line']}" if place["line"] else "start of the program"


def _on_parallelism(parallelism: float, workers: int) -> str:
    words = counted(workers, "worker")
    burdened = f"{ratio(parallelism)} with a steal at each fork of the critical path"
    if parallelism >= AMPLE * workers:
        return (
            f"There is parallelism enough for {words}: {ratio(parallelism)} even with a steal at"
            f" each fork of the critical path, and {AMPLE} times the workers suffice. Without costs"
            " of scheduling, a greedy schedule is then within 10 % of linear speedup."
        )
    if parallelism >= workers:
        return (
            f"Parallelism is scarce for {words}: {burdened}, less than {AMPLE} times the workers. A"
            f" greedy schedule may take {ratio(1 + workers / parallelism)} of the time of linear"
            " speedup."
        )
    return (
        f"There is not enough parallelism for {words}: {burdened}. No more than"
        f" {max(1, math.ceil(parallelism))} can be used."
    )


def _on_choice(run: Explained, workers: int) -> str:
    """Which scheduler is ahead of all others with so many workers, and by what.

    Empty where the measurement does not show it, where one of the first two is in doubt, or if the
    model's error with contended workers is greater. Serial is among them: it may be ahead of all.
    """
    rivals = [
        (time.seconds.median, at, time)
        for at, time in enumerate(run.times)
        if time.seconds and (time.workers == workers or time.scheduler in SERIAL)
    ]
    if run.is_foreign and any(time.cell is None for _, _, time in rivals):
        rivals = [rival for rival in rivals if rival[2].cell is None]
    if sum(time.scheduler not in SERIAL for _, _, time in rivals) < 2:
        return ""
    (least, _, best), (second, _, following), *_ = sorted(rivals)
    if any(time.doubt not in ("", FOREIGN) for time in (best, following)):
        return ""
    text = (
        f"With {counted(workers, 'worker')}, {best.scheduler} is the fastest:"
        f" {following.scheduler} takes {ratio(second / least)} its time"
    )
    if best.cell and following.cell:
        cells = [time.cell for _, _, time in sorted(rivals) if time.cell]
        times = [run.figures.times[cell] for cell in cells]
        return f"{text}." if Separation([times]).is_slower(0, 1, 0) else ""
    accuracy = run.simulation["profile"]["accuracy"]
    error = accuracy["contended_factor"] if accuracy else math.inf
    is_beyond = second / least > error
    return f"{text}, simulated; the model may be off by {ratio(error)}." if is_beyond else ""


def _on_grain(recorded: dict[str, Any], alone: dict[str, Any]) -> str:
    tasks = recorded["tasks"]
    if alone["workers"] != 1 or not alone["tasks_ns"] > 0 or (alone["explained"] or 0) < TRUSTED:
        return ""
    price = 1e-9 * alone["tasks_ns"] / tasks
    return (
        f"On {alone['scheduler']} each task adds {seconds(price)} here: below a grain of"
        f" {seconds(price / USEFUL_LOSS)} more than {100 * USEFUL_LOSS:.0f} % is lost to tasks. A"
        f" task has {seconds(1e-9 * recorded['work_ns'] / tasks)} of work."
    )


def _on_doubts(run: Explained) -> str:
    """What is not concluded from."""
    doubtful: dict[str, list[str]] = {}
    for time in run.times:
        if time.doubt not in ("", FOREIGN):
            doubtful.setdefault(time.doubt, []).append(time.name)
    reasons = "; ".join(f"{joined(names)} ({doubt})" for doubt, names in doubtful.items())
    doubt = run.doubt_of_recording
    text = f"Work, span and bounds are in doubt: {doubt}. " if doubt else ""
    return text + (f"Nothing is concluded from {reasons}." if reasons else "")


def advice_of(run: Explained) -> list[str]:
    """Sentences that the recorded values and the times carry; the most important one first."""
    recorded, burden = run.recorded, run.burden_ns * 1e-9
    parallelism = recorded["burdened_parallelism"]
    if run.doubt_of_recording:  # No bound is concluded from it.
        return [_on_doubts(run)]
    advice = [_on_parallelism(parallelism, run.workers), _on_doubts(run)]
    if parallelism < AMPLE * run.workers and (places := run.places):
        part = percent(places[0]["span_ns"] / recorded["span_ns"])
        first = "To shorten the critical path, begin with what follows"
        advice.append(f"{first} {_place_text(places[0])}: it is {part} of the span.")
    if recorded["tasks"] > 0 and run.mean_strand < burden:
        advice.append(
            f"A strand is {seconds(run.mean_strand)} long on average, shorter than a steal"
            f" ({seconds(burden)}): to steal pays only where the stolen task forks many more."
        )
    advice += [_on_grain(recorded, row) for row in run.budgets]
    advice += [_on_choice(run, workers) for workers in (2, 16, 64)]
    return [sentence for sentence in advice if sentence]


def _values_table(run: Explained) -> Table:
    def time(key: str) -> str:
        return seconds(1e-9 * run.recorded[f"{key}_ns"])

    recorded = run.recorded
    rows = {
        "work T1": time("work"),
        "span T∞": time("span"),
        "parallelism T1 / T∞": ratio(recorded["parallelism"]),
        "burden: a steal": seconds(1e-9 * run.burden_ns),
        "burdened span": time("burdened_span"),
        "burdened parallelism": ratio(recorded["burdened_parallelism"]),
        "tasks": count(recorded["tasks"]),
        "strands": count(recorded["strands"]),
        "mean length of a strand": seconds(run.mean_strand),
        "depth of nested tasks": count(recorded["depth"]),
        "most live tasks with one worker": count(recorded["most_live_tasks"]),
    }
    columns = [name("quantity", lambda row: row[0]), number("value", lambda row: row[1])]
    return tabulate("Work and span", columns, rows.items())


def _places_table(run: Explained) -> Table:
    work, span = run.recorded["work_ns"], run.recorded["span_ns"]

    def quotient(place: dict[str, Any]) -> str:
        return ratio(place["work_ns"] / place["span_ns"]) if place["span_ns"] > 0 else MISSING

    columns = [
        name("fork, loop, spawn or sync", _place_text),
        number("of the span", lambda place: percent(place["span_ns"] / span)),
        number("of the work", lambda place: percent(place["work_ns"] / work)),
        number("work / span", quotient),
    ]
    return tabulate("The critical path, by what precedes its strands", columns, run.places)


def _with_doubts(columns: list[Defined], rows: Sequence[dict[str, Any]]) -> list[Defined]:
    """A column more where there are doubts."""
    return columns + ([key("doubt")] if any(row["doubt"] for row in rows) else [])


def _bounds_table(run: Explained) -> Table:
    def shown(row: dict[str, Any]) -> str:
        if row["seconds"] and row["cell"] is None:
            return f"{seconds(row['seconds'].median)}, simulated"
        return seconds_with_interval(row["seconds"]) if row["seconds"] else DNF

    def over(row: dict[str, Any]) -> str:
        has_both = row["seconds"] and row["lower"]
        return ratio(row["seconds"].median / row["lower"]) if has_both else MISSING

    rows = [vars(time) for time in run.times]
    columns = [
        key("scheduler"),
        number("workers", lambda row: str(row["workers"])),
        number("lower bound", lambda row: seconds(row["lower"])),
        name("time", shown),
        number("upper bound", lambda row: seconds(row["upper"])),
        number("time / lower bound", over),
    ]
    title = "Times and the bounds of a greedy schedule: median time"
    title = with_interval_kind(title, run.figures.have_intervals)
    return tabulate(title, _with_doubts(columns, rows), rows, keys=2)


def _on_simulation(run: Explained) -> list[str]:
    """With which profile, how far it is from what was measured, and what was not simulated."""
    if not run.simulation:
        return []
    notes = [simulation_note(run.simulation)] if run.simulation["times"] else []
    simulated = {(one["scheduler"], one["workers"]): one for one in run.simulation["times"]}
    measured = {(time.scheduler, time.workers): time for time in run.times if time.cell}
    errors = []
    for key, one in simulated.items():
        if key in measured and (time := measured[key].seconds):
            error = 100 * (one["time_ns"] * 1e-9 / time.median - 1)
            errors.append(f"{error:+.1f} % on {measured[key].name}")
    if errors:
        off = "Where this program is measured too, the simulated time is off by"
        notes.append(f"{off} {', '.join(errors)}.")
    return notes + [f"Not simulated: {gap}" for gap in run.simulation["gaps"]]


def _budget_section(run: Explained) -> Section:
    def share(key: str) -> Any:
        return lambda row: percent(None if row[key] is None else row[key] / row["total_ns"])

    columns = [
        key("scheduler"),
        number("workers", lambda row: str(row["workers"])),
        number("P · T_P", lambda row: seconds(1e-9 * row["total_ns"])),
    ]
    shares = {"work": "work_ns", "tasks": "tasks_ns", **PARTS}
    shares |= {"unexplained": "unexplained_ns", "to explain": "to_explain_ns"}
    columns += [number(header, share(of)) for header, of in shares.items()]
    columns += [number("explained", lambda row: percent(row["explained"]))]
    section = guide("Budget")
    uncounted = dict.fromkeys(
        row["scheduler"] for row in run.budgets if row["workers"] > 1 and row["steals_ns"] is None
    )
    if uncounted:
        missing = "its wake-ups, steals and waiting are missing."
        say(section, f"No counters of {joined(list(uncounted))}: {missing}")
    title = "Where the time of all workers went: shares of P · T_P"
    columns = _with_doubts(columns, run.budgets)
    section.blocks.append(tabulate(title, columns, run.budgets, keys=2))
    return section


def _speedup_plot(run: Explained) -> Plot:
    """Measured and simulated speedup, between the bounds of a greedy schedule."""
    y = Axis("speedup over serial", is_logarithmic=True, text_of=ratio)
    title = "Speedup, and the bounds of a greedy schedule"
    plot = Plot(title, Axis("workers", is_logarithmic=True), y, [])
    curves: dict[str, list[tuple[float, Estimate]]] = {}
    bounds = {}
    for time in run.times:
        if time.lower and time.upper:
            bounds[time.workers] = [run.serial_seconds / end for end in (time.lower, time.upper)]
        if time.scheduler != "serial" and time.speedup:
            curve = time.scheduler + ("" if time.cell else ", simulated")
            curves.setdefault(curve, []).append((time.workers, time.speedup))
    for curve, points in sorted(curves.items()):
        add_curve(curve, points, plot)
    for side, bound in enumerate(("upper bound", "lower bound") if len(bounds) > 1 else ()):
        ends = [(workers, both[side]) for workers, both in sorted(bounds.items())]
        plot.references.append(ReferenceLine(bound, ends))
    return plot


def _recorded_plots(recorded: dict[str, Any]) -> list[tuple[str, str, Plot]]:
    """Parallelism on unlimited processors, and how many strands have which length."""
    over_time, interval = recorded["parallelism_over_time"], recorded["interval_ns"] * 1e-9
    is_logarithmic = recorded["parallelism"] > 1 and min(over_time, default=0) > 0
    parallelism = Plot(
        "Parallelism over time, on unlimited processors",
        Axis("time, µs", unit=1e-6, text_of=seconds),
        Axis("strands that can run", is_logarithmic, text_of=ratio),
        [],
    )
    points = [(place * interval, _exact(value)) for place, value in enumerate(over_time)]
    add_curve("parallelism", points, parallelism)
    lengths = Plot(
        "Strands by their length",
        Axis("length from, µs", is_logarithmic=True, unit=1e-6, text_of=seconds),
        Axis("strands", is_logarithmic=True),
        [],
    )
    powers = enumerate(recorded["strands_of_length"])
    points = [(1e-9 * 2**power, _exact(number)) for power, number in powers if number > 0]
    if len(points) > 1:
        add_curve("strands", points, lengths)
    of_lengths = (
        "How many strands, the instructions between two forks or joins, have a length from one"
        " value to twice as much."
    )
    if recorded["strands_by"] == "units":
        of_lengths += " A strand is as long as its units of the workload's work, each of one time."
    could = "How many strands could run at each time if there were a processor for each."
    return [
        ("Parallelism over time", could, parallelism),
        ("Lengths of strands", of_lengths, lengths),
    ]


def sections(raw: RawFile) -> list[Section]:
    """What was recorded, the bounds beside each time, and where the time went."""
    run = Explained(raw)
    first, *advice = advice_of(run)
    answer = Section("Work, span and parallelism", shown=Prominence.SUMMARY)
    answer.blocks += [Paragraph(first, is_lead=True), _values_table(run)]
    answer.blocks += map(Paragraph, advice)
    path = Section("Critical path", [_places_table(run)], Prominence.TABLES)
    bounds = Section("Bounds", [_bounds_table(run)], Prominence.TABLES)
    for note in _on_simulation(run):
        say(bounds, note)
    over = "Speedup over serial. A greedy schedule without costs lies between the bounds."
    plots = [*_recorded_plots(run.recorded), ("Speedup", over, _speedup_plot(run))]
    all_sections = [answer, path, bounds, _budget_section(run)]
    for title, meaning, plot in plots:
        group = PlotGroup([], meaning)
        add_plot(plot, group)
        if group.plots:
            all_sections.append(Section(title, [group], Prominence.SUMMARY))
    return all_sections


def values(raw: RawFile) -> list[dict[str, Any]]:
    """One object: what was recorded, the times with their bounds, the budget and the advice."""
    run = Explained(raw)
    unsaid = ("scheduler", "workers", "time_ns", "counters")
    recorded = {key: value for key, value in run.recorded.items() if key not in unsaid}

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
        for time in run.times
    ]
    of_run = {"burden_ns": run.burden_ns, "times": times, "budget": run.budgets}
    return [{**recorded, **of_run, "advice": advice_of(run)}]


def _declare(settings: Settings) -> None:
    add_workload(settings, "workload")
    add_schedulers(settings, "serial,work-stealing")
    shown = "1, 2, 4, ... and the numbers of cores and of processors"
    add_workers(settings, usual_worker_counts(), shown)
    add_instances(settings)
    shown = f"{TRANSFERS_OF_A_STEAL} transfers of a cache line by the profile of simulations"
    help = "what a steal costs, such as 1us, for each stolen branch in the burdened span"
    settings.add("--burden", default="", type=duration, metavar="TIME", shown=shown, help=help)


def _design(values: Namespace, suite: Suite) -> Design:
    expect_workload(suite, "explain", values.WORKLOAD, suite.workload_names)
    schedulers = schedulers_named(suite, values.schedulers or ["serial", "work-stealing"])
    values.schedulers = [*({"serial"} - {*schedulers}), *schedulers]
    suite.installation.recorder()
    instance = instances_named(suite, [values.WORKLOAD], values)[0]
    measured = [1, *(workers for workers in values.workers if workers <= suite.processors)]  # T1.
    design = Design(every_cell([instance], measured, values.schedulers))
    if values.burden:
        design.about["burden_ns"] = nanoseconds(values.burden)
    elif not values.resume:  # Then its raw file has it.
        transfer_ns = machine_of(suite)["profile"]["costs"]["transfer_ns"]
        design.about["burden_ns"] = TRANSFERS_OF_A_STEAL * transfer_ns
    return design


def _search(search: Search, design: Design) -> None:
    about, instance = design.about, (design.cells[0].workload, design.cells[0].parameters)
    search.begin("recording work and span")
    serial = Cell(*instance, "serial")
    if (run := search.timed(serial)).failure:
        raise RuntimeError(f"serial: {run.failure}")
    time = values_of(run.entry)["seconds"]
    mode = ["--seconds", str(time), "--burden", str(about["burden_ns"])]
    about["recorded"] = search.recorded(serial, mode)
    search.begin("measuring prices")
    others = [name for name in search.values.schedulers if name != "serial"]
    about["prices"] = _prices(search, instance, others)
    if max(search.values.workers) > search.suite.processors:
        search.begin("simulating more workers than there are processors")
        about["simulation"] = _simulation(search, instance, others)


def _simulation(search: Search, instance: Instance, schedulers: list[str]) -> dict[str, Any]:
    """Of each scheduler that can be simulated, also where it is measured: so the error is seen."""
    suite, machine = search.suite, machine_of(search.suite)
    times, gaps = list[dict[str, Any]](), list[str]()
    if why_not := suite.workload(instance[0]).why_not_simulated:
        gaps, schedulers = [f"{instance[0]}: {why_not}"], []
    for name in schedulers:
        try:
            executable = suite.installation.choose_simulated(name)[1]
            for workers in dict.fromkeys(search.values.workers):
                target = Target(Cell(*instance, name, workers), executable)
                seconds = simulate(target, machine["profile"], search.runner)["seconds"]
                times.append({"scheduler": name, "workers": workers, "time_ns": seconds * 1e9})
        except (BadInput, RuntimeError) as error:  # Not built, not simulated, or it failed.
            gaps.append(str(error))
    del machine["changes"]
    return machine | {"times": times, "gaps": gaps}


def _prices(search: Search, instance: Instance, schedulers: list[str]) -> dict[str, Any]:
    """Of each scheduler that which can be measured: of a task, by a small other instance, so that it
    is a price and not the difference that it explains; of a second process beside the first; of a
    steal and of a wake-up."""
    suite, workload = search.suite, search.suite.workload(instance[0])
    sizes = [instances_of(workload, size, ()) for size in ("small", "standard", "test")]
    others = [own for instances in sizes for own in instances if own != instance[1]]
    other = workload.name, [*others, instance[1]][0]
    rounds = range(search.plan.until.rounds or FEWEST_ROUNDS)
    timed: dict[str, list[dict[str, float]]] = {}
    for _, name in itertools.product(rounds, search.values.schedulers):
        if not (run := search.timed(Cell(*other, name))).failure:
            timed.setdefault(name, []).append(values_of(run.entry))
    fastest = {name: min(each["seconds"] for each in runs) for name, runs in timed.items()}
    prices: dict[str, dict[str, Any]] = {name: {} for name in schedulers}
    for name, own in prices.items():
        if {name, "serial"} <= timed.keys() and (tasks := timed[name][0]["fork_count"]):
            own["tasks_of"] = Cell(*other, name).instance
            own["task_ns"] = max(0, fastest[name] - fastest["serial"]) * 1e9 / tasks
        if any(1 < workers <= suite.processors for workers in search.values.workers):
            own |= _slowdown_beside(search, Cell(*instance, name), rounds)
        for metric in (each for each in suite.metrics if each.name in ("steal", "waker")):
            why_not = metric.why_not_applicable(name.partition(":")[0])
            if metric.workers <= suite.processors and not why_not:
                run = search.timed(Cell(metric.name, (), name, metric.workers), is_metric=True)
                if not run.failure:
                    own[f"{metric.name}_ns"] = 1e9 * values_of(run.entry)["seconds"]
    return {name: own for name, own in prices.items() if own}


def _slowdown_beside(search: Search, cell: Cell, rounds: Iterable[int]) -> dict[str, float]:
    """By how much one worker takes longer beside a second process of it; nothing if it fails."""
    target, timeout_s, runner = search.target_of(cell), search.plan.timeout_s, search.runner
    request = timing_of(target, timeout_s, search.plan.sample_ms)
    seconds: dict[int, list[float]] = {1: [], 2: []}  # By how many processes ran at once.
    for _, processes in itertools.product(rounds, seconds):
        started = [runner.start(request) for _ in range(processes)]
        runs = [read_timing(runner.wait()[1], target, timeout_s) for _ in started]
        if not any(run.failure for run in runs):
            seconds[processes] += [values_of(run.entry)["seconds"] for run in runs]
    alone, beside = (min(times, default=0) for times in seconds.values())
    return {"slowdown_beside": beside / alone} if alone and beside else {}


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("mergesort --set merge=serial", "uts --set tree=T1 --workers 1,2,8,64 --json"),
    notes="One more process runs the program serially and records its strands: the instructions"
    " between two forks or joins. A strand is as long as its units of work, of which each takes the"
    " same part of the time of serial; where a workload counts no units, its processor time tells. A"
    " task has its price from another instance, a steal and a wake-up from metrics of `stealbench"
    " micro`. More workers than processors are simulated where that is possible and built.",
    plan=Plan(StopRule(budget_s=30), counts=True, sample_ms=300),  # Of small differences.
    json_help="print one JSON object, and no report",
    search=_search,
)
