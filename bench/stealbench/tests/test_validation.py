"""Simulated times beside measured ones: `simulate --check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from stealbench import rawfile
from stealbench.analysis.validation import Validation, errors_of, pairs_of, sections_of
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.tests.conftest import Line, cell, experiment, raw_of, timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, oracle, page_of, section_in
from stealbench.tests.frozen import tables_of
from stealbench.tests.simulated import PROFILE, simulated

OTHER = {"unit_from": "fib n=20"}
"""Held out: the price of a unit is that of another instance."""


def waiting(share: float) -> dict[str, Any]:
    rest = 1 - share
    return {"shares": {"work": rest, "overhead": 0, "search": 0, "lines": share, "asleep": 0}}


def validated(
    rows: Sequence[tuple[Line, float, float, dict[str, Any]]], rounds: int = 6, **about: Any
) -> Validation:
    """Measured and simulated seconds, and what the simulation says more."""
    times = [(of, [seconds] * rounds) for of, seconds, _, _ in rows]
    context = {"commit": "0123456789ab", "processor": "A processor"}
    lines = [experiment([of for of, _ in times]), {"type": "context", "context": context}]
    other = simulated([(of, [own] * 6, more) for of, _, own, more in rows], [1, 2], **about)
    return Validation(Figures(raw_of(lines + timed(times))), Figures(other))


@pytest.mark.parametrize(
    ("seconds", "more", "expected"),
    [
        ((2, 3), {}, {"error": 0.5, "factor": 1.5, "unit_from": ""}),
        ((4, 1), OTHER, {"error": -0.75, "factor": 4, "unit_from": "fib n=20"}),
        ((1, 9), waiting(0.099), {"kind": "uncontended", "waiting": 0.099}),
        ((1, 9), waiting(0.101), {"kind": "contended", "waiting": 0.101}),
        # Sleep in locks: workers run tasks for 0.9 s, of which 75 % of a second is work.
        ((1, 1), {"busy_ns": 0.9e9}, {"waiting": 0.9 - 0.75, "kind": "contended"}),
        ((1, 1), {"busy_ns": 0.8e9}, {"waiting": 0.0625}),
    ],
)
def test_a_benchmark_has_an_error_and_waits_by_the_simulation_alone(
    seconds: tuple[float, float], more: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = validated([(cell("a", 2), *seconds, more)])
    for column, value in expected.items():
        is_text = isinstance(value, str)
        assert found.cells[column].iloc[0] == (value if is_text else pytest.approx(value)), column
    assert len(found.held_out) == (more == OTHER)


@pytest.mark.parametrize(("number", "most"), [(1, 0), (9, 8), (10, 8), (11, 9)])
def test_nine_in_ten_errors_do_not_exceed_one_of_them(number: int, most: float) -> None:
    cells = validated([(cell(f"s{at}", 2), 1, 1 + at, OTHER) for at in range(11)]).cells
    assert errors_of(cells[:number])["nine in ten errors"] == most


def test_a_pair_is_contended_if_one_of_both_is_and_told_apart_by_six_rounds() -> None:
    rows: list[Any] = [(cell("a", 2), 1, 1, OTHER), (cell("b", 2), 2, 0.5, OTHER)]
    rows += [(cell("c", 2), 3, 4, OTHER | waiting(0.5)), (cell("a", 1), 9, 9, OTHER)]
    page = page_of(sections_of(validated(rows[:2])))
    assert "No benchmark held out is contended." in page
    assert pairs_of(validated(rows), "uncontended") == [False]
    assert pairs_of(validated(rows), "contended") == [True, True]
    assert pairs_of(validated(rows, rounds=5), "contended") == []


def test_what_makes_a_comparison_unfair_is_doubted() -> None:
    rows: list[Any] = [(cell("a", 2), 1, 1, OTHER)]
    found = validated(rows, profile=PROFILE | {"processor": "B"})
    found.measured.raw.contexts[""]["commit"] = "another"
    assert found.doubts() == [
        "A processor was measured, and the profile is of B",
        "commit another was measured, and 0123456789ab simulated",
    ]
    with pytest.raises(BadInput, match="both contended and uncontended benchmarks must be held"):
        found.accuracy()
    with pytest.raises(BadInput, match="no benchmark in common that finished in both; valid: two"):
        Validation(found.measured, validated([(cell("b", 2), 1, 1, {})]).simulated)


def test_the_committed_validation_is_that_of_the_cpp_driver() -> None:
    runs = (
        rawfile.read(REFERENCE / f"validation/{name}.jsonl.gz") for name in ("compare", "simulate")
    )
    found = Validation(*map(Figures, runs))
    sections = sections_of(found)
    (every,) = tables_of(section_in(sections, "Errors by benchmark"))
    every.rows = every.rows[::19]
    assert_same_as(sections, oracle("sections_validation"))
    accuracy = {"median_error": 0.0432, "ninth_decile_error": 0.112, "contended_factor": 3.7822}
    assert found.accuracy() == accuracy | {"cells": 684} and found.doubts() == []
