"""When a measurement ends, in which order its rounds run, and what is counted."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from stealbench.cell import Cell
from stealbench.rawfile import RawFile
from stealbench.schedule import MOST_ROUNDS, StopRule, is_enough, left_to_count, order_of_round

STEADY, UNSTEADY = [1.0] * 6, [1, 1.2, 1, 1.2, 1, 1.2]
WITHIN = StopRule(target_percent=2, budget_s=100)
HALF = 100 * 0.1 / 1.1  # Of the width, as a part of the median [%].


def raw_of(*times: Sequence[float], failed: Sequence[int] = (), counts: object = "") -> RawFile:
    """A benchmark for each list of times; those with these numbers have failed, and the first one
    has been counted."""
    raw = RawFile({}, {})
    for workers, own in enumerate(times, 1):
        cell = Cell("fib", (), "openmp" if workers == 2 else "serial", workers)
        raw.cells[cell.name], raw.rounds[cell.name] = cell, len(own)
        raw.processes += [{"cell": cell.name, "kind": "timed", "seconds": e} for e in own]
        if workers - 1 in failed:
            raw.failures[cell.name] = "crashed"
    if counts != "":
        raw.counters[next(iter(raw.cells))] = counts  # type: ignore[assignment]
    return raw


@pytest.mark.parametrize(
    ("until", "rounds", "spent_s", "last_round_s", "raw", "expected"),
    [
        (StopRule(1), 1, 1000, 0, raw_of([]), True),
        (StopRule(7, budget_s=1), 6, 1000, 0, raw_of(STEADY), False),
        # Below six rounds nothing is enough, whatever the budget.
        (WITHIN, 5, 1000, 0, raw_of([1.0] * 5), False),
        (WITHIN, 6, 1000, 0, raw_of(UNSTEADY), True),
        # Every interval is narrow, but of what has failed, and of five times it is none.
        (WITHIN, 6, 1, 0, raw_of(STEADY, [1, 2], failed=[1]), True),
        (WITHIN, 6, 1, 0, raw_of(STEADY, UNSTEADY), False),
        (WITHIN, 6, 1, 0, raw_of(STEADY, [1.0] * 5), False),
        (StopRule(0, HALF - 0.01, 100), 6, 0, 0, raw_of(UNSTEADY), False),
        (StopRule(0, HALF + 0.01, 100), 6, 0, 0, raw_of(UNSTEADY), True),
        # Less than half of a round would fit.
        (WITHIN, 6, 90, 20, raw_of(UNSTEADY), False),
        (WITHIN, 6, 91, 20, raw_of(UNSTEADY), True),
        (WITHIN, MOST_ROUNDS, 0, 0, raw_of(UNSTEADY), True),
        # A round that is begun is finished.
        (WITHIN, 6, 1000, 0, raw_of([1.0] * 7, STEADY), False),
        (WITHIN, 6, 1000, 0, raw_of([1.0] * 7, STEADY, failed=[0]), True),
    ],
)
def test_a_measurement_is_enough(
    until: StopRule, rounds: int, spent_s: float, last_round_s: float, raw: RawFile, expected: bool
) -> None:
    assert is_enough(until, rounds, raw, spent_s, last_round_s) == expected


def test_an_order_is_shuffled_anew_each_round_and_the_same_after_a_resumption() -> None:
    def numbers(number: int, raw: RawFile, own: random.Random) -> list[int]:
        return [cell.workers for cell in order_of_round(number, raw, own)]

    fresh, own = raw_of(*[[]] * 20), random.Random(7)
    orders = [numbers(number, fresh, own) for number in range(1, 6)]
    assert all(sorted(order) == list(range(1, 21)) != order for order in orders)
    assert len({tuple(order) for order in orders}) == 5
    assert numbers(1, fresh, random.Random(8)) not in orders
    resumed, own = raw_of(*[[1]] * 20), random.Random(7)
    assert (numbers(1, resumed, own), numbers(2, resumed, own)) == ([], orders[1])
    some = raw_of([1, 1], [1], [1], failed=[1])
    assert numbers(2, some, own) == [3], "what failed and what has the round is left out"
    assert sorted(numbers(3, some, own)) == [1, 3]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (raw_of([], [], []), [1, 2, 3]),
        (raw_of([], [], [], counts={"steals": 1}), [2, 3]),
        (raw_of([], [], [], counts=None), [2]),  # Another of its scheduler has none.
        (raw_of([], [], [], counts=None, failed=[0, 1]), [3]),  # What failed has shown nothing.
    ],
)
def test_each_is_counted_once_unless_its_scheduler_has_no_counters(
    raw: RawFile, expected: list[int]
) -> None:
    assert [cell.workers for cell in left_to_count(raw)] == expected
