"""Claims of one strategy against others."""

from __future__ import annotations

from stealbench.analysis.claims.contest import contests
from stealbench.analysis.claims.evidence import MODEL_ERROR, WORK_STEALING, Claim, Evidence, Finding
from stealbench.analysis.claims.evidence import Reader, decide, grid, hull, program
from stealbench.report.format import count

LOOP = program("skewed body=pareto indices=4096")
TREE = program("empty_tree depth=16 work=100")
EAGER = "work-stealing:split=eager"


def _few_large_steals(known: Evidence) -> Finding:
    # Below a random task there are as many tasks as it is deep, on average: the sum of the sizes of
    # all subtrees is that of all depths.
    size = known.of(
        lambda read: read(TREE, WORK_STEALING, 64, "fork_count")
        / (1 + read(TREE, WORK_STEALING, 64, "tasks_moved"))
        / read.recorded(TREE, "depth")
    )
    return Finding(
        hull(size),
        decide(size, least=1, error=MODEL_ERROR),
        f"With 64 workers there are {count(hull(size).median)} times as many tasks for each steal"
        " as below a random task of the tree.",
    )


def _lazy_splitting(known: Evidence) -> Finding:
    def made(read: Reader, scheduler: str, workers: int) -> float:
        return read.counter(LOOP, scheduler, workers, "jobs_spawned")

    def tasks(scheduler: str, workers: int) -> str:
        return count(hull(known.of(lambda read: made(read, scheduler, workers))).median)

    fewer = known.of(
        lambda read: min(made(read, EAGER, p) / (1 + made(read, WORK_STEALING, p)) for p in (1, 64))
    )
    return Finding(
        hull(fewer),
        decide(fewer, least=1, error=MODEL_ERROR),
        f"Of a loop of 4,096 indices eager splitting makes {tasks(EAGER, 1)} tasks with one worker"
        f" and {tasks(EAGER, 64)} with 64; lazy splitting makes {tasks(WORK_STEALING, 1)} and"
        f" {tasks(WORK_STEALING, 64)}.",
    )


CLAIMS = [
    Claim(16, grid([TREE], [WORK_STEALING], [64]), _few_large_steals, [TREE]),
    Claim(21, grid([LOOP], [WORK_STEALING, EAGER], [1, 64]), _lazy_splitting),
    *contests(),
]
