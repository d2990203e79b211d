"""The rules of claims on made values: each claim holds in one world, and does not in another."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from stealbench.tests.conftest import cell, experiment, failed, process, raw_of
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import (
    assert_same,
    assert_same_rows,
    oracle,
    section_in,
    tables_of,
    texts_of,
)
from stealbench import rawfile
from stealbench.analysis.claims.contest import Contest
from stealbench.analysis.claims.evidence import FREE, REAL, Benchmark, Benchmarks, Claim
from stealbench.analysis.claims.evidence import (
    Evidence,
    Finding,
    Verdict,
    both,
    grid,
    hull,
    line_through,
)
from stealbench.analysis.claims.evidence import of_theorem, program, texts
from stealbench.experiments import claims
from stealbench.statistics import Estimate

HOLDS, FAILS, OPEN = Verdict.HOLDS, Verdict.DOES_NOT_HOLD, Verdict.UNDECIDED
IN_MODEL = Verdict.HOLDS_IN_MODEL
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
WORK_STEALING, CONTINUATIONS = "work-stealing", "continuation-stealing"
LOCKED = "work-stealing:deque=locked:idle=yield"

# The value of a quantity, by the name of a column, counter or record; None: as it is made.
World = Callable[[Benchmark, str], float | None]

MADE = {"work_units": 1e6, "span_units": 1, "fork_count": 1000, "lines_share": 0, "work_share": 0.5}


def made(world: World, of: Benchmark, quantity: str) -> float:
    """Linear speedup of one second; as little span as nothing; one of all that is counted."""
    value = world(of, quantity)
    if value is not None:
        return value
    return 1 / of.workers if quantity == "seconds" else MADE.get(quantity, 1)


def evidence_in(world: World, of: Claim, wanted: Benchmarks) -> Evidence:
    """Six rounds."""
    noise = 1 + 1e-4 * numpy.arange(1, 7)
    rounds = {
        benchmark.name: {
            column: made(world, benchmark, column) * (noise if column == "seconds" else noise**0)
            for column in claims.COLUMNS
        }
        for benchmark in wanted
    }
    names = ("most_live_jobs", "jobs_spawned", "jobs_exposed")
    counters = {
        benchmark.name: {name: made(world, benchmark, name) for name in names}
        for benchmark in wanted
    }
    keys = ("work_units", "span_units", "parallelism", "depth")
    records = [
        {
            "workload": what.workload,
            "parameters": dict(what.parameters),
            "runs": [{key: made(world, Benchmark(what, "recorder", 1), key) for key in keys}],
        }
        for what in of.recorded
    ]
    return Evidence(wanted, rounds, counters, records, 2)


def found_in(world: World, number: int) -> Finding:
    claim = claims.CLAIMS[number - 1]
    assert claim.number == number
    return claims.finding_of(
        claim, lambda wanted: evidence_in(world, claim, wanted), ["far", "near"]
    )


def parameter(of: Benchmark, name: str) -> float:
    return float(dict(of.program.parameters)[name])


def seconds(time: Callable[[Benchmark], float | None]) -> World:
    """A world that says times alone."""
    return lambda of, quantity: time(of) if quantity == "seconds" else None


def only(name: str, value: Callable[[Benchmark], float | None]) -> World:
    return lambda of, quantity: value(of) if quantity == name else None


def live(of: Benchmark) -> float:
    return parameter(of, "children")


def tasks(of: Benchmark) -> float:
    return 512 * 2**16 / parameter(of, "grain")


def on_sums(times: Callable[[float], float], more: float = 1) -> World:
    """Of the sums, times by the number of tasks, and so many more tasks."""

    def world(of: Benchmark, quantity: str) -> float | None:
        if of.program.workload != "reduce":
            return None
        count = more * tasks(of)
        return {"fork_count": count, "seconds": times(count)}.get(quantity, 1.0)

    return world


def on_trees(**values: Callable[[Benchmark], float]) -> World:
    """Of balanced trees, whose work is 2 to the power of their depth."""

    def world(of: Benchmark, quantity: str) -> float | None:
        if of.program.workload != "empty_tree" and quantity != "steal_attempts":
            return None
        if quantity == "work_units":
            return float(2 ** parameter(of, "depth"))
        return values[quantity](of) if quantity in values else None

    return world


def is_on(of: Benchmark, scheduler: str) -> bool:
    return of.scheduler == scheduler


def merges(serial: Callable[[float], float], parallel: Callable[[float], float]) -> World:
    def value(of: Benchmark) -> float:
        kind = dict(of.program.parameters)["merge"]
        return (serial if kind == "serial" else parallel)(math.log2(parameter(of, "keys")))

    return only("parallelism", value)


def divided(speed: Callable[[Benchmark, float], float], serial: float = 10) -> World:
    """Leaves of so much of the best speedup, by benchmark and depth."""
    return seconds(
        lambda of: serial if is_on(of, "serial") else serial / speed(of, parameter(of, "depth"))
    )


def shares(fixed: float, stolen: float) -> World:
    return only("work_share", lambda of: stolen if is_on(of, WORK_STEALING) else fixed)


def operations(fork: float, steal: float, wake: float) -> World:
    times = {"fork": fork, "steal": steal, "wake": wake}
    return seconds(lambda of: times[of.program.workload])


def on_processors(non_blocking: float, locked: float) -> World:
    return seconds(
        lambda of: 1 if of.workers == 1 else locked if is_on(of, LOCKED) else non_blocking
    )


def with_span(span: float, world: World) -> World:
    return lambda of, quantity: span if quantity == "span_units" else world(of, quantity)


def spawned(eager: float, lazy: Callable[[int], float]) -> World:
    return only(
        "jobs_spawned", lambda of: eager if of.scheduler.endswith("eager") else lazy(of.workers)
    )


def space(world: Callable[[Benchmark], float | None]) -> World:
    return only("most_live_jobs", world)


WORLDS: dict[int, tuple[World, World]] = {
    1: (
        seconds(lambda of: 1 / of.workers + 5e-7),
        seconds(lambda of: 1 if of.workers == 1 else 1.01 / of.workers),
    ),
    2: (
        seconds(lambda of: 1 / of.workers + 0.1),
        seconds(lambda of: 9 if of.workers == 16 else 1e-3),
    ),
    3: (
        on_trees(steal_attempts=lambda of: 1e4 * of.workers),
        on_trees(steal_attempts=lambda of: 2 ** float(dict(of.program.parameters).get("depth", 1))),
    ),
    4: (
        space(lambda of: None if is_on(of, CONTINUATIONS) else live(of)),
        space(lambda of: 16 if is_on(of, CONTINUATIONS) else live(of)),
    ),
    5: (space(lambda of: live(of) if is_on(of, WORK_STEALING) else 8192), space(live)),
    6: (space(lambda of: of.workers), space(lambda of: of.workers + 1)),
    7: (on_sums(lambda n: 1 + 1e-6 * n), on_sums(lambda n: 1 + 1e-10 * n * n)),
    8: (divided(lambda of, depth: 2), divided(lambda of, depth: 1 if depth == 23 else 0.5)),
    9: (
        divided(lambda of, depth: 1 / (1 + 640 / 2 ** (27 - depth)), 0.1),
        divided(lambda of, depth: 1, 0.1),
    ),
    11: (shares(0.53, 0.99), shares(0.53, 0.53)),
    12: (operations(1e-9, 1e-9, 1e-9), operations(1e-9, 60e-9, 1e-9)),
    16: (only("depth", lambda of: 10), only("tasks_moved", lambda of: 9999)),
    19: (on_processors(0.6, 2), on_processors(0.6, 0.6)),
    21: (spawned(4095, lambda workers: 1), spawned(1, lambda workers: 4095)),
    22: (seconds(lambda of: 1 / of.workers), seconds(lambda of: 1 / math.sqrt(of.workers))),
    24: (
        seconds(lambda of: 1 if is_on(of, "serial") else 1.3),
        lambda of, quantity: (
            2e5
            if quantity == "jobs_exposed"
            else seconds(lambda of: 1 if is_on(of, "serial") else 3)(of, quantity)
        ),
    ),
}

THEOREMS = (1, 2, 3, 4, 6, 22, 24)


@pytest.mark.parametrize("number", WORLDS)
def test_a_claim_holds_in_one_world_and_not_in_another(number: int) -> None:
    holds, fails = WORLDS[number]
    for world, verdict in ((holds, HOLDS), (fails, FAILS)):
        found = found_in(world, number)
        assert found.verdict is verdict, found.because
        assert found.figure and found.figure.low <= found.figure.median <= found.figure.high


@pytest.mark.parametrize("number", THEOREMS)
def test_a_theorem_holds_in_its_model_if_only_costs_speak_against_it(number: int) -> None:
    holds, fails = WORLDS[number]

    def mixed(in_model: World, at_costs: World) -> World:
        return lambda of, quantity: (in_model if of.machine == FREE else at_costs)(of, quantity)

    found = found_in(mixed(holds, fails), number)
    assert found.verdict is IN_MODEL, found.because
    assert ". Where only work takes time: " in found.because
    assert found.figure and found.figure_in_model
    assert found.figure.median != found.figure_in_model.median
    assert found_in(mixed(fails, holds), number).verdict is FAILS


def test_every_claim_is_tested_and_seven_are_theorems() -> None:
    contested = {13, 14, 15, 17, 18, 20, 23, 25}
    assert {*WORLDS, *contested, 10} == set(range(1, 26))
    assert [claim.number for claim in claims.CLAIMS] == list(range(1, 26)) == [*map(int, texts())]
    assert tuple(claim.number for claim in claims.CLAIMS if claim.in_model) == THEOREMS


def free(value: float, other: float) -> Callable[[Benchmark], float]:
    """On the machine without costs, and on others."""
    return lambda of: value if of.machine == FREE else other


PARTS: list[tuple[int, str, Verdict, World]] = [
    (
        1,
        "few workers on the first program",
        FAILS,
        seconds(
            lambda of: (1.01 if (of.workers, of.program.workload) == (2, "fib") else 1) / of.workers
        ),
    ),
    (
        2,
        "the second program",
        FAILS,
        seconds(
            lambda of: (
                (9 if of.workers == 16 else 1e-3)
                if of.program.workload == "uts"
                else 1 / of.workers + 0.1
            )
        ),
    ),
    (
        2,
        "a time just beyond the error of the model",
        FAILS,
        seconds(lambda of: (1 / of.workers + 0.1) * (2.3 if of.workers == 16 else 1)),
    ),
    (
        3,
        "the error of the model",
        OPEN,
        on_trees(
            steal_attempts=lambda of: 1e4
            * 2 ** (0.45 * float(dict(of.program.parameters).get("depth", 1)))
        ),
    ),
    (4, "child stealing needs no more space", FAILS, lambda of, quantity: None),
    (
        4,
        "continuations need more space without costs",
        FAILS,
        space(lambda of: free(9, 1)(of) if is_on(of, CONTINUATIONS) else live(of)),
    ),
    (
        6,
        "busy-leaves has more leaves without costs",
        FAILS,
        space(lambda of: free(9, 8)(of) if is_on(of, "busy-leaves") else 8),
    ),
    (
        6,
        "continuations have more leaves at costs",
        IN_MODEL,
        space(lambda of: free(8, 9)(of) if is_on(of, CONTINUATIONS) else 8),
    ),
    (7, "tasks cost less than nothing", FAILS, on_sums(lambda n: 1 - 1e-9 * n)),
    (
        7,
        "a time just off the line",
        FAILS,
        on_sums(lambda n: (1 + 1e-6 * n) * (1.2 if n == 32768 else 1)),
    ),
    (7, "three times as many tasks", FAILS, on_sums(lambda n: 1 + 1e-6 * n, more=3)),
    (8, "leaves beyond the range", HOLDS, divided(lambda of, depth: 2 if 15 <= depth <= 19 else 1)),
    (8, "one length in the range", FAILS, divided(lambda of, depth: 1 if depth == 17 else 2)),
    (8, "0.93 of the best", FAILS, divided(lambda of, depth: 1.86 if depth == 17 else 2)),
    (
        9,
        "leaves of 3 µs",
        HOLDS,
        divided(lambda of, depth: 0.5 if depth > 15 else 0.99 if depth == 15 else 1, 0.1),
    ),
    (
        9,
        "another scheduler",
        FAILS,
        divided(lambda of, depth: 0.5 if is_on(of, WORK_STEALING) and depth > 15 else 1, 0.1),
    ),
    (
        10,
        "both kinds of merges as claimed",
        HOLDS,
        merges(lambda lg: lg / 2, lambda lg: 2**lg / lg / lg),
    ),
    (
        10,
        "exponents near one",
        HOLDS,
        merges(lambda lg: math.pow(lg, 0.6), lambda lg: math.pow(2**lg / lg / lg, 1.4)),
    ),
    (10, "serial merges", OPEN, merges(lambda lg: 2**lg / lg / lg, lambda lg: 2**lg / lg / lg)),
    (10, "parallel merges", OPEN, merges(lambda lg: lg, lambda lg: lg)),
    (11, "the static partition", FAILS, shares(0.99, 0.99)),
    (11, "stealing that keeps the workers less busy", FAILS, shares(0.53, 0.9)),
    (12, "operations just within their limits", HOLDS, operations(10e-9, 49e-9, 9.9e-6)),
    (12, "a wake-up just beyond its limit", FAILS, operations(1e-9, 1e-9, 11e-6)),
    (16, "the depth of the tree", FAILS, only("depth", lambda of: 1001)),
    (19, "the deque of which a theorem speaks", OPEN, on_processors(2, 2)),
    (19, "the span", HOLDS, with_span(1e5, on_processors(1.5, 3))),
    (21, "one worker", FAILS, spawned(4095, lambda workers: 3 * 4095 if workers == 1 else 1)),
    (21, "many workers", FAILS, spawned(4095, lambda workers: 3 * 4095 if workers == 64 else 1)),
    (
        22,
        "one worker count",
        FAILS,
        seconds(lambda of: (4 if of.workers == 16 else 1) / of.workers),
    ),
    (
        22,
        "the longest wait for lines",
        OPEN,
        lambda of, quantity: (
            (0.3 if of.workers == 16 else 0)
            if quantity == "lines_share"
            else seconds(lambda of: 1 if of.workers == 1 else 1.25 / of.workers)(of, quantity)
        ),
    ),
    (
        22,
        "workers for which the parallelism is not ample",
        HOLDS,
        with_span(1e3, seconds(lambda of: 1 if of.workers > 100 else 1 / of.workers)),
    ),
    (
        24,
        "the first program",
        IN_MODEL,
        seconds(
            lambda of: 1 if is_on(of, "serial") else 3 if of.program.workload == "fib" else 1.3
        ),
    ),
]


@pytest.mark.parametrize(("number", "part", "verdict", "world"), PARTS)
def test_each_part_of_a_rule_decides(
    number: int, part: str, verdict: Verdict, world: World
) -> None:
    found = found_in(world, number)
    assert found.verdict is verdict, found.because


CONTESTED = {
    13: ("work-stealing:victim=random", "seconds"),
    14: (WORK_STEALING, "seconds"),
    15: (WORK_STEALING, "tasks_moved"),
    17: ("work-stealing:deque=chase-lev:amount=half", "tasks_moved"),
    20: ("work-stealing:victim=own-first", "tasks_moved"),
    23: (WORK_STEALING, "seconds"),
}


def contested(claimed: str, column: str, near: float, far: float) -> World:
    """Rivals need so much more on either machine."""

    def value(of: Benchmark) -> float | None:
        if is_on(of, claimed):
            return None
        base = 1 / of.workers if column == "seconds" else 1000
        return base * (far if of.machine == "far" else near)

    return only(column, value)


@pytest.mark.parametrize("number", CONTESTED)
def test_a_contest_is_won_if_rivals_need_much_more_on_every_profile(number: int) -> None:
    claimed, column = CONTESTED[number]
    equal = 1 if column == "seconds" else 0.002  # A count is 1, and one more.
    for near, far, verdict in ((3, 3, HOLDS), (equal, equal, OPEN), (3, equal, OPEN)):
        assert found_in(contested(claimed, column, near, far), number).verdict is verdict


@pytest.mark.parametrize(
    ("factor", "verdict"), [(1.9, OPEN), (1 / 1.9, OPEN), (2.1, HOLDS), (1 / 2.1, FAILS)]
)
def test_a_contest_survives_the_error_of_the_model(factor: float, verdict: Verdict) -> None:
    assert found_in(contested(WORK_STEALING, "seconds", factor, factor), 14).verdict is verdict


@pytest.mark.parametrize(("factor", "verdict"), [(1.05, HOLDS), (0.95, FAILS), (1, OPEN)])
@pytest.mark.parametrize(
    ("number", "claimed"),
    [(18, "work-stealing:attempts=2p:backoff=exponential"), (25, "work-stealing:deque=bwos")],
)
def test_measured_strategies_need_no_more_than_their_intervals(
    number: int, claimed: str, factor: float, verdict: Verdict
) -> None:
    assert found_in(contested(claimed, "seconds", factor, factor), number).verdict is verdict


def on_spc(rivals: str, near: float, far: float, elsewhere: float = 20) -> World:
    """Rivals take 20 times as long as random victims; some so long on spc with 256 workers."""

    def time(of: Benchmark) -> float | None:
        if is_on(of, "work-stealing:victim=random"):
            return None
        is_other = of.program.workload == "spc" and of.workers == 256
        if not is_other or rivals not in of.scheduler:
            return elsewhere / of.workers
        return (far if of.machine == "far" else near) / of.workers

    return seconds(time)


@pytest.mark.parametrize("rivals", ["busiest", "first", "victim"])
def test_the_judge_hears_every_rival(rivals: str) -> None:
    found = found_in(on_spc(rivals, 0.2, 0.2), 13)
    assert found.verdict is FAILS
    assert found.figure and found.figure.median == pytest.approx(0.2, abs=0.001)
    for rival in ("busiest", "first"):
        lost = f"work-stealing:victim={rival} on spc tasks=2048 (0.200 × [0.200, 0.200] with 256"
        assert (lost in found.because) == (rivals in (rival, "victim"))
        assert f"victim={rival} on fib n=27 (20.0 ×" in found.because
    assert found_in(on_spc(rivals, 0.79, 0.7), 13).verdict is OPEN
    assert found_in(on_spc(rivals, 3, 0.4), 13).verdict is OPEN, "a rival wins on one machine"
    assert found_in(on_spc(rivals, 1.9, 1.9), 13).verdict is HOLDS, "not told apart somewhere"


def test_a_contest_is_open_if_one_rival_is_not_beaten() -> None:
    for beaten in ("busiest", "first"):
        world = seconds(lambda of: 9.0 if of.scheduler.endswith(beaten) else None)
        found = found_in(world, 13)
        assert found.verdict is OPEN
        assert found.figure and found.figure.median == pytest.approx(1, abs=0.001)


def test_a_contest_names_each_outcome() -> None:
    found = found_in(
        seconds(
            lambda of: (
                None
                if is_on(of, WORK_STEALING)
                else (9 if of.program.workload == "fib" else 1) / of.workers
            )
        ),
        23,
    )
    assert found.because == (
        "The ratios are a rival's time ÷ that of work-stealing. It beats work-stealing:join=wait on"
        " fib n=27 (9.00 × [9.00, 9.00] with 8 workers). It is not told apart from"
        " work-stealing:join=wait on uts shape=fixed depth=7 seed=19, bpc depth=200."
    )


def test_a_contest_is_corrected_for_the_number_of_comparisons() -> None:
    slower = [0.9, 0.95, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.1, 1.11]
    for workers, verdict in (([1], HOLDS), (list(range(1, 11)), OPEN)):
        contest = Contest("claimed", ["rival"], [program("fib n=20")], workers, machine=REAL)
        wanted = grid(contest.programs, ["claimed", "rival"], workers, REAL)
        rounds = {
            of.name: {"seconds": numpy.array(slower if of[1:3] == ("rival", 1) else [1.0] * 11)}
            for of in wanted
        }
        assert contest.judge(Evidence(wanted, rounds, {}, [], 1)).verdict is verdict


def test_a_record_that_was_made_several_times_has_an_interval() -> None:
    what = program("fib n=20")
    wanted = [Benchmark(what, "a", 1, REAL)]
    runs = [{"parallelism": value} for value in (4, 5, 6, 7, 8, 9)]
    record = {"workload": "fib", "parameters": {"n": "20"}, "runs": runs}
    rounds = {wanted[0].name: {"seconds": numpy.ones(6)}}
    known = Evidence(wanted, rounds, {}, [record], 1)
    (value,) = known.of(lambda read: read.recorded(what, "parallelism"))
    assert value.median == 6.5 and value.low < 6 and value.high > 7


def test_verdicts_combine() -> None:
    assert [both(*pair) for pair in ((HOLDS, HOLDS), (HOLDS, OPEN), (OPEN, FAILS))] == [
        HOLDS,
        OPEN,
        FAILS,
    ]
    assert both(FAILS, OPEN) is FAILS
    by_model = {HOLDS: [HOLDS, OPEN, IN_MODEL], OPEN: [HOLDS, OPEN, OPEN], FAILS: [FAILS] * 3}
    for in_model, expected in by_model.items():
        assert [of_theorem(in_model, costs) for costs in (HOLDS, OPEN, FAILS)] == expected
    values = [Estimate(4, 3, 5), Estimate(1, 0.5, 9), Estimate(2, 1, 3)]
    assert hull(values) == (2, 0.5, 9)


def test_a_line_fits_relative_errors() -> None:
    points = numpy.array([[1.0], [10.0], [100.0]])
    line = line_through(list(points), list(3 + 2 * points))
    assert [float(part[0]) for part in line] == pytest.approx([3, 2, 1])
    bent = line_through(
        [numpy.array([x]) for x in (0.0, 1, 2)], [numpy.array([y]) for y in (10.0, 20, 10)]
    )
    assert bent.misfit == pytest.approx(1.8)


def test_the_fits_of_the_laws_are_said() -> None:
    # P · T_P is 1 + 0.1 · P, and T∞ a millionth of the 1.1 s with one worker.
    assert "the fitted c is 90,909 [90,909, 90,909] on" in found_in(WORLDS[2][0], 2).because
    assert "they grow as the workers to the power of 1.00 [1.00, 1.00]." in (
        found_in(WORLDS[3][0], 3).because
    )


OPERATION_LINES = [
    cell(WORK_STEALING, workers, name) for name, workers in (("fork", 1), ("steal", 2), ("wake", 2))
]


def judged(lines: list[Any], **context: Any) -> claims.Judged:
    """The prices of operations, claim 12."""
    about = {"claims": [12], "recorded": [], "machines": {}}
    first = experiment(OPERATION_LINES, "claims", about=about)
    of_machine = {"type": "context", "context": {"processors": "2", **context}}
    (only_one,) = claims.judge(raw_of([first, of_machine, *lines]))
    return only_one


def timed_operations(rounds: int, **more: float) -> list[Any]:
    return [
        process(of, number, 1e-9, **more)
        for number in range(1, rounds + 1)
        for of in OPERATION_LINES
    ]


def test_what_does_not_carry_a_verdict_is_undecided_and_says_why() -> None:
    assert judged(timed_operations(6)).verdict == "holds here"
    few = judged(timed_operations(5))
    assert few.verdict == "undecided"
    assert few.found.because == "A verdict needs 6 rounds, and there are 5."
    crashed = judged([*timed_operations(6), failed(OPERATION_LINES[1], "crashed")])
    assert crashed.found.because == "steal/work-stealing/workers:2 did not finish: crashed."
    waited = judged(timed_operations(6, waiting_threads=0.3))
    assert waited.found.because == (
        "fork/work-stealing/workers:1 waited for processors in a third of its rounds: measure again."
    )
    shared = judged(timed_operations(6, waiting_threads=0.15), processors="1")
    assert "fork/" in shared.found.because, "one worker has a processor of its own"


def test_the_committed_claims_are_judged_as_by_the_cpp_driver() -> None:
    raw = rawfile.read(REFERENCE / "claims/claims.jsonl.gz")
    frozen = oracle("sections_claims")
    sections = claims.sections(raw)
    for title, expected in frozen.items():
        section = section_in(sections, title)
        for text, expected_text in zip(texts_of(section), expected["texts"], strict=True):
            assert_same(THOUSANDS.sub("", text), THOUSANDS.sub("", expected_text))
    (table,) = tables_of(section_in(sections, "Claims put to the test"))
    assert_same_rows(table, frozen["Claims put to the test"]["tables"][0][1])
    (values,) = claims.values(raw)
    first = values["claims"][0]
    assert first["verdict"] == IN_MODEL.value and first["machine"] == "simulated"
    assert first["without_costs"]["figure"] == pytest.approx(1, abs=0.001)
    assert values["claims"][6]["without_costs"] is None
