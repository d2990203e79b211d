"""`simulate`: made curves, and the committed one beside the C++ driver's page."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench.tests.conftest import cell
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, section_in
from stealbench.tests.frozen import tables_of, texts_of
from stealbench.tests.simulated import PROFILE, simulated, varied
from stealbench import rawfile
from stealbench.experiments.simulate import curves_of
from stealbench.experiments import simulate
from stealbench.figures import Figures
from stealbench.rawfile import SHARES, RawFile
from stealbench.report.document import Paragraph, PlotGroup, Section

NOTE = "Simulated, not measured: profile reference (A processor, 2026-11-22), not validated."


def on_fib(workers: int, scheduler: str = "work-stealing") -> Any:
    return cell(scheduler, workers, "fib", n="20")


def on_uts(workers: int) -> Any:
    return cell("central-queue", workers, "uts")


def said(shares: tuple[float, ...], **lines: float) -> dict[str, Any]:
    """What each seed says of a point: shares, and the lines that workers waited for."""
    named = [{"name": name, "share": share} for name, share in lines.items()]
    return {"shares": dict(zip(SHARES, shares)), "lines": named}


def two_curves() -> RawFile:
    """The last point of one did not finish, and that of the other is not the fastest.

    Every share, line and price is that of one point alone.
    """
    foreign = {"unit_from": "uts tree=T3"}
    of_fib = said((0.4, 0.1, 0.05, 0.2, 0.25), bottom=0.05, top=0.1, inbox=0.002, count=0.001)
    rows = [
        (on_fib(1), [8] * 3, said((1, 0, 0, 0, 0))),
        (on_fib(2), [2] * 3, said((0.9, 0.04, 0.03, 0.01, 0.02), cold=0.0004)),
        (on_fib(8), [4, 8, 2], of_fib),
        (varied(on_fib(8), "transfer=0.5"), [2, 4, 1], {}),
        (varied(on_fib(8), "jitter=2"), [6, 6, 6], {}),
        (on_uts(1), [6] * 3, said((0.95, 0.05, 0, 0, 0)) | foreign),
        (on_uts(2), [3] * 3, said((0.5, 0.3, 0.08, 0.02, 0.1), list=0.003) | foreign),
        (on_uts(8), "timed out", {}),
    ]
    raw: RawFile = simulated(rows, [1, 2, 8])
    return raw


def sections() -> list[Section]:
    return simulate.sections(two_curves())


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (
            two_curves(),
            [
                "fib n=20 on work-stealing: greatest speedup 4.00 × [4.00, 4.00] with 2 workers."
                " With 8 workers, 40.0 % of the workers' time is work; the largest other part is"
                " sleep (25.0 %). The hottest cache line is: top (10.0 %).\n",
                "uts on central-queue: greatest speedup 2.00 × [2.00, 2.00] with 2 workers. With 2"
                " workers, 50.0 % of the workers' time is work; the largest other part is overhead"
                " of the scheduler (30.0 %). The hottest cache line is: list (0.3 %). The time of a"
                " unit of work is that of uts tree=T3.",
                "work-stealing | 8 | 4.00 s [2.00, 8.00] | 2.00 × [1.00, 4.00] | 10 | 20",
                "work-stealing | 2 | 90.0 % | 4.0 % | 3.0 % | 1.0 % | 2.0 %",
                "work-stealing | 2 | — | — | —\n",
                "work-stealing | 8 | top 10.0 % | bottom 5.0 % | inbox 0.2 %",
                "central-queue | 8 | DNF: timed out | — | — | —\n",
                "8 | transfer × 0.5 | 2.00 s [1.00, 4.00] | 0.500 × [0.500, 0.500]",
                "8 | jitter × 2 | 6.00 s [6.00, 6.00] | 1.50 × [0.750, 3.00]",
                "!uts: simulated time with one cost varied",
            ],
        ),
        (
            simulated([(on_fib(1), "timed out"), (on_fib(2), [2] * 3)], [2]),
            [": no speedup, because one worker did not finish. With 2 workers,"],
        ),
        (
            simulated([(on_uts(2), [1]), (on_fib(2), "timed out")], [2]),
            ["fib n=20 on work-stealing: nothing finished."],
        ),
    ],
)
def test_the_summary_says_what_limits_each_curve_and_tables_have_each_worker_count(
    raw: RawFile, phrases: list[str]
) -> None:
    assert_says(page_of(simulate.sections(raw)), *phrases)


def test_the_plot_says_what_the_speedup_is_over() -> None:
    group = section_in(sections(), "Simulated speedup").blocks[0]
    assert isinstance(group, PlotGroup) and group.meaning == NOTE
    fib, uts = group.plots
    assert fib.title == "Simulated speedup of fib n=20"
    assert fib.y.label == "speedup over one worker"
    assert [x for x, _ in fib.curves[0].points] == [1, 2, 8]
    assert [x for x, _ in uts.curves[0].points] == [1, 2]
    assert fib.references[0].points == [(1, 1), (8, 8)]
    raw = simulated([(on_fib(1, "serial"), [8]), (on_fib(2), [2])], [1, 2])
    raw.header["baseline"] = "serial"
    group = section_in(simulate.sections(raw), "Simulated speedup").blocks[0]
    assert isinstance(group, PlotGroup) and group.plots[0].y.label == "speedup over serial"
    assert group.plots[0].curves[1].points == [(2, (4, 4, 4))]


def test_a_worker_count_that_is_not_reported_gives_the_speedup_alone() -> None:
    raw = simulated([(on_fib(1), [8] * 3), (on_fib(2), [2] * 3)], [2])
    (curve,) = curves_of(Figures(raw))
    assert [row["speedup"] for row in curve.points] == [4]


def test_every_section_says_that_its_values_are_simulated() -> None:
    *of_values, guide = sections()
    assert guide.title == "How to read a simulation"
    for section in of_values:
        first = section.blocks[0]
        assert (first.meaning if isinstance(first, PlotGroup) else first) in (NOTE, Paragraph(NOTE))


def test_other_programs_get_an_object_for_each_curve() -> None:
    fib, uts = simulate.values(two_curves())
    assert fib["parameters"] == {"n": "20", "hidden": "default"}
    assert (fib["profile"], fib["seeds"], fib["accuracy"]) == ("reference", 6, None)
    assert fib["sensitivity"][0] == {
        "cost": "transfer",
        "factor": 0.5,
        "workers": 8,
        "seconds": 2,
        "ratio": 0.5,
    }
    assert fib["sensitivity"][1]["factor"] == 2
    point = fib["points"][2]
    assert (point["workers"], point["seconds"], point["low"], point["high"]) == (8, 4, 2, 8)
    assert (point["speedup"], point["tasks_moved"], point["verified"]) == (2, 10, True)
    assert point["lines"][0] == {"name": "top", "share": pytest.approx(0.1)}
    assert point["shares"]["asleep"] == pytest.approx(0.25)
    assert uts["points"][2]["failure"] == "timed out" and uts["points"][2]["seconds"] is None
    assert uts["sensitivity"] == [] and uts["regret"] == []


def test_a_profile_that_was_validated_says_its_error() -> None:
    accuracy = {"cells": 9, "median_error": 0.05, "ninth_decile_error": 0.1, "contended_factor": 3}
    raw = simulated([(on_fib(1), [8])], [1], profile=PROFILE | {"accuracy": accuracy})
    note = texts_of(simulate.sections(raw)[0])[0]
    assert (
        "Error against 9 benchmarks measured on A processor: without contention median 5 %" in note
    )
    assert simulate.values(raw)[0]["accuracy"] == accuracy


def test_the_committed_simulation_is_that_of_the_cpp_driver() -> None:
    raw = rawfile.read(REFERENCE / "ablation/machines/reference-256.jsonl.gz")
    raw.header["families"] = {"bpc": "stress", "spawn": "stress", "spc": "stress"}
    sections = simulate.sections(raw)
    frozen = oracle("sections_simulate")
    for section in sections:  # Of some instances the tables were frozen.
        titles = [title for title, _ in frozen.get(section.title, {"tables": []})["tables"]]
        for table in tables_of(section):
            if table.title not in titles:
                section.blocks.remove(table)
    assert_same_as(sections, frozen)
