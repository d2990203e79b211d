"""`explain`: a made workload, what is concluded of it, and the C++ driver's page of the same file."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench.analysis.budget import budgets_of
from stealbench.experiments import explain
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Plot
from stealbench.tests.conftest import Line, cell, experiment, failed, process, raw_of
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, section_in

SERIAL, ALONE, TWO = (
    cell("serial", 2, n="20"),
    cell("work-stealing", 1, n="20"),
    cell("work-stealing", 2, n="20"),
)
Times = dict[str, tuple[Line, float]]
TIMES: Times = {"serial": (SERIAL, 1.0), "alone": (ALONE, 1.1), "two": (TWO, 0.6)}
BOTH = TIMES | {
    f"onetbb{workers}": (cell("onetbb", workers, n="20"), seconds)
    for workers, seconds in ((1, 1.0), (2, 0.6))
}
PRICES = {"tasks_of": "fib n=10", "task_ns": 90.0, "steal_ns": 10_000.0, "waker_ns": 5_000.0}
PRICED = {"work-stealing": PRICES}


def recorded(span_ns: float = 1e7, burdened_span_ns: float = 2e7, **more: Any) -> Line:
    """A second of work with this span, a quarter and the rest of it at two places."""
    places = [
        ("", 0, 0.0, 0.0),
        ("fib.hpp", 28, 9e8, span_ns / 4),
        ("fib.hpp", 30, 1e8, span_ns * 3 / 4),
    ]
    keys = ("file", "line", "work_ns", "span_ns")
    ratios = {"parallelism": 1e9 / span_ns, "burdened_parallelism": 1e9 / burdened_span_ns}
    record: Line = {"workload": "fib", "scheduler": "serial.work-span", "parameters": {"n": "20"}}
    record |= {"strands_by": "units", "fork_count": 10, "work_ns": 1e9, "span_ns": span_ns}
    record |= {"work_units": 1000, "span_units": 10, "strands_of_length": [0, 3, 0, 40]}
    record |= {"burdened_span_ns": burdened_span_ns, "tasks": 1_000_000, "strands": 100_000}
    record |= {"depth": 17, "most_live_tasks": 19, "interval_ns": 1e6, **ratios}
    record |= {"places": [dict(zip(keys, place)) for place in places]}
    return record | {"parallelism_over_time": [1.0, 4.0, 0.5], **more}


def explained(
    times: Times = TIMES,
    waiting: str = "",
    record: Line | None = None,
    busy: tuple[float, float] = (0.6, 0.624),
    failing: bool = False,
    **about: Any,
) -> RawFile:
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
            if not failing or of is not TWO:
                lines.append(process(of, number, seconds, cpu_seconds=cpu, **more))
    counters: Line = {"jobs_moved": 2000, "wakes": 1000, "wall_ns": 0.642e9}
    counters["per_worker"] = [{"jobs_run": 1, "busy_ns": seconds * 1e9} for seconds in busy]
    if failing:
        lines.append(failed(TWO, "crashed"))
    elif "two" in times:
        line = {"type": "counters", "cell": TWO["name"], "spent_seconds": 1}
        lines.append(line | {"counters": counters})
    raw: RawFile = raw_of(lines)
    return raw


def scaled(**seconds: float) -> Times:
    return TIMES | {name: (TIMES[name][0], value) for name, value in seconds.items()}


def with_two_workers(**schedulers: float) -> Times:
    return {name: (cell(name, 2, n="20"), seconds) for name, seconds in schedulers.items()}


def among(**schedulers: float) -> RawFile:
    return explained(TIMES | with_two_workers(**schedulers))


def enough(burdened_parallelism: float) -> RawFile:
    return explained(record=recorded(1e6, 1e9 / burdened_parallelism))


def test_a_workload_reads_as_the_driver_in_cpp_wrote_it() -> None:
    raw = explained(BOTH, record=recorded(1e8, 2e8), prices=PRICED)
    assert_same_as(explain.sections(raw), oracle("sections_explain"))


FASTEST = "With 2 workers, work-stealing is the fastest: onetbb takes 1.20 × its time."
SLOW = {"serial": TIMES["serial"], **with_two_workers(a=5.0, b=6.0)}
CAUSE = "the recording took 2.00 × the time of serial"
ABOVE = "above the ideal speedup: more processors have more cache, or something slowed serial"


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (enough(20), ["There is parallelism enough for 2 workers: 20.0 ×", "!To shorten"]),
        (enough(19), ["Parallelism is scarce for 2 workers: 19.0 ×"]),
        (enough(4), ["may take 1.50 × of the time of linear speedup"]),
        (enough(1.5), ["not enough parallelism for 2 workers: 1.50 ×", "No more than 2 can"]),
        (enough(4), ["begin with what follows fib.hpp:30: it is 75.0 % of the span."]),
        (among(onetbb=0.72), [FASTEST]),
        (among(onetbb=0.5), ["onetbb is the fastest: work-stealing takes 1.20 ×"]),
        (among(onetbb=0.6), ["!is the fastest"]),
        (
            explained(TIMES | with_two_workers(onetbb=0.72), waiting="onetbb"),
            ["!is the fastest", "concluded from onetbb with 2 workers (waited for processors)."],
        ),
        (explained(SLOW), ["With 2 workers, serial is the fastest: a takes 5.00 × its time."]),
        (
            explained(record=recorded(work_ns=2e9, parallelism=200)),
            [
                f"| beats the lower bound: {CAUSE}",
                f"Nothing is concluded from work, span and bounds ({CAUSE}); serial with 1 worker,",
            ],
        ),
        (explained(record=recorded(work_ns=1.05e9)), ["bound: T1 is of another run"]),
        (explained(scaled(two=0.49), record=recorded(work_ns=0.9e9)), [f"| {ABOVE}"]),
        (explained(BOTH, prices=PRICED), ["| 15.0 %", "!doubt"]),
        (explained(BOTH, waiting="work-stealing"), ["| — | waited for processors\nwork-stealing"]),
        (explained(record=recorded(6e8, 7e8)), ["| 2 | 600 ms | 600 ms [600, 600] | 1.10 s"]),
        (explained(failing=True), ["serial | 1 |", "work-stealing | 2 | DNF: crashed | — | —"]),
    ],
)
def test_what_is_said_of_a_workload_follows_from_its_values(raw: RawFile, phrases: Any) -> None:
    assert_says(page_of(explain.sections(raw)), *phrases)


# Of two workers 60 ms are without a task, of which 30 without a processor and 20 for steals; 5 ms
# are for wake-ups and 90 for tasks: 155 of 200 ms are explained.
DEAR = {"work-stealing": PRICES | {"steal_ns": 1e6}}
EXCEED = "the prices exceed what they explain"
MORE: dict[str, Any] = {"idle_ns": 30, "steals_ns": 20, "waiting_ns": 10, "wake_ups_ns": 5}


@pytest.mark.parametrize(
    ("place", "raw", "expected"),
    [
        (0, explained(prices=PRICED), {"total_ns": 1100, "work_ns": 1000, "tasks_ns": 90}),
        (0, explained(prices=PRICED), dict.fromkeys(MORE, None) | {"unexplained_ns": 10}),
        (0, explained(prices=PRICED), {"to_explain_ns": 100, "explained": 0.9, "doubt": ""}),
        (1, explained(prices=PRICED), MORE | {"to_explain_ns": 200, "unexplained_ns": 45}),
        (1, explained(prices=PRICED), {"explained": 0.775}),
        (1, explained(prices=DEAR), {"steals_ns": 30, "waiting_ns": 0}),
        # 10 ms without a task while events are counted, of 30 ms without a processor when timed.
        (1, explained(prices=PRICED, busy=(0.64, 0.634)), {"idle_ns": 10, "steals_ns": 0}),
        (1, explained(prices=PRICED, busy=(0.643, 0.642)), {"idle_ns": 0, "waiting_ns": 0}),
        (0, explained(scaled(serial=1.0999), prices=PRICED), {"doubt": EXCEED}),
        (0, explained(scaled(serial=1.1), prices=PRICED), {"explained": None, "doubt": ""}),
        (3, explained(BOTH, prices=PRICED), {"steals_ns": None, "idle_ns": 30}),
    ],
)
def test_a_budget_is_what_events_cost_by_their_prices(
    place: int, raw: RawFile, expected: dict[str, Any]
) -> None:
    row = budgets_of(Figures(raw))[place]
    for key, value in expected.items():
        is_time = key.endswith("_ns") and value is not None
        number = value if isinstance(value, str | None) else pytest.approx(value, abs=1e-6)
        assert (row[key] / 1e6 if is_time else row[key]) == number, key


def test_other_programs_get_one_object() -> None:
    (values,) = explain.values(explained(record=recorded(1e8, 2e8, counters={})))
    assert (values["workload"], values["work_ns"], values["burden_ns"]) == ("fib", 1e9, 500)
    assert "counters" not in values and values["times"][0]["workers"] == 1
    ends = [values["times"][2][key] for key in ("time_ns", "lower_bound_ns", "upper_bound_ns")]
    assert ends == pytest.approx([6e8, 5e8, 6e8])
    assert explain.values(explained(failing=True))[0]["times"][2]["time_ns"] is None


def test_plots_show_speedup_between_its_bounds_and_parallelism() -> None:
    sections = explain.sections(explained(BOTH, record=recorded(1e8, 2e8)))
    _, speedup, over_time = section_in(sections, "Speedup and parallelism over time").blocks
    assert isinstance(speedup, Plot) and isinstance(over_time, Plot)
    assert [curve.name for curve in speedup.curves] == ["onetbb", "work-stealing"]
    assert speedup.curves[1].points[1] == (2, (1 / 0.6, 1 / 0.6, 1 / 0.6))
    ends = [line[-1] for line in speedup.references.values()]
    assert ends == [pytest.approx((2, 2)), pytest.approx((2, 1 / 0.6))]
    points = [(x, value.median) for x, value in over_time.curves[0].points]
    assert points == [(0, 1), (pytest.approx(1e-3), 4), (pytest.approx(2e-3), 0.5)]
