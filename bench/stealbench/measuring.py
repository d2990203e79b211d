"""The command of an experiment: its options, the raw file, --resume, rounds of processes, the report.
It is the same for all; what one measures is an `Experiment`."""

from __future__ import annotations

import argparse
import json
import random
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

from stealbench import invocation, rawfile
from stealbench.catalogue import RECORDER
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.errors import BadInput
from stealbench.experiments import NAMES
from stealbench.host import check_host, wait_until_calm
from stealbench.invocation import Run, Target
from stealbench.journal import Earlier, Journal
from stealbench.options import Settings, end_of_help, number, percentage, place
from stealbench.process import Runner
from stealbench.progress import Progress, say
from stealbench.ranks import Member, expect_same_share, has_more_to_do, this_member
from stealbench.rawfile import RawFile
from stealbench.rounds import Plan, Simulation, measure
from stealbench.schedule import MOST_ROUNDS, Outlook, StopRule
from stealbench.suite import Suite

_A_DAY_S = 86_400
_SECONDS = number(1, _A_DAY_S)
_MOST_JOBS = 4096


@dataclass
class Design:
    """What is to be measured, and what the report needs beyond it."""

    cells: list[Cell] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Search:
    """What finds cells, or records, before the first round. `values` are the options."""

    suite: Suite
    values: argparse.Namespace
    plan: Plan
    target_of: Callable[[Cell], Target]
    runner: Runner
    progress: Progress

    def begin(self, stage: str, done: float = 0) -> None:
        """A line of progress; `done`: the part of all that is."""
        self.progress.begin_stage(stage, Outlook(done))

    def timed(self, cell: Cell, is_metric: bool = False) -> Run:
        """One process that is timed."""
        target = self.target_of(cell)
        target = replace(target, is_metric=is_metric or target.is_metric)
        return invocation.run_timed(target, self.plan.timeout_s, self.runner, self.plan.sample_ms)

    def recorded(self, cell: Cell, mode: Sequence[str]) -> dict[str, Any]:
        """What one process records of work and span. Raises RuntimeError if it fails."""
        own = replace(cell, scheduler=RECORDER, workers=1)
        target = Target(own, self.suite.installation.recorder())
        run = invocation.run_once(target, mode, self.plan.timeout_s, self.runner)
        if run.failure or run.entry is None:
            raise RuntimeError(f"recording work and span of {cell.instance}: {run.failure}")
        return run.entry


@dataclass(frozen=True)
class Experiment:
    """What an experiment measures. `design` checks the options, replaces defaults by their values,
    such as the names of all schedulers, and starts no process that measures; it raises BadInput."""

    declare: Callable[[Settings], None]
    design: Callable[[argparse.Namespace, Suite], Design]
    examples: tuple[str, str]  # Arguments.
    notes: str = ""
    method: str = (
        "A benchmark is one scheduler, one workload with all its parameters and one worker count. A"
        " round runs every benchmark once, in random order, each in its own process."
    )
    status: str = "0 if every benchmark finished, 1 if one failed"
    plan: Plan = Plan()
    json_help: str = ""  # Of --json, which prints the experiment's values; empty: no such option.
    is_metric: bool = False  # Whether it measures costs of operations, and no workloads.
    search: Callable[[Search, Design], None] | None = None
    target_of: Callable[[Cell, argparse.Namespace, Suite], Target] | None = None
    has_failed: Callable[[RawFile], bool] = lambda raw: bool(raw.failures)
    # What the command does instead of measuring, where the options say so: its status, or None.
    instead: Callable[[argparse.Namespace, Suite], int | None] = lambda typed, suite: None


