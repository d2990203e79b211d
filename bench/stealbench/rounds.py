"""The measurement itself: rounds over all cells, one process for each, and their counters."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from stealbench import host, invocation
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.errors import BadInput
from stealbench.invocation import Run, Target
from stealbench.journal import OVERWRITE, Journal, encoded
from stealbench.machine import Machine, ticks
from stealbench.process import CannotStart, Interrupted, Runner
from stealbench.progress import Progress, say
from stealbench.rawfile import values_of
from stealbench.report.format import counted
from stealbench.schedule import StopRule, is_enough, left_to_count, order_of_round

# Values of two builds, machines or environments do not belong in one table.
_ORIGIN = "commit compiler build_type flags processor kernel environment".split()
# What names the machine or a place on it, and how the distribution built Google Benchmark.
_NOT_KEPT = ("host_name", "executable", "library_build_type", "scheduler_library")


@dataclass(frozen=True)
class Plan:
    """How the cells of an experiment are measured."""

    until: StopRule = StopRule()
    timeout_s: float = 120  # Of one process.
    seed: int = 0  # Of the order of each round.
    counts: bool = False  # Whether one more run of each cell counts its events.
    sample_ms: int = invocation.SAMPLE_MS
    simulated: Literal[
        "none", "all", "with a machine"
    ] = "none"  # Cells; a round's seed: its number.
    jobs: int = 1  # Simulations side by side.
    commit: str = ""  # What is recorded of them.

    def simulates(self, cell: Cell) -> bool:
        return self.simulated == "all" or cell.machine != ""

    @property
    def extent(self) -> str:
        """How often each benchmark runs."""
        until = self.until
        if until.rounds:
            rounds = counted(until.rounds, "seed" if self.simulated == "all" else "round")
        else:
            rounds = f"{FEWEST_ROUNDS} rounds, then more until every median is within ± "
            rounds += f"{until.target_percent:g} % or {until.budget_s:g} s are spent"
        return rounds if self.simulated == "all" else f"{rounds}, seed {self.seed}"


def measure(
    plan: Plan, target_of: Callable[[Cell], Target], journal: Journal, command_to_go_on: str
) -> None:
    """Measures in shuffled rounds what has not been measured of the cells that the journal lists, and
    adds a line for each process. A cell that fails is not run again, and the others go on. Raises
    Interrupted; BadInput if a resumed experiment was begun by another build or on another machine;
    CannotWrite, or NoMore if the machine has no more to give."""
    raw = journal.raw
    targets = {cell: target_of(cell) for cell in raw.cells.values()}
    say(f"{counted(len(targets), 'benchmark')}, {plan.extent}")
    before = None if plan.simulated == "all" else ticks()
    try:
        with Runner() as runner, Progress() as progress:
            measurement = _Measurement(plan, targets, journal, runner, progress)
            measurement.run()
        during = [] if plan.simulated == "all" else [host.steal_time_between(before, ticks())]
        # What measures a metric checks each sample by itself.
        if not all(own.is_metric or plan.simulates(own.cell) for own in targets.values()):
            during.append(host.processors_during(raw))
        host.say_warnings(during)
        checks = [*raw.host_checks, *during]
        spent = {"spent_seconds": measurement.spent_s}
        journal.add({"type": "finished", **spent, "host_checks": checks})
    except (Interrupted, OSError) as error:
        how = "Interrupted" if isinstance(error, Interrupted) else "Stopped"
        if journal.is_saved():
            say(f"{how}. The measurements are saved in {journal.file}. To continue, run")
            say(f"  {command_to_go_on}")
        else:
            say(f"{how}. No measurement is saved.")
        raise


@dataclass
class _Measurement:
    plan: Plan
    targets: dict[Cell, Target]
    journal: Journal
    runner: Runner
    progress: Progress
    _round: int = 0  # The one in hand.
    _simulated_now: dict[int, Target] = field(default_factory=dict)  # By their processes.
    # Whose context, and machine, this process has seen: of measurements and of simulations.
    _builds: set[tuple[str, bool]] = field(default_factory=set)

    def __post_init__(self) -> None:
        # Without what lay between an interruption and a resumption.
        self._begin = time.monotonic() - self.journal.raw.spent_seconds
        self._usable = Machine().usable_processors()

    @property
    def spent_s(self) -> float:
        """Since the experiment began."""
        return time.monotonic() - self._begin

    def run(self) -> None:
        """Counts events after the first round, so that what cannot be counted is known early."""
        raw, until, last_round_s = self.journal.raw, self.plan.until, 0.0
        randomness = random.Random(self.plan.seed)
        end = f" of {until.rounds}" if until.rounds else ""
        while not self._round or not is_enough(until, self._round, raw, self.spent_s, last_round_s):
            self._round += 1
            if order := order_of_round(self._round, raw, randomness):
                kind, begin_s = "seed" if self.plan.simulated == "all" else "round", self.spent_s
                self.progress.stage(f"{kind} {self._round}{end}", len(order))
                self._simulate([cell for cell in order if self.plan.simulates(cell)])
                for cell in order:
                    if not self.plan.simulates(cell):
                        self._time(cell)
                last_round_s = self.spent_s - begin_s
            if self._round == 1 and self.plan.counts:
                self._count_all()

    def _time(self, cell: Cell) -> None:
        self.progress.step(cell.name)
        target, plan = self.targets[cell], self.plan

        def timed() -> Run:
            return invocation.run_timed(target, plan.timeout_s, self.runner, plan.sample_ms)

        def waiting(run: Run) -> float:
            return -1 if run.failure else values_of(run.entry).get("waiting_threads", 0)

        run = timed()
        # Others had a processor that it wanted. Not where it has more workers than there are.
        may_repeat = not target.is_metric and cell.workers <= self._usable and not run.failure
        is_repeated = may_repeat and host.lost_processor(values_of(run.entry))
        if is_repeated:
            run = min(timed(), run, key=waiting)
        self._record_run(cell, run, is_repeated)

    def _simulate(self, order: Sequence[Cell]) -> None:
        """Side by side, for a simulated time does not depend on what else the machine does."""
        about = self.journal.raw.header["about"]
        for cell in order:
            if len(self._simulated_now) >= self.plan.jobs:
                self._end_simulation()
            self.progress.step(cell.name)
            target = self.targets[cell]
            own = about["machines"][cell.machine] if cell.machine else about["profile"]
            request = invocation.simulation_of(target, self._round, own, self.plan.timeout_s)
            try:
                self._simulated_now[self.runner.start(request)] = target
            except CannotStart as error:
                self._record_run(cell, Run(failure=str(error)))
        while self._simulated_now:
            self._end_simulation()

    def _end_simulation(self) -> None:
        number, result = self.runner.wait()
        target = self._simulated_now.pop(number)
        run = invocation.read_simulation(result, target, self._round, self.plan.timeout_s)
        self._record_run(target.cell, Run(run.entry, run.failure, {"commit": self.plan.commit}))

    def _record_run(self, cell: Cell, run: Run, is_repeated: bool = False) -> None:
        line: dict[str, Any] = {"type": "process", "cell": cell.name, "round": self._round}
        line |= {"spent_seconds": self.spent_s}
        if not run.failure:
            self._check_context(run.context or {}, cell)
            line["simulation" if self.plan.simulates(cell) else "benchmark"] = run.entry
            line |= {"repeated": True} if is_repeated else {}
        self._record(line, run.failure)

    def _check_context(self, printed: Mapping[str, Any], cell: Cell) -> None:
        """Of the first process of a build, and of each that adds the version of a library to it."""
        context = {key: value for key, value in printed.items() if key not in _NOT_KEPT}
        library = printed.get("scheduler_library")
        if isinstance(library, str) and library not in ("in-house", "none"):
            context[f"library of {cell.scheduler.partition(':')[0]}"] = library
        begun = self.journal.raw.contexts.get(cell.build, {})
        build = (cell.build, self.plan.simulates(cell))
        if build in self._builds and context.keys() <= begun.keys():
            return
        for key in _ORIGIN if build not in self._builds else ():
            if key in begun and key in context and begun[key] != context[key]:
                was, is_now = (encoded(own[key]).decode() for own in (begun, context))
                why = f"{key} was {was} when the experiment started and is {is_now} now"
                valid = f"the same build on the same machine in the same environment, {OVERWRITE}"
                raise BadInput(f"--resume: {why}", valid)
        self._builds.add(build)
        own = {"build": cell.build} if cell.build else {}
        self.journal.add({"type": "context", **own, "context": context})

    def _count_all(self) -> None:
        """By one more run of each cell. One that fails here has failed as a whole."""
        mode = ["--once", "--counters-only", "--sample-ms", str(self.plan.sample_ms)]
        if left := left_to_count(self.journal.raw):
            self.progress.stage("counting events", len(left))
        while left := left_to_count(self.journal.raw):
            cell = left[0]
            self.progress.step(cell.name)
            line: dict[str, Any] = {"type": "counters", "cell": cell.name}
            target = self.targets[cell]
            try:
                run = invocation.run_once(target, mode, self.plan.timeout_s, self.runner)
            except (CannotStart, BadInput) as error:
                run = Run(failure=str(error))
            if run.entry is not None and not run.failure:
                line["counters"] = run.entry["counters"]
            line["spent_seconds"] = self.spent_s
            self._record(line, f"counting run: {run.failure}" if run.failure else "")

    def _record(self, line: dict[str, Any], failure: str) -> None:
        if failure:
            self.progress.note(f"DNF {line['cell']}: {failure}")
            line["failure"] = failure
        self.journal.add(line)
