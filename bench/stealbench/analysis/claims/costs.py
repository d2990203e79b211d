"""Claims on what tasks cost and how long they should be, and on fewer processors than workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from stealbench.analysis.claims.evidence import FREE, MODEL_ERROR, REAL, WORK_STEALING, Benchmark
from stealbench.analysis.claims.evidence import Benchmarks, Claim, Evidence, Finding, Line, Program
from stealbench.analysis.claims.evidence import Reader, Theorem, Values, Verdict, both, decide, grid
from stealbench.analysis.claims.evidence import hull, line_through, of_theorem, program
from stealbench.report.format import ratio_with_interval, seconds, seconds_with_interval
from stealbench.statistics import Estimate, Floats

# A sum by divide and conquer, of numbers that a cache holds: memory would be another price.
NUMBERS, PASSES = 1 << 16, 512
GRAINS = [1 << power for power in (6, 8, 10, 12, 14)]
SUMS = [program(f"reduce numbers={NUMBERS} passes={PASSES} grain={grain}") for grain in GRAINS]

# Balanced trees of the same work, with leaves of some ns to one ms.
DIVIDED = {
    depth: program(f"empty_tree depth={depth} work={1 << (27 - depth)}")
    for depth in range(7, 24, 2)
}
SWEPT = [WORK_STEALING, "onetbb"]
GOOD = 0.95


def _price_of_a_task(known: Evidence) -> Finding:
    def tasks_of(read: Reader, what: Program) -> Floats:
        return read(what, WORK_STEALING, 1, "fork_count")

    def fit(read: Reader) -> Line:
        return line_through(
            [tasks_of(read, what) for what in SUMS], [read(what, WORK_STEALING, 1) for what in SUMS]
        )

    def off(read: Reader) -> Floats:
        """The greatest factor between the tasks and n/g."""
        shares = [
            tasks_of(read, what) * grain / NUMBERS / PASSES for what, grain in zip(SUMS, GRAINS)
        ]
        return numpy.asarray(numpy.maximum(shares, numpy.divide(1, shares)).max(axis=0, initial=1))

    misfit = known.of(lambda read: fit(read).misfit)
    price = known.of(lambda read: fit(read).slope)
    tasks = known.of(off)
    fork = known.of(lambda read: read(program("fork"), WORK_STEALING, 1))
    return Finding(
        hull(misfit),
        both(
            decide(price, least=0), both(decide(misfit, most=1.1), decide(tasks, most=MODEL_ERROR))
        ),
        f"The tasks are n/g within a factor of {ratio_with_interval(hull(tasks))}. One costs"
        f" {seconds_with_interval(hull(price))}, an empty fork {seconds(hull(fork).median)}. The"
        f" times are within a factor of {ratio_with_interval(hull(misfit))} of a line over the"
        " tasks.",
    )


@dataclass(frozen=True)
class Leaves:
    """Of one length with 2 workers; `speed`: the speedup over that with the best length."""

    seconds: float
    speed: Values


def _speedup(read: Reader, what: Program, scheduler: str) -> Floats:
    """Over serial: a processor begins a short leaf before it has ended the one before."""
    return read(what, "serial", 1) / read(what, scheduler, 2)


def _leaves_on(known: Evidence, scheduler: str) -> list[Leaves]:
    def over_best(read: Reader, what: Program) -> Floats:
        best = numpy.max([_speedup(read, other, scheduler) for other in DIVIDED.values()], axis=0)
        return numpy.asarray(_speedup(read, what, scheduler) / best)

    def leaves(depth: int, what: Program) -> Leaves:
        time = hull(known.of(lambda read: read(what, "serial", 1))).median
        return Leaves(time / 2**depth, known.of(lambda read: over_best(read, what)))

    return [leaves(depth, what) for depth, what in DIVIDED.items()]


def _sweep(schedulers: Sequence[str]) -> Benchmarks:
    programs = list(DIVIDED.values())
    return grid(programs, ["serial"], [1], REAL) + grid(programs, schedulers, [2], REAL)


def _good_leaves(rows: Sequence[Leaves]) -> str:
    """The leaves that are within 5 % of the best, `20.1 ns to 1.30 ms`."""
    good = [leaves.seconds for leaves in rows if hull(leaves.speed).median >= GOOD]
    return f"{seconds(min(good))} to {seconds(max(good))}"


def _on_leaves(
    rows: list[Leaves], first: float, last: float, are_good: bool, others: str
) -> Finding:
    rows = [leaves for leaves in rows if first <= leaves.seconds <= last]
    if not rows:
        because = f"No leaf took {seconds(first)} to {seconds(last)}."
        return Finding(None, Verdict.UNDECIDED, because)
    extreme = min if are_good else max
    worst = extreme(rows, key=lambda leaves: hull(leaves.speed).median)
    speed = worst.speed
    return Finding(
        hull(speed),
        decide(speed, least=GOOD) if are_good else decide(speed, most=GOOD),
        f"Leaves of {seconds(worst.seconds)} have {ratio_with_interval(hull(speed))} of the best"
        f" speedup; within 5 % of it are {others}.",
    )


def _flat_optimum(known: Evidence) -> Finding:
    rows = _leaves_on(known, WORK_STEALING)
    return _on_leaves(rows, 5e-6, 500e-6, True, f"those of {_good_leaves(rows)}")


def _too_fine(known: Evidence) -> Finding:
    rows = {scheduler: _leaves_on(known, scheduler) for scheduler in SWEPT}
    ranges = [f"those of {_good_leaves(own)} with {scheduler}" for scheduler, own in rows.items()]
    return _on_leaves(sum(rows.values(), []), 0, 1e-6, False, ", and ".join(ranges))


OPERATIONS = {
    "fork and join": (Benchmark(program("fork"), WORK_STEALING, 1, REAL), 11e-9),
    "steal": (Benchmark(program("steal"), WORK_STEALING, 2, REAL), 50e-9),
    "wake-up": (Benchmark(program("wake"), WORK_STEALING, 2, REAL), 10e-6),
}
"""A metric of `stealbench micro`, and what is claimed at most [s].

