"""Whether one strategy needs less of something than its rivals, on several programs."""

from __future__ import annotations

import itertools

from stealbench.analysis.claims.values import MODEL_ERROR, Claim, Rounds, Verdict, hull
from stealbench.report.format import counted, ratio_with_interval
from stealbench.statistics import ACCEPTED_ERROR, Estimate, Floats

LOSES, MAY_LOSE, BEATS, EVEN = range(4)
"""How the claimed strategy fares against a rival; first what says most of a program."""
VERBS = ("loses to", "may lose to", "beats", "is not told apart from")

Comparison = tuple[int, float, str, str, Estimate]
"""Of a rival on a program: the outcome, less the more the ratio says, rival, text and ratio."""


def outcome_of(ratios: Floats, error: float) -> int:
    """Of the ratios of rival and claimed, a row for each machine. Equal values show nothing.

    It may lose if they are below 1 by less than the model's error, or on one machine alone.
    """
    low, high = ratios[:, 1], ratios[:, 2]
    if (low > error).all():
        return BEATS
    if (high * error < 1).all():
        return LOSES
    return MAY_LOSE if (high < 1).all() or (high * error < 1).any() else EVEN


def comparisons(read: Rounds, claim: Claim) -> list[Comparison]:
    """Of each rival on each program, with the worker count that says most."""
    claimed, *rivals = claim["schedulers"]
    programs, workers, metric = claim["programs"], claim["workers"], claim.get("column", "seconds")
    counted_from = 0 if metric == "seconds" else 1  # A count may be 0.
    error = 1 if claim.get("is_measured") else MODEL_ERROR
    # All ratios are corrected together.
    confidence = 1 - ACCEPTED_ERROR / (len(rivals) * len(programs) * len(workers))
    rows = []
    for rival, program in itertools.product(rivals, programs):
        of_counts: list[Comparison] = []
        grid = {"programs": [program], "schedulers": [claimed, rival], "workers": workers}
        under, over = counted_from + read(grid, metric)[0]
        for count, ratios in zip(workers, over / under):
            estimates = read.estimates(ratios, confidence)
            outcome, ratio = outcome_of(estimates, error), hull(estimates)
            order = ratio.median if outcome in (LOSES, MAY_LOSE) else -ratio.median
            shown = f" ({ratio_with_interval(ratio)} with {counted(count, 'worker')})"
            text = program + ("" if outcome == EVEN else shown)
            of_counts.append((outcome, order, rival, text, ratio))
        rows.append(min(of_counts, key=lambda row: row[:2]))
    return rows


def judge(read: Rounds, claim: Claim) -> tuple[Estimate, Verdict, str]:
    """The deciding ratio, the verdict and the reason.

    It does not hold if the strategy loses to one rival on one program. It holds if it beats each
    rival on one, and may lose on none.
    """
    rows = comparisons(read, claim)
    outcomes = {row[0] for row in rows}
    beaten = {row[2] for row in rows if row[0] == BEATS}
    unbeaten = [row for row in rows if row[2] not in beaten]
    verdict, deciding = Verdict.UNDECIDED, rows
    if LOSES in outcomes:
        verdict = Verdict.DOES_NOT_HOLD
    elif MAY_LOSE not in outcomes:
        verdict, deciding = (verdict, unbeaten) if unbeaten else (Verdict.HOLDS, rows)
    what = "tasks moved ÷ those" if claim.get("column") == "tasks_moved" else "time ÷ that"
    because = f"The ratios are a rival's {what} of {claim['schedulers'][0]}."
    for outcome, verb in enumerate(VERBS):
        alike = [row for row in rows if row[0] == outcome]
        by_rival = itertools.groupby(alike, key=lambda row: row[2])
        parts = [f"{rival} on {', '.join(row[3] for row in own)}" for rival, own in by_rival]
        because += f" It {verb} {'; '.join(parts)}." if parts else ""
    return min(deciding, key=lambda row: row[:2])[-1], verdict, because
