"""`stealbench simulate`: speedup over simulated worker counts, and where the time went."""

from __future__ import annotations

import itertools
import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas

from stealbench.analysis import ablation, regret
from stealbench.analysis.tabulate import Defined, key, name, number, tabulate
from stealbench.analysis.validation import Validation, foreign_units, sections_of, shares_of
from stealbench.choices import add_instances, add_schedulers, add_workers, contrasts_among
from stealbench.choices import every_cell, instances_named, schedulers_named, simulated_workloads
from stealbench.choices import strategies_in
from stealbench.commands.options import Settings, duration, items
from stealbench.errors import BadInput
from stealbench.figures import Figures, estimate_at, figures_of
from stealbench.files import write_atomically
from stealbench.measuring import Design, Experiment
from stealbench.profiles import OWN_FILE, REFERENCE, machine_of, read_profile
from stealbench.rawfile import OWN_BASELINE, SHARES, RawFile
from stealbench.report.document import Axis, Document, Paragraph, Plot, PlotGroup, Prominence
from stealbench.report.document import ReferenceLine, Section, Table
from stealbench.report.format import MISSING, count, counted, on_one_line, percent, ratio
from stealbench.report.format import ratio_with_interval, seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import simulation_note
from stealbench.report.parts import DNF, add_curve, add_plot, context_of, estimate_in, say, text_at
from stealbench.report.parts import with_interval_kind
from stealbench.report.render import console_of, print_document, to_markdown
from stealbench.report.write import read_runs
from stealbench.rounds import Plan, Simulation
from stealbench.schedule import FEWEST_ROUNDS, StopRule
from stealbench.suite import Suite

MOST_WORKERS = 4096  # That a simulation may have.
VARIED_COSTS = ("transfer=0.5", "transfer=2", "wake=0.5", "wake=2", "jitter=0", "jitter=2")
"""With which the greatest worker count is simulated too."""

NAME = "simulate"
SUMMARY = "Simulate schedulers with more workers than this machine has processors"

LEAST_SHARE = 0.0005
"""What is not written as 0.0 %."""
PHRASES = {
    "overhead": "overhead of the scheduler",
    "search": "search for tasks",
    "lines": "waiting for cache lines",
    "asleep": "sleep",
}
"""Of each share but work, for a sentence."""
Row = dict[str, Any]
TITLES = ("Simulated times", "Where the simulated time went", "Sensitivity of the simulation")


class Curve(NamedTuple):
    """One scheduler on one instance: rows of `Figures.table`, and more (see `curves_of`).

    `points` by ascending worker count, those that the first line reports: one worker may be
    simulated for the speedup alone. `varied`: the same with one cost of the profile multiplied.
    """

    instance: str
    scheduler: str
    points: list[Row]
    varied: list[Row]

    @property
    def finished(self) -> list[Row]:
        """Those of `points` that have."""
        return [row for row in self.points if row["failure"] is None]


def hot_lines(raw: RawFile, cell: str) -> list[tuple[str, float]]:
    """The cache lines that workers waited for, by the mean of the share over the seeds.

    The hottest first.
    """
    simulations = raw.simulations.get(cell, [])
    shares: dict[str, float] = {}
    for line in itertools.chain(*(simulation.get("lines") or [] for simulation in simulations)):
        shares[line["name"]] = shares.get(line["name"], 0) + line["share"] / len(simulations)
    return sorted(shares.items(), key=lambda line: (-line[1], line[0]))


def curves_of(figures: Figures) -> list[Curve]:
    """By instance and scheduler, in the order of the first line.

    Of each benchmark beside its figures: `shares`, by name; `lines`, see `hot_lines`; `moved` and
    `attempts`; of one with a `cost` multiplied by `factor`, the `ratio` to the unvaried one.
    """
    cells = figures.raw.cells
    unvaried = {cell: cell.replace(f"/vary:{cells[cell].varied}", "") for cell in cells}
    pairs = {cell: (cell, plain) for cell, plain in unvaried.items() if cell != plain}
    ratios = figures.ratios(
        {at: pair for at, pair in pairs.items() if figures.times.keys() >= {*pair}}
    )
    shares = shares_of(figures, *SHARES)
    moved, attempts = (figures.estimates(of)["median"] for of in ("tasks_moved", "steal_attempts"))
    rows = figures.table.reset_index().to_dict("records")
    for row in rows:
        cell = row["cell"]
        row["cost"], _, factor = row["varied"].partition("=")
        row |= {"factor": float(factor or 1), "ratio": estimate_at(ratios, cell)}
        row |= {"moved": moved.get(cell), "attempts": attempts.get(cell)}
        row["shares"] = shares.loc[cell].to_dict() if cell in shares.index else {}
        row["lines"] = hot_lines(figures.raw, cell)
    curves = []
    counts = figures.raw.header["about"]["workers"]
    for of in itertools.product(figures.instances, figures.schedulers):
        own = [row for row in rows if (row["instance"], row["scheduler"]) == of]
        points = [row for row in own if row["workers"] in counts and not row["varied"]]
        if points:
            points.sort(key=lambda row: int(row["workers"]))
            curves.append(Curve(*of, points, [row for row in own if row["varied"]]))
    return curves


