"""`compare`: made comparisons, and the committed ones beside the C++ driver's pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from stealbench.tests.conftest import cell, compared, experiment, failed, process, raw_of, timed
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, oracle, section_in, tables_of, texts_of
from stealbench import rawfile
from stealbench.analysis import ablation
from stealbench.experiments import compare
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, PlotGroup, Prominence, Section

NOISE = (1, 1.01, 0.99, 1.005, 0.995, 1.002)
LEGEND = "Each entry is the rank, "  # The title of the table says it now.
SUBTITLE = "compare: "  # `write.document_of` adds it.
DOUBT = "Not certain, since benchmarks waited for processors. "
FILES = {"ablation_machines_measured-16": "ablation/machines/measured-16.jsonl.gz"}


def row(seconds: float) -> Sequence[float]:
    return [seconds * factor for factor in NOISE]


def plots_in(sections: list[Section], title: str) -> list[Any]:
    groups = [block for block in section_in(sections, title).blocks]
    return [plot for group in groups if isinstance(group, PlotGroup) for plot in group.plots]


def file_of(name: str) -> str:
    return FILES.get(name, f"{name.replace('_', '/')}/compare.jsonl.gz")


def as_now(sections: dict[str, Any], name: str) -> dict[str, Any]:
    """What was frozen, with what is meant to have moved."""
    for section in sections.values():
        section["texts"] = [
            text for text in section["texts"] if not text.startswith((LEGEND, SUBTITLE))
        ]
        for table in section["tables"]:
            table[0] = table[0].replace("Rank and time over", "Rank · time over")
    if name == "ablation_machines_measured-16":  # 78 of 80 had waited.
        sections["Verdict"]["texts"][0] = DOUBT + sections["Verdict"]["texts"][0]
    return sections


@pytest.mark.parametrize("name", oracle("sections_compare"))
def test_a_committed_comparison_reads_as_the_driver_in_cpp_wrote_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "ablation":  # Its effects have a test of their own, and take seconds.
        effects = [Section("Ablation by workload")]
        monkeypatch.setattr(ablation, "sections_of_one", lambda _: effects)
    raw = rawfile.read(REFERENCE / file_of(name))
    raw.header["families"] = {"bpc": "stress", "spawn": "stress", "spc": "stress"}
    frozen = as_now(oracle("sections_compare")[name], name)
    sections = compare.sections(raw)
    for section in sections:
        tables = tables_of(section)
        for table in tables[len(frozen.get(section.title, {"tables": tables})["tables"]) :]:
            section.blocks.remove(table)
    if "Balance" not in frozen:
        sections = [section for section in sections if section.title in frozen]
    assert_same_as(sections, frozen)


def test_the_verdict_and_the_table_of_ranks_come_first() -> None:
    sections = compare.sections(compared({("serial", 1): row(4), ("a", 1): row(2)}))
    assert [section.title for section in sections[:2]] == ["Verdict", "Ranks"]
    (ranks,) = tables_of(sections[1])
    assert ranks.title == "Rank · time over the best, with 1 worker"
    assert ranks.rows == [["a", "1.00 ×", "1 · 1.00 ×"], ["serial", "2.00 ×", "2 · 2.00 ×"]]
    assert ranks.marks[0, 1] is ranks.marks[0, 2] is Emphasis.BEST
    assert (1, 2) not in ranks.marks
    (values,) = tables_of(section_in(sections, "All values"))
    assert values.marks == {(0, 3): Emphasis.BEST}


def test_below_six_rounds_nobody_has_a_rank_and_it_says_how_to_go_on() -> None:
    sections = compare.sections(compared({("serial", 1): [4, 4.1], ("a", 1): [2, 2.1]}))
    (verdict,) = texts_of(sections[0])
    assert "not told apart yet (2 of 6 rounds). 4 more rounds take about 2.00 s;" in verdict
    assert "continue with --resume" in verdict
    (ranks,) = tables_of(sections[1])
    assert ranks.title == "Time over the least median, with 1 worker"
    assert ranks.rows[0] == ["serial", "1.98 ×", "1.98 ×"], "in the order of the first line"


def test_two_that_are_not_told_apart_share_the_lead() -> None:
    times: dict[tuple[str, int], Sequence[float]] = {
        ("serial", 1): row(4),
        ("a", 1): row(2),
        ("b", 1): row(2.001),
    }
    (verdict,) = texts_of(compare.sections(compared(times))[0])
    assert "With 1 worker, a (1.00 ×), b (1.00 ×) share the lead" in verdict
    assert "serial is next with 2.00 ×" in verdict


def test_none_leads_where_all_are_alike() -> None:
    (verdict,) = texts_of(compare.sections(compared({("a", 1): row(2), ("b", 1): row(2.001)}))[0])
    assert verdict.startswith("With 1 worker, no scheduler leads: none is shown to be slower")


def test_one_scheduler_alone_is_no_comparison() -> None:
    (verdict,) = texts_of(compare.sections(compared({("a", 1): row(2)}))[0])
    assert verdict == "One scheduler alone, so there is nothing to compare."


def with_a_failure() -> RawFile:
    good, bad = cell("serial"), cell("a")
    lines = [experiment([good, bad]), *timed([(good, row(1))]), failed(bad, "timed out")]
    raw: RawFile = raw_of(lines)
    return raw


def test_what_did_not_finish_is_a_row_everywhere_and_never_leads() -> None:
    sections = compare.sections(with_a_failure())
    assert texts_of(sections[0])[1] == "Did not finish: a on fib with 1 worker."
    (ranks,) = tables_of(sections[1])
    failed_at = ranks.rows.index(["a", "DNF (1)", "DNF"])
    assert ranks.marks[failed_at, 1] is ranks.marks[failed_at, 2] is Emphasis.FAILED
    (values,) = tables_of(section_in(sections, "All values"))
    assert ["a", "1", "DNF", "—", "—", "—", "—", "—"] in values.rows
    assert values.marks[values.rows.index(["a", "1", "DNF", *"—————"]), 2] is Emphasis.FAILED


def test_no_scheduler_leads_where_none_finished_every_instance() -> None:
    cells = [cell(name, workload=work) for name in "ab" for work in ("fib", "uts")]
    lines = [*timed([(cells[0], row(1)), (cells[3], row(1))]), failed(cells[1], "crashed")]
    raw = raw_of([experiment(cells), *lines, failed(cells[2], "crashed")])
    (verdict, _) = texts_of(compare.sections(raw)[0])
    assert verdict == "With 1 worker no scheduler finished every workload instance, so none leads."


def waited(times: dict[str, float]) -> RawFile:
    """`times` has the threads of each scheduler that waited for a processor."""
    cells = {name: cell(name, 2) for name in times}
    lines = [
        process(cells[name], number, 1, waiting_threads=waiting)
        for number in range(1, 7)
        for name, waiting in times.items()
    ]
    raw: RawFile = raw_of([experiment(list(cells.values())), *lines])
    return raw


def test_what_waited_for_processors_is_marked_and_nothing_is_concluded() -> None:
    sections = compare.sections(waited({"a": 0.9, "b": 0.1}))
    verdict, why = texts_of(sections[0])
    assert verdict.startswith(DOUBT)
    assert why.startswith("1 of 2 benchmarks waited for a processor")
    assert "a on fib with 2 workers" in why and "b on fib" not in why
    times = {table[0]: table[2] for table in tables_of(sections[-1])[0].rows}
    assert times["a"].endswith(" (waited)") and not times["b"].endswith(" (waited)")


def test_the_default_schedulers_that_are_not_built_are_named_with_the_command() -> None:
    about = {"not_built": {"schedulers": ["onetbb", "rayon"], "command": "cmake --preset all"}}
    cells = [cell("serial"), cell("a")]
    raw = raw_of([experiment(cells, about=about), *timed([(one, row(1)) for one in cells])])
    text = texts_of(compare.sections(raw)[1])[0]
    assert text == (
        "Not built, so not compared: onetbb, rayon. The command that adds them: cmake --preset all"
    )


def scaling() -> RawFile:
    times: dict[tuple[str, int], Sequence[float]] = {("serial", 1): row(8)}
    for workers in (1, 2, 4, 32):
        times["a", workers] = row(16 / workers)
    raw: RawFile = compared(times)
    return raw


def test_speedup_is_over_serial_and_its_axes_are_logarithmic_together() -> None:
    (plot,) = plots_in(compare.sections(scaling()), "Speedup")
    assert plot.title == "Speedup of fib: how many times faster than serial?"
    assert plot.y.label == "speedup over serial"
    assert plot.x.is_logarithmic and plot.y.is_logarithmic
    (curve,) = plot.curves
    points = {x: value.median for x, value in curve.points}
    assert points == pytest.approx({1: 0.5, 2: 1, 4: 2, 32: 16})
    assert [line.name for line in plot.references] == ["serial (1 worker)", "ideal"]


def test_an_overhead_is_of_one_worker() -> None:
    (plot,) = plots_in(compare.sections(scaling()), "Overhead")
    assert plot.curves[0].points[0][1].median == pytest.approx(2)
    assert [x for x, _ in plot.curves[0].points] == [1]


def test_an_axis_says_that_there_were_fewer_processors_than_workers() -> None:
    cells = [cell("serial"), cell("a", 16)]
    context = {"type": "context", "context": {"processors": "2"}}
    raw = raw_of([experiment(cells), context, *timed([(one, row(1)) for one in cells])])
    (plot,) = plots_in(compare.sections(raw), "Speedup")
    assert plot.x.label == "workers on 2 processors"


def test_steals_are_over_the_workers_that_can_steal() -> None:
    cells = [cell("a", workers) for workers in (1, 2, 4)]
    counted = [
        {"type": "counters", "cell": of["name"], "spent_seconds": 1, "counters": {"steals": steals}}
        for of, steals in zip(cells, (0, 7, 21))
    ]
    raw = raw_of([experiment(cells), *timed([(one, row(1)) for one in cells]), *counted])
    sections = compare.sections(raw)
    (plot,) = plots_in(sections, "Steals")
    assert [(x, value.median) for x, value in plot.curves[0].points] == [(2, 7), (4, 21)]
    assert section_in(sections, "Steals").shown is Prominence.DETAIL


def test_the_json_has_the_regret_of_each_scheduler() -> None:
    times: dict[tuple[str, int], Sequence[float]] = {
        ("serial", 1): row(4),
        ("a", 1): row(2),
        ("b", 1): row(3),
    }
    values = compare.values(compared(times))
    assert [value["scheduler"] for value in values] == ["serial", "a", "b"]
    assert values[0]["rounds"] == 6
    assert values[0]["regret"][0]["mean"] == pytest.approx(2)
