"""Sentences that the recorded values and the times of a workload carry."""

from __future__ import annotations

import math
from typing import Any

from stealbench.analysis.explained import FOREIGN, SERIAL, Explained
from stealbench.report.format import counted, joined, percent, ratio, seconds
from stealbench.statistics import Separation

AMPLE = 10
"""With ten times as much parallelism as workers a greedy schedule is within 10 % of linear."""

USEFUL_LOSS = 0.05
"""A task has to be so long that no more than this part goes to it."""
TRUSTED = 0.9
"""A price that explains less of T1 - Ts, or more than all, carries no advice."""


def place_text(place: dict[str, Any]) -> str:
    return f"{place['file']}:{place['line']}" if place["line"] else "start of the program"


def by_span(recorded: dict[str, Any]) -> list[dict[str, Any]]:
    """The places with a strand, by what they have of the span, the greatest first."""
    places = [place for place in recorded["places"] if place["work_ns"] > 0]
    return sorted(places, key=lambda place: -float(place["span_ns"]))


def _on_parallelism(parallelism: float, workers: int) -> str:
    words = counted(workers, "worker")
    burdened = f"{ratio(parallelism)} with a steal at each fork of the critical path"
    if parallelism >= AMPLE * workers:
        return (
            f"There is parallelism enough for {words}: {ratio(parallelism)} even with a steal at"
            f" each fork of the critical path, and {AMPLE} times the workers suffice. Without costs"
            " of scheduling, a greedy schedule is then within 10 % of linear speedup."
        )
    if parallelism >= workers:
        return (
            f"Parallelism is scarce for {words}: {burdened}, less than {AMPLE} times the workers. A"
            f" greedy schedule may take {ratio(1 + workers / parallelism)} of the time of linear"
            " speedup."
        )
    return (
        f"There is not enough parallelism for {words}: {burdened}. No more than"
        f" {max(1, math.ceil(parallelism))} can be used."
    )


def _on_choice(known: Explained, workers: int) -> str:
    """Which scheduler is ahead of all others with so many workers, and by what.

    Empty where the measurement does not show it, where one of the first two is in doubt, or if the
    model's error with contended workers is greater. Serial is among them: it may be ahead of all.
    """
    rivals = [
        time
        for time in known.times
        if time.seconds and (time.workers == workers or time.scheduler in SERIAL)
    ]
    if known.is_foreign and any(time.cell is None for time in rivals):
        rivals = [time for time in rivals if time.cell is None]
    if sum(time.scheduler not in SERIAL for time in rivals) < 2:
        return ""
    rivals.sort(key=lambda time: time.seconds.median if time.seconds else 0)
    best, following = rivals[:2]
    assert best.seconds and following.seconds
    margin = following.seconds.median / best.seconds.median
    text = (
        f"With {counted(workers, 'worker')}, {best.scheduler} is the fastest:"
        f" {following.scheduler} takes {ratio(margin)} its time"
    )
    if any(time.doubt not in ("", FOREIGN) for time in (best, following)):
        return ""
    if best.cell is not None and following.cell is not None:
        times = [known.figures.times[time.cell] for time in rivals if time.cell is not None]
        return f"{text}." if Separation([times]).is_slower(0, 1, 0) else ""
    accuracy = known.simulation["profile"]["accuracy"]
    error = accuracy["contended_factor"] if accuracy else margin
    return f"{text}, simulated; the model may be off by {ratio(error)}." if margin > error else ""


def _on_grain(recorded: dict[str, Any], alone: Any) -> str:
    tasks = recorded["tasks"]
    if alone["workers"] != 1 or not alone["tasks_ns"] > 0 or (alone["explained"] or 0) < TRUSTED:
        return ""
    price = 1e-9 * alone["tasks_ns"] / tasks
    return (
        f"On {alone['scheduler']} each task adds {seconds(price)} here: below a grain of"
        f" {seconds(price / USEFUL_LOSS)} more than {100 * USEFUL_LOSS:.0f} % is lost to tasks. A"
        f" task has {seconds(1e-9 * recorded['work_ns'] / tasks)} of work."
    )


def _on_doubts(known: Explained) -> str:
    """What is not concluded from."""
    text = ""
    if recording := known.doubt_of_recording():
        text = f"Work, span and bounds are in doubt: {recording}. "
    doubtful: dict[str, list[str]] = {}
    for time in known.times:
        if time.doubt and time.doubt != FOREIGN:
            name = f"{time.scheduler} with {counted(time.workers, 'worker')}"
            doubtful.setdefault(time.doubt, []).append(name)
    reasons = [f"{joined(names)} ({doubt})" for doubt, names in doubtful.items()]
    return text + (f"Nothing is concluded from {'; '.join(reasons)}." if reasons else "")


def mean_strand(recorded: dict[str, Any]) -> float:
    return float(recorded["work_ns"] / max(1.0, recorded["strands"]))


def advice_of(known: Explained) -> list[str]:
    """Sentences that the recorded values and the times carry; the most important one first."""
    recorded, burden = known.recorded, known.about["burden_ns"]
    parallelism = recorded["burdened_parallelism"]
    advice = [_on_parallelism(parallelism, known.workers), _on_doubts(known)]
    places = by_span(recorded)
    if parallelism < AMPLE * known.workers and places:
        advice.append(
            "To shorten the critical path, begin with what follows"
            f" {place_text(places[0])}: it is"
            f" {percent(places[0]['span_ns'] / recorded['span_ns'])} of the span."
        )
    strand = mean_strand(recorded)
    if recorded["tasks"] > 0 and strand < burden:
        advice.append(
            f"A strand is {seconds(1e-9 * strand)} long on average, shorter than a steal"
            f" ({seconds(1e-9 * burden)}): to steal pays only where the stolen task forks many"
            " more."
        )
    advice += [_on_grain(recorded, row) for _, row in known.budgets.iterrows()]
    advice += [_on_choice(known, workers) for workers in (2, 16, 64)]
    return [sentence for sentence in advice if sentence]
