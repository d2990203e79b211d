"""When a measurement ends, in which order its rounds run, and how long it still takes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from stealbench.cell import Cell
from stealbench.rawfile import RawFile
from stealbench.schedule import (
    MOST_ROUNDS,
    Effort,
    Outlook,
    StopRule,
    is_enough,
    left_to_count,
    order_of_round,
    outlook_on,
    report_time_s,
)
from stealbench.standing import CellStanding

STEADY = [1.0] * 6
UNSTEADY = [1, 1.2, 1, 1.2, 1, 1.2]
WITHIN = StopRule(target_percent=2, budget_s=100)


def cell(times: Sequence[float] = (), failure: str = "", scheduler: str = "serial") -> CellStanding:
    samples: list[dict[str, Any]] = [{"seconds": each} for each in times]
    of = Cell("fib", (), scheduler)
    return CellStanding(of, RawFile({}, {}, failures={of.name: failure}), samples)


def count(of: CellStanding, counters: dict[str, Any] | None) -> None:
    of.raw.counters[of.cell.name] = counters


def enough(rounds: int, effort: Effort, *cells: CellStanding, until: StopRule = WITHIN) -> bool:
    return is_enough(until, rounds, effort, cells, lambda values: (min(values), max(values)))


def test_enough_is_the_number_of_rounds_that_was_asked_for() -> None:
    for rounds in (1, 2, 6, 7):
        until = StopRule(rounds, budget_s=1)
        assert not enough(rounds - 1, Effort(1000), cell(STEADY), until=until)
        assert enough(rounds, Effort(), cell(), until=until)


def test_nothing_is_enough_below_six_rounds_whatever_the_budget() -> None:
    for rounds in range(1, 6):
        assert not enough(rounds, Effort(1000), cell([1.0] * rounds))
    assert enough(6, Effort(1000), cell(UNSTEADY))


def test_enough_is_when_every_interval_is_narrow_and_not_only_some() -> None:
    failed = cell([1, 2], "crashed")
    assert enough(6, Effort(1), cell(STEADY), failed)
    assert not enough(6, Effort(1), cell(STEADY), cell(UNSTEADY))
    assert not enough(6, Effort(1), cell(UNSTEADY), cell(STEADY), failed)
    assert not enough(6, Effort(1), cell(STEADY), cell([1.0] * 5)), "of five it is no interval"


def test_half_the_width_is_compared_with_the_target_as_a_part_of_the_median() -> None:
    for percent, is_narrow in ((100 * 0.1 / 1.1 - 0.01, False), (100 * 0.1 / 1.1 + 0.01, True)):
        until = StopRule(target_percent=percent, budget_s=100)
        assert enough(6, Effort(), cell(UNSTEADY), until=until) == is_narrow


@pytest.mark.parametrize(
    ("spent", "last_round", "is_over"),
    [(90, 20, False), (91, 20, True), (99, 0, False), (101, 0, True)],
)
def test_enough_is_when_less_than_half_of_a_round_would_fit(
    spent: float, last_round: float, is_over: bool
) -> None:
    assert enough(6, Effort(spent, last_round), cell(UNSTEADY)) == is_over
    assert enough(MOST_ROUNDS, Effort(), cell(UNSTEADY))


def test_a_round_that_is_begun_is_finished_whatever_the_budget() -> None:
    ahead, behind = cell([1.0] * 7), cell(STEADY)
    assert not enough(6, Effort(1000), ahead, behind)
    assert enough(7, Effort(1000), ahead)
    assert enough(6, Effort(1000), cell([1.0] * 7, "crashed"), behind)


def test_an_order_has_every_cell_once_shuffled_anew_each_round() -> None:
    cells = [cell() for _ in range(20)]
    randomness = random.Random(7)
    orders = [order_of_round(each, cells, randomness) for each in range(1, 6)]
    assert all(sorted(each) == list(range(20)) != each for each in orders)
    assert len({tuple(each) for each in orders}) == 5
    assert order_of_round(1, cells, random.Random(8)) not in orders


def test_an_order_leaves_out_what_failed_and_what_has_the_round() -> None:
    cells = [cell([1, 1]), cell([1], "crashed"), cell([1])]
    assert order_of_round(2, cells, random.Random(1)) == [2]
    assert sorted(order_of_round(3, cells, random.Random(1))) == [0, 2]


def test_an_order_is_the_same_after_a_resumption() -> None:
    whole = random.Random(7)
    fresh = [cell() for _ in range(20)]
    order_of_round(1, fresh, whole)
    second = order_of_round(2, fresh, whole)
    resumed = random.Random(7)
    measured = [cell([1]) for _ in range(20)]
    assert order_of_round(1, measured, resumed) == []
    assert order_of_round(2, measured, resumed) == second


def test_each_cell_is_counted_once_unless_its_scheduler_has_no_counters() -> None:
    cells = [cell(), cell(scheduler="openmp"), cell()]
    assert left_to_count(cells) == [0, 1, 2]
    count(cells[0], {"steals": 1})
    assert left_to_count(cells) == [1, 2]
    count(cells[0], None)
    assert left_to_count(cells) == [1], "another of its scheduler has none"
    cells = [cell([], "crashed"), cell([], "crashed", "openmp"), cell()]
    count(cells[0], None)
    assert left_to_count(cells) == [2], "what failed has shown nothing"


def test_the_outlook_on_rounds_is_by_processes() -> None:
    cells = [cell([1, 1]), cell([1], "crashed", "openmp")]
    count(cells[0], {"steals": 1})
    until = StopRule(3)
    # Of 8 processes one cell has 2 and its counting run; the other one needs no more.
    assert outlook_on(until, True, Effort(per_process_s=5), cells) == Outlook(7 / 8, 5)
    assert outlook_on(until, False, Effort(per_process_s=5), cells) == Outlook(5 / 6, 5)
    assert outlook_on(until, True, Effort(), cells).left_s is None
    fresh = [cell(), cell()]
    count(fresh[0], None)
    assert outlook_on(StopRule(1), True, Effort(per_process_s=5), fresh) == Outlook(2 / 4, 10)


def test_the_outlook_on_a_budget_is_the_budget_or_what_runs_in_any_case() -> None:
    def outlook(spent: float, each: float, *cells: CellStanding, round_number: int = 0) -> Outlook:
        return outlook_on(WITHIN, False, Effort(spent, 0, each, round_number), cells)

    two = cell([1, 1])
    assert outlook(60, 5, two) == Outlook(0.6, 40)
    assert outlook(60, 20, two) == Outlook(60 / 140, 80), "four rounds more"
    assert outlook(120, 20, cell(UNSTEADY)) == Outlook(1, 0)
    ahead = [cell([1.0] * 7), cell(STEADY)]
    assert outlook(110, 10, *ahead, round_number=7) == Outlook(110 / 120, 10)
    assert outlook(110, 10, *ahead, round_number=6).left_s == 0
    report = Effort(120, 0, 10, report_s=report_time_s(1))
    assert outlook_on(WITHIN, False, report, [cell(STEADY)]).left_s == report_time_s(1) > 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00 left"), (59.4, "0:59 left"), (59.6, "1:00 left"), (3599, "59:59 left")]
    + [(3600, "1:00:00 left"), (7384, "2:03:04 left"), (None, "")],
)
def test_the_time_left_is_in_hours_minutes_and_seconds(seconds: float | None, text: str) -> None:
    assert Outlook(0.5, seconds).left == text
