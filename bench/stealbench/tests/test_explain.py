"""`explain`: a made workload, what is concluded of it, and the C++ driver's page of the same file."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, process, raw_of
from stealbench.tests.frozen import assert_same_as, assert_says, oracle, page_of, section_in
from stealbench.tests.simulated import PROFILE
from stealbench.analysis.budget import budgets_of
from stealbench.experiments import explain
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import PlotGroup

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


def curves_in(raw: RawFile, title: str) -> Any:
    (group,) = section_in(explain.sections(raw), title).blocks
    assert isinstance(group, PlotGroup)
    return group.plots[0]


def test_a_workload_reads_as_the_driver_in_cpp_wrote_it() -> None:
    assert_same_as(explain.sections(raw_of(frozen_lines())), oracle("sections_explain"))


def enough(span_ns: float) -> RawFile:
    return explained(record=recorded(1e6, span_ns))


def modelled(central: float, error: float | None = 1.8, **more: Any) -> RawFile:
    """Two simulated with 64 workers, by a model of that error."""
    accuracy = {"cells": 9, "median_error": 0.04, "ninth_decile_error": 0.1}
    profile = PROFILE | {"accuracy": error and accuracy | {"contended_factor": error}}
    times = {("work-stealing", 64): 0.02, ("central-queue", 64): central}
    simulation = simulation_of(times, profile=profile, **more)
    return explained(record=recorded(1e6, 1e7), simulation=simulation)


def priced(task_ns: float, **more: Any) -> RawFile:
    """T1 - Ts is 100 ms, for a million tasks."""
    prices = {"work-stealing": {"tasks_of": "fib n=10", "task_ns": task_ns}}
    return explained(record=recorded(1e6, 1e7), prices=prices, **more)


def slow_schedulers() -> RawFile:
    more = {name: (cell(name, 2, n="20"), seconds) for name, seconds in (("a", 5.0), ("b", 6.0))}
    lines = lines_of({"serial": TIMES["serial"], **more})
    return raw_of([line for line in lines if line["type"] != "counters"])


def failing() -> RawFile:
    header, context, *lines = lines_of()
    lines = [line for line in lines if line["cell"] != TWO["name"]]
    return raw_of([header, context, *lines, failed(TWO, "crashed")])


FASTEST = "With 2 workers, work-stealing is the fastest: onetbb takes 1.20 × its time."
CAUSE = "the recording took 2.00 × the time of serial"
GRAIN = (
    "On work-stealing each task adds 91.0 ns here: below a grain of 1.82 µs more than 5 % is lost"
    " to tasks. A task has 1.00 µs of work."
)
ABROAD: Any = {"other_processor": "B"}
FEW = simulation_of({("work-stealing", 16): 0.01})


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (enough(1e9 / 20), ["There is parallelism enough for 2 workers: 20.0 ×", "!To shorten"]),
        (enough(1e9 / 19), ["Parallelism is scarce for 2 workers: 19.0 ×"]),
        (enough(1e9 / 4), ["may take 1.50 × of the time of linear speedup"]),
        (enough(1e9 / 1.5), ["not enough parallelism for 2 workers: 1.50 ×", "No more than 2 can"]),
        (
            explained(record=recorded(1e8, 2e8)),
            ["begin with what follows fib.hpp:30: it is 75.0 % of the span.", "!A strand is"],
        ),
        (
            explained(record=recorded(1e6, 1e7, strands=int(1e9 / 499))),
            ["A strand is 499 ns long on average, shorter than a steal (500 ns)"],
        ),
        (explained(with_more(onetbb=0.72)), [FASTEST]),
        (explained(with_more(onetbb=0.5)), ["onetbb is the fastest: work-stealing takes 1.20 ×"]),
        (explained(with_more(onetbb=0.6)), ["!is the fastest"]),
        (
            explained(with_more(onetbb=0.72), waiting="onetbb"),
            ["!is the fastest", "concluded from onetbb with 2 workers (waited for processors)."],
        ),
        (slow_schedulers(), ["With 2 workers, serial is the fastest: a takes 5.00 × its time."]),
        (
            modelled(0.038),
            [
                "With 64 workers, work-stealing is the fastest: central-queue takes 1.90 × its"
                " time, simulated; the model may be off by 1.80 ×."
            ],
        ),
        (modelled(0.034), ["!is the fastest"]),
        (modelled(0.38, error=None), ["!is the fastest"]),
        (modelled(2), ["work-stealing is the fastest: serial takes 50.0 × its time"]),
        (modelled(2, **ABROAD), ["work-stealing is the fastest: central-queue takes 100 ×"]),
        (priced(91), [GRAIN]),
        (priced(0), ["!each task adds"]),
        (priced(89), ["!each task adds"]),
        (priced(111), ["!each task adds"]),
        (priced(91, waiting="serial"), ["!each task adds"]),
        (
            explained(record=recorded(work_ns=2e9, parallelism=200)),
            [
                f"| beats the lower bound: {CAUSE}",
                f"Work, span and bounds are in doubt: {CAUSE}.",
                "Nothing is concluded from serial with 1 worker, work-stealing with 1 worker,",
            ],
        ),
        (explained(record=recorded(work_ns=1.05e9)), ["bound: T1 is of another run"]),
        (
            explained(scaled(two=0.49), record=recorded(work_ns=0.9e9)),
            [
                "above the ideal speedup: more processors have more cache, or something slowed serial"
            ],
        ),
        (
            explained(scaled(two=0.49), record=recorded(work_ns=0.9e9), waiting="serial"),
            ["above the ideal speedup: serial waited for processors"],
        ),
        (
            explained(simulation=FEW),
            ["lower bound: the profile has other prices than this machine"],
        ),
        (
            explained(simulation=FEW | ABROAD),
            [
                "work-stealing | 16 | — | 10.0 ms, simulated | — | — | simulated with another"
                " processor's profile, so without bounds",
                "!Nothing is concluded",
            ],
        ),
        (
            explained(BOTH, prices=PRICED),
            [
                "No counters of onetbb: its wake-ups, steals and waiting are missing.",
                "| 30.0 %",
                "!doubt",
            ],
        ),
        (
            explained(BOTH, waiting="work-stealing", prices=PRICED),
            ["| — | waited for processors\nwork-stealing", "| 30.0 % | "],
        ),
        (
            explained(record=recorded(6e8, 7e8)),
            ["work-stealing | 2 | 600 ms | 600 ms [600, 600] |"],
        ),
        (failing(), ["serial | 1 |", "work-stealing | 2 | 500 ms | DNF | 510 ms | —"]),
    ],
)
def test_what_is_said_of_a_workload_follows_from_its_values(raw: RawFile, phrases: Any) -> None:
    assert_says(page_of(explain.sections(raw)), *phrases)


def test_another_processors_profile_has_no_speedup_over_serial() -> None:
    plot = curves_in(explained(simulation=FEW | ABROAD), "Speedup")
    assert [curve.name for curve in plot.curves] == ["work-stealing"]


# Of two workers 60 ms are without a task, of which 30 without a processor and 20 for steals; 5 ms
# are for wake-ups and 22 of longer tasks. 87 of 100 ms are explained, and 10 of one worker's are not.
DEAR = {"work-stealing": PRICES | {"steal_ns": 1e6, "slowdown_beside": 0.9}}
EXCEED = "the prices exceed what they explain"
MORE = {"idle_ns": 30, "steals_ns": 20, "waiting_ns": 10, "wake_ups_ns": 5, "inflation_ns": 22}


@pytest.mark.parametrize(
    ("place", "raw", "expected"),
    [
        (0, explained(prices=PRICED), {"total_ns": 1100, "work_ns": 1000, "tasks_ns": 90}),
        (0, explained(prices=PRICED), dict.fromkeys(MORE)),
        (0, explained(prices=PRICED), {"unexplained_ns": 10, "to_explain_ns": 100}),
        (0, explained(prices=PRICED), {"explained": 0.9, "doubt": ""}),
        (1, explained(prices=PRICED), MORE | {"to_explain_ns": 100, "unexplained_ns": 23}),
        (1, explained(prices=PRICED), {"explained": 0.87}),
        (1, explained(prices=DEAR), {"steals_ns": 30, "waiting_ns": 0, "inflation_ns": 0}),
        # 10 ms without a task while events are counted, of 30 ms without a processor when timed.
        (1, explained(prices=PRICED, busy=[0.64, 0.634]), {"idle_ns": 10, "steals_ns": 0}),
        (1, explained(prices=PRICED, busy=[0.643, 0.642]), {"idle_ns": 0, "waiting_ns": 0}),
        (0, explained(scaled(serial=1.0999), prices=PRICED), {"doubt": EXCEED}),
        (0, explained(scaled(serial=1.1), prices=PRICED), {"explained": None, "doubt": ""}),
        (1, explained(scaled(two=0.55), prices=PRICED), {"explained": None}),
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
        assert (row[key] / MS if is_time else row[key]) == number, key


def test_other_programs_get_one_object() -> None:
    (values,) = explain.values(explained(scaled(two=0.6), record=recorded(1e8, 2e8)))
    assert (values["workload"], values["work_ns"], values["burden_ns"]) == ("fib", 1e9, 500)
    assert "counters" not in values and "time_ns" not in values and "scheduler" not in values
    serial, _, two = values["times"]
    assert (serial["workers"], two["is_simulated"], two["doubt"]) == (1, False, None)
    ends = [two[key] / 1e8 for key in ("time_ns", "lower_bound_ns", "upper_bound_ns")]
    assert ends == pytest.approx([6, 5, 6])


def test_plots_show_speedup_parallelism_and_lengths() -> None:
    raw = raw_of(frozen_lines())
    speedup, over_time, lengths = (
        curves_in(raw, title)
        for title in ("Speedup", "Parallelism over time", "Lengths of strands")
    )
    names = ["onetbb", "work-stealing", "work-stealing, simulated"]
    assert [curve.name for curve in speedup.curves] == names
    assert speedup.curves[2].points == [(8, pytest.approx((5, 5, 5)))]
    ends = [reference.points[-1] for reference in speedup.references]
    assert ends == [pytest.approx((8, 8)), pytest.approx((8, 1 / 0.225))]
    points = [(x, value.median) for x, value in over_time.curves[0].points]
    assert points == [(0, 1), (pytest.approx(1e-3), 4), (pytest.approx(2e-3), 0.5)]
    assert [(x, value.median) for x, value in lengths.curves[0].points] == [(2e-9, 3), (8e-9, 40)]
