"""Regret over one run and over several, made ones and the committed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from stealbench import rawfile
from stealbench.analysis import regret
from stealbench.analysis.regret import comparable, strategies_of
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis
from stealbench.tests.conftest import Line, cell, experiment, failed, raw_of, timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, tables_of
from stealbench.tests.frozen import texts_of
from stealbench.tests.simulated import simulated, varied

# Of these two nothing but chance says which is faster.
USUAL = (1.0, 1.2, 0.9, 1.1, 1.0, 1.3)
LEAST = (0.9, 1.1, 1.0, 1.0, 0.8, 1.3)


def six(seconds: float) -> list[float]:
    return [seconds] * 6


def measured(rows: Sequence[tuple[Line, Sequence[float]]], **about: Any) -> RawFile:
    return raw_of([experiment([of for of, _ in rows], about=about), *timed(rows)])


def three(workers: int = 2, rounds: int = 6) -> RawFile:
    return measured([(cell(name, workers), [1.0] * rounds) for name in "abc"])


def on_w(times: dict[str, Sequence[float]], **about: Any) -> RawFile:
    return measured([(cell(name, 2, "w1"), row) for name, row in times.items()], **about)


AGAINST_TWO = [
    {"factor": "f", "variant": variant, "against": against}
    for variant, against in (("one", "two"), ("three", "two"), ("two", "one"))
]


def by_cost(costs: dict[str, Sequence[float]]) -> RawFile:
    """Times of a, b and c with 64 workers."""
    rows = [
        (varied(cell(name, 64, "w"), cost), six(seconds))
        for cost, row in costs.items()
        for name, seconds in zip("abc", row)
    ]
    raw: RawFile = simulated(rows, [64])
    return raw


OF_BASE = {"four": USUAL, "one": LEAST, "two": USUAL, "three": six(9)}


@pytest.mark.parametrize(
    ("raw", "workers", "phrases"),
    [
        (
            on_w(OF_BASE, ablation=AGAINST_TWO),
            2,
            ["2 workers: two, 1.05 ×", "Not told apart from it: one, four."],
        ),
        (
            by_cost({"": (1, 2, 3), "wake=2": (1, 3, 3), "wake=0.5": (6, 2, 3)}),
            64,
            [
                "with 64 workers, simulated, reference: a, 1.00 ×",
                " The sensitivity table contradicts this with wake × 0.5.",
            ],
        ),
        (on_w({"a": six(1), "b": six(2)}), 2, ["!If"]),
        (three(rounds=5), 2, ["!If"]),
    ],
)
def test_the_choice_is_the_least_mean_with_its_worst_and_what_speaks_against_it(
    raw: RawFile, workers: int, phrases: list[str]
) -> None:
    assert_says(regret.choice_of(Figures(raw), workers), *phrases)


def failing() -> RawFile:
    cells = [cell(name, 2, what) for name in "abc" for what in ("w1", "w2")]
    rows = [(of, six(1)) for of in cells[:-1]]
    return raw_of([experiment(cells), *timed(rows), failed(cells[-1], "crashed")])


@pytest.mark.parametrize(
    ("raw", "rows", "marks"),
    [
        (
            on_w({"a": (1, 1, 1), "b": (2, 3, 4), "c": (9, 9, 9)}),
            ["a 1.00 × [1.00, 1.00] · 1.00 × w1"]
            + ["b 3.00 × [2.00, 4.00] · 3.00 × w1", "c 9.00 × [9.00, 9.00] · 9.00 × w1"],
            {},
        ),
        (
            failing(),
            ["a 1.00 × · nowhere", "b 1.00 × · nowhere", "c DNF (1)"],
            {(0, 1): Emphasis.BEST, (1, 1): Emphasis.BEST, (2, 1): Emphasis.FAILED},
        ),
    ],
)
def test_the_table_has_the_mean_and_the_worst_of_each_strategy(
    raw: RawFile, rows: list[str], marks: Any
) -> None:
    (section,) = regret.sections_of_one(Figures(raw))
    (table,) = tables_of(section)
    assert [" ".join(row) for row in table.rows] == rows and table.marks == marks


def test_worker_counts_of_three_strategies_are_reported() -> None:
    rows = [(cell(name, workers, "w"), six(1)) for name in "ab" for workers in (1, 2)]
    assert strategies_of(measured(rows)) == {}
    raw = measured([*rows, (cell("serial", 2, "w"), six(1))])
    assert strategies_of(raw) == {2: 3}
    assert "serial (1 worker)" in page_of(regret.sections_of_one(Figures(raw)))
    rows = [(cell(name, workers, "w"), six(1)) for name in "abc" for workers in (1, 64)]
    assert strategies_of(simulated(rows, [64])) == {64: 3}


def alike(workload: str, schedulers: str, *more: Line) -> RawFile:
    return measured([(of, six(1)) for of in [*(cell(n, 2, workload) for n in schedulers), *more]])


@pytest.mark.parametrize(
    ("runs", "schedulers"),
    [
        ([alike("w", "abcd", cell("a", 2, "v")), alike("w", "dcbe"), alike("w", "a")], "bcd"),
        # A strategy that a run has elsewhere alone is left out.
        ([alike("w", "abcd"), alike("w", "abc", cell("d", 2, "v"))], "abc"),
        ([alike("w", "abc"), alike("w", "ab", cell("c", 2, "v"))], ""),
    ],
)
def test_several_runs_are_compared_by_what_all_of_them_have(
    runs: list[RawFile], schedulers: str
) -> None:
    shared = comparable(runs)
    assert len(shared) == (2 if schedulers else 0), "one strategy is nothing to compare"
    for raw in shared:
        parts = {(of.scheduler, of.instance) for of in raw.cells.values()}
        assert parts == {(name, "w") for name in schedulers}
        assert {row["cell"] for row in raw.processes} == set(raw.cells)


def test_what_has_too_few_rounds_has_a_column_and_no_choice() -> None:
    (section,) = regret.sections_of([Figures(three()), Figures(three(workers=64, rounds=2))])
    (table,) = tables_of(section)
    headers = ["strategy", "2 workers", "64 workers"]
    assert [column.header for column in table.columns] == headers
    few = texts_of(section)[1]
    assert few.startswith("Measured, the strategies are not told apart yet (2 of 6 rounds)")


def test_the_committed_machines_are_those_of_the_cpp_driver() -> None:
    names = ("one-socket-64", "one-socket-64-bare", "two-sockets-32")
    runs = [rawfile.read(REFERENCE / f"ablation/machines/{name}.jsonl.gz") for name in names]
    for raw in runs:
        raw.header["families"] = {"bpc": "stress", "spawn": "stress", "spc": "stress"}
    sections = regret.sections_of([Figures(raw) for raw in runs])
    assert_same_as(sections, oracle("sections_regret"))
