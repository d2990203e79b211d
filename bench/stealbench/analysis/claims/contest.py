"""Whether one strategy beats others, on several programs."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from stealbench.analysis.claims.evidence import EVERY, MODEL_ERROR, REAL, Claim, Evidence, Finding
from stealbench.analysis.claims.evidence import Program, Reader, Values, Verdict, decide, grid, hull
from stealbench.analysis.claims.evidence import program, texts
from stealbench.report.format import counted, ratio_with_interval
from stealbench.statistics import ACCEPTED_ERROR, Estimate, Floats


class Outcome(enum.IntEnum):
    """How the claimed strategy fares against a rival; first what says most of a program."""

    LOSES = 0
    MAY_LOSE = 1
    BEATS = 2
    EVEN = 3


VERBS = {
    Outcome.LOSES: "loses to",
    Outcome.MAY_LOSE: "may lose to",
    Outcome.BEATS: "beats",
    Outcome.EVEN: "is not told apart from",
}


def outcome_of(ratio: Values, error: float) -> Outcome:
    """Of the ratios of rival and claimed on each machine. Equal values show nothing."""

    def is_above(values: Values) -> bool:
        return decide(values, least=math.nextafter(1, 2), error=error) is Verdict.HOLDS

    def is_below(values: Values, error: float) -> bool:
        return decide(values, most=math.nextafter(1, 0), error=error) is Verdict.HOLDS

    if is_above(ratio):
        return Outcome.BEATS
    if is_below(ratio, error):
        return Outcome.LOSES
    is_behind = is_below(ratio, 1) or any(is_below([value], error) for value in ratio)
    return Outcome.MAY_LOSE if is_behind else Outcome.EVEN


@dataclass(frozen=True)
class Comparison:
    """A rival on a program, with the worker count that says most."""

    rival: str
    program: Program
    workers: int
    ratio: Estimate
    result: Outcome

    @property
    def order(self) -> tuple[int, float]:
        """What says more is less."""
        is_behind = self.result <= Outcome.MAY_LOSE
        return self.result, self.ratio.median if is_behind else -self.ratio.median


@dataclass(frozen=True)
class Contest:
    """One strategy is said to need less of something than its rivals.

    It beats one on a program if the ratio of rival and claimed is above 1 on every machine, beyond
    the interval and, of simulated values, the model's error; and loses likewise. It may lose if the
    ratio is below 1 on every machine by less than that error, or on one by more. All ratios are
    corrected together. The claim does not hold if it loses on a program to any rival, and holds if
    it beats each rival on some and may lose on none.
    """

    claimed: str
    rivals: Sequence[str]
    programs: Sequence[Program]
    workers: Sequence[int]
    column: str = "seconds"
    machine: str = EVERY

    def comparisons(self, known: Evidence) -> list[Comparison]:
        """Of each rival on each program."""
        size = len(self.rivals) * len(self.programs) * len(self.workers)
        confidence = 1 - ACCEPTED_ERROR / size
        error = 1 if self.machine == REAL else MODEL_ERROR
        comparisons = []
        for rival, what in itertools.product(self.rivals, self.programs):
            by_workers = []
            for workers in self.workers:
                ratio = known.of(self._ratio(what, rival, workers), confidence)
                outcome = outcome_of(ratio, error)
                by_workers.append(Comparison(rival, what, workers, hull(ratio), outcome))
            comparisons.append(min(by_workers, key=lambda compared: compared.order))
        return comparisons

    def _ratio(self, what: Program, rival: str, workers: int) -> Callable[[Reader], Floats]:
        counted_from = 0 if self.column == "seconds" else 1  # A count may be 0.

        def ratio(read: Reader) -> Floats:
            over, under = (
                read(what, scheduler, workers, self.column) for scheduler in (rival, self.claimed)
            )
            return (counted_from + over) / (counted_from + under)

        return ratio

    def judge(self, known: Evidence) -> Finding:
        """By every comparison with every rival."""
        comparisons = self.comparisons(known)
        results = {compared.result for compared in comparisons}
        beaten = {known.rival for known in comparisons if known.result == Outcome.BEATS}
        unbeaten = [compared for compared in comparisons if compared.rival not in beaten]
        is_behind = bool(results & {Outcome.LOSES, Outcome.MAY_LOSE})
        verdict = Verdict.HOLDS if not is_behind and not unbeaten else Verdict.UNDECIDED
        if Outcome.LOSES in results:
            verdict = Verdict.DOES_NOT_HOLD
        deciding = unbeaten if unbeaten and not is_behind else comparisons
        what = "tasks moved ÷ those" if self.column == "tasks_moved" else "time ÷ that"
        because = f"The ratios are a rival's {what} of {self.claimed}."
        because += "".join(_sentence_on(comparisons, result) for result in Outcome)
        figure = min(deciding, key=lambda compared: compared.order).ratio
        return Finding(figure, verdict, because)


def _sentence_on(comparisons: Sequence[Comparison], result: Outcome) -> str:
    """` It beats central-queue on fib n=27 (9.00 × [8.50, 9.90] with 64 workers), uts (…).`"""
    parts = []
    alike = [compared for compared in comparisons if compared.result == result]
    for rival, rows in itertools.groupby(alike, key=lambda compared: compared.rival):
        texts = []
        for row in rows:
            shown = f"{ratio_with_interval(row.ratio)} with {counted(row.workers, 'worker')}"
            texts.append(str(row.program) + ("" if result == Outcome.EVEN else f" ({shown})"))
        parts.append(f"{rival} on {', '.join(texts)}")
    return f" It {VERBS[result]} {'; '.join(parts)}." if parts else ""


def contests() -> list[Claim]:
    """The claims that one strategy needs less than its rivals."""
    claims = []
    for number, entry in texts().items():
        if "claimed" in entry:
            names = {name.name for name in fields(Contest)} & entry.keys()
            parts: dict[str, Any] = {name: entry[name] for name in names}
            parts["programs"] = list(map(program, entry["programs"]))
            contest = Contest(**parts)
            strategies = [*contest.rivals, contest.claimed]
            wanted = grid(contest.programs, strategies, contest.workers, contest.machine)
            claims.append(Claim(int(number), wanted, contest.judge))
    return claims
