"""What a measurement does next: the order of a round, whether it is enough, how long it still takes.
It starts no process and reads no clock."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.rawfile import RawFile

MOST_ROUNDS = 1000


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
    round: int = 0  # The one in hand, which is finished in any case.


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


def _sound(raw: RawFile) -> list[str]:
    return [name for name in raw.cells if name not in raw.failures]


def is_enough(until: StopRule, effort: Effort, raw: RawFile) -> bool:
    """Whether no round is to follow the one in hand, which every cell has that has not failed."""
    rounds, sound = effort.round, _sound(raw)
    if until.rounds > 0:
        return rounds >= until.rounds
    # One that some cells have, too, was begun before an interruption: it is finished in any case.
    if rounds < FEWEST_ROUNDS or any(raw.rounds.get(name, 0) > rounds for name in sound):
        return False
    if rounds >= MOST_ROUNDS or effort.spent_s + effort.last_round_s / 2 > until.budget_s:
        return True
    times: dict[str, list[float]] = {name: [] for name in sound}
    for row in raw.processes:
        if row["cell"] in times and row["kind"] != "counted":
            times[row["cell"]].append(row["seconds"])
    return all(_is_narrow(until.target_percent, seconds) for seconds in times.values())


def _is_narrow(percent: float, seconds: Sequence[float]) -> bool:
    from stealbench.statistics import estimate_median  # Not at the top: it takes long to load.

    if len(seconds) < FEWEST_ROUNDS:
        return False
    median, low, high = estimate_median(seconds)
    return bool(100 * (high - low) / 2 <= percent * median)


def order_of_round(round_number: int, raw: RawFile, randomness: random.Random) -> list[Cell]:
    """The cells that lack this round, counted from 1, in an order of its own, so that what drifts
    with time (heat, other programs) favours no scheduler. The random numbers that it draws do not
    depend on what is measured: a resumed experiment has the orders of one that was never stopped.
    """
    order = list(raw.cells)
    randomness.shuffle(order)
    lacking = (name for name in order if raw.rounds.get(name, 0) < round_number)
    return [raw.cells[name] for name in lacking if name not in raw.failures]


def left_to_count(raw: RawFile) -> list[Cell]:
    """Those whose run that counts is missing: the cell has not failed, and it is not known that its
    scheduler has no counters."""
    sound = _sound(raw)
    missing = [raw.cells[name] for name in sound if name not in raw.counters]
    silent = {raw.cells[name].scheduler for name in sound if raw.counters.get(name, 0) is None}
    return [cell for cell in missing if cell.scheduler not in silent]


def outlook_on(until: StopRule, counts: bool, effort: Effort, raw: RawFile) -> Outlook:
    """By the processes that run in any case, and by the budget if that lasts longer. `counts`: one
    more run of each cell counts its events."""
    rounds = until.rounds or max(FEWEST_ROUNDS, effort.round)
    left = sum(max(0, rounds - raw.rounds.get(name, 0)) for name in _sound(raw))
    left += len(left_to_count(raw)) if counts else 0
    done = 1 - left / (len(raw.cells) * (rounds + counts))
    if not until.rounds:
        done = min(done, effort.spent_s / until.budget_s)
    return Outlook(done, effort.spent_s * (1 - done) / done if done else None)
