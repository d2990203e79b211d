"""A cell, which reports call a benchmark."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

FEWEST_ROUNDS = 6  # Of a cell. Below these nothing is told apart, whatever a budget says.
OPTIONAL = ("varied", "build", "machine")


@dataclass(frozen=True)
class Cell:
    """What is measured: a workload (or a metric) with the parameters that are set, a scheduler in
    canonical form, and workers. Of a simulation also the cost that is varied, and the machine in an
    experiment that measures too; of one of two builds that are compared, A or B."""

    workload: str
    parameters: tuple[tuple[str, str], ...]
    scheduler: str
    workers: int = 1
    varied: str = ""
    build: str = ""
    machine: str = ""

    @cached_property
    def name(self) -> str:
        """`uts/work-stealing/tree:T1/workers:2`: unique in a raw file."""
        parts = [self.workload, self.scheduler]
        parts += [f"{key}:{value}" for key, value in self.parameters]
        parts.append(f"workers:{self.workers}")
        more = {"vary": self.varied, "build": self.build, "machine": self.machine}
        parts += [f"{key}:{value}" for key, value in more.items() if value]
        return "/".join(parts)

    @property
    def instance(self) -> str:
        """`uts tree=T1`: the workload, and the parameters that differ from their defaults."""
        return " ".join([self.workload, *(f"{key}={value}" for key, value in self.parameters)])

    def to_json(self) -> dict[str, Any]:
        """As the first line of a raw file lists it."""
        listed = {"name": self.name, **asdict(self), "parameters": dict(self.parameters)}
        return {key: value for key, value in listed.items() if value or key not in OPTIONAL}
