"""Claims on the space that schedulers need: tasks of a spawn loop that are live at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stealbench.analysis.claims.evidence import FREE, MODEL_ERROR, WORK_STEALING, Claim, Evidence
from stealbench.analysis.claims.evidence import Finding, Program, Reader, Theorem, Values, both
from stealbench.analysis.claims.evidence import decide, grid, hull, program, with_interval
from stealbench.report.format import count, ratio_with_interval

CONTINUATIONS = "continuation-stealing"
BUSY_LEAVES = "busy-leaves"
LIMITED = "work-stealing:deque=bwos"
WORKERS = 8
LOOPS = [program(f"spawn children={2**power} work=100") for power in (13, 18)]
"""Their live children are the leaves of the live tree."""
HALF_WAY = math.sqrt(32)
"""Between no growth and that of the loop."""


def _live(read: Reader, scheduler: str, loop: Program = LOOPS[1]) -> float:
    return read.counter(loop, scheduler, WORKERS, "most_live_jobs")


def _live_per_worker(known: Evidence, scheduler: str) -> Values:
    return known.of(lambda read: _live(read, scheduler) / WORKERS)


def _growth(known: Evidence, scheduler: str) -> Values:
    return known.of(lambda read: _live(read, scheduler) / _live(read, scheduler, LOOPS[0]))


def _space_bound(known: Evidence) -> Finding:
    bounded, grown = _live_per_worker(known, CONTINUATIONS), _growth(known, WORK_STEALING)
    children = hull(_live_per_worker(known, WORK_STEALING)).median
    return Finding(
        hull(bounded),
        decide(bounded, most=1),
        f"Of a loop of 262,144 children at most {with_interval(hull(bounded))} tasks are live for"
        f" each of {WORKERS} workers with continuation stealing, and {count(children)} with child"
        f" stealing: {ratio_with_interval(hull(grown))} as many as of a 32nd of the loop.",
        decide(grown, least=HALF_WAY, error=MODEL_ERROR),
    )


def _in_model(schedulers: Sequence[str]) -> Theorem:
    """Of none of these more tasks are live than there are workers."""

    def rule(known: Evidence) -> Finding:
        most = known.of(lambda read: max(_live(read, name) for name in schedulers) / WORKERS)
        return Finding(
            hull(most),
            decide(most, most=1),
            f"At most {with_interval(hull(most))} are live for each worker with"
            f" {' and '.join(schedulers)}.",
        )

    return Theorem(grid([LOOPS[1]], schedulers, [WORKERS], FREE), rule)


def _full_queue(known: Evidence) -> Finding:
    bounded = _growth(known, LIMITED)
    return Finding(
        hull(bounded),
        decide(bounded, most=HALF_WAY),
        f"32 times the children make {ratio_with_interval(hull(bounded))} the live tasks with the"
        " deque bwos, which has room for 8,192 and then runs a child at once, and"
        f" {ratio_with_interval(hull(_growth(known, WORK_STEALING)))} with one that grows.",
    )


def _busy_leaves(known: Evidence) -> Finding:
    leaves = _live_per_worker(known, BUSY_LEAVES)
    stolen = _live_per_worker(known, CONTINUATIONS)
    children = hull(_live_per_worker(known, WORK_STEALING)).median
    return Finding(
        hull(leaves),
        both(decide(leaves, most=1), decide(stolen, most=1)),
        f"At most {ratio_with_interval(hull(leaves))} leaves of a spawn loop are live for each"
        f" worker with busy-leaves, {ratio_with_interval(hull(stolen))} with continuation stealing,"
        f" and {count(children)} with child stealing, which promises nothing. Leaves are counted,"
        " and not for how long each has a worker.",
    )


CLAIMS = [
    Claim(
        4,
        grid(LOOPS, [CONTINUATIONS, WORK_STEALING], [WORKERS]),
        _space_bound,
        in_model=_in_model([CONTINUATIONS]),
    ),
    Claim(5, grid(LOOPS, [LIMITED, WORK_STEALING], [WORKERS]), _full_queue),
    Claim(
        6,
        grid(LOOPS, [BUSY_LEAVES, CONTINUATIONS, WORK_STEALING], [WORKERS]),
        _busy_leaves,
        in_model=_in_model([BUSY_LEAVES, CONTINUATIONS]),
    ),
]
