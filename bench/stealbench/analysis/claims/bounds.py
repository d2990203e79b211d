"""Claims on time: the bounds of greedy scheduling and of stealing, and what limits parallelism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from stealbench.analysis.claims.evidence import FREE, MODEL_ERROR, REAL, WORK_STEALING, Claim
from stealbench.analysis.claims.evidence import Evidence, Finding, Line, Program, Reader, Theorem
from stealbench.analysis.claims.evidence import Values, Verdict, also_in_model, both, decide, grid
from stealbench.analysis.claims.evidence import hull, line_through, of_theorem, program
from stealbench.analysis.claims.evidence import with_interval
from stealbench.analysis.validation import CONTENDED_ABOVE
from stealbench.report.format import count, percent, ratio_with_interval, seconds
from stealbench.statistics import Floats


def _exponent(x: Floats | float, y: Floats, to_x: Floats | float, to_y: Floats) -> Floats:
    """b of y = a · x^b through two points."""
    return numpy.asarray(numpy.log(to_y / y) / numpy.log(to_x / x))


# Many small tasks: regular, and unbalanced.
TREES = [program("fib n=35"), program("uts tree=T1")]
# Where only work takes time, thieves look so often that small ones take as long to simulate.
SMALL_TREES = [program("fib n=27"), program("uts shape=fixed depth=7 seed=19")]
SCALED = [1, 4, 16, 64, 256, 1024]

BUSY_LEAVES = "busy-leaves"
"""In the model they are a greedy schedule."""
GREEDY = [
    program("fib n=16"),
    program("uts shape=fixed depth=6 seed=19"),
    program("uts type=bin b0=20 seed=42 q=0.124875 m=8"),
]
GREEDY_WORKERS = [1, 2, 8, 64, 512]


def _greedy_bound(known: Evidence) -> Finding:
    def over_bound(read: Reader, what: Program) -> Floats:
        alone = read(what, BUSY_LEAVES, 1)
        span = alone * read.span_share(what)
        ratios = [read(what, BUSY_LEAVES, p) / (alone / p + span) for p in GREEDY_WORKERS]
        return numpy.asarray(numpy.max(ratios, axis=0))

    values = known.of(lambda read: numpy.max([over_bound(read, what) for what in GREEDY], axis=0))
    worst = max(GREEDY, key=lambda what: hull(known.of(lambda read: over_bound(read, what))).median)
    work = known.of(lambda read: read(worst, BUSY_LEAVES, 1))
    return Finding(
        hull(values),
        decide(values, most=1),
        f"With 1 to {GREEDY_WORKERS[-1]} workers busy-leaves takes"
        f" {ratio_with_interval(hull(values))} of the bound at most, on {worst}, of which T1 is"
        f" {seconds(hull(work).median)}.",
    )


def _law(read: Reader, what: Program) -> Line:
    """P · T_P = T1 + c · P · T∞: a line over P · T∞."""
    span = read(what, WORK_STEALING, 1) * read.span_share(what)
    return line_through(
        [p * span for p in SCALED], [p * read(what, WORK_STEALING, p) for p in SCALED]
    )


def _stealing_bound(known: Evidence, two: Sequence[Program]) -> Finding:
    misfit = known.of(lambda read: numpy.max([_law(read, what).misfit for what in two], axis=0))

    def text(value: float) -> str:
        return f"{value:.3g}" if value < 100 else count(value)

    def fitted(tree: Program) -> str:
        c = hull(known.of(lambda read: _law(read, tree).slope))
        return f"{text(c.median)} [{text(c.low)}, {text(c.high)}] on {tree}"

    return Finding(
        hull(misfit),
        decide(misfit, most=MODEL_ERROR),
        f"With 1 to {SCALED[-1]} workers the fitted c is {', and '.join(map(fitted, two))}; the times are"
        f" within a factor of {ratio_with_interval(hull(misfit))} of the fits, and the model's"
        f" error is {MODEL_ERROR}.",
    )


def _ample_parallelism(known: Evidence, two: Sequence[Program]) -> Finding:
    ample = 10
    near_linear = ample / (1 + ample)  # That of a greedy schedule.

    def over_ample(read: Reader, programs: Sequence[Program], value: Callable[..., Floats]) -> Any:
        """Values where there is so much parallelism; a row for each program and worker count."""
        return [
            numpy.where(1 / read.span_share(what) >= ample * p, value(read, what, p), numpy.nan)
            for what in programs
            for p in SCALED[1:]
        ]

    def speedup(read: Reader, what: Program, p: int) -> Floats:
        return read(what, WORK_STEALING, 1) / read(what, WORK_STEALING, p) / p

    def lines(read: Reader, what: Program, p: int) -> Floats:
        return read(what, WORK_STEALING, p, "lines_share")

    def least(programs: Sequence[Program]) -> Values:
        return known.of(lambda read: numpy.nanmin(over_ample(read, programs, speedup), axis=0))

    worst = least(two)
    waiting = known.of(lambda read: numpy.nanmax(over_ample(read, two, lines), axis=0))
    is_contended = hull(waiting).high > CONTENDED_ABOVE
    on = [f"{ratio_with_interval(hull(least([what])))} of P on {what}" for what in two]
    return Finding(
        hull(worst),
        decide(worst, least=near_linear, error=MODEL_ERROR if is_contended else 1),
        f"With {ample} times as much parallelism as workers, 4 to {SCALED[-1]}, the least speedup"
        f" is {' and '.join(on)}; that of a greedy schedule is {near_linear:.2f} of P.",
    )


TwoTrees = Callable[[Evidence, Sequence[Program]], Finding]


def _on_trees(number: int, rule: TwoTrees) -> Claim:
    """A theorem about the trees."""
    in_model = grid(SMALL_TREES, [WORK_STEALING], SCALED, FREE)
    return Claim(
        number,
        grid(TREES, [WORK_STEALING], SCALED),
        lambda known: rule(known, TREES),
        TREES + SMALL_TREES,
        Theorem(in_model, lambda known: rule(known, SMALL_TREES)),
    )


SMALL, LARGE = (program(f"empty_tree depth={depth} work=1000") for depth in (8, 16))


def _attempts(known: Evidence) -> Finding:
    def tried(read: Reader, what: Program, p: int) -> Floats:
        return 1 + read(what, WORK_STEALING, p, "steal_attempts")

    def growth(read: Reader, before: Floats, after: Floats) -> Floats:
        work = read.recorded(SMALL, "work_units"), read.recorded(LARGE, "work_units")
        return _exponent(work[0], before, work[1], after)

    def over_nodes(error: float) -> Values:
        return known.of(
            lambda read: growth(read, tried(read, SMALL, 8), error * tried(read, LARGE, 8))
        )

    grown = hull(over_nodes(1))
    spans = known.of(
        lambda read: growth(
            read, read.recorded(SMALL, "span_units"), read.recorded(LARGE, "span_units")
        )
    )
    workers = known.of(
        lambda read: _exponent(4, tried(read, TREES[1], 4), 64, tried(read, TREES[1], 64))
    )
    half_way = (1 + hull(spans).median) / 2  # Between span and work.
    # The ends of the ranges are as far off as the model may be.
    verdicts = {
        decide(over_nodes(error), most=half_way) for error in (1 / MODEL_ERROR, MODEL_ERROR)
    }
    return Finding(
        grown,
        verdicts.pop() if len(verdicts) == 1 else Verdict.UNDECIDED,
        "With 8 workers the attempts grow as the work to the power of"
        f" {with_interval(grown)}, where the span grows as that to the power of"
        f" {hull(spans).median:.2f}; on {TREES[1]} they grow as the workers to the power of"
        f" {with_interval(hull(workers))}.",
    )


BITS = (12, 20)
SORTS = {
    merge: [program(f"mergesort keys={2**bits} grain=64 merge={merge}") for bits in BITS]
    for merge in ("serial", "parallel")
}


def _merges(known: Evidence) -> Finding:
    def grown(merge: str, law: Callable[[int], float]) -> Values:
        def exponent(read: Reader) -> Floats:
            before, after = (read.recorded(what, "parallelism") for what in SORTS[merge])
            return _exponent(law(BITS[0]), before, law(BITS[1]), after)

        return known.of(exponent)

    def speedup(merge: str) -> str:
        what = SORTS[merge][1]
        ratio = known.of(lambda read: read(what, WORK_STEALING, 1) / read(what, WORK_STEALING, 2))
        return ratio_with_interval(hull(ratio))

    serial = grown("serial", lambda bits: bits)
    parallel = grown("parallel", lambda bits: 2.0**bits / bits**2)
    near_one = {"least": 0.5, "most": 1.5}  # Not the root, nor the square.
    return Finding(
        hull(parallel),
        # The program is recorded at the costs of this machine alone.
        of_theorem(
            Verdict.UNDECIDED, both(decide(serial, **near_one), decide(parallel, **near_one))
        ),
        f"From 2^{BITS[0]} to 2^{BITS[1]} keys the parallelism grows as lg n to the power of"
        f" {with_interval(hull(serial))} with serial merges, and as n / lg² n to that of"
        f" {with_interval(hull(parallel))} with parallel ones; 2 workers are {speedup('serial')}"
        f" and {speedup('parallel')} as fast as one.",
    )


BLOCKS = program("skewed body=blocks indices=4096")
STATIC = "static-partition"


def _uneven_blocks(known: Evidence) -> Finding:
    def part(scheduler: str, column: str) -> Values:
        return known.of(lambda read: read(BLOCKS, scheduler, 4, column))

    fixed, stolen = (part(scheduler, "work_share") for scheduler in (STATIC, WORK_STEALING))
    lines = hull(part(WORK_STEALING, "lines_share")).median
    return Finding(
        hull(stolen),
        both(decide(fixed, 0.53 - 0.05, 0.53 + 0.05), decide(stolen, 0.98 - 0.05, 0.98 + 0.05)),
        f"The workers are busy for {percent(hull(fixed).median)} of the time with a static"
        f" partition, and for {percent(hull(stolen).median)} with stealing, where they wait for"
        f" cache lines for {percent(lines)}.",
    )


CLAIMS = [
    also_in_model(
        Claim(1, grid(GREEDY, [BUSY_LEAVES], GREEDY_WORKERS), _greedy_bound, GREEDY),
    ),
    _on_trees(2, _stealing_bound),
    also_in_model(
        Claim(
            3,
            grid([SMALL, LARGE], [WORK_STEALING], [8]) + grid([TREES[1]], [WORK_STEALING], [4, 64]),
            _attempts,
            [SMALL, LARGE],
        )
    ),
    Claim(
        10,
        grid([sorts[1] for sorts in SORTS.values()], [WORK_STEALING], [1, 2], REAL),
        _merges,
        [sorts[size] for size in (0, 1) for sorts in SORTS.values()],
    ),
    Claim(11, grid([BLOCKS], [STATIC, WORK_STEALING], [4]), _uneven_blocks),
    _on_trees(22, _ample_parallelism),  # A corollary of the bounds.
]