def declare(name: str, experiment: Experiment, parser: argparse.ArgumentParser) -> Settings:
    """Its options."""
    settings, add = Settings(parser), parser.add_argument
    experiment.declare(settings)
    if experiment.json_help:
        add("--json", action="store_true", help=experiment.json_help)
    _declare_rounds(settings, experiment.plan)
    help = "time limit of one process [s]"
    settings.add("--timeout", default=120, metavar="N", type=_SECONDS, help=help)
    help = f"folder for {name}.jsonl and the report (default: stealbench-results)"
    add("--output", type=place, default=Path("stealbench-results"), metavar="FOLDER", help=help)
    earlier = parser.add_mutually_exclusive_group()
    help = "continue the interrupted experiment in the output folder, with its settings"
    earlier.add_argument("--resume", action="store_true", help=help)
    help = "replace this experiment's file in the output folder, also an unfinished one"
    earlier.add_argument("--overwrite", action="store_true", help=help)
    notes = (
        f"{experiment.notes}\n\n{experiment.method} The result of every process is saved at once:"
        " --resume continues after an interruption."
    )
    status = f"{experiment.status} or a file could not be written"
    parser.epilog = end_of_help(notes, status, name, experiment.examples)
    return settings


def _declare_rounds(settings: Settings, plan: Plan) -> None:
    until, add = plan.until, settings.parser.add_argument
    rounds: dict[str, Any] = {"metavar": "N", "type": number(1, MOST_ROUNDS)}
    rounds["default"] = until.rounds
    if plan.simulation is not None:
        help = "simulate N benchmarks side by side (default: one on each processor of a rank)"
        add("--jobs", type=number(1, _MOST_JOBS), metavar="N", help=help)
    if plan.simulates_all:
        help = "simulate every benchmark with the seeds 1 to N"
        settings.add("--seeds", help=help, **rounds)
        return
    help = "measure every benchmark N times, or simulate it with the seeds 1 to N"
    if plan.simulation is None:
        help = (
            f"time budget [s]; {FEWEST_ROUNDS} rounds run in any case, since fewer tell nothing"
            " apart, and then a new one starts only if at least half of it fits"
        )
        settings.add("--budget", default=until.budget_s, type=_SECONDS, metavar="N", help=help)
        target: dict[str, Any] = {"default": until.target_percent, "type": percentage}
        help = (
            "precision [%]: stop once every median's 95 % confidence interval is within ± N %, or"
            " the budget is spent"
        )
        settings.add("--target", metavar="N", help=help, **target)
        help = "measure every benchmark N times; overrides --budget and --target"
    settings.add("--rounds", help=help, **rounds)
    help = "before the first measurement, wait up to N seconds until other programs stop"
    add("--calm", type=number(0, _A_DAY_S), default=0, metavar="N", help=help)
    seeds: dict[str, Any] = {"metavar": "N", "type": number(0, 2**64 - 1)}
    help = "seed of the random order of the benchmarks"
    settings.add("--seed", default=None, shown="random", help=help, **seeds)


def _plan_of(plan: Plan, values: argparse.Namespace) -> Plan:
    """The plan with what the user has set."""
    given, until = vars(values), plan.until
    rounds = given.get("seeds") or given.get("rounds") or 0
    target, budget = (
        given.get("target", until.target_percent),
        given.get("budget", until.budget_s),
    )
    seed = 1 if given.get("seed") is None else given["seed"]
    until = StopRule(rounds, target, budget)
    return replace(plan, until=until, seed=seed, timeout_s=values.timeout)


