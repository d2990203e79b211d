"""A cell, which reports call a benchmark: one scheduler on one workload instance with one worker
count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

FEWEST_ROUNDS = 6
"""Of a cell. Below these nothing is told apart, whatever a budget says."""


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
        for key, value in (("vary", self.varied), ("build", self.build), ("machine", self.machine)):
            if value:
                parts.append(f"{key}:{value}")
        return "/".join(parts)

    @property
    def instance(self) -> str:
        """`uts tree=T1`: the workload, and the parameters that differ from their defaults."""
        return " ".join([self.workload, *(f"{key}={value}" for key, value in self.parameters)])

    def to_json(self) -> dict[str, Any]:
        """As the first line of a raw file lists it."""
        listed: dict[str, Any] = {
            "name": self.name,
            "workload": self.workload,
            "parameters": dict(self.parameters),
            "scheduler": self.scheduler,
            "workers": self.workers,
        }
        rest = {"varied": self.varied, "build": self.build, "machine": self.machine}
        return listed | {key: value for key, value in rest.items() if value}
