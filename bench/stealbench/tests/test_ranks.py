"""The share of a sweep by rank and size."""

from __future__ import annotations

from pathlib import Path

import pytest

from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.ranks import Member, this_member


@pytest.mark.parametrize(
    ("environment", "member"),
    [
        ({}, Member()),
        ({"SLURM_NTASKS": "4", "SLURM_PROCID": "1"}, Member()),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"}, Member(1, 3)),
        ({"PMI_RANK": "0", "PMI_SIZE": "2", "MPI_LOCALNRANKS": "2"}, Member(0, 2, 2)),
        ({"SLURM_PROCID": "4", "SLURM_STEP_NUM_TASKS": "5"}, Member(4, 5)),
    ],
)
def test_a_member_is_what_the_starter_says(environment: dict[str, str], member: Member) -> None:
    assert this_member(environment) == member


@pytest.mark.parametrize(
    ("rank", "size", "message"),
    [
        ("x", "2", "PMI_RANK is 'x'; valid: a whole number, as mpirun and srun set it"),
        ("0", "-1", "PMI_SIZE is '-1'; valid: a whole number"),
        ("2", "2", "PMI_RANK is 2 and PMI_SIZE is 2; valid: a rank below the number of ranks"),
        ("0", "0", "PMI_RANK is 0 and PMI_SIZE is 0; valid: a rank below the number of ranks"),
    ],
)
def test_what_is_no_rank_is_refused(rank: str, size: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        this_member({"PMI_RANK": rank, "PMI_SIZE": size})


def test_members_share_all_cells_and_the_processors_of_their_host() -> None:
    cells = [Cell("fib", (), "serial", each) for each in range(1, 6)]
    shares = [Member(each, 3).share_of(cells) for each in range(3)]
    assert [[each.workers for each in share] for share in shares] == [[1, 4], [2, 5], [3]]
    assert Member(1, 3).folder(Path("out")) == Path("out/rank-1")
    assert Member().folder(Path("out")) == Path("out")
    assert Member(1, 3).to_json(5) == {"rank": 1, "ranks": 3, "benchmarks": 5}
    assert [
        each.jobs(8) for each in (Member(), Member(0, 4), Member(0, 4, 2), Member(0, 99, 99))
    ] == [
        8,
        1,
        4,
        1,
    ]
