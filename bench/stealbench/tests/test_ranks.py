"""The share of a sweep by rank and size."""

from __future__ import annotations

from pathlib import Path

import pytest

from stealbench.cell import Cell
from stealbench.journal import Journal
from stealbench.ranks import Member, expect_same_share, has_more_to_do, this_member
from stealbench.tests.planted import message_of

CELLS = [Cell("fib", (), "serial", workers) for workers in range(1, 6)]


@pytest.mark.parametrize(
    ("environment", "member"),
    [
        ({}, Member()),
        ({"SLURM_NTASKS": "4", "SLURM_PROCID": "1"}, Member()),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"}, Member(1, 3)),
        ({"PMI_RANK": "0", "PMI_SIZE": "2", "MPI_LOCALNRANKS": "2"}, Member(0, 2, 2)),
        ({"SLURM_PROCID": "4", "SLURM_STEP_NUM_TASKS": "5"}, Member(4, 5)),
        ({"PMI_RANK": "x", "PMI_SIZE": "2"}, "PMI_RANK is 'x' and PMI_SIZE is '2'; valid: a rank"),
        ({"PMI_RANK": "2", "PMI_SIZE": "2"}, "PMI_RANK is '2' and PMI_SIZE is '2'; valid: a rank"),
    ],
)
def test_a_member_is_what_the_starter_says(
    environment: dict[str, str], member: Member | str
) -> None:
    if isinstance(member, str):
        assert message_of(lambda: this_member(environment)).startswith(member)
    else:
        assert this_member(environment) == member


def test_a_rank_goes_on_as_the_same_one_unless_it_is_finished_or_has_no_share(
    tmp_path: Path,
) -> None:
    member, line = Member(1, 3), {"type": "process", "cell": CELLS[0].name, "spent_seconds": 1}
    file = member.folder(tmp_path) / "compare.jsonl"
    assert not has_more_to_do(file, member), "without a share it made no folder"
    assert has_more_to_do(file, Member(0, 3)), "the first rank has a share"
    with Journal(file.parent, "compare", "keep") as journal:
        assert has_more_to_do(file, member)  # It saved nothing, and --resume says so.
        journal.begin(
            CELLS[:1],
            [],
            about={},
            settings={},
            command="",
            share={"rank": 1, "ranks": 3, "benchmarks": 2},
        )
        expect_same_share(journal.raw, member)
        message = message_of(lambda: expect_same_share(journal.raw, Member(1, 4)))
        assert "of rank 1 of 4 holds what is of rank 1 of 3; valid: as many" in message
        journal.add(line | {"round": 1, "failure": "no"})
        assert has_more_to_do(file, member)
        journal.add({"type": "finished", "spent_seconds": 1, "host_checks": []})
    assert not has_more_to_do(file, member)


def test_members_share_all_cells_and_the_processors_of_their_host() -> None:
    shares = [Member(rank, 3).share_of(CELLS) for rank in range(3)]
    assert [[cell.workers for cell in share] for share in shares] == [[1, 4], [2, 5], [3]]
    members = (Member(), Member(0, 4), Member(0, 4, 2), Member(0, 99, 99))
    assert [member.jobs(8) for member in members] == [8, 1, 4, 1]
