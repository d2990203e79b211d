"""The command of an experiment: its options, the raw file, --resume, rounds of processes, the report.
It is the same for all; what one measures is an `Experiment`."""

from __future__ import annotations

import argparse
import json
import random
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

from stealbench import invocation, rawfile
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.experiments import NAMES
from stealbench.host import check_host, wait_until_calm
from stealbench.invocation import Run, Target
from stealbench.journal import Earlier, Journal, now
from stealbench.options import Settings, end_of_help, number, percentage, place
from stealbench.process import Runner
from stealbench.progress import Progress, say
from stealbench.ranks import Member, expect_same_share, has_more_to_do, this_member
from stealbench.rawfile import RawFile
from stealbench.rounds import Plan, measure
from stealbench.schedule import MOST_ROUNDS, StopRule
from stealbench.suite import RECORDER, Suite

_A_DAY_S = 86_400


@dataclass
class Design:
    """What is to be measured, and what the report needs beyond it."""

    cells: list[Cell] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Search:
    """What finds cells, or records, before the first round. `values` are the options."""

    suite: Suite
    values: Namespace
    plan: Plan
    target_of: Callable[[Cell], Target]
    runner: Runner
    progress: Progress

    def begin(self, stage: str, done: float = 0) -> None:
        """A line of progress; `done`: the part of all that is."""
        self.progress.stage(f"{stage}, {100 * done:.0f} % done" if done else stage)

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
    design: Callable[[Namespace, Suite], Design]
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
    target_of: Callable[[Cell, Namespace, Suite], Target] | None = None
    has_failed: Callable[[RawFile], bool] = lambda raw: bool(raw.failures)


def declare(name: str, experiment: Experiment, parser: argparse.ArgumentParser) -> Settings:
    """Its options."""
    settings, add = Settings(parser), parser.add_argument
    experiment.declare(settings)
    if experiment.json_help:
        add("--json", action="store_true", help=experiment.json_help)
    _declare_rounds(settings, experiment.plan)
    kind: dict[str, Any] = {"metavar": "N", "type": number(1, _A_DAY_S)}
    settings.add("--timeout", default=120, help="time limit of one process [s]", **kind)
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

    def kind(least: int, most: int) -> dict[str, Any]:
        return {"metavar": "N", "type": number(least, most)}

    if plan.simulated != "none":
        help = "simulate N benchmarks side by side (default: one on each processor of a rank)"
        add("--jobs", help=help, **kind(1, 4096))
    if plan.simulated == "all":
        help = "simulate every benchmark with the seeds 1 to N"
        settings.add("--seeds", default=until.rounds, help=help, **kind(1, MOST_ROUNDS))
        return
    help = "measure every benchmark N times, or simulate it with the seeds 1 to N"
    if plan.simulated == "none":
        help = f"time budget [s]; {FEWEST_ROUNDS} rounds run in any case, and a new one only if half fits"
        settings.add("--budget", default=until.budget_s, help=help, **kind(1, _A_DAY_S))
        help = "precision [%]: stop once every median's 95 % confidence interval is within ± N %"
        target: dict[str, Any] = {"default": until.target_percent, "type": percentage}
        settings.add("--target", metavar="N", help=help, **target)
        help = "measure every benchmark N times; overrides --budget and --target"
    settings.add("--rounds", default=until.rounds, help=help, **kind(1, MOST_ROUNDS))
    help = "before the first measurement, wait up to N seconds until other programs stop"
    add("--calm", default=0, help=help, **kind(0, _A_DAY_S))
    help = "seed of the random order of the benchmarks"
    settings.add("--seed", default=None, shown="random", help=help, **kind(0, 2**64 - 1))


def run(
    name: str, experiment: Experiment, settings: Settings, typed: Namespace, suite: Suite
) -> int:
    """Measures and reports; the exit status. Raises BadInput before it has measured anything,
    Interrupted, and OSError."""
    command = _Command(name, experiment, settings, typed, suite, this_member())
    return command.resume() if typed.resume else command.begin()


