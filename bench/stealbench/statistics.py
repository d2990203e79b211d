"""What is said of repeated measurements: medians, intervals, and which rows differ.

Every function is pure: equal values give equal results, in whatever order they come. A time is in
seconds, a ratio has no unit. `results/README.md` argues for medians and for the percentile
bootstrap, `results/evidence.md` for the test.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[numpy.float64]
Indices = NDArray[numpy.intp]

FEWEST_FOR_INTERVAL = 6
"""With fewer rounds no interval holds a median with 95 %, and no two rows are told apart."""

CONFIDENCE = 0.95
ACCEPTED_ERROR = 1 - CONFIDENCE
"""The part of tables, or of verdicts, that may be wrong."""

MOST_ENUMERATED = 7  # Rounds: 1,716 resamples. Of eight there are 6,435.
MOST_RESAMPLES = 4_000
MOST_DRAWS = 1_000_000
FEWEST_RESAMPLES = 1_000
SEED = 1979


class Estimate(NamedTuple):
    """A median and the interval around it, in one unit: low <= median <= high."""

    median: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(self.median * factor, self.low * factor, self.high * factor)

    @property
    def relative_half_width(self) -> float:
        """Half the width of the interval, as a part of the median."""
        return (self.high - self.low) / 2 / self.median


@functools.cache
def resamples(rounds: int) -> tuple[Indices, Floats]:
    """Resamples of so many rounds, with replacement: ascending indices, a row each, and weights.

    Up to MOST_ENUMERATED rounds these are all that there are, with their probabilities; of more,
    4,000 that are drawn, or as many as make a million draws, but 1,000.
    """
    if rounds <= MOST_ENUMERATED:
        rows = numpy.array(
            list(itertools.combinations_with_replacement(range(rounds), rounds)), dtype=numpy.intp
        )
        counts = (rows[:, :, None] == numpy.arange(rounds)).sum(axis=1)
        orders = numpy.array([math.prod(map(math.factorial, row)) for row in counts.tolist()])
        return rows, math.factorial(rounds) / orders / float(rounds) ** rounds
    count = min(MOST_RESAMPLES, max(MOST_DRAWS // rounds, FEWEST_RESAMPLES))
    drawn = numpy.random.default_rng(SEED).integers(0, rounds, (count, rounds))
    return numpy.sort(drawn, axis=1).astype(numpy.intp), numpy.full(count, 1 / count)


def cut_ends(figures: Floats, weights: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The mid-quantiles (Ma, Genton & Parzen 2011) at both ends of each row of weighted figures.

    Equal figures are one value: its part is that of those below it and half of its own.
    """
    order = numpy.argsort(figures, axis=1, kind="stable")
    values = numpy.take_along_axis(figures, order, axis=1)
    parts = weights[order] / weights.sum()
    ends = numpy.cumsum(parts, axis=1)
    is_new = numpy.diff(values, axis=1, prepend=-numpy.inf) > 0
    is_last = numpy.roll(is_new, -1, axis=1)
    is_last[:, -1] = True
    begins = numpy.maximum.accumulate(numpy.where(is_new, ends - parts, 0), axis=1)
    reversed_ends = numpy.where(is_last, ends, numpy.inf)[:, ::-1]
    middles = (begins + numpy.minimum.accumulate(reversed_ends, axis=1)[:, ::-1]) / 2
    cut = (1 - confidence) / 2
    return _at_part(values, middles, cut), _at_part(values, middles, 1 - cut)


def _at_part(values: Floats, middles: Floats, part: float) -> Floats:
    """Linear between two values; the least below the first middle, the greatest above the last."""
    rows = numpy.arange(len(values))
    above = numpy.where((middles >= part).any(axis=1), (middles >= part).argmax(axis=1), -1)
    below = numpy.where(above > 0, above - 1, above)
    width = middles[rows, above] - middles[rows, below]
    share = (part - middles[rows, below]) / numpy.where(width > 0, width, 1)
    low, high = values[rows, below], values[rows, above]
    return numpy.asarray(low + (high - low) * numpy.where(width > 0, share, 0))


