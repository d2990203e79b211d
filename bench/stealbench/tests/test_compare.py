"""`compare`: made comparisons, and the committed ones beside the C++ driver's pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, compared, experiment, failed, process, raw_of
from stealbench.tests.conftest import timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, section_in
from stealbench.tests.frozen import tables_of
from stealbench import rawfile
from stealbench.analysis import ablation
from stealbench.experiments import compare
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, Plot, Prominence, Section

NOISE = (1, 1.01, 0.99, 1.005, 0.995, 1.002)
DOUBT = "Not certain, since benchmarks waited for processors. "
FILES = {"ablation_machines_measured-16": "ablation/machines/measured-16.jsonl.gz"}


def row(seconds: float) -> Sequence[float]:
    return [seconds * factor for factor in NOISE]


def plots_in(sections: list[Section], title: str) -> list[Any]:
    return [block for block in section_in(sections, title).blocks if isinstance(block, Plot)]


def file_of(name: str) -> str:
    return FILES.get(name, f"{name.replace('_', '/')}/compare.jsonl.gz")


@pytest.mark.parametrize("name", oracle("sections_compare"))
def test_a_committed_comparison_reads_as_the_driver_in_cpp_wrote_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "ablation":  # Its effects have a test of their own, and take seconds.
        effects = [Section("Ablation by workload")]
        monkeypatch.setattr(ablation, "sections_of_one", lambda _: effects)
    raw = rawfile.read(REFERENCE / file_of(name))
    raw.header["families"] = {"bpc": "stress", "spawn": "stress", "spc": "stress"}
    frozen = oracle("sections_compare")[name]
    sections = compare.sections(raw)
    for section in sections:
        tables = tables_of(section)
        for table in tables[len(frozen.get(section.title, {"tables": tables})["tables"]) :]:
            section.blocks.remove(table)
    if "More values" not in frozen:
        sections = [section for section in sections if section.title in frozen]
    assert_same_as(sections, frozen)


def one_worker(**seconds: Sequence[float]) -> RawFile:
    times = {(name, 1): times for name, times in seconds.items()}
    raw: RawFile = compared(times)
    return raw


def failing(*bad: Line, about: dict[str, Any] = {}) -> RawFile:
    cells = [cell(name, 1, work) for work in ("fib", "uts") for name in "ab"]
    good = timed([(of, row(1)) for of in cells if of not in bad])
    first = experiment(cells, about=about)
    return raw_of([first, *good, *(failed(of, "crashed") for of in bad)])


def waited() -> RawFile:
    cells = {cell("a", 2)["name"]: (cell("a", 2), 0.9), "b": (cell("b", 2), 0.1)}
    lines = [
        process(of, number, 1, waiting_threads=waiting)
        for number in range(1, 7)
        for of, waiting in cells.values()
    ]
    raw: RawFile = raw_of([experiment([of for of, _ in cells.values()]), *lines])
    return raw


MISSING = {"not_built": {"schedulers": ["onetbb", "rayon"], "command": "cmake --preset all"}}


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (
            one_worker(serial=row(4), a=row(2)),
            ["Rank · time over the best, with 1 worker", "a | 1.00 × | 1 · 1.00 ×\nserial | 2.00"],
        ),
        (
            one_worker(serial=[4, 4.1], a=[2, 2.1]),
            [
                "not told apart yet (2 of 6 rounds). 4 more rounds take about 2.00 s;",
                "Time over the least median, with 1 worker",
                "serial | 1.98 × | 1.98 ×\na |",
            ],
        ),
        (
            one_worker(serial=row(4), a=row(2), b=row(2.001)),
            ["With 1 worker, a (1.00 ×), b (1.00 ×) share the lead", "serial is next with 2.00 ×"],
        ),
        (
            failing(cell("a")),
            [
                "Did not finish: a on fib with 1 worker.",
                "a | DNF (1) | DNF |",
                "a | 1 | DNF: crashed | — | — | — | — | —",
            ],
        ),
        (
            failing(cell("a"), cell("b", 1, "uts")),
            ["With 1 worker no scheduler finished every workload instance, so none leads."],
        ),
        (
            waited(),
            [
                DOUBT,
                "1 of 2 benchmarks waited for a processor",
                "a on fib with 2 workers. Other programs had it",
                "a | 2 | 1.00 s [1.00, 1.00] (waited) |",
                "b | 2 | 1.00 s [1.00, 1.00] |",
            ],
        ),
        (
            failing(about=MISSING),
            ["Not built, so not compared: onetbb, rayon. The command that adds them: cmake --pre"],
        ),
    ],
)
def test_the_verdict_and_the_ranks_say_what_the_times_carry(
    raw: RawFile, phrases: list[str]
) -> None:
    assert_says(page_of(compare.sections(raw)), *phrases)


def test_the_best_and_what_failed_are_marked_and_the_verdict_comes_first() -> None:
    sections = compare.sections(failing(cell("a")))
    assert [section.title for section in sections[:2]] == ["Verdict", "Ranks"]
    (ranks,) = tables_of(sections[1])
    best, bad = (next(at for at, own in enumerate(ranks.rows) if own[0] == of) for of in "ba")
    marks = dict.fromkeys([(best, 1), (best, 2), (best, 3), (bad, 3)], Emphasis.BEST)
    assert ranks.marks == marks | dict.fromkeys([(bad, 1), (bad, 2)], Emphasis.FAILED)
    values = tables_of(section_in(sections, "All values"))[0]
    assert set(values.marks.values()) == {Emphasis.BEST, Emphasis.FAILED}


def scaling() -> RawFile:
    times = {("a", workers): row(16 / workers) for workers in (1, 2, 4, 32)}
    raw: RawFile = compared({("serial", 1): row(8), **times})
    return raw


def test_speedup_is_over_serial_and_an_overhead_of_one_worker() -> None:
    (plot,) = plots_in(compare.sections(scaling()), "Speedup")
    assert plot.title == "Speedup of fib: how many times faster than serial?"
    assert plot.y.label == "speedup over serial"
    assert plot.x.is_logarithmic and plot.y.is_logarithmic and not plot.is_less_better
    (curve,) = plot.curves
    points = {x: value.median for x, value in curve.points}
    assert points == pytest.approx({1: 0.5, 2: 1, 4: 2, 32: 16})
    lines = {"serial (1 worker)": [(1, 1), (32, 1)], "ideal": [(1, 1), (32, 32)]}
    assert plot.references == lines
    (plot,) = plots_in(compare.sections(scaling()), "Overhead")
    ((x, value),) = plot.curves[0].points
    assert (x, value.median) == pytest.approx((1, 2)) and plot.is_less_better


def test_steals_are_over_the_workers_that_can_steal_and_the_axis_has_the_processors() -> None:
    cells = [cell("serial", 1), *(cell("a", workers) for workers in (1, 2, 4))]
    counted = [
        {"type": "counters", "cell": of["name"], "spent_seconds": 1, "counters": counters}
        for of, steals in zip(cells[1:], (0, 7, 21))
        if (counters := {"steals": steals, "split_ns": 1000 * steals})
    ]
    context = {"type": "context", "context": {"processors": "2"}}
    lines = [experiment(cells), context, *timed([(one, row(1)) for one in cells]), *counted]
    sections = compare.sections(raw_of(lines))
    (plot,) = plots_in(sections, "Steals")
    assert [(x, value.median) for x, value in plot.curves[0].points] == [(2, 7), (4, 21)]
    assert section_in(sections, "Steals").shown is Prominence.DETAIL
    assert plots_in(sections, "Speedup")[0].x.label == "workers on 2 processors"
    assert_says(page_of(sections), "Split of a bag, with 4 workers on 2 processors", "a | 21.0 µs")


def test_the_json_has_the_regret_of_each_scheduler() -> None:
    serial, *others = compare.values(one_worker(serial=row(4), a=row(2), b=row(3)))
    assert (serial["scheduler"], serial["rounds"], len(others)) == ("serial", 6, 2)
    assert serial["regret"][0]["mean"] == pytest.approx(2)
