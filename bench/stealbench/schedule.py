"""What a measurement does next: the order of a round, whether it is enough, how long it still takes.
It starts no process and reads no clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from stealbench.standing import CellStanding

MOST_ROUNDS = 1000
FEWEST_ROUNDS = 6  # Below these nothing is told apart, whatever the budget says.

Interval = Callable[[Sequence[float]], tuple[float, float]]  # The 95 % one of a median.


@dataclass(frozen=True)
class StopRule:
    """When to stop: after `rounds` if there are some. Otherwise, after the fewest, as soon as half of
    the interval of every median is within the target or the budget is spent."""

    rounds: int = 0
    target_percent: float = 2
    budget_s: float = 120  # Another round begins if at least half of it would fit.


@dataclass(frozen=True)
class Effort:
    """What a measurement has taken."""

    spent_s: float = 0  # Since the experiment began, without what an interruption took.
    last_round_s: float = 0  # The latest that measured anything; 0 before.
    per_process_s: float | None = None  # None before the first.
    round: int = 0  # The one in hand, which is finished in any case.
    report_s: float = 0  # What follows the last process takes.


@dataclass(frozen=True)
class Outlook:
    """How far a measurement has come."""

    done: float = 0  # The part that is done, 0 to 1.
    left_s: float | None = None  # None: it cannot be known yet.

    @property
    def left(self) -> str:
        """`1:05 left`, `2:00:00 left`; empty where that is not known."""
        if self.left_s is None:
            return ""
        minutes, seconds = divmod(round(self.left_s), 60)
        hours, rest = divmod(minutes, 60)
        return f"{hours}:{rest:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left"


def report_time_s(cells: int) -> float:
    """To compute, write and draw the report of so many benchmarks, roughly."""
    return 0.25 + 0.004 * cells


def is_enough(
    until: StopRule, rounds: int, effort: Effort, cells: Sequence[CellStanding], interval: Interval
) -> bool:
    """Whether no round is to follow `rounds`, which every cell has that has not failed. One that
    some cells have, too, is finished in any case."""
    if until.rounds > 0:
        return rounds >= until.rounds
    if rounds < FEWEST_ROUNDS:
        return False
    # One that was begun before an interruption, and whose budget is spent.
    if any(not each.failure and len(each.samples) > rounds for each in cells):
        return False
    if rounds >= MOST_ROUNDS or effort.spent_s + effort.last_round_s / 2 > until.budget_s:
        return True
    return all(_is_narrow(until.target_percent, each, interval) for each in cells)


def _is_narrow(percent: float, cell: CellStanding, interval: Interval) -> bool:
    if not cell.has_finished:
        return True
    if len(cell.samples) < FEWEST_ROUNDS:
        return False
    low, high = interval(cell.seconds)
    return 100 * (high - low) / 2 <= percent * median(cell.seconds)


def order_of_round(
    round_number: int, cells: Sequence[CellStanding], randomness: random.Random
) -> list[int]:
    """The cells that lack this round, counted from 1, as indices, in an order of its own, so that
    what drifts with time (heat, other programs) favours no scheduler. The random numbers that it
    draws do not depend on what is measured: a resumed experiment has the orders of one that was never
    stopped."""
    order = list(range(len(cells)))
    randomness.shuffle(order)
    return [
        index
        for index in order
        if not cells[index].failure and len(cells[index].samples) < round_number
    ]


def left_to_count(cells: Sequence[CellStanding]) -> list[int]:
    """Those whose run that counts is missing, as indices: the cell has not failed, and it is not
    known that its scheduler has no counters."""
    sound = [each for each in cells if not each.failure]
    without = {e.cell.scheduler for e in sound if e.was_counted and e.counters is None}
    return [
        index
        for index, each in enumerate(cells)
        if not each.failure and not each.was_counted and each.cell.scheduler not in without
    ]


def outlook_on(
    until: StopRule, counts: bool, effort: Effort, cells: Sequence[CellStanding]
) -> Outlook:
    """By what the processes so far took each, and by the budget if it lasts longer than the rounds
    that run in any case: the fewest, and the one in hand. `counts`: one more run of each cell counts
    its events."""
    rounds = until.rounds or max(FEWEST_ROUNDS, effort.round)
    passes = rounds + counts
    every = len(cells) * passes
    finished = sum(passes if e.failure else min(len(e.samples), rounds) + counts for e in cells)
    if counts:
        finished -= len(left_to_count(cells))
    if effort.per_process_s is None:
        return Outlook(finished / every)
    left = effort.per_process_s * (every - finished)
    if until.rounds:
        return Outlook(finished / every, left + effort.report_s)
    left = max(left, until.budget_s - effort.spent_s) + effort.report_s
    return Outlook(effort.spent_s / (effort.spent_s + left) if left > 0 else 1.0, left)