def bootstrap(
    rounds: int,
    middles: Floats,
    figures_of: Callable[[Indices], Floats],
    confidence: float = CONFIDENCE,
) -> Floats:
    """The percentile bootstrap (Efron 1979) of figures of measured rounds: median, low, high.

    `figures_of` takes ascending indices of rounds, a row for each resample; it returns a row for
    each of `middles`, with a figure for each resample. With fewer than six rounds the interval is
    the range of the figures of single rounds: read it as a spread.
    """
    if rounds < FEWEST_FOR_INTERVAL:
        alone = figures_of(numpy.repeat(numpy.arange(rounds)[:, None], rounds, axis=1))
        low, high = alone.min(axis=1), alone.max(axis=1)
    else:
        rows, probabilities = resamples(rounds)
        low, high = cut_ends(figures_of(rows), probabilities, confidence)
    return numpy.stack([middles, numpy.minimum(low, middles), numpy.maximum(high, middles)], axis=1)


def require_finite(values: ArrayLike) -> Floats:
    """An array. Raises ValueError unless there is a value and all are finite."""
    array = numpy.asarray(values, dtype=float)
    if array.size == 0 or not numpy.isfinite(array).all():
        raise ValueError("a median needs finite values, and one at least")
    return array


def require_positive(values: ArrayLike) -> Floats:
    """An array. Raises ValueError unless there is a value and all are finite and above 0."""
    array = numpy.asarray(values, dtype=float)
    if array.size == 0 or not (numpy.isfinite(array) & (array > 0)).all():
        raise ValueError("a ratio needs finite values greater than 0, and one at least")
    return array


