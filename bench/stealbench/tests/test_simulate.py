"""`simulate`: made curves, and the committed one beside the C++ driver's page."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench import rawfile
from stealbench.experiments import simulate
from stealbench.rawfile import SHARES, RawFile
from stealbench.report.document import Plot
from stealbench.tests.conftest import cell
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, section_in
from stealbench.tests.frozen import tables_of, texts_of
from stealbench.tests.simulated import simulated, varied

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
    """The last point of one did not finish, and that of the other is not the fastest."""
    of_fib = said((0.4, 0.1, 0.05, 0.2, 0.25), bottom=0.05, top=0.1, inbox=0.002, count=0.001)
    rows = [
        (on_fib(1), [8] * 3, said((1, 0, 0, 0, 0))),
        (on_fib(2), [2] * 3, said((0.9, 0.04, 0.03, 0.01, 0.02), cold=0.0004)),
        (on_fib(8), [4, 8, 2], of_fib),
        (varied(on_fib(8), "transfer=0.5"), [2, 4, 1], {}),
        (varied(on_fib(8), "jitter=2"), [6, 6, 6], {}),
        (on_uts(1), [6] * 3, said((0.95, 0.05, 0, 0, 0))),
        (on_uts(2), [3] * 3, said((0.5, 0.3, 0.08, 0.02, 0.1), list=0.003)),
        (on_uts(8), "timed out", {}),
    ]
    raw: RawFile = simulated(rows, [1, 2, 8])
    return raw


TWO = [
    "fib n=20 | work-stealing | 2 | 4.00 × [4.00, 4.00] | 90.0 % | 4.0 % | 3.0 % | 1.0 % | 2.0 % | —\n",
    "uts | central-queue | 2 | 2.00 × [2.00, 2.00] | 50.0 % | 30.0 % | 8.0 % | 2.0 % | 10.0 %",
    "work-stealing | 8 | 4.00 s [2.00, 8.00] | 2.00 × [1.00, 4.00] | 10 | 20 | 40.0 % | 10.0 % | 5.0",
    "| 25.0 % | top 10.0 %; bottom 5.0 %; inbox 0.2 %\n",
    "uts | central-queue | 8 | DNF: timed out | — | — | —",
    "8 | transfer × 0.5 | 2.00 s [1.00, 4.00] | 0.500 × [0.500, 0.500]",
    "8 | jitter × 2 | 6.00 s [6.00, 6.00] | 1.50 × [0.750, 3.00]",
]


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (two_curves(), TWO),
        # One worker is not reported, and gives the speedup alone.
        (simulated([(on_fib(1), [8]), (on_fib(2), [2])], [2]), ["2 | 4.00 × [4", "!stealing | 1"]),
        (simulated([(on_fib(1), "late"), (on_fib(2), [2])], [2]), ["stealing | 2 | — | 50.0"]),
        (simulated([(on_uts(2), [1]), (on_fib(2), "late")], [2]), ["stealing | 2 | DNF: late"]),
    ],
)
def test_tables_say_what_limits_each_curve(raw: RawFile, phrases: list[str]) -> None:
    assert_says(page_of(simulate.sections(raw)), *phrases)


def test_the_plot_says_what_the_speedup_is_over_and_all_that_it_is_simulated() -> None:
    sections = simulate.sections(two_curves())
    assert texts_of(sections[0])[0] == NOTE
    fib, uts = section_in(sections, "Simulated speedup").blocks
    assert isinstance(fib, Plot) and isinstance(uts, Plot)
    assert fib.y.label == "speedup over one worker"
    assert [x for x, _ in fib.curves[0].points] == [1, 2, 8]
    assert [x for x, _ in uts.curves[0].points] == [1, 2]
    assert fib.references == {"ideal": [(1, 1), (8, 8)]}


def test_other_programs_get_an_object_for_each_curve() -> None:
    fib, uts = simulate.values(two_curves())
    assert (fib["profile"], fib["seeds"], fib["accuracy"]) == ("reference", 6, None)
    half, double = ((entry["varied"], entry["ratio"].median) for entry in fib["sensitivity"])
    assert (half, double) == (("transfer=0.5", 0.5), ("jitter=2", 1.5))
    point = fib["points"][2]
    assert (point["workers"], point["seconds"], point["speedup"]) == (8, 4, 2)
    assert list(point["lines"])[0] == "top" and point["shares"]["asleep"] == pytest.approx(0.25)
    assert uts["points"][2]["failure"] == "timed out" and "seconds" not in uts["points"][2]


def test_the_committed_simulation_is_that_of_the_cpp_driver() -> None:
    raw = rawfile.read(REFERENCE / "ablation/machines/reference-256.jsonl.gz")
    raw.header["families"] = {"bpc": "stress", "spawn": "stress", "spc": "stress"}
    sections = simulate.sections(raw)
    for table in (table for section in sections for table in tables_of(section)):
        if table.columns[0].header == "instance":  # Of some the rows were frozen.
            table.rows = [row for row in table.rows if row[0] in ("fib n=35", "uts tree=T1")]
    assert_same_as(sections, oracle("sections_simulate"))
