"""Ablations: effects of one factor, and which matter where; made ones and the committed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas
import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, raw_of, timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, assert_same_rows, assert_says, oracle
from stealbench.tests.frozen import page_of, tables_of
from stealbench.tests.simulated import simulated
from stealbench import rawfile
from stealbench.analysis import ablation
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.tests.test_statistics import p_value

BASE, SPIN = "work-stealing", "work-stealing:idle=spin"
SPINNING = {"factor": "work-stealing:idle", "variant": SPIN, "against": BASE}
OPENMP = {"factor": "scheduler", "variant": "openmp", "against": BASE}

# Of these two p is 0.02.
LOW = (1, 1.4, 1.1, 1.3, 1.2, 1.0)
HIGH = (1.3, 1.8, 1.4, 1.7, 1.5, 1.35)


def six(seconds: float) -> list[float]:
    return [seconds] * 6


def measured(
    rows: Sequence[tuple[Line, Sequence[float]]], failing: Sequence[Line] = (), **about: Any
) -> RawFile:
    about = {"ablation": [SPINNING], **about}
    header = experiment([*(of for of, _ in rows), *failing], about=about)
    lines = [header, *timed(rows), *(failed(of, "timed out") for of in failing)]
    raw: RawFile = raw_of(lines)
    return raw


def effects_of(raw: RawFile) -> pandas.DataFrame:
    return ablation.effects_of(Figures(raw))


def way_of(variant: Sequence[float], against: Sequence[float]) -> int:
    rows = [(cell(BASE, 2), against), (cell(SPIN, 2), variant)]
    return int(effects_of(measured(rows))["way"].iloc[0])


def test_effects_are_ratios_of_each_instance() -> None:
    rows: list[Any] = [(cell(BASE, 2), (1, 2, 1, 1, 1, 1))]
    rows += [(cell(SPIN, 2), (4, 8, 4, 4, 4, 4))]
    rows += [(cell(BASE, 2, "uts"), six(1)), (cell(SPIN, 2, "uts"), six(0.25))]
    rows += [(cell(BASE, 2, "bpc"), six(1))]
    figures = Figures(measured(rows, [cell(SPIN, 2, "bpc")]))
    assert list(ablation.effects_of(figures)["way"]) == [1, -1, 0]
    (table,) = tables_of(ablation.sections_of_one(figures)[0])
    assert table.rows == [
        [SPIN, BASE, "work-stealing:idle", "4.00 × [4.00, 4.00]", "0.250 × [0.250, 0.250]", "DNF"]
    ]


@pytest.mark.parametrize(("seconds", "way"), [(1.1, 1), (1.09, 0), (0.9, -1), (0.92, 0)])
def test_a_ratio_that_is_too_small_shows_nothing(seconds: float, way: int) -> None:
    assert way_of(six(seconds), six(1)) == way


def test_what_is_shown_is_certain() -> None:
    scattered = (0.6, 1.5, 0.7, 1.4, 0.8, 1.3)
    assert way_of(six(1.4), scattered) == 0 and way_of(six(5), scattered) == 1
    assert way_of([9] * 5, [1] * 5) == 0 and way_of(six(9), [1] * 5) == 0
    other = (cell(BASE, 2, "uts"), [1] * 5)
    raw = measured([(cell(BASE, 2), six(1)), (cell(SPIN, 2), six(9)), other])
    assert effects_of(raw)["way"].iloc[0] == 0, "another benchmark has five rounds"


def test_comparisons_are_corrected_for_their_number_over_all_worker_counts() -> None:
    assert 0.005 < p_value(LOW, HIGH) < 0.05
    assert way_of(HIGH, LOW) == 1

    def ways(high: Sequence[int]) -> list[int]:
        rows: list[tuple[Line, Sequence[float]]] = []
        for workers in range(1, 11):
            rows.append((cell(BASE, workers), LOW))
            rows.append((cell(SPIN, workers), HIGH if workers in high else LOW))
        return list(effects_of(measured(rows))["way"])

    assert ways([1]) == [0] * 10
    assert ways(range(1, 11)) == [1] * 10, "where most comparisons find one, they are shown"


def test_median_and_mean_go_the_same_way() -> None:
    ones = [1.0] * 50
    for row in ([1.12] * 30 + [0.4] * 20, [0.88] * 30 + [2.5] * 20):
        assert p_value(row, ones) < 0.01
        assert way_of(row, ones) == 0


def measured_pair() -> RawFile:
    """With two workers openmp takes three times as long, and spinning changes nothing."""
    spinning = (1.01, 0.99, 1, 1, 1.01, 0.99)
    rows = [(cell(BASE, 2), six(1)), (cell("openmp", 2), six(3)), (cell(SPIN, 2), spinning)]
    return measured(rows, ablation=[OPENMP, SPINNING])


def simulated_pair(spinning: float, seeds: int = 6) -> RawFile:
    rows = [(cell(BASE, 64), six(1)), (cell("openmp", 64), "timed out")]
    rows += [(cell(SPIN, 64), [spinning] * seeds)]
    raw: RawFile = simulated(rows, [64], ablation=[OPENMP, SPINNING])
    return raw


FIRST = "these factors matter, the one with the greatest effect first:"
NOWHERE = "Shown to matter nowhere, after the correction for the number of comparisons:"


@pytest.mark.parametrize(
    ("runs", "phrases"),
    [
        (
            [measured_pair(), simulated_pair(0.5)],
            [
                f"Measured, {FIRST} scheduler.",
                f"Simulated with many workers, {FIRST} work-stealing:idle.",
                f"{NOWHERE} none.",
                "factor | 2 workers | 64 workers, simulated",
                "scheduler | 1.00 × to 3.00 × | none",
                "work-stealing:idle | none | 0.500 × to 1.00 ×",
                f"openmp | {BASE} | 3.00 × +1 | DNF",
                f"{SPIN} | {BASE} | 1.00 × | 0.500 × −1",
                "Simulated, not measured: profile reference",
                "An ablation is unfinished",
            ],
        ),
        ([measured_pair(), simulated_pair(1.02)], [f"{NOWHERE} work-stealing:idle."]),
        (
            [simulated_pair(9, seeds=5)],
            [
                "Simulated with many workers, the factors are not told apart yet (5 of 6 seeds)",
                "scheduler | not told apart yet",
                "!nowhere",
            ],
        ),
    ],
)
def test_findings_say_which_factors_matter_where_and_which_nowhere(
    runs: list[RawFile], phrases: list[str]
) -> None:
    sections = ablation.sections_of([Figures(raw) for raw in runs])[:-1]
    own = [section for section in sections if section.title != "Regret"]
    assert_says(page_of(own), *phrases)


def test_the_committed_ablation_is_that_of_the_cpp_driver() -> None:
    figures = Figures(rawfile.read(REFERENCE / "ablation/compare.jsonl.gz"))
    frozen = oracle("sections_ablation")
    by_workload = frozen.pop("Ablation by workload")
    assert_same_as(ablation.sections_of([figures]), frozen)
    tables = tables_of(ablation.sections_of_one(figures)[0])
    for table, (title, rows) in zip(tables, by_workload["tables"], strict=True):
        assert table.title == title
        table.rows = table.rows[::12]
        assert_same_rows(table, rows)
