"""Regret over one run and over several, made ones and the committed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, raw_of, timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, oracle, tables_of, texts_of
from stealbench.tests.simulated import simulated, varied
from stealbench import rawfile
from stealbench.analysis import regret
from stealbench.analysis.comparable import comparable, families, reported_workers
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, Table

FAMILIES = {"w1": "recursive", "w2": "recursive", "w3": "loops"}
THREE = {"one": (1, 2, 4), "two": (2, 1, 16), "three": (1, 4, 1)}
"""The best takes a second on each of three workloads."""

# Of these two nothing but chance says which is faster.
USUAL = (1.0, 1.2, 0.9, 1.1, 1.0, 1.3)
LEAST = (0.9, 1.1, 1.0, 1.0, 0.8, 1.3)


def six(seconds: float) -> list[float]:
    return [seconds] * 6


def measured(rows: Sequence[tuple[Line, Sequence[float]]], **about: Any) -> RawFile:
    header = experiment([of for of, _ in rows], about=about, families=FAMILIES)
    raw: RawFile = raw_of([header, *timed(rows)])
    return raw


def three(workers: int = 2, rounds: int = 6, **about: Any) -> RawFile:
    rows = [
        (cell(name, workers, f"w{place}"), [seconds] * rounds)
        for name, times in THREE.items()
        for place, seconds in enumerate(times, 1)
    ]
    return measured(rows, **about)


def on_w(times: dict[str, Sequence[float]], **about: Any) -> RawFile:
    return measured([(cell(name, 2, "w1"), row) for name, row in times.items()], **about)


AGAINST_TWO = [
    {"factor": "f", "variant": "one", "against": "two"},
    {"factor": "f", "variant": "three", "against": "two"},
    {"factor": "f", "variant": "two", "against": "one"},
]


def choice_in(raw: RawFile, workers: int = 2) -> str:
    return regret.choice_of(Figures(raw), workers)


def table_in(raw: RawFile) -> Table:
    table: Table = tables_of(regret.sections_of_one(Figures(raw))[0])[0]
    return table


def test_the_choice_is_the_least_mean_with_its_worst_and_what_a_family_takes_instead() -> None:
    assert choice_in(three()) == (
        "If you may choose one of 3 strategies with 2 workers: three, 1.59 × the best on average,"
        " 4.00 × at worst (w2). For the family recursive alone: one, 1.41 × (three takes 2.00 ×)."
    )
    assert families(Figures(three())) == {"recursive": ["w1", "w2"], "loops": ["w3"]}


def test_the_choice_names_what_is_not_told_apart() -> None:
    assert choice_in(on_w({"a": six(1), "b": six(1), "c": six(9)})).endswith(
        ": a, 1.00 × the best on average, and is shown to be slower than the best nowhere."
        " Not told apart from it: b."
    )


def test_there_is_no_choice_of_two_strategies_and_below_six_rounds() -> None:
    assert choice_in(on_w({"a": six(1), "b": six(2)})) == ""
    assert choice_in(three(rounds=5)) == ""


def test_the_base_of_an_ablation_is_chosen_unless_it_is_shown_to_be_slower() -> None:
    times = {"four": USUAL, "one": LEAST, "two": USUAL, "three": six(9)}
    words = choice_in(on_w(times, ablation=AGAINST_TWO))
    assert "with 2 workers: two, 1.05 ×" in words
    assert "Not told apart from it: one, four." in words and "compared with" not in words
    words = choice_in(three(ablation=AGAINST_TWO))
    assert "(w2). two, which most are compared with: 3.17 × the best on average, 16.0 ×" in words
    lacking = on_w({"one": six(1), "three": six(2), "four": six(3)}, ablation=AGAINST_TWO)
    assert "compared with" not in choice_in(lacking)


def test_the_base_is_chosen_for_a_family_too() -> None:
    rows = [("w1", "one", LEAST), ("w1", "two", USUAL), ("w1", "three", six(3))]
    rows += [("w3", "one", six(30)), ("w3", "two", six(30)), ("w3", "three", six(1))]
    raw = measured([(cell(name, 2, what), row) for what, name, row in rows], ablation=AGAINST_TWO)
    words = choice_in(raw)
    assert "with 2 workers: three, " in words
    assert "For the family recursive alone: two, 1.05 × (three takes 3.00 ×)." in words


def by_cost(**times: Sequence[float]) -> RawFile:
    """Times of a, b and c with 64 workers, and with each cost: `wake_2`."""
    rows = [
        (varied(cell(name, 64, "w"), cost.replace("_", "=").strip("=")), six(seconds))
        for cost, row in times.items()
        for name, seconds in zip("abc", row)
    ]
    raw: RawFile = simulated(rows, [64])
    return raw


def test_the_sensitivity_table_may_contradict_the_choice() -> None:
    words = choice_in(by_cost(_=(1, 2, 3)), 64)
    assert "with 64 workers, simulated, reference: a, 1.00 ×" in words and "table" not in words
    assert choice_in(by_cost(_=(1, 2, 3), wake_2=(1, 3, 3)), 64) == (
        f"{words} The same leads with each other cost of the sensitivity table."
    )
    assert choice_in(by_cost(_=(1, 2, 3), wake_2=(1, 3, 3), **{"wake_0.5": (6, 2, 3)}), 64) == (
        f"{words} The sensitivity table contradicts this: with wake × 0.5 it is b (a takes 3.00 ×)."
    )


def test_the_table_has_the_mean_and_the_worst_of_each_strategy() -> None:
    table = table_in(three())
    assert table.title.startswith("Regret: time over the best of 3 strategies, geometric mean of 3")
    assert table.rows == [
        ["(choose)", "three"],
        ["three", "1.59 × · 4.00 × w2"],
        ["one", "2.00 × · 4.00 × w3"],
        ["two", "3.17 × · 16.0 × w3"],
    ]
    assert table.marks == {(1, 1): Emphasis.BEST}


def test_below_six_rounds_the_table_has_ranges_and_chooses_none() -> None:
    table = table_in(on_w({"a": (1, 1, 1), "b": (2, 3, 4), "c": (9, 9, 9)}))
    assert table.rows[0] == ["(choose)", "not told apart yet"]
    assert table.rows[2] == ["b", "3.00 × [2.00, 4.00] · 3.00 × w1"]


def test_what_did_not_finish_has_no_mean() -> None:
    cells = [cell(name, 2, what) for name in "abc" for what in ("w1", "w2")]
    rows = [(of, six(1)) for of in cells[:-1]]
    lines = [experiment(cells), *timed(rows), failed(cells[-1], "crashed")]
    table = table_in(raw_of(lines))
    assert table.rows[-1] == ["c", "DNF (1)"] and table.marks[3, 1] == Emphasis.FAILED


def test_serial_is_among_the_strategies_of_the_most_workers_alone() -> None:
    rows = [(cell(name, workers, "w"), six(1)) for name in "ab" for workers in (1, 2)]
    raw = measured([*rows, (cell("serial", 2, "w"), six(1)), (cell("c", 1, "w"), six(1))])
    table = table_in(raw)
    assert [column.header for column in table.columns] == ["strategy", "1 worker", "2 workers"]
    assert "serial (1 worker)" in [row[0] for row in table.rows]
    assert reported_workers(measured(rows)) == []


def test_of_a_simulation_the_worker_counts_that_it_reports_have_a_column() -> None:
    rows = [(cell(name, workers, "w"), six(1)) for name in "abc" for workers in (1, 64)]
    assert reported_workers(simulated(rows, [64])) == [64]


def alike(workload: str, schedulers: str, more: Sequence[Line] = ()) -> RawFile:
    cells = [cell(name, 2, workload) for name in schedulers] + list(more)
    return measured([(of, six(1)) for of in cells])


def test_several_runs_are_compared_by_what_all_of_them_have() -> None:
    runs = [
        alike("w", "abcd", [cell("a", 2, "v")]),
        alike("w", "dcbe", [cell("b", 2, "u")]),
        alike("w", "a"),
    ]
    shared = comparable(runs)
    assert len(shared) == 2, "one strategy is nothing to compare"
    for raw in shared:
        parts = {(of.scheduler, of.instance) for of in raw.cells.values()}
        assert parts == {(name, "w") for name in "bcd"}
        assert {row["cell"] for row in raw.processes} == set(raw.cells)


def test_a_strategy_that_a_run_has_elsewhere_alone_is_left_out() -> None:
    shared = comparable([alike("w", "abcd"), alike("w", "abc", [cell("d", 2, "v")])])
    schedulers = [{of.scheduler for of in raw.cells.values()} for raw in shared]
    assert schedulers == [{"a", "b", "c"}] * 2
    assert comparable([alike("w", "abc"), alike("v", "abc", [cell("d", 2, "w")])]) == []
    assert comparable([alike("w", "abc"), alike("w", "ab", [cell("c", 2, "v")])]) == []
    assert comparable([alike("w", "abc"), alike("w", "def")]) == []


def test_machines_are_side_by_side_and_more_than_four_columns_are_divided() -> None:
    rows = [(cell(name, workers, "w"), six(1)) for name in "abc" for workers in (8, 64)]
    runs = [Figures(simulated(rows, [8, 64])) for _ in range(2)]
    runs += [Figures(alike("w", "abc"))]
    (section,) = regret.sections_of(runs)
    assert [table.title.split(":")[0] for table in tables_of(section)] == [
        "Regret",
        "Regret with 8 workers, simulated",
        "Regret with 64 workers, simulated",
    ]
    assert [column.header for column in tables_of(section)[1].columns] == [
        "strategy",
        "reference",
        "reference",
    ]
    assert len([text for text in texts_of(section) if text.startswith("If you may")]) == 5
    few = regret.sections_of([Figures(three(rounds=2))])[0]
    assert texts_of(few)[0].startswith("Measured, the strategies are not told apart yet (2 of 6")


def test_the_regret_of_a_scheduler_is_given_to_other_programs() -> None:
    (entry,) = regret.values(Figures(three()), "one")
    assert entry == {
        "workers": 2,
        "mean": pytest.approx(2),
        "low": pytest.approx(2),
        "high": pytest.approx(2),
        "leads": False,
        "worst": 4,
        "worst_on": "w3",
    }
    assert regret.values(Figures(on_w({"a": six(1), "b": six(1)})), "a") == []


def test_the_committed_machines_are_those_of_the_cpp_driver() -> None:
    names = ("one-socket-64", "one-socket-64-bare", "two-sockets-32")
    runs = [rawfile.read(REFERENCE / f"ablation/machines/{name}.jsonl.gz") for name in names]
    for raw in runs:
        raw.header["families"] = {"bpc": "stress", "spawn": "stress", "spc": "stress"}
    sections = regret.sections_of([Figures(raw) for raw in runs])
    assert_same_as(sections, oracle("sections_regret"))
