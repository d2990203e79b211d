"""When a measurement ends, in which order its rounds run, and how long it still takes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from stealbench.cell import Cell
from stealbench.rawfile import RawFile
from stealbench.schedule import MOST_ROUNDS, Effort, Outlook, StopRule, is_enough, left_to_count
from stealbench.schedule import order_of_round, outlook_on

STEADY, UNSTEADY = [1.0] * 6, [1, 1.2, 1, 1.2, 1, 1.2]
WITHIN = StopRule(target_percent=2, budget_s=100)


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
    ("until", "effort", "raw", "expected"),
    [
        (StopRule(1), Effort(1000, round=1), raw_of([]), True),
        (StopRule(7, budget_s=1), Effort(1000, round=6), raw_of(STEADY), False),
        # Below six rounds nothing is enough, whatever the budget.
        (WITHIN, Effort(1000, round=5), raw_of([1.0] * 5), False),
        (WITHIN, Effort(1000, round=6), raw_of(UNSTEADY), True),
        # Every interval is narrow, but of what has failed, and of five times it is none.
        (WITHIN, Effort(1, round=6), raw_of(STEADY, [1, 2], failed=[1]), True),
        (WITHIN, Effort(1, round=6), raw_of(STEADY, UNSTEADY), False),
        (WITHIN, Effort(1, round=6), raw_of(STEADY, [1.0] * 5), False),
        # Half of the width, as a part of the median.
        (StopRule(0, 100 * 0.1 / 1.1 - 0.01, 100), Effort(round=6), raw_of(UNSTEADY), False),
        (StopRule(0, 100 * 0.1 / 1.1 + 0.01, 100), Effort(round=6), raw_of(UNSTEADY), True),
        # Less than half of a round would fit.
        (WITHIN, Effort(90, 20, round=6), raw_of(UNSTEADY), False),
        (WITHIN, Effort(91, 20, round=6), raw_of(UNSTEADY), True),
        (WITHIN, Effort(round=MOST_ROUNDS), raw_of(UNSTEADY), True),
        # A round that is begun is finished.
        (WITHIN, Effort(1000, round=6), raw_of([1.0] * 7, STEADY), False),
        (WITHIN, Effort(1000, round=6), raw_of([1.0] * 7, STEADY, failed=[0]), True),
    ],
)
def test_a_measurement_is_enough(
    until: StopRule, effort: Effort, raw: RawFile, expected: bool
) -> None:
    assert is_enough(until, effort, raw) == expected


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


ONE_FAILED = raw_of([1, 1], [1], counts={"steals": 1}, failed=[1])


@pytest.mark.parametrize(
    ("until", "counts", "effort", "raw", "done", "left_s"),
    [
        # Of 8 processes one has 2 and its counting run; the one that failed needs no more.
        (StopRule(3), True, Effort(35), ONE_FAILED, 7 / 8, 5),
        (StopRule(3), False, Effort(), raw_of([]), 0, None),
        # The budget, or what runs in any case.
        (WITHIN, False, Effort(60), raw_of([1.0] * 5), 0.6, 40),
        (WITHIN, False, Effort(60), raw_of([1, 1]), 1 / 3, 120),
        (WITHIN, False, Effort(110, 0, 6), raw_of([1.0] * 7, STEADY), 1, 0),
    ],
)
def test_the_outlook_is_by_processes_or_by_the_budget(
    until: StopRule, counts: bool, effort: Effort, raw: RawFile, done: float, left_s: float | None
) -> None:
    outlook = outlook_on(until, counts, effort, raw)
    assert outlook.left_s == (None if left_s is None else pytest.approx(left_s))
    assert outlook.done == pytest.approx(done)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00 left"), (59.4, "0:59 left"), (59.6, "1:00 left"), (3599, "59:59 left")]
    + [(3600, "1:00:00 left"), (7384, "2:03:04 left"), (None, "")],
)
def test_the_time_left_is_in_hours_minutes_and_seconds(seconds: float | None, text: str) -> None:
    assert Outlook(0.5, seconds).left == text
