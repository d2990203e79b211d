"""Figures of made comparisons, and of each committed run beside what the C++ driver computed.

`oracle/NAME.csv.gz` is frozen from its CSV files: medians, ratios and ranks are equal, the ends
of intervals agree within what its 10,000 random resamples leave open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest

from stealbench.tests.conftest import Line, Times, cell, compared, experiment, failed, process
from stealbench.tests.conftest import raw_of, timed
from stealbench.tests.simulated import varied
from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.figures import UNFINISHED, Figures, export
from stealbench.runs import Run, read

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = ROOT / "results/reference/2026-11-22"
NOISE = numpy.array([1, 1.01, 0.99, 1.005, 0.995, 1.002])

ORACLES = sorted((Path(__file__).parent / "oracle").glob("*.csv.gz"))


def raw_file_of(oracle: Path) -> Path:
    """`ablation_machines_X.csv.gz` is of `ablation/machines/X.jsonl.gz`."""
    name = oracle.name.removesuffix(".csv.gz")
    files = {str(file.relative_to(REFERENCE)): file for file in REFERENCE.rglob("*.jsonl.gz")}
    return {key.replace("/", "_"): file for key, file in files.items()}[f"{name}.jsonl.gz"]


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


def of(*rows: tuple[Line, Times | str], **first: Any) -> Figures:
    """Of benchmarks with their times, or the reason why they failed."""
    times = [(one, row) for one, row in rows if not isinstance(row, str)]
    lines = [experiment([one for one, _ in rows], **first), *timed(times)]
    lines += [failed(one, row) for one, row in rows if isinstance(row, str)]
    return Figures(raw_of(lines))


A, B, UTS_B = cell("a"), cell("b"), cell("b", workload="uts")
CROSSED = of((A, NOISE), (B, 2.0 * NOISE), (cell("a", 2), 2.0 * NOISE), (cell("b", 2), NOISE))
FEW = of((A, NOISE[:5]), (B, 2.0 * NOISE))
OWN = of((cell("tbb", 1), 6.0 * NOISE), (cell("tbb", 2), 2.0 * NOISE), baseline="itself")
VARIED = of(
    (A, NOISE), (B, 2.0 * NOISE), (varied(A, "wake=2"), 3.0 * NOISE), (varied(B, "wake=2"), NOISE)
)
LACKING = of((A, NOISE), (cell("a", workload="uts"), NOISE), (B, NOISE), (UTS_B, "crashed"))
NAN = float("nan")


@pytest.mark.parametrize(
    ("figures", "column", "expected"),
    [
        (OWN, "speedup", [1, 3]),
        # Over the rounds that both have.
        (of((A, [1, 1, 1, 9, 9, 9, 9]), (B, [2, 2, 2])), "slowdown", [0.5, 1]),
        (CROSSED, "rank", [1, 2, 2, 1]),
        (CROSSED, "is_best", [True, False, False, True]),
        (CROSSED, "is_behind", [False, True, True, False]),
        (FEW, "rank", [NAN, NAN]),
        (VARIED, "rank", [1, 2, 2, 1]),
        (LACKING, "failure", [None, None, None, "crashed"]),
        (LACKING, "seconds", [1.001, 1.001, 1.001, NAN]),
        (of((A, NOISE), (B, [])), "failure", [None, UNFINISHED]),
        (FEW.regret(1), "worst", ["fib/a/workers:1", "fib/b/workers:1"]),
        (VARIED.regret(1, varied="wake=2"), "mean", [3, 1]),
        (LACKING.regret(1), "mean", [1, NAN]),
        (LACKING.regret(1), "failed", [0, 1]),
        (LACKING.regret(1, ("fib",)), "leads", [True, True]),
    ],
)
def test_ratios_ranks_and_regret_are_among_benchmarks_with_as_many_workers_and_equal_costs(
    figures: Figures | pandas.DataFrame, column: str, expected: list[Any]
) -> None:
    table = figures.table if isinstance(figures, Figures) else figures
    for value, wanted in zip(table[column], expected, strict=True):
        is_number = isinstance(wanted, (int, float))
        assert value == (pytest.approx(wanted, nan_ok=True) if is_number else wanted)


@pytest.mark.parametrize("waited, is_disturbed", [(1, False), (2, True)])
def test_a_third_of_the_rounds_without_a_processor_disturbs(
    waited: int, is_disturbed: bool
) -> None:
    one = cell("a", 2)
    waiting = [0.3 if index < waited else 0.1 for index in range(6)]
    lines = [process(one, at, 1, waiting_threads=now) for at, now in enumerate(waiting, 1)]
    table = Figures(raw_of([experiment([one]), *lines])).table
    assert table["is_disturbed"].tolist() == [is_disturbed]


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
