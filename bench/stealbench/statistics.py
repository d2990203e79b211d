"""What is said of repeated measurements: medians, intervals, and which rows differ.

Every function is pure: equal values give equal results, in whatever order they come. A time is in
seconds, a ratio has no unit. `results/README.md` argues for medians and for the percentile
bootstrap, `results/evidence.md` for the test.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from stealbench.cell import FEWEST_ROUNDS

Floats = NDArray[numpy.float64]
Indices = NDArray[numpy.intp]
Moments = tuple[float, float, int]

CONFIDENCE = 0.95
ACCEPTED_ERROR = 1 - CONFIDENCE  # The part of tables, or of verdicts, that may be wrong.
MOST_ENUMERATED = 7  # Rounds: 1,716 resamples. Of eight there are 6,435.
MOST_RESAMPLES, MOST_DRAWS, FEWEST_RESAMPLES = 4_000, 200_000, 1_000
MOST_TOGETHER = 4_000_000  # Numbers that are resampled at a time.
SEED = 1979
ROUNDING = 1e-12  # Of logarithms.


class Estimate(NamedTuple):
    """A median and the interval around it, in one unit: low <= median <= high."""

    median: float
    low: float
    high: float


@functools.cache
def resamples(rounds: int) -> tuple[Indices, Floats]:
    """Resamples of so many rounds, with replacement: ascending indices, a row each, and weights.

    Up to MOST_ENUMERATED rounds these are all that there are, with their probabilities; of more,
    4,000 that are drawn, or as many as make 200,000 draws, but 1,000.
    """
    if rounds <= MOST_ENUMERATED:
        every = itertools.combinations_with_replacement(range(rounds), rounds)
        rows = numpy.array(list(every), dtype=numpy.intp)
        orders = [math.prod(map(math.factorial, row)) for row in _times_drawn(rows).T.tolist()]
        return rows, math.factorial(rounds) / numpy.array(orders) / float(rounds) ** rounds
    count = min(MOST_RESAMPLES, max(MOST_DRAWS // rounds, FEWEST_RESAMPLES))
    drawn = numpy.random.default_rng(SEED).integers(0, rounds, (count, rounds))
    return numpy.sort(drawn, axis=1).astype(numpy.intp), numpy.full(count, 1 / count)


def _times_drawn(rows: Indices) -> NDArray[Any]:
    """How often each round (a row) is in each resample (a column); small integers are fast."""
    count, rounds = rows.shape
    places = rows * count + numpy.arange(count)[:, None]
    counts = numpy.bincount(places.ravel(), minlength=rounds * count).reshape(rounds, count)
    return counts.astype(numpy.min_scalar_type(rounds))


def _with_ends(
    middles: Floats, figures: Iterable[Floats], weights: Floats, confidence: float
) -> Floats:
    """Median, low and high: the mid-quantiles (Ma, Genton & Parzen 2011) of weighted figures.

    A row of figures for each middle. Equal ones are one value: its part is that of those below it
    and half of its own. An interval has its median inside.
    """
    cuts = numpy.array([1 - confidence, 1 + confidence]) / 2
    ends = numpy.empty((len(middles), 2))
    for row, own in zip(figures, ends):
        values, place = numpy.unique(row, return_inverse=True)
        parts = numpy.bincount(place.reshape(-1), weights) / weights.sum()
        own[:] = numpy.interp(cuts, numpy.cumsum(parts) - parts / 2, values)
    low, high = ends.T
    return numpy.stack([middles, numpy.minimum(low, middles), numpy.maximum(high, middles)], axis=1)


def bootstrap(
    rounds: int,
    middles: Floats,
    figures_of: Callable[[Indices], Iterable[Floats]],
    confidence: float = CONFIDENCE,
) -> Floats:
    """The percentile bootstrap (Efron 1979) of figures of measured rounds: median, low, high.

    `figures_of` takes ascending indices of rounds, a row for each resample; it returns a row for
    each of `middles`, with a figure for each resample. With fewer than six rounds the interval is
    the range of the figures of single rounds: read it as a spread.
    """
    if rounds >= FEWEST_ROUNDS:
        rows, weights = resamples(rounds)
        return _with_ends(middles, figures_of(rows), weights, confidence)
    alone = figures_of(numpy.repeat(numpy.arange(rounds)[:, None], rounds, axis=1))
    ends = numpy.c_[middles, numpy.array(list(alone))]
    return numpy.stack([middles, ends.min(axis=1), ends.max(axis=1)], axis=1)


def middle_of(ascending: Floats) -> Floats:
    """The median along the last axis, of ascending values."""
    size = ascending.shape[-1]
    return numpy.asarray((ascending[..., (size - 1) // 2] + ascending[..., size // 2]) / 2)


def median(values: ArrayLike) -> float:
    """The middle value, or the midpoint of the middle two."""
    return float(middle_of(numpy.sort(numpy.asarray(values, dtype=float))))


def geometric_mean(values: ArrayLike) -> float:
    """The mean of ratios: that of a and 1/a is 1 (Fleming & Wallace 1986)."""
    return float(numpy.exp(numpy.log(numpy.asarray(values, dtype=float)).mean()))


@functools.cache
def _middle_pairs(rounds: int) -> tuple[Indices, Floats]:
    """The middle two of each resample, as resamples of two rounds: few of them differ."""
    rows, weights = resamples(rounds)
    middle = rows[:, [(rounds - 1) // 2, rounds // 2]]
    pairs, place = numpy.unique(middle, axis=0, return_inverse=True)
    return pairs, numpy.asarray(numpy.bincount(place.reshape(-1), weights), dtype=float)


def estimate_medians(rows: Floats, confidence: float = CONFIDENCE) -> Floats:
    """Median, low and high of each row of values, which are one for each round."""
    ascending = numpy.sort(rows, axis=1)
    middles = middle_of(ascending)
    if rows.shape[1] < FEWEST_ROUNDS:
        return numpy.stack([middles, ascending[:, 0], ascending[:, -1]], axis=1)
    pairs, weights = _middle_pairs(rows.shape[1])
    return _with_ends(middles, middle_of(ascending[:, pairs]), weights, confidence)


def estimate_median(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The median with its interval."""
    return Estimate(*estimate_medians(numpy.array([values], float), confidence)[0].tolist())