def _greatest_speedup(curve: Curve, base: str) -> str:
    having = [row for row in curve.points if pandas.notna(row["speedup"])]
    if not having:
        missing = f"no speedup, because {base} did not finish."
        return missing if curve.finished else "nothing finished."
    best = max(having, key=lambda row: float(row["speedup"]))
    speedup = ratio_with_interval(estimate_in(best, "speedup"))
    return f"greatest speedup {speedup} with {counted(best['workers'], 'worker')}."


def _limit(curve: Curve, units: dict[str, str]) -> str:
    """What the workers do instead of work, with the greatest worker count that has finished."""
    if not curve.finished:
        return ""
    last = curve.finished[-1]
    shares, lines = last["shares"], last["lines"]
    largest = max(PHRASES, key=lambda share: float(shares[share]))
    text = (
        f" With {counted(last['workers'], 'worker')}, {percent(shares['work'])} of the workers'"
        f" time is work; the largest other part is {PHRASES[largest]} ({percent(shares[largest])})."
    )
    if lines and lines[0][1] >= LEAST_SHARE:
        text += f" The hottest cache line is: {lines[0][0]} ({percent(lines[0][1])})."
    if unit := next(filter(None, (units[row["cell"]] for row in curve.finished)), ""):
        text += f" The time of a unit of work is that of {unit}."
    return text


def _tables_of(figures: Figures, instance: str, curves: Sequence[Curve]) -> list[list[Table]]:
    """Times and speedups; where the time went; and with one cost varied, if one was."""

    def interval(header: str, text_of: Callable[[Row], str]) -> Defined:
        return name(with_interval_kind(header, figures.have_intervals), text_of)

    def hottest(place: int) -> Callable[[Row], str]:
        def text_of(row: Row) -> str:
            lines = [(line, share) for line, share in row["lines"] if share >= LEAST_SHARE]
            return (
                f"{lines[place][0]} {percent(lines[place][1])}" if place < len(lines) else MISSING
            )

        return text_of

    def share(of: str) -> Defined:
        return number(of, lambda row: percent(row["shares"][of]))

    def table(title: str, columns: Sequence[Defined], part: str = "points") -> list[Table]:
        rows = [row for curve in curves for row in getattr(curve, part)]
        keys = [key("scheduler"), number("workers", lambda row: str(row["workers"]))]
        failure_of = lambda row: row["failure"] and f"{DNF}: {row['failure']}"
        title = f"{instance}: {title}"
        made = tabulate(title, [*keys, *columns], rows, failure_of=failure_of, of_failed=2)
        return [made] if rows else []

    time = interval("time", lambda row: seconds_with_interval(estimate_in(row, "seconds")))
    speedup = interval("speedup", lambda row: ratio_with_interval(estimate_in(row, "speedup")))
    moved = number("moved", lambda row: count(row["moved"]))
    attempts = number("steal attempts", lambda row: count(row["attempts"]))
    of_lines = [name(at, hottest(place)) for place, at in enumerate(("first", "second", "third"))]
    cost = name("cost", lambda row: f"{row['cost']} × {row['factor']:g}")
    quotient = interval("ratio to unvaried", lambda row: ratio_with_interval(row["ratio"]))
    return [
        table("simulated time and speedup", [time, speedup, moved, attempts]),
        table("shares of the workers' simulated time", list(map(share, SHARES)))
        + table("hottest cache lines, simulated, and their shares", of_lines),
        table("simulated time with one cost varied", [cost, time, quotient], "varied"),
    ]


def _plot_of(figures: Figures, instance: str, curves: Sequence[Curve], base: str) -> Plot:
    most = figures.worker_counts[-1]
    plot = Plot(
        f"Simulated speedup of {instance}",
        Axis("workers", is_logarithmic=True),
        Axis(f"speedup over {base}", True, text_of=ratio),
        [],
        [ReferenceLine("ideal", [(1, 1), (most, most)])],
    )
    for curve in curves:
        points = [(row["workers"], estimate_in(row, "speedup")) for row in curve.points]
        add_curve(curve.scheduler, [(x, y) for x, y in points if y], plot)
    return plot