@dataclass(frozen=True)
class _Command:
    name: str
    experiment: Experiment
    settings: Settings
    typed: Namespace
    suite: Suite
    member: Member

    @property
    def is_shared(self) -> bool:
        """What is measured is measured by every rank, whose machines are different ones."""
        return not self.member.is_alone and self.experiment.plan.simulated == "all"

    def begin(self) -> int:
        experiment, values = self.experiment, self.settings.values(self.typed)
        if getattr(values, "seed", 0) is None:
            values.seed = random.SystemRandom().getrandbits(64)
        design, more = experiment.design(values, self.suite), dict[str, Any]()
        if self.is_shared:
            rank, ranks, _ = self.member
            more["share"] = {"rank": rank, "ranks": ranks, "benchmarks": len(design.cells)}
            design.cells = self.member.share_of(design.cells)
            if not design.cells:
                return 0
        with self._journal("replace" if self.typed.overwrite else "keep") as journal:
            plan, target_of = self._plan(values), self._target_of(values)
            if experiment.search is not None:
                with Runner() as runner, Progress() as progress:
                    search = Search(self.suite, values, plan, target_of, runner, progress)
                    experiment.search(search, design)
            if not experiment.is_metric:
                names = {cell.workload for cell in design.cells}  # Of claims some are metrics.
                own = (workload for workload in self.suite.workloads if workload.name in names)
                more["families"] = {workload.name: workload.family for workload in own}
            more["command"] = " ".join(["stealbench", *self.typed.arguments])
            more |= {"settings": self.settings.record(values), "about": design.about}
            journal.begin(design.cells, self._checks(design.cells, values), **more)
            return self._measure(journal, plan, target_of)

    def resume(self) -> int:
        file = self.member.folder(self.typed.output) / f"{self.name}.jsonl"
        if not self.member.is_alone and not has_more_to_do(file, self.member):
            return 0
        with self._journal("resume") as journal:
            if self.is_shared:
                expect_same_share(journal.raw, self.member)
            values = self.settings.values(self.typed, journal.raw.header["settings"])
            if self.settings.are_in(self.typed):
                self.experiment.design(values, self.suite)  # It replaces names by canonical ones.
            journal.expect_same(self.settings.record(values))
            checks = self._checks([*journal.raw.cells.values()], values)
            journal.add({"type": "resumed", "date": now(), "host_checks": checks})
            return self._measure(journal, self._plan(values), self._target_of(values))

    @contextmanager
    def _journal(self, earlier: Earlier) -> Iterator[Journal]:
        """Of the output folder; and waits until the machine is calm."""
        folder = self.member.folder(self.typed.output)
        with Journal(folder, self.name, earlier) as journal:
            for file in (folder / f"{name}.jsonl" for name in NAMES if name != self.name):
                if file.exists():
                    rawfile.read(file)  # The report has it too: if it is damaged, say so now.
            if calm_s := getattr(self.typed, "calm", 0):
                wait_until_calm(calm_s, say)
            yield journal

    def _plan(self, values: Namespace) -> Plan:
        """The plan with what the user has set."""
        plan, given = self.experiment.plan, vars(values)
        rounds = given.get("seeds") or given.get("rounds") or 0
        target = given.get("target", plan.until.target_percent)
        until = StopRule(rounds, target, given.get("budget", plan.until.budget_s))
        jobs = given.get("jobs") or self.member.jobs(self.suite.processors)
        commit, timeout_s = self.suite.installation.build.commit, values.timeout
        more: dict[str, Any] = {"timeout_s": timeout_s, "jobs": jobs, "commit": commit}
        return replace(plan, until=until, seed=given.get("seed", 1), **more)

    def _target_of(self, values: Namespace) -> Callable[[Cell], Target]:
        experiment, built = self.experiment, self.suite.installation

        def target_of(cell: Cell) -> Target:
            if experiment.target_of is not None:
                return experiment.target_of(cell, values, self.suite)
            choose = built.choose_simulated if experiment.plan.simulates(cell) else built.choose
            is_pinned = getattr(values, "pin", False)
            return Target(cell, choose(cell.scheduler)[1], experiment.is_metric, is_pinned)

        return target_of

    def _checks(self, cells: Sequence[Cell], values: Namespace) -> list[dict[str, str]]:
        timed = [cell for cell in cells if not self.experiment.plan.simulates(cell)]
        return check_host(timed, getattr(values, "pin", False))

    def _measure(self, journal: Journal, plan: Plan, target_of: Callable[[Cell], Target]) -> int:
        program, output = shlex.quote(self.suite.program), shlex.quote(str(self.typed.output))
        measure(plan, target_of, journal, f"{program} {self.name} --resume --output {output}")
        if "share" not in journal.raw.header:
            return _report(journal, self)
        if self.member.rank == 0:
            say("When all ranks have ended, run")
            say(f"  {program} report {output}/rank-* --output {output}")
        return 0  # mpirun ends all ranks when one fails; the whole says which benchmarks did.


def _report(journal: Journal, command: _Command) -> int:
    from stealbench.experiments import experiment
    from stealbench.report.write import write_report

    raw, folder, is_json = journal.raw, journal.file.parent, getattr(command.typed, "json", False)
    is_quiet = is_json or not command.member.is_alone
    try:
        if is_json:
            for value in experiment(command.name).values(raw):
                print(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
            sys.stdout.flush()
        write_report(folder, folder, out=StringIO() if is_quiet else sys.stdout)
    except BaseException:
        program = shlex.quote(command.suite.program)
        how = f"To write the report, run\n  {program} report {shlex.quote(str(folder))}"
        lost = f"{journal.file} was moved, deleted or replaced by another program."
        say(f"All measurements are saved. {how}" if journal.is_saved() else lost)
        raise
    if raw.failures:
        sys.stdout.flush()
        say(f"stealbench: {len(raw.failures)} of {len(raw.cells)} benchmarks did not finish")
    return int(command.member.is_alone and command.experiment.has_failed(raw))