def estimate_ratios(over: Floats, under: Floats, confidence: float = CONFIDENCE) -> Floats:
    """The median of a row of `over` divided by that of the row of `under`, low and high.

    Element i of both is from one round. Whole rounds are resampled: what slowed both in one round
    cancels.
    """
    order = numpy.lexsort((under, over), axis=1)  # So that the order of rounds has no effect.
    over, under = (numpy.take_along_axis(rows, order, axis=1) for rows in (over, under))
    below = numpy.argsort(under, axis=1)
    ascending = numpy.take_along_axis(under, below, axis=1)
    middle = [(over.shape[1] - 1) // 2, over.shape[1] // 2]

    def ratios(drawn: Indices) -> Iterator[Floats]:
        counts = _times_drawn(drawn)
        at_once = max(1, MOST_TOGETHER // len(drawn))
        for part in (slice(at, at + at_once) for at in range(0, len(over), at_once)):
            # The k-th value is where k are drawn: to sort each resample would take far longer.
            up_to = numpy.zeros((len(below[part]), len(drawn)), counts.dtype)
            places = [numpy.zeros_like(up_to), numpy.zeros_like(up_to)]
            for row in below[part].T:
                up_to += counts[row]
                for place, k in zip(places, middle):
                    place += up_to <= k
            ends = [numpy.take_along_axis(ascending[part], at.astype(int), 1) for at in places]
            yield from middle_of(over[part][:, drawn[:, middle]]) / ((ends[0] + ends[1]) / 2)

    return bootstrap(over.shape[1], middle_of(over) / middle_of(ascending), ratios, confidence)


def estimate_ratio(over: ArrayLike, under: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The same of one row over another."""
    above, below = (numpy.array([values], float) for values in (over, under))
    return Estimate(*estimate_ratios(above, below, confidence)[0].tolist())


def estimate_unpaired_ratio(
    over: ArrayLike, under: ArrayLike, confidence: float = CONFIDENCE
) -> Estimate:
    """The same of two runs, which have no rounds in common: each side is resampled by itself."""
    above, below = (numpy.sort(numpy.asarray(values, dtype=float)) for values in (over, under))
    middle = median(above) / median(below)
    if min(above.size, below.size) < FEWEST_ROUNDS:
        return Estimate(middle, float(above[0] / below[-1]), float(above[-1] / below[0]))
    random = numpy.random.default_rng(SEED)
    medians = []
    for ascending in (above, below):
        drawn, weights = resamples(ascending.size)
        medians.append(random.choice(middle_of(ascending[drawn]), MOST_RESAMPLES, p=weights))
    ratios, weights = medians[0] / medians[1], numpy.ones(MOST_RESAMPLES)
    return Estimate(*_with_ends(numpy.array([middle]), ratios[None], weights, confidence)[0])


def moments(row: ArrayLike) -> Moments:
    """Mean, standard deviation and number of the logarithms of a row of times."""
    logs = numpy.log(numpy.asarray(row, dtype=float))
    return float(logs.mean()), float(logs.std(ddof=1)) if logs.size > 1 else 0.0, logs.size


def difference_p_values(rows: Sequence[Moments], others: Sequence[Moments]) -> Floats:
    """Welch's t-test of each row against the other at its place, by their `moments`.

    1 where one has fewer than six values: that carries no claim.
    """
    from scipy.stats import ttest_ind_from_stats  # It takes most of a second to import.

    (mean, deviation, size), (mean_2, deviation_2, size_2) = (
        numpy.array(list(zip(*side)), dtype=float) for side in (rows, others)
    )
    has_evidence = numpy.minimum(size, size_2) >= FEWEST_ROUNDS
    is_constant = deviation**2 / size + deviation_2**2 / size_2 < ROUNDING**2
    sides = (mean, deviation, size), (mean_2, deviation_2, size_2)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        tested = ttest_ind_from_stats(*sides[0], *sides[1], equal_var=False).pvalue
    exact = numpy.where(numpy.abs(mean - mean_2) > ROUNDING, 0.0, 1.0)
    return numpy.where(has_evidence, numpy.where(is_constant, exact, tested), 1.0)


def rejected_all_right(p_values: ArrayLike) -> NDArray[numpy.bool_]:
    """Which hypotheses are rejected, so that any was true in at most 5 % of tables (Holm 1979)."""
    order = numpy.argsort(p_values, kind="stable")
    places = numpy.arange(order.size, 0, -1)
    adjusted = numpy.maximum.accumulate(numpy.asarray(p_values)[order] * places)
    return (adjusted <= ACCEPTED_ERROR)[numpy.argsort(order)]


def rejected_mostly_right(p_values: ArrayLike) -> NDArray[numpy.bool_]:
    """Which are rejected, so that at most 5 % of those were true (Benjamini & Hochberg 1995)."""
    order = numpy.argsort(p_values, kind="stable")
    places = numpy.arange(1, order.size + 1)
    is_below = numpy.asarray(p_values)[order] * order.size <= ACCEPTED_ERROR * places
    return numpy.logical_or.accumulate(is_below[::-1])[::-1][numpy.argsort(order)]


class Separation:
    """Rows of times in some tables, told apart by one test over all their pairs together.

    Any pair is told apart wrongly in at most 5 % of such sets of tables.
    """

    def __init__(self, tables: Sequence[Sequence[Floats]]) -> None:
        self._tables = tables
        means = {at: list(map(moments, rows)) for at, rows in enumerate(tables) if _decide(rows)}
        pairs = [
            (at, *sorted(pair, key=lambda row: -rows[row][0]))  # The slower one first.
            for at, rows in means.items()
            for pair in itertools.combinations(range(len(rows)), 2)
        ]
        sides = ([means[pair[0]][pair[side]] for pair in pairs] for side in (1, 2))
        p_values = difference_p_values(*sides) if pairs else numpy.empty(0)
        self._told_apart = set(itertools.compress(pairs, rejected_all_right(p_values)))

    def is_slower(self, table: int, row: int, than: int) -> bool:
        """Whether the times of a row are shown to be greater."""
        return (table, row, than) in self._told_apart

    def ranks(self, table: int) -> list[int] | None:
        """The rank of each row, 1 is the best; None where a row has fewer than six rounds.

        By median, each row joins the current rank unless it is shown to be slower than the row
        that opened it: 1, 1, 3.
        """
        rows = self._tables[table]
        if not rows or not _decide(rows):
            return None
        order = [int(row) for row in numpy.argsort([median(row) for row in rows], kind="stable")]
        ranks, opener = [0] * len(rows), 0
        for place, row in enumerate(order):
            opener = place if self.is_slower(table, row, order[opener]) else opener
            ranks[row] = opener + 1
        return ranks


def _decide(rows: Sequence[Floats]) -> bool:
    return all(len(row) >= FEWEST_ROUNDS for row in rows)