def _curve_sections(figures: Figures) -> list[Section]:
    curves, units = curves_of(figures), foreign_units(figures.raw)
    base = figures.raw.header["baseline"]
    base = "one worker" if base == OWN_BASELINE else base
    summary = Section("Simulated scaling", shown=Prominence.SUMMARY)
    say(summary, regret.choice_of(figures, figures.worker_counts[-1]), is_lead=True)
    for curve in curves:
        speedup, limit = _greatest_speedup(curve, base), _limit(curve, units)
        say(summary, f"{curve.instance} on {curve.scheduler}: {speedup}{limit}")
    of_tables = [Section(title, shown=Prominence.TABLES) for title in TITLES]
    plots = PlotGroup([])
    for instance in figures.instances:
        own = [curve for curve in curves if curve.instance == instance]
        for section, tables in zip(of_tables, _tables_of(figures, instance, own)):
            section.blocks += tables
        add_plot(_plot_of(figures, instance, own, base), plots)
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


def _whole(value: float | None) -> float | None:
    """Whole numbers as such; None for what is missing."""
    if value is None or pandas.isna(value):
        return None
    return int(value) if float(value).is_integer() else float(value)


def _point_values(raw: RawFile, row: Row) -> Row:
    has_failed, first = row["failure"] is not None, raw.simulations.get(row["cell"], [{}])[0]
    values = {
        "seconds": row["seconds"],
        "low": row["seconds_low"],
        "high": row["seconds_high"],
        "speedup": None if pandas.isna(row["speedup"]) else row["speedup"],
        "verified": first.get("verified"),
        "tasks_moved": _whole(row["moved"]),
        "steal_attempts": _whole(row["attempts"]),
        "shares": row["shares"],
        "lines": [{"name": line, "share": share} for line, share in row["lines"]],
    }
    reason = {"failure": row["failure"]} if has_failed else {}
    return {
        "workers": row["workers"],
        **(dict.fromkeys(values) if has_failed else values),
        **reason,
    }


def _sensitivity_values(row: Row) -> Row:
    entry = {"cost": row["cost"], "factor": _whole(row["factor"]), "workers": row["workers"]}
    entry["seconds"] = None if row["failure"] is not None else row["seconds"]
    entry["ratio"] = row["ratio"].median if row["ratio"] else None
    return entry | ({} if row["failure"] is None else {"failure": row["failure"]})


def values(raw: RawFile) -> list[dict[str, Any]]:
    """An object for each curve, for other programs."""
    figures, about = figures_of(raw), raw.header["about"]
    profile = about["profile"]
    objects = []
    for curve in curves_of(figures):
        first = raw.cells[curve.points[0]["cell"]]
        # The process knows the defaults of the parameters too.
        runs = [raw.simulations.get(row["cell"], [{}])[0] for row in curve.points]
        said = [run["parameters"] for run in runs if isinstance(run.get("parameters"), dict)]
        objects.append(
            {
                "workload": first.workload,
                "scheduler": curve.scheduler,
                "parameters": said[-1] if said else dict(first.parameters),
                "profile": profile["name"],
                **{of: profile[of] for of in ("processor", "date", "accuracy")},
                "changes": about.get("changes") or [],
                "seeds": raw.header["settings"]["seeds"],
                "simulated": True,
                "points": [_point_values(raw, row) for row in curve.points],
                "sensitivity": list(map(_sensitivity_values, curve.varied)),
                "regret": regret.values(figures, curve.scheduler),
            }
        )
    return objects


def _declare(settings: Settings) -> None:
    help = "workloads that are bound by computation, or all of them; see `stealbench list`"
    settings.add("WORKLOAD", default=[], type=items(), help=help)
    add_schedulers(settings, "all whose simulations are built")
    help = "simulate the in-house schedulers, and each with one setting changed at a time"
    settings.add("--ablation", default=False, help=help)
    add_workers(settings, [1, 2, 4, 8, 16, 32, 64], most=MOST_WORKERS)
    add_instances(settings)
    shown = f"{OWN_FILE} if it is in this folder, else {REFERENCE}"
    help = "costs of the simulated machine: the name of a profile, or a file"
    settings.add("--profile", default="", metavar="PROFILE", shown=shown, help=help)
    kind: dict[str, Any] = {"default": "", "type": duration, "metavar": "TIME"}
    kind["shown"] = "that of the profile"
    help = "time in which a cache line comes from another processor, such as 90ns"
    settings.add("--transfer", help=help, **kind)
    help = "time from a wake-up call until the sleeper runs, such as 11us"
    settings.add("--wake", help=help, **kind)
    help = "do not simulate the greatest worker count again with other costs"
    settings.add("--no-sensitivity", default=False, help=help)
    add, run = settings.parser.add_argument, "this run of `stealbench compare`"
    help = (
        f"compare the simulation in the output folder with {run}; replace the accuracy of --profile"
    )
    add("--check", default="", metavar="RUN", help=help)
    add("--markdown", action="store_true", help="with --check, print Markdown")


