"""What this machine charges for: its operations, a unit of each workload's work, and what schedulers
add. All is asked of executables; what one of them fails at raises RuntimeError, which says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from stealbench import invocation
from stealbench.cell import Cell
from stealbench.choices import Instance
from stealbench.invocation import Target
from stealbench.journal import now
from stealbench.process import Request, Runner, why_ended
from stealbench.profiles import FORMAT, Profile
from stealbench.rawfile import values_of
from stealbench.shape import parse, shapes
from stealbench.suite import SEQUENTIAL, Suite, words_of

_LONGEST_S = 120.0
_LONGEST_PRICED_TASK_NS = 100  # The price of a longer one would be the error of its time.
_KINDS = ("fork", "call", "spawn", "piece")


def schedulers_in(suite: Suite) -> list[str]:
    """Those that are built for this machine and for the one in simulated time, each with each deque,
    which is an executable of its own."""
    built, schedulers = suite.installation, list[str]()
    for name in filter(built.is_built, built.build.simulated):
        settings = [own for own in built.describe([name])[0]["settings"] if own["name"] == "deque"]
        deques = [word for own in settings for word in words_of(own)[1:]]
        for kind, typed in ((name, name), *((f"{name}.{d}", f"{name}:deque={d}") for d in deques)):
            if built.is_built(kind) and built.is_built(f"simulated-{kind}"):
                schedulers.append(typed)
    return schedulers


@dataclass
class Pricing:
    """A profile of which all is measured, part by part."""

    suite: Suite
    runner: Runner
    profile: Profile = field(default_factory=dict)

    def add_costs(self) -> None:
        """All but a name and prices."""
        executable = self.suite.installation.executable_of(SEQUENTIAL)
        result = self.runner.run(Request(executable, ["--machine-costs"], _LONGEST_S))
        said: Any = parse(result.output) or {}
        costs = shapes()["costs of a machine"]["costs"]
        if failure := why_ended(result, _LONGEST_S) or ", ".join(costs.keys() - said):
            raise RuntimeError(f"costs of the machine: {failure}")
        by = f"Measured by `stealbench calibrate` (commit {said['commit']}, {said['compiler']})."
        self.profile = {"format": FORMAT, "name": "", "date": now()[:10], "measured": True}
        self.profile["processor"] = f"{said['processor']}, {said['processors']} processors"
        lacks = "Not measured: shared_gap and jitter; remote_transfer is transfer."
        self.profile |= {"source": f"{by} {lacks}", "costs": {key: said[key] for key in costs}}
        self.profile |= {"schedulers": {}, "work": [], "accuracy": None}

    def timed(self, cell: Cell, is_metric: bool = False) -> float:
        """The median of one process [s]."""
        target = Target(cell, self.suite.installation.choose(cell.scheduler)[1], is_metric)
        run = invocation.run_timed(target, _LONGEST_S, self.runner)
        if run.failure:
            raise RuntimeError(f"{cell.name}: {run.failure}")
        return values_of(run.entry)["seconds"]

    def measured_ns(self, cell: Cell) -> float:
        """The least of three processes."""
        return min(self.timed(cell) for _ in range(3)) * 1e9

    def transfer_ns(self) -> float:
        """Until a line comes from another processor, in less than a second."""
        steal = Cell("steal", (), SEQUENTIAL, workers=2)  # There and back.
        return self.timed(steal, is_metric=True) * 1e9 / 2

    def add_unit(self, instance: Instance, scheduler: str) -> None:
        """The time of the sequential version over the units of work, which any scheduler counts."""
        # Without a price nothing is simulated, and the number of units does not depend on it.
        unit = {"workload": instance[0], "parameters": dict(instance[1]), "unit_ns": 1.0}
        self.profile["work"].append(unit)
        cell = Cell(*instance, SEQUENTIAL)
        units = self._unpriced(replace(cell, scheduler=scheduler))["work_units"]
        if units < 1:
            raise RuntimeError(f"{cell.instance}: no unit of work was counted")
        unit["unit_ns"] = self.measured_ns(cell) / units

    def add_scheduler(self, scheduler: str, priced_by: Sequence[Instance]) -> None:
        """By an instance for each kind of charge. Then of the short tasks of each other workload, by
        its first instance with the same words: a task costs what the compiler makes of it."""
        general, programs = [0.0, 0.0, 0.0], dict[Any, dict[str, Any]]()
        for kind, instance in enumerate(priced_by):
            general = self._prices(Cell(*instance, scheduler), general, kind)
        self.profile["schedulers"][scheduler] = _by_name(general)
        for unit in self.profile["work"]:
            parameters = self.suite.workload(unit["workload"]).parameters
            words = [own.name for own in parameters if own.type == "choice"]
            if unit["workload"] not in dict(priced_by):
                program = (unit["workload"], *(unit["parameters"].get(word) for word in words))
                programs.setdefault(program, unit)
        for unit in programs.values():
            cell = Cell(unit["workload"], tuple(unit["parameters"].items()), scheduler)
            if own := self._prices(cell, general):
                unit.setdefault("schedulers", {})[scheduler] = _by_name(own)

    def _unpriced(self, cell: Cell) -> dict[str, Any]:
        """What the first seed gives without prices; `charges` are how often it charged."""
        # A deque without prices of its own would take those of its scheduler.
        work: list[Any] = [{**unit, "schedulers": {}} for unit in self.profile["work"]]
        profile = self.profile | {"schedulers": {}, "work": work}
        target = Target(cell, self.suite.installation.choose_simulated(cell.scheduler)[1])
        request = invocation.simulation_of(target, 1, profile, _LONGEST_S)
        run = invocation.read_simulation(self.runner.run(request), target, 1, _LONGEST_S)
        if run.failure or run.entry is None:
            raise RuntimeError(f"simulation of {cell.name}: {run.failure}")
        return run.entry

    def _prices(self, cell: Cell, prices: list[float], kind: int = -1) -> list[float]:
        """Those prices with that of one kind [ns]: the measured time beyond the simulated one and the
        other charges, by charge. Below 0 where the processor overlaps accesses that a simulation adds
        up. Unless a kind is named, of what is charged most; nothing where a task is long."""
        entry = self._unpriced(cell)
        fork, call, *others = (entry["charges"][each] for each in _KINDS)
        # A worker either forks or, in a team of one, calls both branches in order.
        counts, simulated_ns = [fork + call, *others], entry["seconds"] * 1e9
        if kind < 0:
            kind = counts.index(max(counts))
            if not 0 < simulated_ns <= _LONGEST_PRICED_TASK_NS * sum(counts):
                return []
        prices = [*prices[:kind], 0.0, *prices[kind + 1 :]]
        if counts[kind]:
            charged = sum(count * price for count, price in zip(counts, prices))
            beyond_ns = self.measured_ns(cell) - simulated_ns
            prices[kind] = (beyond_ns - charged) / counts[kind]
        return prices


def _by_name(prices: Sequence[float]) -> dict[str, float]:
    return dict(zip((f"{kind}_ns" for kind in _KINDS), (prices[0], *prices)))
