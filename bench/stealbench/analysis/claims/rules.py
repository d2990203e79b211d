"""The rules of claims: arithmetic on medians, of what the entry in `claims.toml` lists.

It has the bounds on the values that a rule returns. A rule that cannot be judged says why instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from stealbench.analysis.claims.values import MODEL_ERROR, Claim, Found, Rounds, exponent, hull
from stealbench.analysis.claims.values import line_through, parameters_of
from stealbench.analysis.validation import CONTENDED_ABOVE
from stealbench.report.format import seconds
from stealbench.statistics import Floats


def _column(numbers: Sequence[float]) -> Floats:
    """On an axis of their own before machine and resample."""
    return numpy.array(numbers, dtype=float)[:, None, None]


def _numbers(programs: Sequence[str], key: str) -> Floats:
    """The values of a parameter, likewise."""
    return _column([float(parameters_of(program)[key]) for program in programs])


def time_bounds(read: Rounds, claim: Claim) -> Found | str:
    """Times over T1/P_A + T∞ · P/P_A; where they are simulated, each worker has a processor."""
    programs, many, processors = claim["programs"], claim["workers"][-1], read.processors
    if claim["is_measured"] and processors >= many:
        return f"A verdict needs fewer processors than {many} workers, and there are {processors}."
    times, workers = read(claim), _column(claim["workers"])
    had = numpy.minimum(workers, processors) if claim["is_measured"] else workers
    alone = times[:, :, :1]
    over = times * had / alone / (1 + workers * read.span_share(programs)[:, None, None])
    greatest = over.max(axis=2)[:, 0]
    worst = int(numpy.median(greatest[..., 0], axis=-1).argmax())
    found = {"greatest": greatest.max(axis=0), "with_most_workers": over[0, :, -1]}
    return {**found, "worst": programs[worst], "work": alone[worst, 0, 0], "processors": processors}


def stealing_bound(read: Rounds, claim: Claim) -> Found:
    """P · T_P = T1 + c · P · T∞: a line over P · T∞."""
    times, workers = read(claim)[:, 0], _column(claim["workers"])
    span = times[:, :1] * read.span_share(claim["programs"])[:, None]
    slopes, misfits = line_through(workers * span, workers * times)
    return {"misfit": misfits.max(axis=0), "slopes": slopes}


def ample_parallelism(read: Rounds, claim: Claim) -> Found:
    """The least part of linear speedup where there is ten times as much parallelism as workers."""
    times, lines = read(claim)[:, 0], read(claim, "lines_share")[:, 0]
    workers = _column(claim["workers"])
    is_ample = (1 / read.span_share(claim["programs"])[:, None] >= 10 * workers) & (workers > 1)
    parts = numpy.where(is_ample, times[:, :1] / times / workers, numpy.inf).min(axis=1)
    waiting = numpy.where(is_ample, lines, 0).max(axis=(0, 1))
    is_contended = hull(read.estimates(waiting)).high > CONTENDED_ABOVE
    return {"least": parts.min(axis=0), "on": parts, "error": MODEL_ERROR if is_contended else 1}


def attempts(read: Rounds, claim: Claim) -> Found:
    """How attempts grow: half-way between span and work is the geometric mean of their growths."""
    (other,) = claim["more"]
    tried = 1 + read(claim, "steal_attempts")[:, 0, 0]
    by_workers = exponent(other["workers"], 1 + read(claim | other, "steal_attempts")[0, 0])
    work, span = (read.recorded(claim["programs"], key) for key in ("work_units", "span_units"))
    over = tried[1] / tried[0] / numpy.sqrt(work[1] / work[0] * span[1] / span[0])
    grown, of_span = exponent(work, tried), exponent(work, span)
    return {"over_half_way": over, "grown": grown, "span": of_span, "by_workers": by_workers}


def live_tasks(read: Rounds, claim: Claim) -> Found:
    """Of a loop, for each worker; and over those of the smaller loop. Of each scheduler."""
    live = read(claim, "most_live_jobs")[:, :, 0]
    of_worker = live[-1] / claim["workers"][0]
    return {"of_worker": of_worker, "most": of_worker.max(axis=0), "grown": live[-1] / live[0]}


def price_of_a_task(read: Rounds, claim: Claim) -> Found:
    """The slope of the times over the tasks, and how far these are off n/g."""
    tasks, times = read(claim, "fork_count")[:, 0, 0], read(claim)[:, 0, 0]
    keys = ("numbers", "passes", "grain")
    numbers, passes, grains = (_numbers(claim["programs"], key) for key in keys)
    share = tasks * grains / (numbers * passes)
    off = numpy.maximum(share, 1 / share).max(axis=0)
    price, misfit = line_through(tasks, times)
    fork = read(claim | claim["more"][0])[0, 0, 0]
    return {"misfit": misfit, "price": price, "off": off, "fork": fork}


def leaves(read: Rounds, claim: Claim) -> Found | str:
    """Speedups over that with the best leaves: the worst and the best of leaves in a range."""
    alone = read(claim | claim["more"][0])[:, :, 0]
    speedups = alone / read(claim)[:, :, 0]
    over_best = speedups / speedups.max(axis=0)
    medians = over_best[..., 0, 0]
    lengths = (alone[:, 0] / 2 ** _numbers(claim["programs"], "depth"))[:, 0, 0]
    first, last = claim["leaf_seconds"]
    (inside,) = numpy.nonzero((first <= lengths) & (lengths <= last))
    if not len(inside):
        return f"No leaf took {seconds(first)} to {seconds(last)}."
    good = [lengths[row >= claim["good"]] for row in medians.T]
    found: Found = {"good_ones": [f"{seconds(row.min())} to {seconds(row.max())}" for row in good]}
    places = {"worst": medians[inside].argmin(), "best": medians[inside].argmax()}
    for name, place in places.items():
        row, scheduler = divmod(int(place), medians.shape[1])
        found[name] = over_best[inside[row], scheduler]
        found[f"{name}_length"] = seconds(lengths[inside[row]])
    return found


def merges(read: Rounds, claim: Claim) -> Found:
    """Exponents of the parallelism over lg n with serial merges, over n / lg² n with parallel."""
    recorded, times = claim["recorded"], read(claim)[:, 0]
    lg = numpy.log2(_numbers(recorded[:2], "keys"))
    serial, parallel = (read.recorded(part, "parallelism") for part in (recorded[:2], recorded[2:]))
    parts = {"serial": exponent(lg, serial), "parallel": exponent(2**lg / lg**2, parallel)}
    return {**parts, "speedups": times[:, 0] / times[:, 1]}


def busy_parts(read: Rounds, claim: Claim) -> Found:
    """How long the workers are busy, and wait for cache lines with the last scheduler."""
    busy, lines = read(claim, "work_share"), read(claim, "lines_share")
    return {"busy": busy[0, :, 0], "lines": lines[0, -1, 0]}


def operations(read: Rounds, claim: Claim) -> Found:
    """Metrics of `stealbench micro`, over what is claimed at most."""
    times = numpy.concatenate([read(claim)[:, 0, 0], read(claim | claim["more"][0])[:, 0, 0]])
    return {"times": times, "over_claimed": (times / _column(claim["most_seconds"])).max(axis=0)}


def size_of_a_steal(read: Rounds, claim: Claim) -> Found:
    """Tasks for each steal, over the depth of the tree."""
    tasks, moved = read(claim, "fork_count"), read(claim, "tasks_moved")
    return {"size": (tasks / (1 + moved))[0, 0, 0] / read.recorded(claim["programs"], "depth")[0]}


def tasks_of_a_loop(read: Rounds, claim: Claim) -> Found:
    """By worker count, with lazy and with eager splitting."""
    lazy, eager = read(claim, "jobs_spawned")[0]
    return {"lazy": lazy, "eager": eager, "fewer": (eager / (1 + lazy)).min(axis=0)}


def overhead(read: Rounds, claim: Claim) -> Found:
    """The greatest T1 over the serial time, of each other scheduler."""
    times = read(claim)[:, :, 0]
    over = times[:, 1:] / times[:, :1]
    worst = claim["programs"][int(over[:, 0, 0, 0].argmax())]
    return {"over_serial": over.max(axis=0), "worst": worst}


def tasks_at_beats(read: Rounds, claim: Claim) -> Found:
    """The most tasks for each beat of the heart."""
    beats = read(claim) / claim["beat_seconds"]
    return {"made": (read(claim, "jobs_exposed") / beats)[:, 0, 0].max(axis=0)}