def middle_of(ascending: Floats) -> Floats:
    """The median along the last axis, of ascending values."""
    size = ascending.shape[-1]
    return numpy.asarray((ascending[..., (size - 1) // 2] + ascending[..., size // 2]) / 2)


def median(values: ArrayLike) -> float:
    """The middle value, or the midpoint of the middle two."""
    return float(middle_of(numpy.sort(require_finite(values))))


def geometric_mean(values: ArrayLike) -> float:
    """The mean of ratios: that of a and 1/a is 1 (Fleming & Wallace 1986)."""
    return float(numpy.exp(numpy.log(require_positive(values)).mean()))


@functools.cache
def _middle_pairs(rounds: int) -> tuple[Indices, Floats]:
    """The middle two of each resample, as resamples of two rounds: few of them differ."""
    rows, weights = resamples(rounds)
    code = rows[:, (rounds - 1) // 2] * rounds + rows[:, rounds // 2]
    pairs, place = numpy.unique(code, return_inverse=True)
    both: Indices = numpy.stack([pairs // rounds, pairs % rounds], axis=1)
    return both, numpy.asarray(numpy.bincount(place.reshape(-1), weights=weights), dtype=float)


def estimate_medians(rows: Floats, confidence: float = CONFIDENCE) -> Floats:
    """Median, low and high of each row of values, which are one for each round."""
    ascending = numpy.sort(rows, axis=1)
    middles = middle_of(ascending)
    if rows.shape[1] < FEWEST_FOR_INTERVAL:
        return numpy.stack([middles, ascending[:, 0], ascending[:, -1]], axis=1)
    pairs, weights = _middle_pairs(rows.shape[1])
    low, high = cut_ends(_medians_drawn(ascending, pairs), weights, confidence)
    return numpy.stack([middles, numpy.minimum(low, middles), numpy.maximum(high, middles)], axis=1)


def _medians_drawn(ascending: Floats, drawn: Indices) -> Floats:
    size = drawn.shape[1]
    return numpy.asarray(
        (ascending[:, drawn[:, (size - 1) // 2]] + ascending[:, drawn[:, size // 2]]) / 2
    )


def estimate_median(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The median with its interval."""
    return Estimate(*estimate_medians(require_finite(values)[None], confidence)[0].tolist())


MOST_TOGETHER = 4_000_000  # Numbers that are resampled at a time: 32 MB.


def estimate_ratios(over: Floats, under: Floats, confidence: float = CONFIDENCE) -> Floats:
    """The median of a row of `over` divided by that of the row of `under`, low and high.

    Element i of both is from one round. Whole rounds are resampled: what slowed both in one round
    cancels.
    """
    order = numpy.lexsort((under, over), axis=1)  # So that the order of rounds has no effect.
    over, under = (numpy.take_along_axis(rows, order, axis=1) for rows in (over, under))
    rounds = over.shape[1]
    at_once = max(1, MOST_TOGETHER // (rounds * len(resamples(rounds)[0])))

    def ratios(above: Floats, below: Floats) -> Floats:
        ascending = numpy.sort(below, axis=1)
        middles = middle_of(above) / middle_of(ascending)
        # Small integers are sorted much faster than the values that they are the ranks of.
        ranks = below.argsort(axis=1).argsort(axis=1).astype(numpy.min_scalar_type(rounds))

        def ratios_of(drawn: Indices) -> Floats:
            places = numpy.sort(ranks[:, drawn], axis=2)
            low, high = (
                numpy.take_along_axis(ascending, places[:, :, at].astype(numpy.intp), axis=1)
                for at in ((rounds - 1) // 2, rounds // 2)
            )
            return numpy.asarray(_medians_drawn(above, drawn) / ((low + high) / 2))

        return bootstrap(rounds, middles, ratios_of, confidence=confidence)

    parts = range(0, len(over), at_once)
    return numpy.concatenate(
        [ratios(over[part : part + at_once], under[part : part + at_once]) for part in parts]
    )


def estimate_ratio(over: ArrayLike, under: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The same of one row over another."""
    above, below = require_positive(over), require_positive(under)
    if above.size != below.size:
        raise ValueError("a ratio needs as many values above as below")
    return Estimate(*estimate_ratios(above[None], below[None], confidence)[0].tolist())


def estimate_unpaired_ratio(
    over: ArrayLike, under: ArrayLike, confidence: float = CONFIDENCE
) -> Estimate:
    """The same of two runs, which have no rounds in common: each side is resampled by itself."""
    above, below = (numpy.sort(require_positive(values)) for values in (over, under))
    middle = median(above) / median(below)
    if min(above.size, below.size) < FEWEST_FOR_INTERVAL:
        return Estimate(middle, float(above[0] / below[-1]), float(above[-1] / below[0]))
    random = numpy.random.default_rng(SEED)

    def medians(ascending: Floats) -> Floats:
        drawn, weights = resamples(ascending.size)
        return random.choice(_medians_drawn(ascending[None], drawn)[0], MOST_RESAMPLES, p=weights)

    ratios = (medians(above) / medians(below))[None]
    low, high = cut_ends(ratios, numpy.ones(MOST_RESAMPLES), confidence)
    return Estimate(middle, min(float(low[0]), middle), max(float(high[0]), middle))


ROUNDING = 1e-12  # Of logarithms.


def moments(row: ArrayLike) -> tuple[float, float, int]:
    """Mean, standard deviation and number of the logarithms of a row of times."""
    logs = numpy.log(require_positive(row))
    return float(logs.mean()), float(logs.std(ddof=1)) if logs.size > 1 else 0.0, logs.size


def difference_p_values(
    rows: Sequence[tuple[float, float, int]], others: Sequence[tuple[float, float, int]]
) -> Floats:
    """Welch's t-test of each row against the other at its place, by their `moments`.

    1 where one has fewer than six values: that carries no claim.
    """
    from scipy.stats import ttest_ind_from_stats  # It takes most of a second to import.

    (mean, deviation, size), (mean_2, deviation_2, size_2) = (
        numpy.array(list(zip(*side)), dtype=float) for side in (rows, others)
    )
    has_evidence = numpy.minimum(size, size_2) >= FEWEST_FOR_INTERVAL
    is_constant = deviation**2 / size + deviation_2**2 / size_2 < ROUNDING**2
    with numpy.errstate(divide="ignore", invalid="ignore"):
        tested = ttest_ind_from_stats(
            mean, deviation, size, mean_2, deviation_2, size_2, equal_var=False
        ).pvalue
    exact = numpy.where(numpy.abs(mean - mean_2) > ROUNDING, 0.0, 1.0)
    return numpy.where(has_evidence, numpy.where(is_constant, exact, tested), 1.0)


def difference_p_value(row: ArrayLike, other: ArrayLike) -> float:
    """The same of one pair of rows of times."""
    return float(difference_p_values([moments(row)], [moments(other)])[0])


def rejected_all_right(p_values: Sequence[float]) -> list[bool]:
    """Which hypotheses are rejected, so that any was true in at most 5 % of tables (Holm 1979)."""
    rejected = [False] * len(p_values)
    for place, index in enumerate(numpy.argsort(p_values, kind="stable")):
        if p_values[index] * (len(p_values) - place) > ACCEPTED_ERROR:
            break
        rejected[index] = True
    return rejected


def rejected_mostly_right(p_values: Sequence[float]) -> list[bool]:
    """Which are rejected, so that at most 5 % of those were true (Benjamini & Hochberg 1995)."""
    rejected = [False] * len(p_values)
    is_below = False
    for place, index in reversed(list(enumerate(numpy.argsort(p_values, kind="stable"), 1))):
        is_below |= p_values[index] * len(p_values) <= ACCEPTED_ERROR * place
        rejected[index] = is_below
    return rejected


Rows = Sequence[Floats]


class Separation:
    """Rows of times in some tables, told apart by one test over all their pairs together.

    Any pair is told apart wrongly in at most 5 % of such sets of tables.
    """

    def __init__(self, tables: Sequence[Rows]) -> None:
        self._tables = tables
        pairs: list[tuple[int, int, int]] = []  # Table, the row of the greater mean, the other.
        tested: list[tuple[tuple[float, float, int], tuple[float, float, int]]] = []
        for at, rows in enumerate(tables):
            if not self._has_evidence(rows):
                continue
            of_rows = [moments(row) for row in rows]
            for first, second in itertools.combinations(range(len(rows)), 2):
                is_slower = of_rows[second][0] > of_rows[first][0]
                pairs.append((at, second, first) if is_slower else (at, first, second))
                tested.append((of_rows[first], of_rows[second]))
        p_values = difference_p_values(*zip(*tested)).tolist() if tested else []
        rejections = rejected_all_right(p_values)
        self._told_apart = {pair for pair, is_rejected in zip(pairs, rejections) if is_rejected}

    @staticmethod
    def _has_evidence(rows: Rows) -> bool:
        return all(len(row) >= FEWEST_FOR_INTERVAL for row in rows)

    def is_slower(self, table: int, row: int, than: int) -> bool:
        """Whether the times of a row are shown to be greater."""
        return (table, row, than) in self._told_apart

    def ranks(self, table: int) -> list[int] | None:
        """The rank of each row, 1 is the best; None where a row has fewer than six rounds.

        By median, each row joins the current rank unless it is shown to be slower than the row
        that opened it: 1, 1, 3.
        """
        rows = self._tables[table]
        if not rows or not self._has_evidence(rows):
            return None
        order = [int(row) for row in numpy.argsort([median(row) for row in rows], kind="stable")]
        ranks = [0] * len(rows)
        opener = 0
        for place, row in enumerate(order):
            if self.is_slower(table, row, order[opener]):
                opener = place
            ranks[row] = opener + 1
        return ranks