def _design(values: Namespace, suite: Suite) -> Design:
    built, contrasts = suite.installation, list[dict[str, str]]()
    if not values.WORKLOAD:
        valid = ", ".join(suite.simulated_names())
        raise BadInput(f"{NAME}: WORKLOAD is required; valid: {valid}, all")
    values.WORKLOAD = simulated_workloads(suite, values.WORKLOAD, "WORKLOAD")
    if values.ablation and not values.resume:
        if values.schedulers:
            raise BadInput("--ablation: it chooses the schedulers; valid: without --schedulers")
        built.expect_all_built(are_simulations=True)
        contrasts = contrasts_among(suite, built.built_simulations())
        values.schedulers = strategies_in(contrasts)
    values.schedulers = schedulers_named(suite, values.schedulers, is_simulated=True)
    instances = instances_named(suite, values.WORKLOAD, values)
    instances = instances[: 1 if len(values.WORKLOAD) == 1 else None]  # As `stealbench run` does.
    cells = every_cell(instances, [1, *values.workers], values.schedulers)  # 1 for the speedup.
    if not values.no_sensitivity:
        most = every_cell(instances, [max(values.workers)], values.schedulers)
        cells += [replace(cell, varied=cost) for cell in most for cost in VARIED_COSTS]
    if values.resume:  # With the profile in its raw file.
        return Design(cells)
    about = machine_of(suite, values.profile, transfer=values.transfer, wake=values.wake)
    for name in {*values.WORKLOAD} - {unit["workload"] for unit in about["profile"]["work"]}:
        lacks = f"--profile {about['profile']['name']}: it has no price of a unit of {name}"
        raise BadInput(f"{lacks}; valid: one that `stealbench calibrate` has written, with it")
    about |= {"workers": values.workers} | ({"ablation": contrasts} if contrasts else {})
    return Design(cells, about)


def _check(typed: Namespace, _: Suite) -> int | None:
    """`--check`: prints how far simulated times are from measured ones; starts no process."""
    chosen = {key for key, value in vars(typed).items() if value}
    if not chosen & {"check", "markdown"}:
        return None
    if "check" not in chosen or chosen - {"check", "output", "profile", "markdown", "arguments"}:
        raise BadInput("--check: valid: with RUN, --output, --profile FILE and --markdown alone")
    runs = []
    for name, option, where in (("compare", "check", typed.check), (NAME, "output", typed.output)):
        run = next((raw for raw in read_runs(Path(where)) if raw.experiment == name), None)
        if run is None:
            raise BadInput(f"--{option} {where}: valid: a run of `stealbench {name}`")
        runs.append(figures_of(run))
    validation = Validation(*runs)
    if "profile" in chosen:
        _write_accuracy(validation, Path(typed.profile))
    for doubt in validation.doubts():
        print(f"Warning: {on_one_line(doubt)}", file=sys.stderr)
    document = Document("", sections_of(validation))
    if typed.markdown:
        print(to_markdown(document), end="")
    else:
        print_document(document, console_of(sys.stdout))
    return 0


def _write_accuracy(validation: Validation, file: Path) -> None:
    """Leaves all else in the file as it is. Raises BadInput for a profile other than that of the
    simulation, whatever accuracy either states, and for one of another machine."""
    measured, used = validation.measured.raw, validation.simulated.raw.header["about"]["profile"]
    stored, processor = read_profile(file), text_at(context_of(measured), "processor")
    if stored | {"accuracy": None} != used | {"accuracy": None}:
        raise BadInput(f"--profile {file}: the simulation has other costs; valid: its profile")
    if not stored["processor"].startswith(processor):
        is_of = f"it is of {stored['processor']}, and {processor} was measured"
        raise BadInput(f"--profile {file}: {is_of}; valid: a profile of that machine")
    accuracy = validation.accuracy() | {"date": measured.header["date"][:10]}
    whole = json.loads(file.read_bytes()) | {"accuracy": accuracy}
    write_atomically(file, json.dumps(whole, ensure_ascii=False, indent=2) + "\n")


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("uts --set tree=T1 --schedulers work-stealing", "fib --workers 1,64 --wake 5us"),
    notes="The source of the scheduler and of the workload runs in simulated time. A profile says what"
    " a processor, a cache line and a wake-up cost; `stealbench calibrate` measures that of this"
    " machine. The greatest worker count is simulated again with other costs of a line transfer and a"
    " wake-up and other jitter, each alone. Of one workload the first preset of a size is simulated.",
    method="A benchmark is one scheduler, one workload with all its parameters and one worker count,"
    " simulated once with each seed. The same seed gives the same result.",
    plan=Plan(StopRule(rounds=FEWEST_ROUNDS), seed=1, simulation=Simulation()),
    json_help="print JSON, an object for each curve, and no report",
    instead=_check,
)
