"""Simulated times beside measured ones: `simulate --check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, raw_of, timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, section_in
from stealbench.tests.frozen import tables_of, texts_of
from stealbench.tests.simulated import PROFILE, simulated, varied
from stealbench import rawfile
from stealbench.analysis.validation import Validation, errors_of, ninth_decile, sections_of
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.rawfile import RawFile

OTHER = {"unit_from": "fib n=20"}
"""Held out: the price of a unit is that of another instance."""


def six(seconds: float) -> list[float]:
    return [seconds] * 6


def measured(rows: Sequence[tuple[Line, Sequence[float]]], failing: Sequence[Line] = ()) -> RawFile:
    context = {"commit": "0123456789ab", "processor": "A processor"}
    lines = [experiment([*(of for of, _ in rows), *failing])]
    lines += [{"type": "context", "context": context}, *timed(rows)]
    lines += [failed(of, "crashed") for of in failing]
    lines.append({"type": "finished", "spent_seconds": 1, "host_checks": []})
    raw: RawFile = raw_of(lines)
    return raw


def waiting(share: float) -> dict[str, Any]:
    rest = 1 - share
    return {"shares": {"work": rest, "overhead": 0, "search": 0, "lines": share, "asleep": 0}}


def validated(
    rows: Sequence[tuple[Line, float, float, dict[str, Any]]], rounds: int = 6
) -> Validation:
    """Measured and simulated seconds, and what the simulation says more."""
    runs = measured([(of, [seconds] * rounds) for of, seconds, _, _ in rows])
    other = simulated([(of, six(seconds), more) for of, _, seconds, more in rows], [1, 2])
    return Validation(Figures(runs), Figures(other))


@pytest.mark.parametrize(
    ("seconds", "more", "expected"),
    [
        ((2, 3), {}, {"error": 0.5, "factor": 1.5, "is_held_out": False, "unit_from": ""}),
        ((4, 1), OTHER, {"error": -0.75, "factor": 4, "is_held_out": True}),
        ((1, 9), waiting(0.099), {"is_contended": False, "waiting": 0.099}),
        ((1, 9), waiting(0.101), {"is_contended": True, "waiting": 0.101}),
        # Sleep in locks: workers run tasks for 0.9 s, of which 75 % of a second is work.
        ((1, 1), {"busy_ns": 0.9e9}, {"waiting": 0.9 - 0.75, "is_contended": True}),
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
    assert found.unpaired == {}


def test_what_is_not_compared_has_a_reason() -> None:
    a, b, c, d = (cell(name, 2) for name in "abcd")
    runs = measured([(a, six(1)), (b, six(1))], [c])
    rows = [(a, six(1)), (varied(a, "wake=2"), six(1)), (c, "timed out"), (d, six(1))]
    found = Validation(Figures(runs), Figures(simulated(rows, [2])))
    assert list(found.unpaired.values()) == [
        "not simulated",
        "measurement: crashed; simulation: timed out",
        "not measured",
    ]
    words = texts_of(section_in(sections_of(found), "Errors by benchmark"))
    assert words[0] == f"Not compared: {b['name']}: not simulated"
    with pytest.raises(BadInput, match="no benchmark in common that finished in both; valid: two"):
        Validation(Figures(measured([(b, six(1))])), Figures(simulated(rows, [2])))


def test_errors_are_summed_up_without_their_signs_and_the_bias_with_it() -> None:
    seconds = (1.1, 0.8, 1.3, 0.6, 1.5)
    rows = [(cell(f"s{at}", 2), 1, value, OTHER) for at, value in enumerate(seconds)]
    errors = errors_of(validated(rows).cells)
    assert errors == pytest.approx(
        {
            "median": 0.3,
            "ninth_decile": 0.5,
            "greatest": 0.5,
            "bias": 0.1,
            "ninth_decile_factor": 1 / 0.6,
            "greatest_factor": 1 / 0.6,
        }
    )


def test_nine_in_ten_do_not_exceed_the_ninth_decile() -> None:
    values = validated([(cell(f"s{at}", 2), 1, 1 + at, OTHER) for at in range(11)]).cells["error"]
    assert ninth_decile(values[:10]) == 8 and ninth_decile(values) == 9
    assert ninth_decile(values[:9]) == 8 and ninth_decile(values[:1]) == 0


def pairs_of(found: Validation) -> list[tuple[str, str, bool]]:
    return [
        (
            found.cells.at[pair.faster, "scheduler"],
            found.cells.at[pair.slower, "scheduler"],
            bool(pair.is_right),
        )
        for pair in found.pairs.itertuples()
    ]


def test_schedulers_that_the_measurement_tells_apart_are_pairs() -> None:
    rows: list[Any] = [(cell("a", 2), 1, 1, {}), (cell("b", 2), 2, 0.5, {})]
    rows += [(cell("c", 2), 3, 4, {})]
    rows += [(cell("a", 1), 9, 9, {}), (cell("b", 2, "uts"), 7, 7, {})]
    assert pairs_of(validated(rows)) == [
        ("a", "b", False),
        ("a", "c", True),
        ("b", "c", True),
    ]
    assert pairs_of(validated(rows, rounds=5)) == []
    contended = validated([(cell("a", 2), 1, 1, waiting(0.5)), (cell("b", 2), 2, 3, {})])
    assert list(contended.pairs["is_contended"]) == [True]


def held_out() -> list[tuple[Line, float, float, dict[str, Any]]]:
    rows: list[Any] = [(cell(f"s{at}", 2), 1.0, 1 + at / 300, OTHER) for at in range(10)]
    return [*rows, (cell("c", 2), 1, 3, OTHER | waiting(0.5))]


def test_a_profile_states_ninth_deciles_in_four_digits() -> None:
    assert validated(held_out()).accuracy() == {
        "median_error": 0.015,
        "ninth_decile_error": 0.0267,
        "contended_factor": 3,
        "cells": 11,
    }
    for rows, kind in ((held_out()[:-1], "contended"), (held_out()[-1:], "uncontended")):
        with pytest.raises(BadInput, match=f"no benchmark held out is {kind}, so the accuracy"):
            validated(rows).accuracy()


def test_what_makes_a_comparison_unfair_is_doubted() -> None:
    rows: list[tuple[Line, Sequence[float]]] = [(cell("a", 2), six(1))]
    runs, other = measured(rows), simulated(rows, [2], profile=PROFILE | {"processor": "B"})
    assert Validation(Figures(runs), Figures(simulated(rows, [2]))).doubts() == []
    runs.contexts[""]["commit"] = "another"
    runs.is_finished = other.is_finished = False
    assert Validation(Figures(runs), Figures(other)).doubts() == [
        "the processor that was measured is A processor, and the profile is of B",
        "commit another was measured, and 0123456789ab simulated",
        "the measurement is not finished",
        "the simulation is not finished",
    ]


@pytest.mark.parametrize(
    ("rows", "phrases"),
    [
        (
            [(cell("a", 2), 1, 1.04, OTHER), (cell("b", 2), 2, 2.1, OTHER)],
            [
                "Held out, uncontended (2 benchmarks): the median error is 4.5 % (goal: at most"
                " 5 %, met); nine in ten errors are at most 5.0 % (goal: 15 %, met); of 1 pair of"
                " schedulers that the measurement tells apart, 1 is in its order.",
                "No benchmark held out is contended.",
            ],
        ),
        (
            [(cell("a", 2), 1, 2.1, OTHER | waiting(1)), (cell("b", 2), 2, 1.2, OTHER)],
            [
                "the greatest factor is 2.10 (goal: at most 2, missed); of 1 pair",
                "0 are in its order (goal: all, missed).",
                "error is 40.0 % (goal: at most 5 %, missed)",
                "at most 40.0 % (goal: 15 %, missed)",
            ],
        ),
    ],
)
def test_the_verdict_holds_each_error_against_its_own_goal(rows: Any, phrases: list[str]) -> None:
    assert_says(page_of(sections_of(validated(rows))[:1]), *phrases)


def test_kinds_are_by_workers_then_by_scheduler() -> None:
    rows = [(cell(name, workers), 1, 1, OTHER) for name in "ba" for workers in (2, 1)]
    table = tables_of(sections_of(validated(rows))[0])[0]
    assert [row[0] for row in table.rows] == [
        *["uncontended", "b, 1 worker", "a, 1 worker", "b, 2 workers", "a, 2 workers"]
    ]


def test_the_committed_validation_is_that_of_the_cpp_driver() -> None:
    runs = (
        rawfile.read(REFERENCE / f"validation/{name}.jsonl.gz") for name in ("compare", "simulate")
    )
    found = Validation(*map(Figures, runs))
    sections = sections_of(found)
    every = tables_of(section_in(sections, "Errors by benchmark"))[1]
    every.rows = every.rows[::19]
    assert_same_as(sections, oracle("sections_validation"))
    assert found.accuracy() == {
        "median_error": 0.0432,
        "ninth_decile_error": 0.112,
        "contended_factor": 3.7822,
        "cells": 684,
    }
    assert found.doubts() == []
