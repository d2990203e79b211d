"""The rules of claims: arithmetic on medians, of what the entry in `claims.toml` lists.

The last axes of values are the machine and the resample: at 0 the median over the rounds, then
those over resampled rounds. So what is computed of them has an interval too. A rule returns values
by the names that the entry has; one that cannot be judged says why instead.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import ArrayLike

from stealbench.analysis.validation import CONTENDED_ABOVE
from stealbench.cell import Cell
from stealbench.report.format import counted, ratio_with_interval, seconds
from stealbench.statistics import ACCEPTED_ERROR, CONFIDENCE, Estimate, Floats, bootstrap, median
from stealbench.statistics import middle_of, resamples

Claim = dict[str, Any]  # An entry of `claims.toml`.
Found = dict[str, Any]  # What a rule returns.
# Of a cell and a metric, or of a program and a key of its record: by round, or one for all.
Values = Callable[[str, str], Floats]

FAILS, IN_MODEL, OPEN, HOLDS = VERDICTS = (
    "does not hold",
    "holds in its model, not at the costs of a real machine",
    "undecided",
    "holds",
)
"""The verdict on some things together is the first one of theirs."""
MODEL_ERROR = 2
"""A simulated time may be wrong by so much where workers wait for each other, either way. No verdict
may depend on less (schedulers/virtual_machine/validation.md)."""


def parameters_of(program: str) -> dict[str, str]:
    """Of `fib n=30`."""
    return {key: value for key, _, value in (pair.partition("=") for pair in program.split()[1:])}


def cell_of(program: str, scheduler: str, workers: int, machine: str) -> Cell:
    """`machine` as a raw file has it: empty if it is measured."""
    parameters = tuple(parameters_of(program).items())
    return Cell(program.split()[0], parameters, scheduler, workers, "", "", machine)


@dataclass(frozen=True)
class Rounds:
    """What was measured or simulated of one claim. `size`: the rounds that all its cells have."""

    values: Values
    machines: Sequence[str]
    size: int
    processors: int

    def _medians(self, name: str, key: str) -> Floats:
        values = numpy.resize(self.values(name, key), self.size)
        drawn = numpy.concatenate([numpy.arange(self.size)[None], resamples(self.size)[0]])
        return middle_of(numpy.sort(values[drawn], axis=1))

    def __call__(self, grid: Claim, key: str = "seconds") -> Floats:
        """Medians of a metric by program, scheduler and worker count, machine and resample."""
        parts = grid["programs"], grid["schedulers"], grid["workers"], self.machines
        rows = [self._medians(cell_of(*cell).name, key) for cell in itertools.product(*parts)]
        return numpy.reshape(rows, (*map(len, parts), -1))

    def recorded(self, programs: Sequence[str], key: str) -> Floats:
        """`work_units`, `span_units`, `parallelism` or `depth`: the same on all machines."""
        return numpy.stack([self._medians(program, key)[None] for program in programs])

    def span_share(self, programs: Sequence[str]) -> Floats:
        """The span as a part of the work."""
        return self.recorded(programs, "span_units") / self.recorded(programs, "work_units")

    def estimates(self, values: Floats, confidence: float = CONFIDENCE) -> Floats:
        """Median, low and high: a row for each machine."""
        return bootstrap(self.size, values[:, 0], lambda _: values[:, 1:], confidence)


def hull(estimates: Floats) -> Estimate:
    """The median of the medians, and an interval around all intervals."""
    middles, lows, highs = estimates.T
    return Estimate(median(middles), float(lows.min()), float(highs.max()))


def exponent(x: ArrayLike, y: Floats) -> Floats:
    """b of y = a · x^b through two points."""
    across, up = (numpy.diff(numpy.log(values), axis=0)[0] for values in (x, y))
    return numpy.asarray(up / across)


def line_through(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """By least squares of the relative errors, through points on the third axis from behind.

    The slope, and the greatest factor between a y and the line; a line below 0 fits nothing.
    """
    weight = y**-2.0
    parts = (numpy.ones_like(x), x, y, x * x, x * y)
    w, wx, wy, wxx, wxy = ((weight * part).sum(axis=-3, keepdims=True) for part in parts)
    slope = (w * wxy - wx * wy) / (w * wxx - wx * wx)
    factor = y / ((wy - slope * wx) / w + slope * x)
    misfits = numpy.where(factor > 0, numpy.maximum(factor, 1 / factor), 1e6)
    return slope.squeeze(axis=-3), misfits.max(axis=-3)


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


def speedups(read: Rounds, claim: Claim) -> Found:
    """P · T_P = T1 + c · P · T∞: a line over P · T∞; and the least part of linear speedup where there
    is ten times as much parallelism as workers."""
    times, lines = read(claim)[:, 0], read(claim, "lines_share")[:, 0]
    workers, span = _column(claim["workers"]), read.span_share(claim["programs"])[:, None]
    slopes, misfits = line_through(workers * times[:, :1] * span, workers * times)
    is_ample = (1 / span >= 10 * workers) & (workers > 1)
    parts = numpy.where(is_ample, times[:, :1] / times / workers, numpy.inf).min(axis=1)
    waiting = read.estimates(numpy.where(is_ample, lines, 0).max(axis=(0, 1)))
    error = MODEL_ERROR if hull(waiting).high > CONTENDED_ABOVE else 1
    found = {"least": parts.min(axis=0), "on": parts, "error": error}
    return {"misfit": misfits.max(axis=0), "slopes": slopes, **found}


def attempts(read: Rounds, claim: Claim) -> Found:
    """How attempts grow: half-way between span and work is the geometric mean of their growths."""
    other = claim | claim["more"][0]
    tried = 1 + read(claim, "steal_attempts")[:, 0, 0]
    by_workers = exponent(other["workers"], 1 + read(other, "steal_attempts")[0, 0])
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
    price, misfit = line_through(tasks, times)
    found = {"misfit": misfit, "price": price, "fork": read(claim | claim["more"][0])[0, 0, 0]}
    return {**found, "off": numpy.maximum(share, 1 / share).max(axis=0)}


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


def columns(read: Rounds, claim: Claim) -> Found:
    """The listed columns of the program with the first worker count, by scheduler."""
    return {key: read(claim, key)[0, :, 0] for key in claim["columns"]}


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


# How the claimed strategy fares against a rival; first what says most of a program.
LOSES, MAY_LOSE, BEATS, EVEN = OUTCOMES = (
    "loses to",
    "may lose to",
    "beats",
    "is not told apart from",
)


def outcome_of(ratios: Floats, error: float) -> str:
    """Of the ratios of rival and claimed, a row for each machine. Equal values show nothing.

    It may lose if they are below 1 by less than the model's error, or on one machine alone.
    """
    low, high = ratios[:, 1], ratios[:, 2]
    if (low > error).all():
        return BEATS
    if (high * error < 1).all():
        return LOSES
    return MAY_LOSE if (high < 1).all() or (high * error < 1).any() else EVEN


def contest(read: Rounds, claim: Claim) -> Found:
    """Whether the first strategy needs less of a column than each other one: `figure`, the deciding
    ratio, `verdict` and `because`. Of each rival and program the worker count that says most counts.

    It does not hold if the strategy loses to one rival on one program. It holds if it beats each
    rival on one, and may lose on none.
    """
    claimed, *rivals = claim["schedulers"]
    programs, workers, metric = claim["programs"], claim["workers"], claim.get("column", "seconds")
    counted_from = 0 if metric == "seconds" else 1  # A count may be 0.
    # All ratios are corrected together.
    confidence = 1 - ACCEPTED_ERROR / (len(rivals) * len(programs) * len(workers))
    rows: list[Found] = []
    for rival, program in itertools.product(rivals, programs):
        grid = {"programs": [program], "schedulers": [claimed, rival], "workers": workers}
        under, over = counted_from + read(grid, metric)[0]
        of_counts: list[Found] = []
        for count, ratios in zip(workers, over / under):
            estimates = read.estimates(ratios, confidence)
            outcome = outcome_of(estimates, 1 if claim["is_measured"] else MODEL_ERROR)
            ratio, place = hull(estimates), OUTCOMES.index(outcome)
            shown = f" ({ratio_with_interval(ratio)} with {counted(count, 'worker')})"
            row = {"rival": rival, "text": program + shown * (outcome != EVEN), "ratio": ratio}
            order = place, ratio.median if outcome in (LOSES, MAY_LOSE) else -ratio.median
            of_counts.append(row | {"outcome": outcome, "order": order})
        rows.append(min(of_counts, key=operator.itemgetter("order")))
    outcomes = {row["outcome"] for row in rows}
    beaten = {row["rival"] for row in rows if row["outcome"] == BEATS}
    verdict, deciding = OPEN, rows
    if LOSES in outcomes:
        verdict = FAILS
    elif MAY_LOSE not in outcomes:
        unbeaten = [row for row in rows if row["rival"] not in beaten]
        verdict, deciding = (OPEN, unbeaten) if unbeaten else (HOLDS, rows)
    what = "tasks moved ÷ those" if metric == "tasks_moved" else "time ÷ that"
    because = f"The ratios are a rival's {what} of {claimed}."
    for outcome in OUTCOMES:
        alike = [row for row in rows if row["outcome"] == outcome]
        by_rival = itertools.groupby(alike, key=operator.itemgetter("rival"))
        parts = [f"{rival} on {', '.join(row['text'] for row in own)}" for rival, own in by_rival]
        because += f" It {outcome} {'; '.join(parts)}." if parts else ""
    figure = min(deciding, key=operator.itemgetter("order"))["ratio"]
    return {"figure": figure, "verdict": verdict, "because": because}