Of a wake-up in µs, for none takes nanoseconds.
"""


def _prices(known: Evidence) -> Finding:
    verdict, texts = Verdict.HOLDS, []
    parts: list[Estimate] = []
    for name, (wanted, most) in OPERATIONS.items():
        time = known.of(lambda read: read(*wanted[:3]))
        part = [value.times(1 / most) for value in time]
        parts.append(hull(part))
        verdict = both(verdict, decide(part, most=1))
        texts.append(f" {name} {seconds_with_interval(hull(time))} ({seconds(most)})")
    figure = max(parts, key=lambda part: part.median)
    return Finding(figure, verdict, f"Measured, and claimed at most:{';'.join(texts)}.")


MANY = 16
NON_BLOCKING = "work-stealing:deque=chase-lev:idle=yield"
LOCKED = "work-stealing:deque=locked:idle=yield"
SHARED = program("uts shape=fixed depth=9 seed=19")


def _fewer_processors(known: Evidence) -> Finding:
    kept, processors = 2, known.processors
    if processors >= MANY:
        because = (
            f"A verdict needs fewer processors than the {MANY} workers, and there are {processors}."
        )
        return Finding(None, Verdict.UNDECIDED, because)

    def over_bound(scheduler: str) -> Values:
        def ratio(read: Reader) -> Floats:
            alone = read(SHARED, scheduler, 1)
            span = alone * read.span_share(SHARED)
            return read(SHARED, scheduler, MANY) * processors / (alone + span * MANY)

        return known.of(ratio)

    without, locked = over_bound(NON_BLOCKING), over_bound(LOCKED)
    # The bound of non-blocking deques is a theorem; that locks do not keep it is an observation.
    bounded = of_theorem(Verdict.UNDECIDED, decide(without, most=kept))
    return Finding(
        hull(locked),
        both(bounded, decide(locked, least=kept)),
        f"{MANY} workers on {processors} processors take {ratio_with_interval(hull(without))} of"
        " T1/P_A + T∞ · P/P_A with a non-blocking deque, of which the theorem speaks, and"
        f" {ratio_with_interval(hull(locked))} with locks.",
    )


HEARTBEAT = "work-stealing:expose=heartbeat"
BEAT_SECONDS = 30e-6
FAST_HEARTBEAT = f"{HEARTBEAT}:beat=30us"
FENCED = "work-stealing:deque=chase-lev"
FORKING = [program("fib n=30"), program("empty_tree depth=20"), SUMS[0], SUMS[4]]


def _bounded_overhead(known: Evidence) -> Finding:
    def overhead(programs: Sequence[Program], scheduler: str) -> Values:
        return known.of(
            lambda read: numpy.max(
                [read(what, scheduler, 1) / read(what, "serial", 1) for what in programs], axis=0
            )
        )

    beats = overhead(FORKING, HEARTBEAT)
    worst = max(FORKING, key=lambda what: hull(overhead([what], HEARTBEAT)).median)
    others = [
        ratio_with_interval(hull(overhead(FORKING, name))) for name in (WORK_STEALING, FENCED)
    ]
    return Finding(
        hull(beats),
        decide(beats, most=2),
        f"One worker takes at most {ratio_with_interval(hull(beats))} of the serial time with"
        f" heartbeats, on {worst}, {others[0]} with the split deque, and {others[1]} with a fence"
        " at each fork.",
    )


# Leaves of one unit, of 100 and of 10,000.
BEATING = [program("fib n=27")]
BEATING += [program("empty_tree depth=14 work=100"), program("empty_tree depth=8 work=10000")]


def _tasks_at_beats(known: Evidence) -> Finding:
    """A fork costs nothing there, and each task that is made a constant.

    So the theorem is that tasks are made no more often than the heart beats.
    """
    made = known.of(
        lambda read: numpy.max(
            [
                read.counter(tree, FAST_HEARTBEAT, 1, "jobs_exposed")
                * BEAT_SECONDS
                / read(tree, FAST_HEARTBEAT, 1)
                for tree in BEATING
            ],
            axis=0,
        )
    )
    return Finding(
        hull(made),
        decide(made, most=1),
        f"One worker makes at most {ratio_with_interval(hull(made))} as many tasks as the heart"
        " beats, with leaves of 1 to 10,000 units of work.",
    )


CLAIMS = [
    Claim(
        7,
        grid(SUMS, [WORK_STEALING], [1], REAL) + [OPERATIONS["fork and join"][0]],
        _price_of_a_task,
    ),
    Claim(8, _sweep([WORK_STEALING]), _flat_optimum),
    Claim(9, _sweep(SWEPT), _too_fine),
    Claim(12, [wanted for wanted, _ in OPERATIONS.values()], _prices),
    Claim(
        19,
        grid([SHARED], [NON_BLOCKING, LOCKED], [1, MANY], REAL),
        _fewer_processors,
        [SHARED],
    ),
    Claim(
        24,
        grid(FORKING, ["serial", HEARTBEAT, WORK_STEALING, FENCED], [1], REAL),
        _bounded_overhead,
        in_model=Theorem(grid(BEATING, [FAST_HEARTBEAT], [1], FREE), _tasks_at_beats),
    ),
]
