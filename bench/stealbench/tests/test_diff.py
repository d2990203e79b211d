"""Two runs, two builds of one run, several runs, and the shares of a sweep."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, raw_of, text_of, timed
from stealbench.tests.edited import grain_in_six_rounds, later, lines_of, simulated, two_builds
from stealbench.tests.frozen import assert_same_rows, assert_same_sections, oracle
from stealbench.tests.frozen import section_in, tables_of, texts_of
from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.experiments import ab
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.diff import FASTER, SLOWER, UNKNOWN, Difference
from stealbench.report.diff import difference_between, of_build, summary_of, table_of
from stealbench.report.merge import is_share, joined_lines, merged_sections

MACHINE = {"processor": "A", "num_cpus": 2}
FINISHED = {"type": "finished", "spent_seconds": 1, "host_checks": []}
NAMES = ("serial", "openmp", "onetbb")


def lines_in(times: Sequence[Sequence[float]], **context: Any) -> list[Line]:
    """A benchmark for each row of times; one without a time has crashed."""
    cells = [cell(NAMES[index % 3], index + 1) for index in range(len(times))]
    lines = timed([(of, row) for of, row in zip(cells, times) if row])
    lines += [failed(of, "crashed") for of, row in zip(cells, times) if not row]
    first = experiment(cells, settings={"size": "test", "pin": False})
    return [first, {"type": "context", "context": MACHINE | context}, *lines, FINISHED]


def figures_of(lines: Sequence[Line]) -> Figures:
    return Figures(raw_of(lines))


def compared(
    before: Sequence[Sequence[float]], after: Sequence[Sequence[float]], threshold: float = 0.03
) -> Difference:
    return difference_between(figures_of(lines_in(before)), figures_of(lines_in(after)), threshold)


def words_in(difference: Difference) -> list[str]:
    return [change.word for change in difference.cells]


def six(seconds: float) -> list[float]:
    return [seconds] * 6


@pytest.mark.parametrize("name", ["compare", "grain"])
def test_a_diff_of_a_committed_run_is_that_of_the_cpp_driver(name: str) -> None:
    frozen = oracle("diff")[name]
    lines = lines_of(f"comparison/{name}")
    difference = difference_between(figures_of(lines), figures_of(later(lines)), 0.03)
    assert_same_rows(table_of(difference, is_whole=True), frozen["table"])
    assert summary_of(difference) == frozen["summary"]
    errors = [f"Warning: {warning}" for warning in difference.warnings]
    errors.append(f"1 benchmark only in the old dataset: {difference.only_before[0]}")
    assert errors == frozen["errors"]
    assert difference.is_worse and not difference.only_after


def test_what_is_shown_to_differ_by_more_than_the_threshold_has_changed() -> None:
    difference = compared([six(1), six(1), six(1)], [six(4), six(0.5), six(1.02)])
    assert words_in(difference) == [SLOWER, FASTER, ""]
    assert [row[1:] for row in table_of(difference).rows] == [
        ["1.00 s [1.00, 1.00]", "4.00 s [4.00, 4.00]", "4.00 × [4.00, 4.00]", "slower"],
        ["1.00 s [1.00, 1.00]", "500 ms [500, 500]", "0.500 × [0.500, 0.500]", "faster"],
    ]
    assert summary_of(difference) == [
        "3 benchmarks: 1 slower, 1 faster, 1 without a significant change of more than 3 %.",
        "Geometric mean of new ÷ old (3 benchmarks that finished in both): 1.27 ×",
    ]


def test_the_threshold_is_the_same_either_way() -> None:
    changed = {1.55: SLOWER, 1.45: "", 0.7: "", 0.6: FASTER}
    for factor, word in changed.items():
        assert words_in(compared([six(1)], [six(factor)], 0.5)) == [word], factor


def test_noise_is_no_change_and_far_apart_is_said_to_be_undecided() -> None:
    scattered = [0.3, 2, 0.5, 1.7, 0.4, 1.9]
    difference = compared([scattered], [[0.8 * seconds for seconds in scattered]])
    assert words_in(difference) == [""] and not difference.is_worse
    assert summary_of(difference)[1].startswith("1 of these differs by more than that, but")


def test_the_number_of_benchmarks_is_corrected_for() -> None:
    low, high = [1, 1.4, 1.1, 1.3, 1.2, 1.0], [1.3, 1.8, 1.4, 1.7, 1.5, 1.35]
    assert words_in(compared([low], [high])) == [SLOWER]
    assert set(words_in(compared([low] * 40, [high, *[low] * 39]))) == {""}


def test_below_six_rounds_on_either_side_nothing_is_told_apart() -> None:
    for before, after in ((six(1)[:3], six(9)), (six(1), six(9)[:5])):
        difference = compared([before], [after])
        assert words_in(difference) == [UNKNOWN] and not table_of(difference).rows
        header = table_of(difference, is_whole=True).columns[3].header
        assert header == "new ÷ old [99 %, below 6 rounds the range]"
        assert "1 benchmark not told apart yet: that needs 6 rounds" in summary_of(difference)[1]


def test_a_failure_is_slower_and_its_end_is_faster() -> None:
    difference = compared([[1, 1], [], []], [[], [1, 1], []])
    assert words_in(difference) == [SLOWER, FASTER, ""]
    rows = table_of(difference, is_whole=True).rows
    assert [row[1:] for row in rows] == [
        ["1.00 s [1.00, 1.00]", "DNF", "—", "slower (crashed)"],
        ["DNF", "1.00 s [1.00, 1.00]", "—", "faster"],
        ["DNF", "DNF", "—", "(crashed)"],
    ]


def test_what_a_side_has_not_measured_yet_is_unknown() -> None:
    lines = lines_in([six(1), six(1)])
    early = [line for line in lines[:-1] if line.get("cell") != lines[0]["cells"][0]["name"]]
    for before, after in ((lines, early), (early, lines)):
        difference = difference_between(figures_of(before), figures_of(after), 0.03)
        assert words_in(difference) == [UNKNOWN, ""]
    assert difference.warnings == ["the old one is not finished"]


def test_benchmarks_that_one_side_lacks_are_named() -> None:
    difference = compared([six(1), six(1)], [six(1)])
    assert difference.only_before == ["fib/openmp/workers:2"] and not difference.only_after
    assert compared([six(1)], [six(1), six(1)]).only_after == ["fib/openmp/workers:2"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda lines: lines[1]["context"].update(processor="B"), "processor was A, and is B"),
        (lambda lines: lines[1]["context"].update(num_cpus=3), "num_cpus was 2, and is 3"),
        (lambda lines: lines[0].update(experiment="other"), "experiment compare, the other of oth"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    edit: Callable[[list[Line]], None], message: str
) -> None:
    lines = lines_in([six(1)])
    edit(lines)
    with pytest.raises(BadInput, match=f"{message}.*; valid: two"):
        difference_between(figures_of(lines_in([six(1)])), figures_of(lines), 0.03)
    other = raw_of([experiment([cell("rayon")]), *timed([(cell("rayon"), [1])])])
    with pytest.raises(BadInput, match="no benchmark in common; valid: "):
        difference_between(figures_of(lines_in([six(1)])), Figures(other), 0.03)


def test_what_else_is_not_the_same_is_a_warning() -> None:
    keys = ("compiler", "flags", "build_type", "kernel", "governor", "environment")
    changed = figures_of(lines_in([six(1)], **{key: "new" for key in keys}))
    difference = difference_between(figures_of(lines_in([six(1)])), changed, 0.03)
    assert difference.warnings == [f"{key} was unknown, and is new" for key in keys]
    lines = lines_in([six(1)])
    lines[0]["settings"] |= {"size": "small", "pin": True}
    difference = difference_between(figures_of(lines_in([six(1)])), figures_of(lines), 0.03)
    assert difference.warnings == ["size was test, and is small", "pin was false, and is true"]
    lines = lines_in([six(1)])
    for line in lines[2:-1]:
        line["benchmark"]["waiting_threads"] = 1
    difference = difference_between(figures_of(lines_in([six(1)])), figures_of(lines), 0.03)
    waited = "1 benchmark of new waited for a processor: those times are too long"
    assert difference.warnings == [waited]


VALIDATED = {"cells": 9, "median_error": 0.1, "ninth_decile_error": 0.2, "contended_factor": 2.0}


def of_profile(date: str = "", changes: Sequence[str] = (), **changed: Any) -> list[Line]:
    """A simulation on a profile with other members."""
    lines: list[Line] = simulated()
    lines[0]["date"] = date
    lines[0]["about"]["profile"] |= changed
    lines[0]["about"]["changes"] = list(changes)
    return lines


def test_other_costs_of_a_profile_are_a_warning_and_its_validation_is_none() -> None:
    costs = {"costs": simulated()[0]["about"]["profile"]["costs"] | {"transfer_ns": 1}}
    for changed, count in (({"accuracy": VALIDATED}, 0), (costs, 1)):
        lines = of_profile(**changed)
        warnings = difference_between(figures_of(of_profile()), figures_of(lines), 0.03).warnings
        assert len(warnings) == count
    assert warnings == ["the profile was reference, and is reference, with other values"]


def test_runs_are_of_one_simulated_machine_if_all_its_costs_are_equal() -> None:
    def page(**changed: Any) -> str:
        return page_of([raw_of(of_profile("2026-11-01")), raw_of(of_profile(**changed))])

    assert "run 1 → run 2: 2 benchmarks" in page(date="2026-11-02", accuracy=VALIDATED)
    assert "→" not in page(date="2026-11-02", changes=["wake 2us"])
    other = page(date="2026-10-01", name="a-reference")
    assert "→" not in other and "run 1 | simulate | 2026-10-01" in other
    assert "run 1, simulated: " in other
    assert "Simulated, not measured: profile a-reference" in other


def test_builds_that_waited_for_a_processor_are_named_in_the_verdict() -> None:
    lines = two_builds()
    for line in lines:
        if line.get("cell", "").endswith("B") and "benchmark" in line:
            line["benchmark"]["waiting_threads"] = line["benchmark"]["worker_count"]
    text = texts_of(ab.sections(raw_of(lines))[0])[-1]
    assert text == "66 benchmarks of B waited for a processor: those times are too long"


def test_the_committed_comparison_as_two_builds_is_reported_as_the_cpp_driver_did() -> None:
    raw = raw_of(two_builds())
    assert_same_sections(ab.sections(raw), "sections_ab")
    assert ab.is_worse(raw)


def builds_of(a: Sequence[float], b: Sequence[float], threshold: float = 3) -> RawFile:
    """One benchmark of two builds, and one that takes 1 s with both."""
    cells = [cell("openmp", 2) for _ in "AB"] + [cell("serial") for _ in "AB"]
    for of, build in zip(cells, "ABAB"):
        of |= {"build": build, "name": f"{of['name']}/build:{build}"}
    rows = list(zip(cells, (a, b, six(1), six(1))))
    lines = timed([(of, row) for of, row in rows if row])
    lines += [failed(of, "crashed") for of, row in rows if not row]
    settings = {"threshold": threshold, "BUILD_A": "one", "BUILD_B": "two"}
    contexts = [{"type": "context", "build": build, "context": {}} for build in "AB"]
    raw: RawFile = raw_of([experiment(cells, "ab", settings=settings), *contexts, *lines])
    return raw


def test_builds_are_compared_by_round_with_the_threshold_of_the_run() -> None:
    doubled = builds_of([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    verdict, values = ab.sections(doubled)
    assert tables_of(values)[0].rows[0][3] == "2.00 × [2.00, 2.00]"
    assert [column.header for column in tables_of(values)[0].columns][1:4] == [
        *("A", "B", "B ÷ A [99 %]")
    ]
    assert texts_of(verdict)[-1].endswith("B ÷ A (2 benchmarks that finished in both): 1.41 ×")
    for threshold, word in ((9, "slower"), (11, "")):
        difference = ab.difference_in(builds_of(six(1), six(1.1), threshold))
        assert words_in(difference) == [word, ""]
        assert [
            table.title for table in tables_of(ab.sections(builds_of(six(1), six(1.1)))[0])
        ] == [*("What differs", "The builds")]


def test_a_run_of_builds_is_worse_if_b_is_slower_or_did_not_finish() -> None:
    assert ab.is_worse(builds_of(six(1), six(1.1)))
    assert ab.is_worse(builds_of(six(1), []))
    assert ab.is_worse(builds_of([], []))
    assert not ab.is_worse(builds_of([], six(1)))
    assert not ab.is_worse(builds_of(six(1.1), six(1)))
    assert not ab.is_worse(builds_of(six(1), six(1)))


def test_a_build_alone_is_a_run_of_its_own() -> None:
    whole = builds_of(six(1), six(2))
    whole.counters = {f"fib/openmp/workers:2/build:{build}": {"steals": 1} for build in "AB"}
    part = of_build(whole, "B")
    assert part.counters == {"fib/openmp/workers:2": {"steals": 1}}
    assert list(part.cells) == ["fib/openmp/workers:2", "fib/serial/workers:1"]
    assert list(part.rounds) == list(part.cells)
    assert Figures(part).times["fib/openmp/workers:2"].tolist() == six(2)
    assert of_build(builds_of(six(1), []), "B").failures == {"fib/openmp/workers:2": "crashed"}


def run_on(machine: str, day: int, seconds: float, name: str = "compare") -> RawFile:
    """A run in which openmp takes so long; 0: it crashes."""
    lines = lines_in([six(1), six(seconds) if seconds else []], processor=machine)
    about = {"parameter": "n", "greater": "finer", "unit": "levels"}
    lines[0] |= {"experiment": name, "date": f"2026-11-{day}T00:00:00Z", "about": about}
    raw: RawFile = raw_of(lines)
    return raw


def page_of(runs: Sequence[RawFile], threshold: float = 0.03) -> str:
    """All texts and rows of a page of runs."""
    lines = []
    for section in merged_sections(runs, threshold):
        lines += [section.title, *texts_of(section)]
        for table in tables_of(section):
            headers = [column.header for column in table.columns]
            lines += [table.title, table.origin, *map(" | ".join, [headers, *table.rows])]
    return "\n".join(lines)


def test_a_page_of_committed_runs_is_that_of_the_cpp_driver() -> None:
    compare, sweep = lines_of("comparison/compare"), grain_in_six_rounds()
    fib = raw_of(lines_of("programs/fib/compare"))
    later_sweep = raw_of(later(lines_of("comparison/grain")))
    runs = [raw_of(compare), raw_of(later(compare)), fib, raw_of(sweep), later_sweep]
    assert_same_sections(merged_sections(runs, 0.03), "sections_merge")


def test_runs_are_numbered_by_experiment_machine_and_date() -> None:
    page = page_of([run_on("beta", 20, 0.5), run_on("alpha", 22, 0.25), run_on("alpha", 21, 0.125)])
    assert "run 1 | compare | 2026-11-21T00:00:00Z | alpha" in page
    assert "run 2 | compare | 2026-11-22T00:00:00Z | alpha" in page
    assert "run 3 | compare | 2026-11-20T00:00:00Z | beta" in page
    times = "125 ms [125, 125] | 250 ms [250, 250] | 500 ms [500, 500]"
    assert f"fib/openmp/workers:2 | {times}" in page
    assert "Measured on 2 processors: alpha. Measured on 2 processors: beta." in page


def test_changes_are_those_since_the_latest_run_on_the_machine_with_a_common_benchmark() -> None:
    other = [experiment([cell("rayon")], date="2026-11-23T00:00:00Z")]
    other += [{"type": "context", "context": MACHINE | {"processor": "alpha"}}]
    other += timed([(cell("rayon"), six(1))])
    runs = [run_on("beta", 20, 4), *(run_on("alpha", day, day - 20) for day in (21, 22, 24))]
    page = page_of([*runs, raw_of(other)])
    assert "run 1 → run 2: 2 benchmarks: 1 slower, 0 faster" in page
    assert "run 2 → run 4: 2 benchmarks: 1 slower, 0 faster" in page
    assert page.count("→") == 4
    assert "fib/openmp/workers:2 | 2.00 s [2.00, 2.00] | 4.00 s [4.00, 4.00] | 2.00 ×" in page
    assert "1 slower" not in page_of(runs[1:3], threshold=1.5)


def test_a_run_says_what_it_lacks_and_what_failed_and_how_it_differs() -> None:
    few = lines_in([[1, 2]], processor="alpha", compiler="new")
    page = page_of([run_on("alpha", 30, 0), raw_of(few)])
    assert "fib/serial/workers:1 | 1.50 s [1.00, 2.00] | 1.00 s [1.00, 1.00]" in page
    assert "fib/openmp/workers:2 | — | DNF" in page
    assert "Median time [95 %, below 6 rounds the range] in each run" in page
    assert "run 1 → run 2, warning: compiler was new, and is unknown" in page
    both = page_of([run_on("alpha", 21, 0.5), run_on("beta", 22, 0.5)])
    assert "Median time [95 %] in each run" in both
    assert "fib/openmp/workers:2 | 1 · 1.00 × | 1 · 1.00 ×" in both


def test_experiments_are_kept_apart() -> None:
    page = page_of([run_on("alpha", 22, 0.6, "grain"), run_on("alpha", 21, 0.5)])
    compare, _, grain = page.partition("Who leads: grain")
    assert "Who leads: compare\nrun 1: " in compare and grain.startswith("\nrun 2: ")
    assert "run 1" not in grain and "→" not in page


def test_each_build_is_a_run() -> None:
    page = page_of([builds_of(six(1), six(2))])
    assert "run 1 → run 2: 2 benchmarks: 1 slower" in page
    assert "run 1 | ab" in page and "run 2 | ab" in page


def test_one_run_alone_is_refused() -> None:
    with pytest.raises(BadInput, match="valid: two runs or more"):
        merged_sections([run_on("alpha", 21, 1)], 0.03)


def share_of(rank: int, ranks: int, benchmarks: int = 5, **more: Any) -> list[Line]:
    """What a rank wrote of a sweep."""
    cells = [cell("openmp", index + 1) for index in range(benchmarks)][rank::ranks]
    share = more.pop("share", {"rank": rank, "ranks": ranks, "benchmarks": benchmarks})
    context = {"type": "context", "context": {"commit": "abc"}}
    end = FINISHED | {"spent_seconds": 10 + rank}
    times = [(of, [1.0 * of["workers"], 2.0]) for of in cells]
    return [experiment(cells, share=share, **more), context, *timed(times), end]


def written(folder: Path, shares: Sequence[Sequence[Line]]) -> list[Path]:
    files = [folder / f"{index}.jsonl" for index in range(len(shares))]
    for file, lines in zip(files, shares):
        file.write_bytes(text_of(lines))
    return files


def test_shares_are_joined_to_what_one_process_would_have_written(tmp_path: Path) -> None:
    files = written(tmp_path, [share_of(rank, 3) for rank in (2, 0, 1)])
    files[1].write_bytes(gzip.compress(files[1].read_bytes()))
    files[2].write_bytes(files[2].read_bytes() + b'{"type":')
    lines = joined_lines(files)
    assert lines == [
        {key: value for key, value in share_of(0, 1)[0].items() if key != "share"},
        *share_of(0, 1)[1:-1],
        FINISHED | {"spent_seconds": 12},
    ]
    assert raw_of(lines).is_finished and not is_share(raw_of(lines))


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([share_of(0, 3), share_of(2, 3)], "rank 1 of 3 is missing; valid: the shares of all"),
        ([share_of(0, 3), share_of(1, 3)], "rank 2 of 3 is missing"),
        ([share_of(0, 2), share_of(0, 2)], "are both of rank 0; valid: each share once"),
        ([share_of(0, 2), lines_in([[1]])], "no share of a sweep, where others are; valid: all"),
        ([share_of(0, 2), share_of(1, 2, settings={"a": 1})], "differ in their settings; valid: s"),
        ([share_of(0, 2), share_of(1, 2, about={"a": 1})], "differ in their about"),
        ([share_of(0, 2), share_of(1, 3)], "different builds or numbers of ranks; valid: shares"),
        ([share_of(0, 2), share_of(1, 2)[:-1]], "is not finished; valid: finished .* --resume"),
        ([share_of(0, 2), share_of(1, 2, benchmarks=7)], "has 3 benchmarks, and its rank 2; valid"),
        ([share_of(0, 2, share={"rank": 2, "ranks": 2, "benchmarks": 5})], "is of rank 2 of 2;"),
    ],
)
def test_shares_that_are_not_all_of_one_sweep_are_refused(
    tmp_path: Path, shares: Sequence[Sequence[Line]], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        joined_lines(written(tmp_path, shares))


def test_shares_of_other_builds_are_refused_and_of_no_more_ranks_than_benchmarks_needed(
    tmp_path: Path,
) -> None:
    other = share_of(1, 2)
    other[1] = {"type": "context", "context": {"commit": "xyz"}}
    with pytest.raises(BadInput, match="different builds"):
        joined_lines(written(tmp_path, [share_of(0, 2), other]))
    silent = share_of(0, 2)
    del silent[1]  # None of its processes ended well.
    assert joined_lines(written(tmp_path, [silent, share_of(1, 2)]))[1] == share_of(1, 2)[1]
    few = joined_lines(written(tmp_path, [share_of(rank, 9, 2) for rank in (0, 1)]))
    assert len(few[0]["cells"]) == 2
