"""Intervals and tests against exact answers, SciPy, statsmodels, and known distributions."""

from __future__ import annotations

import itertools

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from numpy.typing import ArrayLike
from scipy.stats import ttest_ind
from statsmodels.stats.multitest import multipletests

from stealbench import statistics as stats

positive = some.floats(1e-6, 1e6)


def p_value(row: ArrayLike, other: ArrayLike) -> float:
    return float(stats.difference_p_values([stats.moments(row)], [stats.moments(other)])[0])


def test_few_rounds_are_resampled_in_every_way_with_its_probability() -> None:
    rows, weights = stats.resamples(4)
    drawn = sorted(tuple(sorted(row)) for row in itertools.product(range(4), repeat=4))
    for row, weight in zip(rows.tolist(), weights):
        assert weight == pytest.approx(drawn.count(tuple(row)) / len(drawn))
    assert sum(weights) == pytest.approx(1)


def test_many_rounds_are_drawn_and_fewer_times_the_more_they_are() -> None:
    assert len(stats.resamples(8)[0]) == 4_000
    assert len(stats.resamples(100)[0]) == 2_000
    assert len(stats.resamples(5_000)[0]) == 1_000


def test_below_six_rounds_an_interval_is_the_range() -> None:
    assert stats.estimate_median([5, 1, 2, 4, 3]) == (3, 1, 5)
    assert stats.estimate_ratio([2, 6], [1, 2]) == (4 / 1.5, 2, 3)


def test_the_ends_are_mid_quantiles_of_the_medians_of_all_resamples() -> None:
    values = [1.0, 2, 4, 8, 16, 32]
    medians = numpy.median(list(itertools.product(values, repeat=6)), axis=1)
    points = [((medians < m).mean() + (medians <= m).mean(), m) for m in numpy.unique(medians)]
    ends = numpy.interp([0.05, 1.95], *zip(*points))
    assert stats.estimate_median(values) == pytest.approx((6, *ends))


@pytest.mark.parametrize("rounds", [9, 12, 25, 200])
def test_an_interval_holds_the_true_median_of_about_95_percent(rounds: int) -> None:
    random = numpy.random.default_rng(rounds)
    rows = numpy.exp(random.normal(size=(600, rounds)) * 0.1)
    _, low, high = stats.estimate_medians(rows).T
    assert 0.91 <= ((low <= 1) & (1 <= high)).mean() <= 0.985


def test_what_slows_both_sides_of_a_round_cancels_in_their_ratio() -> None:
    slow = numpy.array([1, 5, 2, 9, 3, 4, 1.5])
    paired = stats.estimate_ratio(2 * slow, slow)
    apart = stats.estimate_unpaired_ratio(2 * slow, slow)
    assert paired == pytest.approx((2, 2, 2))
    assert apart.low < 1 and apart.high > 4


@given(some.lists(positive, min_size=1, max_size=8), some.randoms())
def test_the_order_of_rounds_has_no_effect(values: list[float], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert stats.estimate_median(values) == stats.estimate_median(shuffled)
    over = [2 * value + 1 for value in values]
    pairs = list(zip(over, values))
    random.shuffle(pairs)  # type: ignore[attr-defined]
    above, below = zip(*pairs)
    assert stats.estimate_ratio(over, values) == stats.estimate_ratio(above, below)


def test_a_geometric_mean_of_a_ratio_and_its_inverse_is_1() -> None:
    assert stats.geometric_mean([4, 0.25]) == pytest.approx(1)


def test_rows_are_compared_by_welch_s_test_of_their_logarithms() -> None:
    random = numpy.random.default_rng(7)
    row, other = numpy.exp(random.normal(size=6)), numpy.exp(0.3 + 2 * random.normal(size=9))
    expected = ttest_ind(numpy.log(row), numpy.log(other), equal_var=False).pvalue
    assert p_value(row, other) == pytest.approx(expected)
    assert p_value(row[:5], other) == 1


def test_equal_times_differ_only_if_their_values_do() -> None:
    assert p_value([1] * 6, [1] * 6) == 1
    assert p_value([1] * 6, [1.01] * 6) == 0


# Around the bounds of a correction, and never on one, where rounding would decide.
near_bounds = some.integers(0, 999).map(lambda number: (number + 0.3) / 10_000)


@given(some.lists(near_bounds, min_size=1, max_size=12))
@example([0.01, 0.03])
@example([0.03, 0.04])
def test_corrections_are_those_of_holm_and_of_benjamini_and_hochberg(values: list[float]) -> None:
    for method, rejected in (
        ("holm", stats.rejected_all_right),
        ("fdr_bh", stats.rejected_mostly_right),
    ):
        assert rejected(values).tolist() == multipletests(values, 0.05, method)[0].tolist()


def test_rows_join_a_rank_unless_they_are_slower_than_the_one_that_opened_it() -> None:
    noise = numpy.array([1, 1.01, 0.99, 1.005, 0.995, 1.002])
    ranks = stats.Separation([[3.0 * noise, noise, 1.0001 * noise[::-1], 2.0 * noise]]).ranks(0)
    assert ranks == [4, 1, 1, 3]


def test_a_table_with_a_row_of_five_rounds_has_no_ranks_and_is_no_burden_to_others() -> None:
    noise = numpy.array([1, 1.01, 0.99, 1.005, 0.995, 1.002])
    separation = stats.Separation([[noise, 2.0 * noise[:5]], [noise, 2.0 * noise]])
    assert separation.ranks(0) is None
    assert separation.ranks(1) == [1, 2]


def test_of_equal_schedulers_at_most_5_percent_of_tables_have_a_false_rank() -> None:
    random = numpy.random.default_rng(5)
    tables = numpy.exp(0.05 * random.normal(size=(400, 6, 6)))
    false = sum(max(stats.Separation([list(rows)]).ranks(0) or [1]) > 1 for rows in tables)
    assert false / len(tables) <= 0.07
