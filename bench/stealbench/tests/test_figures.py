"""Figures of made comparisons, and of each committed run beside what the C++ driver computed.

`oracle/NAME.csv.gz` is frozen from its CSV files: medians, ratios and ranks are equal, the ends
of intervals agree within what its 10,000 random resamples leave open.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy
import pandas
import pytest

from stealbench.tests.conftest import (
    Line,
    cell,
    compared,
    experiment,
    failed,
    process,
    raw_of,
    timed,
)
from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.figures import Figures, export, frame
from stealbench.runs import Run, read

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = ROOT / "results/reference/2026-11-22"
NOISE = numpy.array([1, 1.01, 0.99, 1.005, 0.995, 1.002])

ORACLES = sorted((Path(__file__).parent / "oracle").glob("*.csv.gz"))


def raw_file_of(oracle: Path) -> Path:
    """`ablation_machines_X.csv.gz` is of `ablation/machines/X.jsonl.gz`."""
    name = oracle.name.removesuffix(".csv.gz")
    found = [
        file
        for file in REFERENCE.rglob("*.jsonl.gz")
        if str(file.relative_to(REFERENCE)).replace("/", "_").removesuffix(".jsonl.gz") == name
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("oracle", ORACLES, ids=[file.name.split(".")[0] for file in ORACLES])
def test_every_figure_of_a_committed_run_is_that_of_the_driver_before(oracle: Path) -> None:
    expected = pandas.read_csv(oracle, index_col="cell", keep_default_na=False, na_values=[""])
    actual = export(Figures(rawfile.read(raw_file_of(oracle)))).loc[expected.index]
    assert (actual["failure"].fillna("") == expected["failure"].fillna("").astype(str)).all()
    assert (actual["rounds"] == expected["rounds"]).all()
    for name in expected.columns.difference(["failure", "rounds"]):
        numbers = actual[name].astype(float).to_numpy()
        wanted = expected[name].astype(float).to_numpy()
        is_of_profile = numpy.array(["/machine:" in name for name in actual.index])
        if name.startswith("seconds_per_fork"):  # Of a simulation beside measurements, now too.
            assert not numpy.isnan(numbers[is_of_profile]).any()
            numbers = numpy.where(is_of_profile, numpy.nan, numbers)
        assert (numpy.isnan(numbers) == numpy.isnan(wanted)).all(), name
        if name.endswith(("_low", "_high")):
            middle = name.rsplit("_", 1)[0]
            width = (expected[f"{middle}_high"] - expected[f"{middle}_low"]).to_numpy(float)
            slack = 0.12 * width + 1e-6 * numpy.abs(wanted)
            assert (numpy.abs(numbers - wanted) <= slack)[~numpy.isnan(wanted)].all(), name
        else:
            assert numpy.allclose(numbers, wanted, rtol=1e-6, atol=0, equal_nan=True), name


def test_the_frame_has_a_row_for_each_process_with_its_benchmark() -> None:
    fib, other = cell("serial", n="30"), cell("work-stealing", 2, n="30")
    counters = {"type": "counters", "cell": other["name"], "spent_seconds": 1}
    raw = raw_of(
        [
            experiment([fib, other]),
            process(fib, 1, 0.5),
            process(other, 1, 0.25),
            {**counters, "counters": {"steals": 4, "per_worker": []}},
            failed(other, "timed out"),
        ]
    )
    table = frame(raw)
    assert table["kind"].tolist() == ["timed", "timed", "counted", "timed"]
    assert table["seconds"].tolist()[:2] == [0.5, 0.25]
    assert table["steals"].tolist()[2] == 4
    assert table["failure"].tolist()[3] == "timed out"
    assert table["instance"].unique().tolist() == ["fib n=30"]
    assert table["workers"].tolist() == [1, 2, 2, 2]


def test_speedup_is_over_the_baseline_and_overhead_of_one_worker() -> None:
    raw = compared(
        {
            ("serial", 2): 4.0 * NOISE,
            ("work-stealing", 1): 5.0 * NOISE,
            ("work-stealing", 2): 2.0 * NOISE,
        }
    )
    table = Figures(raw).table.set_index(["scheduler", "workers"])
    assert table.loc[("work-stealing", 2), "speedup"] == pytest.approx(2)
    assert table.loc[("work-stealing", 1), "speedup"] == pytest.approx(0.8)
    assert table.loc[("work-stealing", 2), "overhead"] == pytest.approx(1.25)
    assert numpy.isnan(table.loc[("serial", 2), "overhead"])
    assert table.loc[("work-stealing", 2), "seconds_per_fork"] == pytest.approx(
        table.loc[("work-stealing", 2), "seconds"] * 2 / 1000
    )


def test_a_scheduler_s_own_time_with_one_worker_may_be_the_baseline() -> None:
    one, two = cell("tbb", 1), cell("tbb", 2)
    lines = timed([(one, 6.0 * NOISE), (two, 2.0 * NOISE)])
    table = Figures(raw_of([experiment([one, two], baseline="itself"), *lines])).table
    assert table["speedup"].tolist() == pytest.approx([1, 3])


def test_a_ratio_is_over_the_rounds_that_both_have() -> None:
    raw = compared({("serial", 1): [1, 1, 1, 9, 9, 9, 9], ("tbb", 1): [2, 2, 2]})
    table = Figures(raw).table.set_index("scheduler")
    assert table.loc["tbb", "slowdown"] == 1 or table.loc["tbb", "is_best"]
    assert table.loc["serial", "slowdown"] == pytest.approx(0.5)


def test_ranks_are_among_benchmarks_with_as_many_workers() -> None:
    times = {("a", 1): NOISE, ("b", 1): 2.0 * NOISE, ("a", 2): 2.0 * NOISE, ("b", 2): NOISE}
    table = Figures(compared(times)).table.set_index(["scheduler", "workers"])
    assert table["rank"].tolist() == [1, 2, 2, 1]
    assert table["is_best"].tolist() == [True, False, False, True]
    assert table["is_behind"].tolist() == [False, True, True, False]


def test_below_six_rounds_no_benchmark_has_a_rank() -> None:
    figures = Figures(compared({("a", 1): NOISE[:5], ("b", 1): 2.0 * NOISE}))
    assert figures.table["rank"].isna().all() and not figures.have_intervals
    assert figures.regret(1)["worst"].tolist()[1] is not None


def test_what_did_not_finish_has_a_reason_and_no_figure() -> None:
    one, two, three = (cell(name) for name in ("a", "b", "c"))
    lines = [process(one, 1, 1), process(two, 1, 1), failed(two, "crashed")]
    table = Figures(raw_of([experiment([one, two, three]), *lines])).table
    assert table["failure"].tolist() == [
        None,
        "crashed",
        "not measured, the experiment is unfinished",
    ]
    assert table["seconds"].isna().tolist() == [False, True, True]


@pytest.mark.parametrize("waited, is_disturbed", [(1, False), (2, True)])
def test_a_third_of_the_rounds_without_a_processor_disturbs(
    waited: int, is_disturbed: bool
) -> None:
    one = cell("a", 2)
    lines = [
        process(one, index + 1, 1, waiting_threads=0.3 if index < waited else 0.1)
        for index in range(6)
    ]
    assert Figures(raw_of([experiment([one]), *lines])).table["is_disturbed"].tolist() == [
        is_disturbed
    ]


def two_instances(**times: tuple[float, float]) -> Figures:
    """Of schedulers: median times on two instances."""
    rows = [
        (cell(name, workload=workload), factor * NOISE)
        for name, factors in times.items()
        for workload, factor in zip(("fib", "uts"), factors)
    ]
    return Figures(raw_of([experiment([of for of, _ in rows]), *timed(rows)]))


def test_regret_is_the_geometric_mean_of_the_time_over_the_best() -> None:
    regret = two_instances(a=(1, 4), b=(2, 1), c=(8, 18)).regret(1)
    assert regret["mean"].tolist() == pytest.approx([2, 2**0.5, 12])
    assert regret["worst"].tolist() == ["uts/a/workers:1", "fib/b/workers:1", "uts/c/workers:1"]
    assert regret["leads"].tolist() == [False, True, False]
    assert regret["failed"].tolist() == [0, 0, 0]


def test_those_that_are_not_shown_to_be_slower_share_the_lead() -> None:
    shared = two_instances(a=(1, 1), b=(1.0001, 1), c=(2, 2)).regret(1)
    assert shared["leads"].tolist() == [True, True, False]


def test_regret_of_some_instances_is_of_these_alone() -> None:
    figures = two_instances(a=(1, 4), b=(2, 1))
    assert figures.regret(1, ["uts"])["mean"].tolist() == pytest.approx([4, 1])


def test_a_cost_that_is_varied_has_figures_of_its_own() -> None:
    def varied(name: str) -> Line:
        one = cell(name)
        return {**one, "name": one["name"] + "/vary:transfer=2", "varied": "transfer=2"}

    rows = [(cell("a"), NOISE), (cell("b"), 2.0 * NOISE), (varied("a"), 3.0 * NOISE)]
    rows.append((varied("b"), NOISE))
    figures = Figures(raw_of([experiment([of for of, _ in rows]), *timed(rows)]))
    assert figures.table["rank"].tolist() == [1, 2, 2, 1]
    assert figures.regret(1)["mean"].tolist() == pytest.approx([1, 2])
    assert figures.regret(1, varied="transfer=2")["mean"].tolist() == pytest.approx([3, 1])


def test_who_did_not_finish_all_instances_has_no_mean() -> None:
    rows = [(cell("a"), NOISE), (cell("b"), NOISE), (cell("a", workload="uts"), NOISE)]
    rest = cell("b", workload="uts")
    lines = [experiment([*(of for of, _ in rows), rest]), *timed(rows), failed(rest, "crashed")]
    regret = Figures(raw_of(lines)).regret(1)
    assert regret["mean"].isna().tolist() == [False, True]
    assert regret["failed"].tolist() == [0, 1]


def test_a_notebook_reads_ranks_regret_speedups_and_a_plot() -> None:
    runs = read(REFERENCE / "comparison")
    assert list(runs) == ["compare", "grain", "metg", "micro"]
    assert runs.ranks().loc["work-stealing"].tolist() == [1, 1, 1, 1]
    assert runs.regret().index[0] == "work-stealing"
    assert runs.speedup().loc[("fib n=35", "work-stealing", 2), "speedup"] == pytest.approx(
        1.78, abs=0.01
    )
    assert len(runs.plot().axes) == 4
    assert set(runs.frame["experiment"]) == set(runs)


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda: Run(compared({("a", 2): NOISE})).ranks(3), "valid: 2"),
        (lambda: read(ROOT / "bench"), "has no raw file; valid: "),
        (lambda: read(ROOT / "none"), "there is no such file"),
    ],
)
def test_a_wrong_question_is_answered_with_what_is_valid(
    ask: Callable[[], object], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        ask()
