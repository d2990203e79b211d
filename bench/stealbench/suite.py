"""What a command works with: the executables of a build, and the workloads and metrics that they have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from stealbench.catalogue import SEQUENTIAL, Installation, installation
from stealbench.errors import BadInput
from stealbench.machine import Machine
from stealbench.workloads import Metric, Workload, find_workload, read_catalogue


@dataclass(frozen=True)
class Suite:
    """Of the build whose folder is `home`. Nothing is looked at, and no process is started, before
    it is asked for. `program`: as the user called it, for the commands in messages."""

    home: Path
    program: str = "stealbench"

    @cached_property
    def installation(self) -> Installation:
        return installation(self.home)

    @cached_property
    def processors(self) -> int:
        """That this process may use, at least 1."""
        return Machine().usable_processors()

    @cached_property
    def _catalogue(self) -> tuple[list[Workload], list[Metric]]:
        built = self.installation
        simulations = [f"simulated-{name}" for name in built.build.simulated]
        # What a comparison builds comes first: it is up to date.
        for name in [*built.build.known, SEQUENTIAL, *built.known(), *simulations]:
            if built.is_built(name):
                return read_catalogue(built.path_of(name))
        command = built.build.build_command(["serial"])
        raise BadInput(f"no scheduler is built in '{built.folder}'; build one with\n  {command}")

    @property
    def workloads(self) -> list[Workload]:
        return self._catalogue[0]

    @property
    def metrics(self) -> list[Metric]:
        return self._catalogue[1]

    @property
    def workload_names(self) -> list[str]:
        return [workload.name for workload in self.workloads]

    def workload(self, name: str) -> Workload:
        """Raises BadInput that names the known ones."""
        return find_workload(self.workloads, name)

    def simulated_names(self) -> list[str]:
        """Of the workloads that can be simulated."""
        return [workload.name for workload in self.workloads if not workload.why_not_simulated]
