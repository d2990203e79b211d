"""`explain`: a made workload, what is concluded of it, and the C++ driver's page of the same file."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, process, raw_of
from stealbench.tests.frozen import assert_same_as, oracle, section_in, tables_of, texts_of
from stealbench.tests.simulated import PROFILE
from stealbench.analysis.budget import budgets_of
from stealbench.experiments import explain
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import PlotGroup, Table

MS = 1e6
SERIAL, ALONE, TWO = (
    cell("serial", 2, n="20"),
    cell("work-stealing", 1, n="20"),
    cell("work-stealing", 2, n="20"),
)
TIMES: dict[str, tuple[Line, float]] = {
    "serial": (SERIAL, 1.0),
    "alone": (ALONE, 1.1),
    "two": (TWO, 0.6),
}


def recorded(span_ns: float = 1e7, burdened_span_ns: float = 2e7, **more: Any) -> Line:
    """A second of work with this span, a quarter and the rest of it at two places."""
    places = [
        ("", 0, 0.0, 0.0),
        ("fib.hpp", 28, 9e8, span_ns / 4),
        ("fib.hpp", 30, 1e8, span_ns * 3 / 4),
    ]
    keys = ("file", "line", "work_ns", "span_ns")
    return {
        "workload": "fib",
        "scheduler": "serial.work-span",
        "parameters": {"n": "20"},
        "strands_by": "units",
        "fork_count": 10,
        "work_ns": 1e9,
        "span_ns": span_ns,
        "work_units": 1000,
        "span_units": 10,
        "parallelism": 1e9 / span_ns,
        "burdened_span_ns": burdened_span_ns,
        "burdened_parallelism": 1e9 / burdened_span_ns,
        "tasks": 1_000_000,
        "strands": 100_000,
        "depth": 17,
        "most_live_tasks": 19,
        "strands_of_length": [0, 3, 0, 40],
        "interval_ns": 1e6,
        "places": [dict(zip(keys, place)) for place in places],
        "parallelism_over_time": [1.0, 4.0, 2.0],
        **more,
    }


def counted(of: Line, wall: float, busy: list[float]) -> Line:
    per_worker = [{"jobs_run": 1, "busy_ns": seconds * 1e9} for seconds in busy]
    counters = {"jobs_moved": 2000, "wakes": 1000, "wall_ns": wall * 1e9, "per_worker": per_worker}
    return {"type": "counters", "cell": of["name"], "spent_seconds": 1, "counters": counters}


def lines_of(
    times: dict[str, tuple[Line, float]] = TIMES,
    waiting: str = "",
    record: Line | None = None,
    busy: list[float] = [0.6, 0.624],
    **about: Any,
) -> list[Line]:
    """Six rounds. T2 has 1.17 s of processor time; while events are counted, two workers are
    without a task for 60 ms. `waiting` is a scheduler whose processes waited for processors.
    """
    about = {"burden_ns": 500.0, "recorded": record or recorded(), **about}
    lines = [experiment([of for of, _ in times.values()], "explain", about=about)]
    lines.append({"type": "context", "context": {"processors": "2", "processor": "A"}})
    for number in range(1, 7):
        for of, seconds in times.values():
            more = {"waiting_threads": 0.5 if of["scheduler"] == waiting else 0}
            cpu = 1.17 if of["workers"] == 2 and of["scheduler"] != "serial" else seconds
            lines.append(process(of, number, seconds, cpu_seconds=cpu, **more))
    lines.append(counted(ALONE, 1.2, [1.2]))
    lines.append(counted(TWO, 0.642, busy))
    return lines


def explained(times: dict[str, tuple[Line, float]] = TIMES, **more: Any) -> RawFile:
    raw: RawFile = raw_of(lines_of(times, **more))
    return raw


def scaled(**seconds: float) -> dict[str, tuple[Line, float]]:
    return TIMES | {name: (TIMES[name][0], value) for name, value in seconds.items()}


def with_more(**schedulers: float) -> dict[str, tuple[Line, float]]:
    """And of these, with two workers."""
    more = {name: (cell(name, 2, n="20"), seconds) for name, seconds in schedulers.items()}
    return TIMES | more


PRICES = {
    "tasks_of": "fib n=10",
    "task_ns": 90.0,
    "slowdown_beside": 1.02,
    "steal_ns": 10_000.0,
    "waker_ns": 5_000.0,
}
BOTH = TIMES | {
    f"onetbb{workers}": (cell("onetbb", workers, n="20"), seconds)
    for workers, seconds in ((1, 1.0), (2, 0.6))
}
PRICED = {"work-stealing": PRICES, "onetbb": {"slowdown_beside": 1.03}}


def simulation_of(times: dict[tuple[str, int], float], **more: Any) -> Line:
    """Simulated times [s]."""
    entries = [
        {"scheduler": name, "workers": workers, "time_ns": seconds * 1e9}
        for (name, workers), seconds in times.items()
    ]
    return {"profile": PROFILE, "times": entries, "gaps": ["onetbb: not ours"], **more}


def frozen_lines() -> list[Line]:
    """What the C++ driver was given: nothing in it is in doubt."""
    times = {("work-stealing", 1): 1.21, ("work-stealing", 8): 0.2}
    record = recorded(1e8, 2e8, parallelism_over_time=[1.0, 4.0, 0.5])
    return lines_of(BOTH, record=record, prices=PRICED, simulation=simulation_of(times))


def bounds_in(raw: RawFile) -> Table:
    table: Table = tables_of(section_in(explain.sections(raw), "Bounds"))[0]
    return table


def doubts_in(raw: RawFile) -> list[str]:
    table = bounds_in(raw)
    return [row[-1] for row in table.rows] if table.columns[-1].header == "doubt" else []


def advice_in(raw: RawFile) -> str:
    (values,) = explain.values(raw)
    return " ".join(values["advice"])


def test_a_workload_reads_as_the_driver_in_cpp_wrote_it() -> None:
    frozen = oracle("sections_explain")
    assert_same_as(explain.sections(raw_of(frozen_lines())), frozen)


def test_the_first_sentence_says_whether_there_is_parallelism_enough() -> None:
    def first(span: float) -> str:
        return str(explain.values(explained(record=recorded(1e6, span)))[0]["advice"][0])

    assert first(1e9 / 20).startswith("There is parallelism enough for 2 workers: 20.0 ×")
    assert first(1e9 / 19).startswith("Parallelism is scarce for 2 workers: 19.0 ×")
    assert "may take 1.50 × of the time of linear speedup" in first(1e9 / 4)
    assert first(1e9 / 1.5).startswith("There is not enough parallelism for 2 workers: 1.50 ×")
    assert first(1e9 / 1.5).endswith("No more than 2 can be used.")


def test_the_place_of_most_of_the_span_is_named_where_parallelism_is_scarce() -> None:
    assert "To shorten" not in advice_in(explained(record=recorded(1e6, 1e7)))
    assert "begin with what follows fib.hpp:30: it is 75.0 % of the span." in advice_in(
        explained(record=recorded(1e8, 2e8))
    )


def test_strands_that_are_shorter_than_a_steal_are_named() -> None:
    fine = recorded(1e6, 1e7, strands=int(1e9 / 499))
    assert "A strand is 499 ns long on average, shorter than a steal (500 ns)" in advice_in(
        explained(record=fine)
    )
    assert "A strand" not in advice_in(explained(record=recorded(1e6, 1e7)))


def test_the_fastest_scheduler_is_named_where_it_is_shown() -> None:
    def advised(seconds: float, **more: Any) -> str:
        return advice_in(explained(with_more(onetbb=seconds), **more))

    text = "With 2 workers, work-stealing is the fastest: onetbb takes 1.20 × its time."
    assert text in advised(0.72)
    assert "onetbb is the fastest: work-stealing takes 1.20 ×" in advised(0.5)
    assert "is the fastest" not in advised(0.6)
    words = advised(0.72, waiting="onetbb")
    assert "is the fastest" not in words
    assert "Nothing is concluded from onetbb with 2 workers (waited for processors)." in words


def test_serial_may_be_the_fastest() -> None:
    times = {
        "serial": TIMES["serial"],
        "a": (cell("a", 2, n="20"), 5.0),
        "b": (cell("b", 2, n="20"), 6.0),
    }
    text = "With 2 workers, serial is the fastest: a takes 5.00 × its time."
    header, *lines = lines_of(times)
    lines = [line for line in lines if line["type"] != "counters"]
    assert text in advice_in(raw_of([header, *lines]))


def test_a_simulated_one_is_the_fastest_beyond_the_error_of_the_model() -> None:
    accuracy = {
        "cells": 9,
        "median_error": 0.04,
        "ninth_decile_error": 0.1,
        "contended_factor": 1.8,
    }

    def advised(central: float, is_validated: bool = True, **more: Any) -> str:
        profile = PROFILE | {"accuracy": accuracy if is_validated else None}
        times = {("work-stealing", 64): 0.02, ("central-queue", 64): central}
        simulation = simulation_of(times, profile=profile, **more)
        return advice_in(explained(record=recorded(1e6, 1e7), simulation=simulation))

    assert (
        "With 64 workers, work-stealing is the fastest: central-queue takes 1.90 × its time,"
        " simulated; the model may be off by 1.80 ×." in advised(0.038)
    )
    assert "is the fastest" not in advised(0.034)
    assert "is the fastest" not in advised(0.38, is_validated=False)
    assert "work-stealing is the fastest: serial takes 50.0 × its time" in advised(2)
    elsewhere = advised(2, other_processor="B")
    assert "work-stealing is the fastest: central-queue takes 100 × its time" in elsewhere


def test_a_grain_is_advised_by_a_price_that_explains() -> None:
    # T1 - Ts is 100 ms, and a million tasks at this price are 91 of them.
    def advised(price: float, **more: Any) -> str:
        prices = {"work-stealing": {"tasks_of": "fib n=10", "task_ns": price}}
        return advice_in(explained(record=recorded(1e6, 1e7), prices=prices, **more))

    assert (
        "On work-stealing each task adds 91.0 ns here: below a grain of 1.82 µs more than 5 % is"
        " lost to tasks. A task has 1.00 µs of work." in advised(91)
    )
    for price in (0.0, 89.0, 111.0):
        assert "each task adds" not in advised(price)
    assert "each task adds" not in advised(91, waiting="serial")


def test_what_waited_for_processors_is_marked_and_has_no_explained_part() -> None:
    raw = explained(BOTH, waiting="work-stealing", prices=PRICED)
    assert doubts_in(raw) == ["", "waited for processors", "waited for processors", "", ""]
    table = tables_of(section_in(explain.sections(raw), "Budget"))[0]
    assert [row[-2:] for row in table.rows] == [
        ["—", "waited for processors"],
        ["—", "waited for processors"],
        ["—", ""],
        ["30.0 %", ""],
    ]
    assert doubts_in(explained(BOTH, prices=PRICED)) == []


def test_a_time_that_beats_its_lower_bound_is_marked_with_the_cause() -> None:
    raw = explained(record=recorded(work_ns=2e9, parallelism=200))
    cause = "the recording took 2.00 × the time of serial"
    assert doubts_in(raw) == [f"beats the lower bound: {cause}"] * 3
    assert advice_in(raw).count(f"Work, span and bounds are in doubt: {cause}.") == 1
    assert "Nothing is concluded from serial with 1 worker, work-stealing with 1 worker," in (
        advice_in(raw)
    )
    near = recorded(work_ns=1.05e9)
    assert doubts_in(explained(record=near))[0] == "beats the lower bound: T1 is of another run"


def test_a_speedup_above_the_ideal_is_marked_with_the_cause() -> None:
    record = recorded(work_ns=0.9e9)
    doubts = doubts_in(explained(scaled(two=0.49), record=record))
    assert doubts[2] == (
        "above the ideal speedup: more processors have more cache, or something slowed serial"
    )
    doubts = doubts_in(explained(scaled(two=0.49), record=record, waiting="serial"))
    assert doubts == [
        "waited for processors",
        "",
        "above the ideal speedup: serial waited for processors",
    ]


def test_another_processors_profile_has_no_bounds_and_no_speedup_over_serial() -> None:
    simulation = simulation_of({("work-stealing", 16): 0.01}, other_processor="B")
    raw = explained(simulation=simulation)
    assert bounds_in(raw).rows[3] == [
        *["work-stealing", "16", "—", "10.0 ms, simulated", "—", "—"],
        "simulated with another processor's profile, so without bounds",
    ]
    assert "Nothing is concluded" not in advice_in(raw)
    group = section_in(explain.sections(raw), "Speedup").blocks[0]
    assert isinstance(group, PlotGroup)
    assert [curve.name for curve in group.plots[0].curves] == ["work-stealing"]
    simulation = simulation_of({("work-stealing", 16): 0.01})
    assert doubts_in(explained(simulation=simulation))[3] == (
        "beats the lower bound: the profile has other prices than this machine"
    )


def budget_of(place: int, raw: RawFile) -> Any:
    return budgets_of(Figures(raw)).iloc[place]


def test_the_budget_of_one_worker_is_the_work_and_its_tasks_at_their_price() -> None:
    one = budget_of(0, explained(prices=PRICED))
    assert (one["total_ns"], one["work_ns"], one["tasks_ns"]) == pytest.approx(
        (1100 * MS, 1000 * MS, 90 * MS)
    )
    assert one["idle_ns"] is None and one["steals_ns"] is None and one["inflation_ns"] is None
    assert one["unexplained_ns"] == pytest.approx(10 * MS)
    assert one["to_explain_ns"] == pytest.approx(100 * MS)
    assert one["explained"] == pytest.approx(0.9)


def test_the_budget_of_more_workers_divides_what_is_beyond_one() -> None:
    # 60 ms without a task, of which 30 without a processor and 20 for steals; 5 ms for wake-ups and
    # 22 of longer tasks. 87 of 100 ms are explained, and 10 of one worker's are not.
    two = budget_of(1, explained(prices=PRICED))
    parts = {"idle": 30, "steals": 20, "waiting": 10, "wake_ups": 5, "inflation": 22}
    parts |= {"to_explain": 100, "unexplained": 23}
    assert {name: two[f"{name}_ns"] / MS for name in parts} == pytest.approx(parts)
    assert two["explained"] == pytest.approx(0.87)


def test_no_part_is_more_than_there_is() -> None:
    prices = {"work-stealing": PRICES | {"steal_ns": 1e6, "slowdown_beside": 0.9}}
    two = budget_of(1, explained(prices=prices))
    assert (two["steals_ns"], two["waiting_ns"], two["inflation_ns"]) == pytest.approx(
        (30 * MS, 0, 0), abs=1
    )
    # 10 ms without a task while events are counted, of 30 ms without a processor in the timed run.
    two = budget_of(1, explained(prices=PRICED, busy=[0.64, 0.634]))
    assert (two["idle_ns"], two["steals_ns"]) == pytest.approx((10 * MS, 0), abs=1)
    two = budget_of(1, explained(prices=PRICED, busy=[0.643, 0.642]))
    assert (two["idle_ns"], two["steals_ns"], two["waiting_ns"]) == (0, 0, 0)


def test_nothing_is_explained_where_no_difference_is_shown_or_prices_exceed_it() -> None:
    assert budget_of(0, explained(scaled(serial=1.0999), prices=PRICED))["doubt"] != ""
    even = budget_of(0, explained(scaled(serial=1.1), prices=PRICED))
    assert even["explained"] is None and even["doubt"] == ""
    assert budget_of(1, explained(scaled(two=0.55), prices=PRICED))["explained"] is None
    dear = budget_of(0, explained(prices={"work-stealing": PRICES | {"task_ns": 300.0}}))
    assert (dear["explained"], dear["doubt"]) == (None, "the prices exceed what they explain")


def test_a_scheduler_that_does_not_count_says_so() -> None:
    raw = explained(BOTH, prices=PRICED)
    section = section_in(explain.sections(raw), "Budget")
    words = " ".join(texts_of(section))
    assert "No counters of onetbb: its wake-ups, steals and waiting are missing." in words
    (values,) = explain.values(raw)
    assert values["budget"][3]["steals_ns"] is None
    assert values["budget"][3]["idle_ns"] == pytest.approx(30 * MS)


def test_other_programs_get_one_object() -> None:
    (values,) = explain.values(explained(scaled(two=0.6), record=recorded(1e8, 2e8)))
    assert (values["workload"], values["work_ns"], values["burden_ns"]) == ("fib", 1e9, 500)
    assert "counters" not in values and "time_ns" not in values and "scheduler" not in values
    assert values["times"][0]["workers"] == 1, "serial"
    two = values["times"][2]
    assert (two["workers"], two["is_simulated"], two["doubt"]) == (2, False, None)
    ends = [two[key] / 1e8 for key in ("time_ns", "lower_bound_ns", "upper_bound_ns")]
    assert ends == pytest.approx([6, 5, 6])


def test_what_failed_has_a_row_and_serial_has_one_worker() -> None:
    header, context, *lines = lines_of()
    lines = [line for line in lines if line["cell"] != TWO["name"]]
    table = bounds_in(raw_of([header, context, *lines, failed(TWO, "crashed")]))
    assert table.rows[0][:2] == ["serial", "1"]
    assert table.rows[2] == ["work-stealing", "2", "500 ms", "DNF", "510 ms", "—"]


def test_plots_show_speedup_parallelism_and_lengths() -> None:
    sections = explain.sections(raw_of(frozen_lines()))
    plots = {}
    for title in ("Speedup", "Parallelism over time", "Lengths of strands"):
        (group,) = section_in(sections, title).blocks
        assert isinstance(group, PlotGroup)
        (plots[title],) = group.plots
    speedup = plots["Speedup"]
    assert [curve.name for curve in speedup.curves] == [
        *["onetbb", "work-stealing", "work-stealing, simulated"]
    ]
    ((workers, simulated),) = speedup.curves[2].points
    assert (workers, *simulated) == pytest.approx((8, 5, 5, 5))
    ends = [reference.points[-1] for reference in speedup.references]
    assert ends == [pytest.approx((8, 8)), pytest.approx((8, 1 / 0.225))]
    over_time = plots["Parallelism over time"].curves[0].points
    assert [x for x, _ in over_time] == pytest.approx([0, 1e-3, 2e-3])
    assert [value.median for _, value in over_time] == [1, 4, 0.5]
    lengths = plots["Lengths of strands"].curves[0].points
    assert [(x, value.median) for x, value in lengths] == [(2e-9, 3), (8e-9, 40)]
