"""A sweep that processes share: mpirun or srun starts them side by side, and each takes its part."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stealbench.cell import Cell
from stealbench.errors import BadInput

# Of Open MPI, MPICH and Slurm: rank, ranks, and ranks of the host. Not SLURM_NTASKS, which a batch
# script has, too: it is no member of anything.
_VARIABLES = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS_PER_NODE"),
)


@dataclass(frozen=True)
class Member:
    """A process among those that were started together."""

    rank: int = 0
    ranks: int = 1  # At least 1: a process that was started alone.
    local: int = 0  # How many of them are on its host; 0: unknown.

    @property
    def is_alone(self) -> bool:
        return self.ranks == 1

    def folder(self, output: Path) -> Path:
        """Where it writes: in a folder of its own."""
        return output if self.is_alone else output / f"rank-{self.rank}"

    def share_of(self, cells: Sequence[Cell]) -> list[Cell]:
        """Its cells of a sweep: of `ranks` cells in a row one."""
        return list(cells[self.rank :: self.ranks])

    def jobs(self, processors: int) -> int:
        """Processes side by side: the processors, shared among the ranks of a host."""
        if self.is_alone:
            return processors
        return max(1, processors // self.local) if self.local else 1

    def to_json(self, benchmarks: int) -> dict[str, int]:
        """The member `share` of the first line of a raw file. `benchmarks`: of all ranks."""
        return {"rank": self.rank, "ranks": self.ranks, "benchmarks": benchmarks}


def this_member(environment: Mapping[str, str] = os.environ) -> Member:
    """This process, by what Open MPI, MPICH or Slurm has set. Raises BadInput if that is no rank."""
    for names in _VARIABLES:
        texts = [environment.get(name, "") for name in names]
        if not texts[0] or not texts[1]:
            continue
        for name, text in zip(names[:2], texts, strict=False):
            if not re.fullmatch("[0-9]{1,9}", text):
                valid = "a whole number, as mpirun and srun set it"
                raise BadInput(f"{name} is '{text}'; valid: {valid}")
        # Slurm may write `2(x3)`, of three hosts.
        local = int(texts[2]) if re.fullmatch("[0-9]{1,9}", texts[2]) else 0
        member = Member(int(texts[0]), int(texts[1]), local)
        if member.rank < member.ranks:
            return member
        valid = "a rank below the number of ranks"
        raise BadInput(f"{names[0]} is {texts[0]} and {names[1]} is {texts[1]}; valid: {valid}")
    return Member()