def run(
    name: str,
    experiment: Experiment,
    settings: Settings,
    typed: argparse.Namespace,
    suite: Suite,
) -> int:
    """Measures and reports; the exit status. Raises BadInput before it has measured anything,
    Interrupted, and OSError."""
    if (status := experiment.instead(typed, suite)) is not None:
        return status
    member = this_member()
    folder = member.folder(typed.output)
    # What is measured is measured by every rank, whose machines are different ones.
    is_shared = not member.is_alone and experiment.plan.simulates_all
    design, values, every = Design(), argparse.Namespace(), 0
    if not typed.resume:
        values = settings.values(typed, None)
        if getattr(values, "seed", 0) is None:
            values.seed = random.SystemRandom().getrandbits(64)
        design = experiment.design(values, suite)
        every = len(design.cells)
        if is_shared:
            design.cells = member.share_of(design.cells)
            if not design.cells:
                return 0
    elif not member.is_alone and not has_more_to_do(folder / f"{name}.jsonl", member):
        return 0

    def target_of(cell: Cell) -> Target:
        if experiment.target_of is not None:
            return experiment.target_of(cell, values, suite)
        built, is_pinned = suite.installation, getattr(values, "pin", False)
        choose = built.choose_simulated if experiment.plan.simulates(cell) else built.choose
        return Target(cell, choose(cell.scheduler)[1], experiment.is_metric, is_pinned)

    earlier: Earlier = "resume" if typed.resume else "replace" if typed.overwrite else "keep"
    with Journal(folder, name, earlier) as journal:
        for file in (journal.file.with_name(f"{other}.jsonl") for other in NAMES):
            if file != journal.file and file.exists():
                rawfile.read(file)  # The report has it too: if it is damaged, say so now.
        if calm_s := getattr(typed, "calm", 0):
            wait_until_calm(calm_s, say)
        if typed.resume:
            if is_shared:
                expect_same_share(journal.raw, member)
            values = settings.values(typed, journal.raw.header["settings"])
            if settings.are_in(typed):
                experiment.design(values, suite)  # It replaces names by canonical ones.
            journal.expect_same(settings.record(values))
        plan = _plan_of(experiment.plan, values)
        if experiment.search is not None and not typed.resume:
            with Runner() as runner, Progress() as progress:
                experiment.search(Search(suite, values, plan, target_of, runner, progress), design)
        cells = list(journal.raw.cells.values()) if typed.resume else design.cells
        timed = [cell for cell in cells if not plan.simulates(cell)]
        plan = replace(plan, host_checks=check_host(timed, getattr(values, "pin", False)))
        if typed.resume:
            journal.go_on(plan.host_checks)
        else:
            more = {} if experiment.is_metric else {"families": _families(suite, cells)}
            more |= {"share": member.to_json(every)} if is_shared else {}
            record, checks = settings.record(values), plan.host_checks
            journal.begin(typed.arguments, record, design.about, cells, checks, **more)
        return _measure(journal, plan, target_of, experiment, member, typed, suite)


def _measure(
    journal: Journal,
    plan: Plan,
    target_of: Callable[[Cell], Target],
    experiment: Experiment,
    member: Member,
    typed: argparse.Namespace,
    suite: Suite,
) -> int:
    if plan.simulation is not None:
        about, context = journal.raw.header["about"], {"commit": suite.installation.build.commit}
        jobs, machines = typed.jobs or member.jobs(suite.processors), about.get("machines", {})
        simulation = Simulation(about.get("profile"), context, jobs, machines)
        plan = replace(plan, simulation=simulation)
    program, output = shlex.quote(suite.program), shlex.quote(str(typed.output))
    command = f"{program} {journal.file.stem} --resume --output {output}"
    measure(plan, target_of, journal, command)
    if "share" not in journal.raw.header:
        return _report(journal, experiment, member, typed, program)
    if member.rank == 0:
        say("When all ranks have ended, run")
        say(f"  {program} report {output}/rank-* --output {output}")
    return 0  # mpirun ends all ranks when one fails; the whole says which benchmarks did.


def _families(suite: Suite, cells: Sequence[Cell]) -> dict[str, Any]:
    names = {cell.workload for cell in cells}
    return {own.name: own.family for own in suite.workloads if own.name in names}


def _report(
    journal: Journal,
    experiment: Experiment,
    member: Member,
    typed: argparse.Namespace,
    program: str,
) -> int:
    from stealbench.experiments import experiment as experiment_named
    from stealbench.report.write import write_report

    raw, folder, is_json = journal.raw, journal.file.parent, getattr(typed, "json", False)
    try:
        if is_json:
            for value in experiment_named(journal.file.stem).values(raw):
                print(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
            sys.stdout.flush()
        write_report(folder, folder, out=StringIO() if is_json or member.ranks > 1 else sys.stdout)
    except BaseException:
        how = f"To write the report, run\n  {program} report {shlex.quote(str(folder))}"
        lost = f"{journal.file} was moved, deleted or replaced by another program."
        say(f"All measurements are saved. {how}" if journal.is_saved() else lost)
        raise
    if raw.failures:
        sys.stdout.flush()
        say(f"stealbench: {len(raw.failures)} of {len(raw.cells)} benchmarks did not finish")
    return int(member.is_alone and experiment.has_failed(raw))
