"""A sweep that processes share: mpirun or srun starts them side by side, and each takes its part."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stealbench import rawfile
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.rawfile import RawFile

# Of Open MPI, MPICH and Slurm: rank, ranks, and ranks of the host. Not SLURM_NTASKS, which a batch
# script has, too: it is no member of anything.
_VARIABLES = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS_PER_NODE"),
)


class Member(NamedTuple):
    """A process among those that were started together. `ranks`: 1 if it was started alone; `local`:
    how many of them are on its host, 0 if that is unknown."""

    rank: int = 0
    ranks: int = 1
    local: int = 0

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
        return max(1, processors // (1 if self.is_alone else self.local or processors))


def this_member(environment: Mapping[str, str] = os.environ) -> Member:
    """This process, by what Open MPI, MPICH or Slurm has set. Raises BadInput if that is no rank."""
    for names in _VARIABLES:
        texts = [environment.get(name, "") for name in names]
        if texts[0] and texts[1]:
            # Slurm may write `2(x3)`, of three hosts.
            rank, ranks, local = (int(text) if text.isdecimal() else 0 for text in texts)
            if str(rank) == texts[0] and rank < ranks:
                return Member(rank, ranks, local)
            both = f"{names[0]} is '{texts[0]}' and {names[1]} is '{texts[1]}'"
            raise BadInput(both, "a rank below the number of ranks, as mpirun and srun set them")
    return Member()


def expect_same_share(raw: RawFile, member: Member) -> None:
    """Raises BadInput unless the raw file is of this rank, of as many ranks."""
    share = raw.header.get("share") or {"rank": 0, "ranks": 1}
    if (share["rank"], share["ranks"]) != member[:2]:
        whose = f"--resume: the folder of rank {member.rank} of {member.ranks}"
        holds = f"holds what is of rank {share['rank']} of {share['ranks']}"
        raise BadInput(f"{whose} {holds}", "as many ranks as the sweep started with")


def has_more_to_do(file: Path, member: Member) -> bool:
    """Of a rank that resumes, by its raw file: not where its part is finished, or it had none, and
    so no folder."""
    if not file.exists():
        return member.rank == 0 or file.parent.exists()
    return not rawfile.read(file, may_be_packed=False).is_finished
