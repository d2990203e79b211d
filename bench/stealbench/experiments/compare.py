"""`stealbench compare`: which scheduler is fastest on which workload, and by how much.

With --against, two builds in the same rounds: on which benchmarks is B slower than A?
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stealbench import choices
from stealbench.analysis import ablation, regret
from stealbench.analysis.tabulate import WORKERS, Text, key, name, number, tabulate, time_in, value
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.figures import Figures, figures_of
from stealbench.invocation import Target
from stealbench.measuring import Design, Experiment
from stealbench.options import Settings, items, percentage, place
from stealbench.rawfile import RawFile
from stealbench.report import diff, verdict
from stealbench.report.document import Block, Emphasis, Paragraph, Prominence, Section, Table
from stealbench.report.format import MISSING, bytes_, count, joined, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide, guide_text
from stealbench.report.parts import counter_of, headed, say, text_at, title_of
from stealbench.rounds import Plan
from stealbench.schedule import StopRule
from stealbench.statistics import Estimate
from stealbench.suite import Installation, Suite

MOST_NOT_BUILT = 4
DOUBTFUL_PART = 0.1
"""Of the benchmarks: if so many waited for a processor, nothing is concluded."""


def sections(raw: RawFile) -> list[Section]:
    """The verdict, ranks and plots, and the table of each instance; or two builds."""
    if has_builds(raw):
        return _sections_of_builds(raw)
    figures = figures_of(raw)
    # An ablation has many strategies, of which each is compared with one alone.
    parts = ablation.sections_of_one(figures) or [
        _ranks(figures),
        *verdict.plot_sections(figures),
        _more_values(figures),
    ]
    return [_verdict(figures), *parts, _all_values(figures)]


def values(raw: RawFile) -> list[dict[str, Any]]:
    """An object for each scheduler, with its regret; none of two builds."""
    figures = figures_of(raw)
    common = {"simulated": False, "rounds": figures.fewest_rounds}
    return [
        {"scheduler": scheduler, **common, "regret": regret.values(figures, scheduler)}
        for scheduler in ([] if has_builds(raw) else figures.schedulers)
    ]


def _verdict(figures: Figures) -> Section:
    section, cells = Section("Verdict", shown=Prominence.SUMMARY), figures.cells
    is_doubtful = cells["is_disturbed"].mean() >= DOUBTFUL_PART
    doubt = "Not certain, since benchmarks waited for processors. " if is_doubtful else ""
    say(section, doubt + verdict.verdict_of(figures), is_lead=True)
    say(section, verdict.waited_in(figures, cells), is_lead=True)
    failed = [title_of(figures, str(cell)) for cell in cells.index[cells["failure"].notna()]]
    say(section, f"Did not finish: {joined(failed)}." if failed else "")
    return section


def _ranks(figures: Figures) -> Section:
    section = Section("Ranks", [verdict.rank_table(figures)], Prominence.SUMMARY)
    if missing := figures.raw.header["about"].get("not_built"):
        names = joined(missing["schedulers"], MOST_NOT_BUILT)
        command = text_at(missing, "command")
        say(section, f"Not built, so not compared: {names}. The command that adds them: {command}")
    say(section, "" if figures.have_intervals else guide_text("Ranks below six rounds"))
    return section


def _more_values(figures: Figures) -> Section:
    """What a benchmark costs beside its time: a table of each value."""
    section, cells = guide("More values", Prominence.DETAIL), figures.cells

    def counter(
        counted: str, in_words: Any = lambda value: seconds(1e-9 * value)
    ) -> dict[Any, str]:
        numbers = {cell: counter_of(figures, cell, counted) for cell in figures.times}
        return {cell: in_words(number) for cell, number in numbers.items() if number is not None}

    times = figures.estimates("cpu_seconds").itertuples()
    peaks = figures.rounds.reindex(columns=["cell", "peak_rss_bytes"]).groupby("cell").max()
    firsts = figures.estimates("first_run_seconds")["median"] / cells["seconds"]
    tables: dict[str, dict[Any, str]] = {
        "Processor time per run": {of: seconds_with_interval(Estimate(*row)) for of, *row in times},
        "Peak resident set of the process": peaks["peak_rss_bytes"].map(bytes_).to_dict(),
        "Most live jobs at one time": counter("most_live_jobs", count),
        "First run over the steady state": firsts.map(ratio).to_dict(),
        # Of a search over several processes.
        "Steal, from the request to the tasks": counter("steal_ns"),
        "Split of a bag": counter("split_ns"),
        "Merge of tasks that have come": counter("merge_ns"),
        "Termination": counter("termination_ns"),
    }
    for title, texts in tables.items():
        if set(texts.values()) - {MISSING}:
            text_of = lambda cell, texts=texts: texts.get(cell, MISSING)
            section.blocks.append(verdict.table_over_instances(figures, title, text_of))
    return section


def _all_values(figures: Figures) -> Section:
    section = Section("All values", shown=Prominence.TABLES)
    for part in regret.sections_of_one(figures):
        section.blocks += part.blocks
    section.blocks += [_table_of(figures, instance) for instance in figures.instances]
    say(section, verdict.WAITED_MEANS if figures.cells["is_disturbed"].any() else "")
    say(section, "The last section of the report and of compare.md explains the columns.")
    return section


def _table_of(figures: Figures, instance: str) -> Table:
    """A row for each worker count and scheduler. A benchmark that failed is a row."""
    cells = figures.comparable(instance=instance, varied="").index
    rows = figures.table.loc[cells].reset_index().to_dict("records")
    place = {scheduler: at for at, scheduler in enumerate(verdict.order_of(figures))}
    rows.sort(key=lambda row: (row["workers"], place[row["scheduler"]]))

    def rank(row: dict[str, Any]) -> Text:
        text = count(row["rank"])
        return (text, Emphasis.BEST) if row["rank"] == 1 else text

    columns = [
        key("scheduler"),
        WORKERS,
        name(headed("median time", figures), time_in),
        number("rank", rank),
        value("speedup", ratio),
        value("overhead", ratio),
        value("per fork", seconds, "seconds_per_fork"),
        number("steals", lambda row: count(counter_of(figures, row["cell"], "steals"))),
    ]
    return tabulate(instance, columns, rows, keys=2)


def has_builds(raw: RawFile) -> bool:
    """Whether its benchmarks are of two builds, A and B."""
    return any(cell.build for cell in raw.cells.values())


def difference_in(raw: RawFile) -> diff.Difference:
    """B against A, with the threshold that the run was given."""
    a, b = (figures_of(diff.of_build(raw, build)) for build in "AB")
    return diff.difference_between(a, b, raw.header["settings"]["threshold"] / 100, True)


def has_failed(raw: RawFile) -> bool:
    """Whether a benchmark did not finish or, of two builds, one of B is shown to be slower."""
    if not has_builds(raw):
        return bool(raw.failures)
    difference = difference_in(raw)
    return difference.is_worse or any(row["why"] for row in difference.rows)


def _sections_of_builds(raw: RawFile) -> list[Section]:
    """The verdict, what differs, where the builds are, and every benchmark."""
    difference, builds = difference_in(raw), raw.header["about"]["builds"]
    where = Paragraph(", ".join(f"{build}: {text_at(builds, build)}" for build in "AB") + ".")
    every = diff.table_of(difference, "Every benchmark", is_whole=True)
    values: list[Block] = [every, Paragraph(guide_text("Builds"))]
    verdict_and_changes = [*diff.blocks_of(difference, "B against A"), where]
    return [
        Section("Verdict", verdict_and_changes, Prominence.SUMMARY),
        Section("All values", values, Prominence.TABLES),
    ]


def _declare(settings: Settings) -> None:
    choices.add_workloads(settings)
    choices.add_schedulers(settings, "those of the first table that are built")
    help = (
        "compare serial, the in-house schedulers, and each with one setting changed at a time; adds"
        " tables of times relative to what a variant differs from in one factor"
    )
    settings.add("--ablation", default=False, help=help)
    help = (
        "leave out these workloads and schedulers, a scheduler with all its settings unless it is"
        " named with some"
    )
    settings.add("--exclude", default=[], type=items(), metavar="NAME,...", help=help)
    kind: dict[str, Any] = {"default": "", "type": lambda text: str(place(text))}
    help = (
        "measure another build in the same rounds, such as build/compare of another commit, compiler"
        " or flag, and report on which benchmarks this one (B) is slower than it (A)"
    )
    settings.add("--against", metavar="BUILD", help=help, **kind)
    help = "of --against, the smallest difference of a median time that counts [%]"
    settings.add("--threshold", default=3.0, type=percentage, metavar="N", help=help)
    shown = "1, 2, 4, ... and the numbers of cores and of processors"
    choices.add_workers(settings, choices.usual_worker_counts(), shown)
    choices.add_instances(settings)
    choices.add_pin(settings)


def _design(values: Namespace, suite: Suite) -> Design:
    built, about = suite.installation, dict[str, Any]()
    workloads = choices.workloads_named(values.workloads, "--workloads", suite.workload_names)
    values.exclude = [_excluded(suite, name) for name in values.exclude]

    def is_kept(*names: str) -> bool:
        # One that is named with settings is that alone.
        parts = {part for name in names for part in (name, name.partition(":")[0])}
        return not parts.intersection(values.exclude)

    schedulers, compared = values.schedulers, built.build.compared
    if values.ablation:
        if values.schedulers:
            raise BadInput("--ablation: it chooses the schedulers", "without --schedulers")
        built.expect_all_built(are_simulations=False)
        bases = [name for name in built.build.simulated if built.is_built(name) and is_kept(name)]
        contrasts = choices.contrasts_among(suite, bases)
        contrasts = [one for one in contrasts if is_kept(one["variant"], one["against"])]
        schedulers = ["serial", *choices.strategies_in(contrasts)]
        about["ablation"] = contrasts
    elif not schedulers:
        schedulers = [name for name in compared if built.is_built(name)]
        if absent := [name for name in compared if name not in schedulers and is_kept(name)]:
            command = built.build.build_command(absent, "comparison")
            about["not_built"] = {"schedulers": absent, "command": command}
    schedulers = choices.schedulers_named(suite, schedulers)
    values.workloads = [name for name in workloads if is_kept(name)]
    values.schedulers = [name for name in schedulers if is_kept(name)]
    if not values.workloads or not values.schedulers:
        excluded = f"--exclude {','.join(values.exclude)}: leaves nothing to compare"
        raise BadInput(excluded, "some of what is chosen")
    instances = choices.instances_named(suite, values.workloads, values)
    cells = choices.every_cell(instances, values.workers, values.schedulers)
    if values.against:
        about["builds"] = {"A": values.against, "B": str(built.folder)}
        _expect_common(suite, _other_build(values), values.schedulers)
        cells = [replace(cell, build=build) for cell in cells for build in "AB"]
    return Design(cells, about)


def _excluded(suite: Suite, name: str) -> str:
    """The canonical name. Raises BadInput if there is no such workload or scheduler."""
    scheduler, colon, _ = name.partition(":")
    valid = [*suite.workload_names, *suite.installation.known()]
    if scheduler not in valid:
        raise BadInput(f"--exclude {name}: no such workload or scheduler", valid)
    # What is not built need not be left out, and without settings it would be all variants.
    canonical = suite.installation.choose(name)[0] if colon else name
    return name if canonical == scheduler else canonical


def _other_build(values: Namespace) -> Installation:
    build = Installation(Path(values.against).absolute())
    if not build.built():
        problem = f"--against '{values.against}': it has no executable stealbench-NAME"
        raise BadInput(problem, "a folder of executables, such as build/compare of another commit")
    return build


def _expect_common(suite: Suite, other: Installation, schedulers: Sequence[str]) -> None:
    common = [name for name in suite.installation.built() if other.is_built(name)]
    for name in schedulers:
        if (scheduler := name.partition(":")[0]) not in common:
            valid = common or "two builds of one scheduler"
            raise BadInput(f"scheduler {scheduler} is not in both builds", valid)
        if other.choose(name)[0] != name:
            problem = f"scheduler {name}: the defaults differ"
            raise BadInput(problem, "no setting that is a default of one")


def _target_of(cell: Cell, values: Namespace, suite: Suite) -> Target:
    built = _other_build(values) if cell.build == "A" else suite.installation
    return Target(cell, built.choose(cell.scheduler)[1], is_pinned=values.pin)


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("--workloads fib,uts --workers 1,2 --schedulers all", "--against ../main/build/compare"),
    status="0 if every benchmark finished and none is shown to be slower than with --against, 1 if"
    " one failed or is",
    plan=Plan(StopRule(budget_s=90), counts=True),
    json_help="print JSON, an object for each scheduler with its regret, and no report",
    target_of=_target_of,
    has_failed=has_failed,
)
