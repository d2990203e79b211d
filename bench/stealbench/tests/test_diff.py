"""Two runs, two builds of one run, several runs, and the shares of a sweep."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, raw_of, text_of, timed
from stealbench.tests.edited import grain_in_six_rounds, later, lines_of, simulated, two_builds
from stealbench.tests.frozen import assert_same_rows, assert_same_sections, oracle
from stealbench.tests.frozen import page_of as all_of
from stealbench.tests.frozen import tables_of, texts_of
from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.experiments import compare
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.diff import FASTER, SLOWER, UNKNOWN, Difference
from stealbench.report.diff import difference_between, of_build, summary_of, table_of
from stealbench.report.merge import is_share, joined_lines, merged_sections

MACHINE = {"processor": "A", "num_cpus": 2}
FINISHED = {"type": "finished", "spent_seconds": 1, "host_checks": []}
NAMES = ("serial", "openmp", "onetbb")
ELSEWHERE = [experiment([cell("rayon")]), *timed([(cell("rayon"), [1])])]


def lines_in(times: Sequence[Sequence[float]], **context: Any) -> list[Line]:
    """A benchmark for each row of times; one without a time has crashed."""
    cells = [cell(NAMES[index % 3], index + 1) for index in range(len(times))]
    lines = timed([(of, row) for of, row in zip(cells, times) if row])
    lines += [failed(of, "crashed") for of, row in zip(cells, times) if not row]
    first = experiment(cells, settings={"size": "test", "pin": False})
    return [first, {"type": "context", "context": MACHINE | context}, *lines, FINISHED]


def figures_of(lines: Sequence[Line]) -> Figures:
    return Figures(raw_of(lines))


def difference(
    before: Sequence[Line], after: Sequence[Line], threshold: float = 0.03
) -> Difference:
    return difference_between(figures_of(before), figures_of(after), threshold)


def compared(
    before: Sequence[Sequence[float]], after: Sequence[Sequence[float]], threshold: float = 0.03
) -> Difference:
    return difference(lines_in(before), lines_in(after), threshold)


def words_in(difference: Difference) -> list[str]:
    return [row["word"] for row in difference.rows]


def six(seconds: float) -> list[float]:
    return [seconds] * 6


@pytest.mark.parametrize("name", ["compare", "grain"])
def test_a_diff_of_a_committed_run_is_that_of_the_cpp_driver(name: str) -> None:
    frozen = oracle("diff")[name]
    lines = lines_of(f"comparison/{name}")
    changes = difference(lines, later(lines))
    assert_same_rows(table_of(changes, is_whole=True), frozen["table"])
    assert summary_of(changes) == frozen["summary"]
    assert changes.warnings == frozen["warnings"]
    assert changes.is_worse


LOW, HIGH = [1, 1.4, 1.1, 1.3, 1.2, 1.0], [1.3, 1.8, 1.4, 1.7, 1.5, 1.35]
SCATTERED = [0.3, 2, 0.5, 1.7, 0.4, 1.9]


@pytest.mark.parametrize(
    ("before", "after", "threshold", "words"),
    [
        ([six(1)] * 3, [six(4), six(0.5), six(1.02)], 0.03, [SLOWER, FASTER, ""]),
        ([six(1)] * 4, [six(1.55), six(1.45), six(0.7), six(0.6)], 0.5, [SLOWER, "", "", FASTER]),
        ([SCATTERED], [[0.8 * seconds for seconds in SCATTERED]], 0.03, [""]),
        # The number of benchmarks is corrected for.
        ([LOW], [HIGH], 0.03, [SLOWER]),
        ([LOW] * 40, [HIGH, *[LOW] * 39], 0.03, [""] * 40),
        # Below six rounds on either side nothing is told apart.
        ([six(1)[:3]], [six(9)], 0.03, [UNKNOWN]),
        ([six(1)], [six(9)[:5]], 0.03, [UNKNOWN]),
        ([[1, 1], [], []], [[], [1, 1], []], 0.03, [SLOWER, FASTER, ""]),
    ],
)
def test_what_is_shown_to_differ_by_more_than_the_threshold_has_changed(
    before: Any, after: Any, threshold: float, words: list[str]
) -> None:
    changes = compared(before, after, threshold)
    assert words_in(changes) == words and changes.is_worse == (SLOWER in words)
    assert len(table_of(changes).rows) == words.count(SLOWER) + words.count(FASTER)


def test_the_summary_has_a_mean_and_what_is_undecided_and_a_failure_its_reason() -> None:
    assert summary_of(compared([six(1)] * 2, [six(4), six(0.5)]))[-1].endswith(": 1.41 ×")
    undecided = summary_of(compared([SCATTERED], [[0.8 * seconds for seconds in SCATTERED]]))[1]
    assert undecided.startswith("1 of these differ by more than that, but")
    changes = compared([[1, 1], [], []], [[], [1, 1], []])
    texts = [row[1:] for row in table_of(changes, is_whole=True).rows]
    assert texts[0] == ["1.00 s [1.00, 1.00]", "DNF", "—", "slower (crashed)"]
    assert [row[3] for row in texts[1:]] == ["faster", "(crashed)"]


def test_what_a_side_has_not_measured_is_unknown_and_what_it_lacks_is_named() -> None:
    lines = lines_in([six(1), six(1)])
    early = [line for line in lines[:-1] if line.get("cell") != lines[0]["cells"][0]["name"]]
    assert words_in(difference(lines, early)) == [UNKNOWN, ""]
    assert words_in(difference(early, lines)) == [UNKNOWN, ""]
    assert difference(early, lines).warnings == ["the old one is not finished"]
    more, fewer = [six(1), six(1)], [six(1)]
    assert compared(fewer, more).warnings == ["1 benchmark only in new: fib/openmp/workers:2"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda lines: lines[1]["context"].update(processor="B"), "processor was A, and is B"),
        (lambda lines: lines[1]["context"].update(num_cpus=3), "processors was 2, and is 3"),
        (lambda lines: lines[0].update(experiment="other"), "experiment compare, the other of oth"),
        (lambda lines: lines.__setitem__(slice(None), ELSEWHERE), "no benchmark in common"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    edit: Callable[[list[Line]], None], message: str
) -> None:
    lines = lines_in([six(1)])
    edit(lines)
    with pytest.raises(BadInput, match=f"{message}.*; valid: two"):
        difference(lines_in([six(1)]), lines)


def test_what_else_is_not_the_same_is_a_warning() -> None:
    keys = ("compiler", "flags", "build_type", "kernel", "governor", "environment")
    changed = lines_in([six(1)], **dict.fromkeys(keys, "new"))
    changed[0]["settings"] |= {"size": "small", "pin": True}
    for line in changed[2:-1]:
        line["benchmark"]["waiting_threads"] = 1
    differing, waited = difference(lines_in([six(1)]), changed).warnings
    assert differing == (
        f"These differ: {'; '.join(f'{key}: old unknown, new new' for key in keys)};"
        " size: old test, new small; pin: old false, new true."
    )
    assert waited == "1 benchmark of new waited for a processor: those times are too long"


VALIDATED = {"cells": 9, "median_error": 0.1, "ninth_decile_error": 0.2, "contended_factor": 2.0}


def of_profile(date: str = "", changes: Sequence[str] = (), **changed: Any) -> list[Line]:
    """A simulation on a profile with other members."""
    lines: list[Line] = simulated()
    lines[0]["date"] = date
    lines[0]["about"]["profile"] |= changed
    lines[0]["about"]["changes"] = list(changes)
    return lines


def test_other_costs_of_a_profile_are_another_machine_and_its_validation_is_not() -> None:
    costs = {"costs": simulated()[0]["about"]["profile"]["costs"] | {"transfer_ns": 1}}
    assert not difference(of_profile(), of_profile(accuracy=VALIDATED)).warnings
    (warning,) = difference(of_profile(), of_profile(**costs)).warnings
    assert re.fullmatch(
        r"These differ: profile: old reference \(\w+\), new reference \(.*", warning
    )

    def page(date: str = "2026-11-02", **changed: Any) -> str:
        return page_of([raw_of(of_profile("2026-11-01")), raw_of(of_profile(date, **changed))])

    assert "run 1 → run 2: 2 benchmarks" in page(accuracy=VALIDATED)
    assert "→" not in page(changes=["wake 2us"])
    assert "→" not in page("2026-10-01", name="a-reference")


def test_the_committed_comparison_as_two_builds_is_reported_as_the_cpp_driver_did() -> None:
    raw = raw_of(two_builds())
    assert_same_sections(compare.sections(raw), "sections_ab")
    assert compare.has_failed(raw)


def builds_of(a: Sequence[float], b: Sequence[float], threshold: float = 3) -> RawFile:
    """One benchmark of two builds, and one that takes 1 s with both."""
    cells = [cell("openmp", 2) for _ in "AB"] + [cell("serial") for _ in "AB"]
    for of, build in zip(cells, "ABAB"):
        of |= {"build": build, "name": f"{of['name']}/build:{build}"}
    rows = list(zip(cells, (a, b, six(1), six(1))))
    lines = timed([(of, row) for of, row in rows if row])
    lines += [failed(of, "crashed") for of, row in rows if not row]
    settings, about = {"threshold": threshold}, {"builds": {"A": "one", "B": "two"}}
    contexts = [{"type": "context", "build": build, "context": {}} for build in "AB"]
    raw: RawFile = raw_of([experiment(cells, settings=settings, about=about), *contexts, *lines])
    return raw


def test_builds_are_compared_by_round_with_the_threshold_of_the_run() -> None:
    verdict, values = compare.sections(builds_of([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12]))
    (table,) = tables_of(values)
    assert table.rows[0][3] == "2.00 × [2.00, 2.00]"
    assert any(text.endswith("finished in both): 1.41 ×") for text in texts_of(verdict))
    for threshold, word in ((9, "slower"), (11, "")):
        assert words_in(compare.difference_in(builds_of(six(1), six(1.1), threshold))) == [word, ""]


def test_a_run_of_builds_is_worse_if_b_is_slower_or_did_not_finish() -> None:
    worse: list[list[float]] = [six(1.1), []]
    for b in worse:
        assert compare.has_failed(builds_of(six(1), b)) and compare.has_failed(builds_of([], []))
        assert not compare.has_failed(builds_of(b, six(1)))
    assert not compare.has_failed(builds_of(six(1), six(1)))
    part = of_build(builds_of(six(1), []), "B")
    assert part.failures == {"fib/openmp/workers:2": "crashed"}
    assert list(part.rounds) == ["fib/serial/workers:1"]


def run_on(machine: str, day: int, seconds: float, name: str = "compare") -> RawFile:
    """A run in which openmp takes so long; 0: it crashes."""
    lines = lines_in([six(1), six(seconds) if seconds else []], processor=machine)
    about = {"parameter": "n", "greater": "finer", "unit": "levels"}
    lines[0] |= {"experiment": name, "date": f"2026-11-{day}T00:00:00Z", "about": about}
    raw: RawFile = raw_of(lines)
    return raw


def page_of(runs: Sequence[RawFile], threshold: float = 0.03) -> str:
    """All texts and rows of a page of runs."""
    return all_of(merged_sections(runs, threshold))


def test_a_page_of_committed_runs_is_that_of_the_cpp_driver() -> None:
    compare, sweep = lines_of("comparison/compare"), grain_in_six_rounds()
    fib = raw_of(lines_of("programs/fib/compare"))
    later_sweep = raw_of(later(lines_of("comparison/grain")))
    runs = [raw_of(compare), raw_of(later(compare)), fib, raw_of(sweep), later_sweep]
    assert_same_sections(merged_sections(runs, 0.03), "sections_merge")


def test_runs_are_numbered_by_experiment_machine_and_date() -> None:
    runs = [run_on("beta", 20, 0.5), run_on("alpha", 22, 0.25), run_on("alpha", 21, 0.125)]
    page = page_of(runs)
    for number, (day, machine) in enumerate([(21, "alpha"), (22, "alpha"), (20, "beta")], 1):
        said = f"run {number}: compare: 2 benchmarks on {machine}, 2 processors; commit unknown;"
        assert f"{said} unknown; 2026-11-{day}T00:00:00Z.\n" in page


def test_changes_are_those_since_the_latest_run_on_the_machine_with_a_common_benchmark() -> None:
    other = [{**ELSEWHERE[0], "date": "2026-11-23T00:00:00Z"}]
    context: Line = {"type": "context", "context": MACHINE | {"processor": "alpha"}}
    other += [context, *ELSEWHERE[1:]]
    runs = [run_on("beta", 20, 4), *(run_on("alpha", day, day - 20) for day in (21, 22, 24))]
    page = page_of([*runs, raw_of(other)])
    assert "run 1 → run 2: 2 benchmarks: 1 slower, 0 faster" in page
    assert "run 2 → run 4: 2 benchmarks: 1 slower, 0 faster" in page
    assert page.count("→") == 6
    assert (
        "openmp on fib with 2 workers | 2.00 s [2.00, 2.00] | 4.00 s [4.00, 4.00] | 2.00 ×" in page
    )
    assert "1 slower" not in page_of(runs[1:3], threshold=1.5)


def test_experiments_are_kept_apart_and_each_build_is_a_run() -> None:
    page = page_of([run_on("alpha", 22, 0.6, "grain"), run_on("alpha", 21, 0.5)])
    compare, _, grain = page.partition("Who leads: grain")
    assert "Who leads: compare\nrun 1: " in compare and grain.startswith("\nrun 2: ")
    assert "run 1" not in grain and "→" not in page
    assert "run 1 → run 2: 2 benchmarks: 1 slower" in page_of([builds_of(six(1), six(2))])
    with pytest.raises(BadInput, match="valid: two runs or more"):
        page_of([run_on("alpha", 21, 1)])


def share_of(rank: int, ranks: int, benchmarks: int = 5, **more: Any) -> list[Line]:
    """What a rank wrote of a sweep."""
    cells = [cell("openmp", index + 1) for index in range(benchmarks)][rank::ranks]
    share = more.pop("share", {"rank": rank, "ranks": ranks, "benchmarks": benchmarks})
    context = {"type": "context", "context": {"commit": "abc"}}
    end = FINISHED | {"spent_seconds": 10 + rank}
    times = [(of, [1.0 * of["workers"], 2.0]) for of in cells]
    return [experiment(cells, share=share, **more), context, *timed(times), end]


OTHER_BUILD = {"type": "context", "context": {"commit": "xyz"}}
SECOND = {"rank": 1, "ranks": 2, "benchmarks": 5}


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
        ([share_of(0, 3), share_of(2, 3)], "ranks 0, 2 of 3; valid: each rank's share once"),
        ([share_of(0, 2), share_of(0, 2)], "ranks 0, 0 of 2; valid"),
        ([share_of(0, 2), lines_in([[1]])], "no share of a sweep, where others are; valid: all"),
        ([share_of(0, 2), share_of(1, 2, settings={"a": 1})], "has another settings; valid: s"),
        ([share_of(0, 2), share_of(1, 3)], "has another number of ranks"),
        ([share_of(0, 2), [*share_of(1, 2)[:1], OTHER_BUILD, *share_of(1, 2)[1:]]], "er build"),
        ([share_of(0, 2), share_of(1, 2)[:-1]], "is not finished; valid: finished .* --resume"),
        ([share_of(0, 2), share_of(0, 2, share=SECOND)], "ranks 0, 1 of 2; valid"),
    ],
)
def test_shares_that_are_not_all_of_one_sweep_are_refused(
    tmp_path: Path, shares: Sequence[Sequence[Line]], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        joined_lines(written(tmp_path, shares))
