"""The measurement itself: rounds over all cells, one process for each, and their counters."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stealbench import cells, host, schedule
from stealbench.cell import Cell
from stealbench.cells import Run, Target
from stealbench.errors import BadInput
from stealbench.journal import Journal
from stealbench.machine import Machine
from stealbench.process import CannotStart, Interrupted, Runner
from stealbench.progress import Progress, say
from stealbench.rawfile import values_of
from stealbench.report.format import counted
from stealbench.schedule import Effort, Outlook, StopRule
from stealbench.standing import CellStanding

# Values of two builds, machines or environments do not belong in one table.
_ORIGIN = "commit compiler build_type flags processor kernel environment".split()
# What names the machine or a place on it, and how the distribution built Google Benchmark.
_NOT_KEPT = ("host_name", "executable", "library_build_type", "scheduler_library")


@dataclass(frozen=True)
class Simulation:
    """What is simulated: all cells of an experiment, or those that name a machine."""

    profile: Mapping[str, Any] | None = None  # None: each cell names its own.
    context: Mapping[str, Any] = field(default_factory=dict)  # What is recorded of the build.
    jobs: int = 1  # Processes side by side.
    machines: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """How the cells of an experiment are measured."""

    until: StopRule = StopRule()
    timeout_s: float = 120  # Of one process.
    seed: int = 0  # Of the order of each round.
    counts: bool = False  # Whether one more run of each cell counts its events.
    sample_ms: int = cells.SAMPLE_MS
    simulation: Simulation | None = None  # Each round then has its number as seed.
    measures_too: bool = False  # Whether cells that name no machine are measured all the same.
    host_checks: Sequence[host.Check] = ()  # Just before: their warnings are printed.

    @property
    def simulates_all(self) -> bool:
        return self.simulation is not None and not self.measures_too

    def simulates(self, cell: Cell) -> bool:
        return self.simulates_all or cell.machine != ""

    @property
    def extent(self) -> str:
        """How often each benchmark runs."""
        until = self.until
        if self.simulates_all:
            return f"simulated with {counted(until.rounds, 'seed')}"
        if until.rounds:
            return f"{counted(until.rounds, 'round')}, seed {self.seed}"
        return (
            f"{schedule.FEWEST_ROUNDS} rounds, then more until every median is within ± "
            f"{until.target_percent:g} % or {until.budget_s:g} s are spent, seed {self.seed}"
        )


def measure(
    plan: Plan,
    target_of: Callable[[Cell], Target],
    journal: Journal,
    interval: schedule.Interval,
    command_to_go_on: str,
) -> None:
    """Measures all that has not been measured yet of the cells that the journal lists, in shuffled
    rounds, and adds a line for each process. A cell that fails is not run again, and the others go
    on. If it is stopped before its end, it says what remains and `command_to_go_on`. `interval`: the
    95 % interval of a median. Raises Interrupted; BadInput if a resumed experiment was begun by
    another build or on another machine; and CannotWrite, or CannotStart if the machine has no
    process, memory or file left: what was measured before is on disk."""
    targets = [target_of(each.cell) for each in journal.standing.cells]
    machine = Machine()
    say(f"{counted(len(targets), 'benchmark')}, {plan.extent}")
    for warning in host.warnings_in(plan.host_checks):
        say(warning)
    ticks = machine.ticks()
    try:
        with Runner() as runner, Progress() as progress:
            measurement = _Measurement(plan, targets, journal, interval, runner, progress)
            measurement.run()
        checks = list(journal.standing.raw.host_checks)
        if not plan.simulates_all:
            is_resumed = journal.standing.raw.times_resumed > 0
            during = [host.steal_time_between(ticks, machine.ticks(), is_resumed)]
            # What measures a metric checks each sample by itself.
            if not all(each.is_metric or plan.simulates(each.cell) for each in targets):
                during.append(host.processors_during(journal.standing.without_processor()))
            for warning in host.warnings_in(during):
                say(warning)
            checks += during
        spent = {"spent_seconds": measurement.spent_s}
        journal.add({"type": "finished", **spent, "host_checks": checks})
    except (Interrupted, OSError) as error:
        how = "Interrupted" if isinstance(error, Interrupted) else "Stopped"
        if not journal.is_saved():
            say(f"{how}. No measurement is saved.")
        else:
            saved = f"The measurements are saved in {journal.file}."
            say(f"{how}. {saved} To continue, run\n  {command_to_go_on}")
        raise


@dataclass
class _Measurement:
    plan: Plan
    targets: list[Target]
    journal: Journal
    interval: schedule.Interval
    runner: Runner
    progress: Progress
    _round: int = 0  # The one in hand.
    _last_round_s: float = 0  # How long the latest round took that measured anything.
    _processes: int = 0  # Started by this process.
    _simulated_now: dict[int, int] = field(default_factory=dict)  # Cells by their processes.
    # Whose context, and machine, is known to this process: of measurements and of simulations.
    _builds: set[tuple[str, bool]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = random.Random(self.plan.seed)
        self._begin = time.monotonic()
        # Until this process resumed it.
        self._spent_before_s = self.journal.standing.raw.spent_seconds
        self._usable = Machine().usable_processors()

    @property
    def _cells(self) -> list[CellStanding]:
        return self.journal.standing.cells

    @property
    def spent_s(self) -> float:
        """Since the experiment began, without what lay between an interruption and its
        resumption."""
        return self._spent_before_s + time.monotonic() - self._begin

    def run(self) -> None:
        """Events are counted after the first round, so that what cannot be counted is known
        early."""
        while True:
            self._round += 1
            self._run_round()
            if self._round == 1 and self.plan.counts:
                self._count_all()
            effort = self._effort()
            if schedule.is_enough(self.plan.until, self._round, effort, self._cells, self.interval):
                return

    def _count_all(self) -> None:
        if schedule.left_to_count(self._cells):
            self.progress.begin_stage("counting events", self._outlook())
        while left := schedule.left_to_count(self._cells):
            self._count(left[0])

    def _effort(self) -> Effort:
        mean = (time.monotonic() - self._begin) / self._processes if self._processes else None
        report = schedule.report_time_s(len(self.targets))
        return Effort(self.spent_s, self._last_round_s, mean, self._round, report)

    def _outlook(self) -> Outlook:
        return schedule.outlook_on(self.plan.until, self.plan.counts, self._effort(), self._cells)

    def _begin_process(self, index: int) -> Target:
        if self.progress.is_drawn:
            self.progress.begin(self.targets[index].cell.name, self._outlook())
        self._processes += 1
        return self.targets[index]

    def _run_round(self) -> None:
        order = schedule.order_of_round(self._round, self._cells, self._random)
        if not order:
            return
        what = "seed" if self.plan.simulates_all else "round"
        self.progress.begin_stage(f"{what} {self._round}", self._outlook())
        begin = time.monotonic()
        simulated = [each for each in order if self.plan.simulates(self.targets[each].cell)]
        self._simulate(simulated)
        for index in order:
            if not self.plan.simulates(self.targets[index].cell):
                self._time(index)
        self._last_round_s = time.monotonic() - begin

    def _time(self, index: int) -> None:
        target = self.targets[index]
        run = self._timed(index)
        # Others had a processor that it wanted. Not where it has more workers than there are.
        may_repeat = not target.is_metric and target.cell.workers <= self._usable
        is_repeated = may_repeat and not run.failure and cells.lost_processor(values_of(run.entry))
        if is_repeated:
            again = self._timed(index)
            if again.failure or _waiting(again) <= _waiting(run):
                run = again
        self._record_run(index, self._round, run, is_repeated)

    def _timed(self, index: int) -> Run:
        target = self._begin_process(index)
        return cells.run_timed(target, self.plan.timeout_s, self.runner, self.plan.sample_ms)

    def _simulate(self, order: Sequence[int]) -> None:
        """Side by side, for a simulated time does not depend on what else the machine does."""
        simulation = self.plan.simulation
        for index in order:
            assert simulation is not None
            if len(self._simulated_now) >= simulation.jobs:
                self._end_simulation()
            target = self._begin_process(index)
            machine = target.cell.machine
            profile = simulation.machines[machine] if machine else simulation.profile or {}
            request = cells.simulation_of(target, self._round, profile, self.plan.timeout_s)
            try:
                self._simulated_now[self.runner.start(request)] = index
            except CannotStart as error:
                if error.is_shortage:
                    raise
                self._record_run(index, self._round, Run(failure=str(error)))
        while self._simulated_now:
            self._end_simulation()

    def _end_simulation(self) -> None:
        number, result = self.runner.wait()
        index = self._simulated_now.pop(number)
        assert self.plan.simulation is not None
        run = cells.read_simulation(result, self.targets[index], self._round, self.plan.timeout_s)
        context = dict(self.plan.simulation.context)
        self._record_run(index, self._round, Run(run.entry, run.failure, context))

    def _record_run(self, index: int, number: int, run: Run, is_repeated: bool = False) -> None:
        cell = self.targets[index].cell
        line: dict[str, Any] = {"type": "process", "cell": cell.name, "round": number}
        line["spent_seconds"] = self.spent_s
        if not run.failure:
            self._check_context(run.context, cell)
            line["simulation" if self.plan.simulates(cell) else "benchmark"] = run.entry
            if is_repeated:
                line["repeated"] = True
        self._record(line, run.failure)

    def _check_context(self, printed: Mapping[str, Any] | None, cell: Cell) -> None:
        """Of the first process of a build, and of each that has something to add to it: the version
        of a library. A simulation does not know the machine that it runs on."""
        if printed is None:
            return
        context = {key: value for key, value in printed.items() if key not in _NOT_KEPT}
        library = printed.get("scheduler_library")
        if isinstance(library, str) and library not in ("in-house", "none"):
            context[f"library of {cell.scheduler.partition(':')[0]}"] = library
        known = self.journal.standing.raw.contexts.get(cell.build, {})
        build = (cell.build, self.plan.simulates(cell))
        is_first = build not in self._builds
        self._builds.add(build)
        if not is_first and context.keys() <= known.keys():
            return
        if is_first:
            _expect_same_origin(known, context)
        own = {"build": cell.build} if cell.build else {}
        self.journal.add({"type": "context", **own, "context": context})

    def _count(self, index: int) -> None:
        """Timed runs count nothing, so the counters come from one more run of each cell. One that
        fails here has failed as a whole."""
        target = self._begin_process(index)
        line: dict[str, Any] = {"type": "counters", "cell": target.cell.name}
        mode = ["--once", "--counters-only", "--sample-ms", str(self.plan.sample_ms)]
        try:
            run = cells.run_once(target, mode, self.plan.timeout_s, self.runner)
            failure = run.failure
            if run.entry is not None and not failure:
                line["counters"] = run.entry["counters"]
        except CannotStart as error:
            if error.is_shortage:
                raise
            failure = str(error)
        except BadInput as error:
            failure = str(error)
        line["spent_seconds"] = self.spent_s
        self._record(line, f"counting run: {failure}" if failure else "")

    def _record(self, line: dict[str, Any], failure: str) -> None:
        if failure:
            self.progress.note(f"DNF {line['cell']}: {failure}")
            line["failure"] = failure
        self.journal.add(line)


def _waiting(run: Run) -> float:
    return values_of(run.entry).get("waiting_threads", 0.0)


def _expect_same_origin(begun: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    for key in _ORIGIN:
        if key in begun and key in now and begun[key] != now[key]:
            was, is_now = (json.dumps(each[key], ensure_ascii=False) for each in (begun, now))
            raise BadInput(
                f"--resume: {key} was {was} when the experiment started and is {is_now} now; valid: "
                "the same build on the same machine in the same environment, or --overwrite to "
                "start again"
            )
