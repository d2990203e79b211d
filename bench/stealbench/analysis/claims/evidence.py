"""What a claim needs, and how its values become a verdict: the same for every claim.

A rule is pure, and sees no values of which a benchmark has failed, has too few rounds, or waited
for processors: that is undecided.
"""

from __future__ import annotations

import enum
import functools
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from stealbench.statistics import (
    CONFIDENCE,
    Estimate,
    Floats,
    Indices,
    bootstrap,
    median,
    middle_of,
)

# As the machine of a benchmark: none, for it is measured; each profile; or the first one where
# nothing but work takes time.
REAL = ""
EVERY = "*"
FREE = "no-costs"

WORK_STEALING = "work-stealing"

MODEL_ERROR = 2
"""A simulated time may be wrong by so much where workers wait for each other, either way.

No verdict may depend on less (schedulers/virtual_machine/validation.md).
"""


class Program(NamedTuple):
    """A workload instance by the parameters that differ from their defaults, in their order."""

    workload: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.workload, *(f"{key}={value}" for key, value in self.parameters)])


def program(text: str) -> Program:
    """`fib n=30`."""
    workload, *parameters = text.split()
    pairs = (parameter.split("=", 1) for parameter in parameters)
    return Program(workload, tuple((key, value) for key, value in pairs))


class Benchmark(NamedTuple):
    """What is to be measured or simulated."""

    program: Program
    scheduler: str
    workers: int
    machine: str = EVERY

    @property
    def name(self) -> str:
        """That of a raw file."""
        parts = [self.program.workload, self.scheduler]
        parts += [f"{key}:{value}" for key, value in self.program.parameters]
        parts.append(f"workers:{self.workers}")
        return "/".join(parts + [f"machine:{self.machine}"] * bool(self.machine))


Benchmarks = list[Benchmark]


def grid(
    programs: Sequence[Program],
    schedulers: Sequence[str],
    workers: Sequence[int],
    machine: str = EVERY,
) -> Benchmarks:
    """Each program on each scheduler with each worker count."""
    return [
        Benchmark(what, scheduler, count, machine)
        for what in programs
        for scheduler in schedulers
        for count in workers
    ]


class Verdict(enum.Enum):
    """A theorem, which speaks of a machine where only work takes time, may hold in its model."""

    HOLDS = "holds"
    HOLDS_IN_MODEL = "holds in its model, not at the costs of a real machine"
    DOES_NOT_HOLD = "does not hold"
    UNDECIDED = "undecided"


@dataclass
class Finding:
    """The deciding figure, None if values are missing, the verdict and the reason.

    `beyond_theorem` is of what a claim says beyond its theorem: this costs can refute.
    """

    figure: Estimate | None
    verdict: Verdict
    because: str
    beyond_theorem: Verdict = Verdict.HOLDS
    figure_in_model: Estimate | None = None


class Reader:
    """The values of a claim on one machine in resampled rounds: an array, one for each resample."""

    def __init__(self, known: Evidence, machine: str, drawn: Indices) -> None:
        self._known, self._machine, self._drawn = known, machine, drawn
        self._medians: dict[tuple[str, str], Floats] = {}

    def __call__(
        self, what: Program, scheduler: str, workers: int, column: str = "seconds"
    ) -> Floats:
        """The median of a value of processes."""
        name = Benchmark(what, scheduler, workers, self._machine).name
        if (name, column) not in self._medians:
            values = self._known.rounds[name][column]
            self._medians[name, column] = middle_of(numpy.sort(values[self._drawn], axis=1))
        return self._medians[name, column]

    def counter(self, what: Program, scheduler: str, workers: int, name: str) -> float:
        """Of the first round, which alone has them."""
        cell = Benchmark(what, scheduler, workers, self._machine).name
        return float(self._known.counters[cell][name])

    def recorded(self, what: Program, key: str) -> Floats:
        """The median of what was recorded: `work_units`, `span_units`, `parallelism`, `depth`."""
        for record in self._known.records:
            if Program(record["workload"], tuple(record["parameters"].items())) == what:
                runs = numpy.array([run[key] for run in record["runs"]], dtype=float)
                return middle_of(numpy.sort(runs[self._drawn % len(runs)], axis=1))
        raise KeyError(f"{what} was not recorded")

    def span_share(self, what: Program) -> Floats:
        """The span as a part of the work."""
        span, work = (self.recorded(what, key) for key in ("span_units", "work_units"))
        return numpy.asarray(span / work)


Values = list[Estimate]
"""One figure, on each machine of a claim."""


@dataclass
class Evidence:
    """What is known of the benchmarks of one claim. `processors`: that processes could use."""

    benchmarks: Benchmarks
    rounds: Mapping[str, Mapping[str, Floats]]
    """By benchmark and column of the frame, a value for each round."""
    counters: Mapping[str, Any]
    records: Sequence[Mapping[str, Any]]
    processors: int

    def of(self, figure: Callable[[Reader], Any], confidence: float = CONFIDENCE) -> Values:
        """With intervals by the bootstrap over whole rounds. `figure`: a number for each resample."""
        size = min(len(self.rounds[wanted.name]["seconds"]) for wanted in self.benchmarks)
        values = []
        for machine in dict.fromkeys(wanted.machine for wanted in self.benchmarks):

            def of_rows(drawn: Indices, on: str = machine) -> Floats:
                result = numpy.asarray(figure(Reader(self, on, drawn)), dtype=float)
                return numpy.broadcast_to(result, (1, len(drawn)))

            middle = of_rows(numpy.arange(size)[None])[:, 0]
            estimates = bootstrap(size, middle, of_rows, confidence=confidence)
            values.append(Estimate(*estimates[0].tolist()))
        return values


Rule = Callable[[Evidence], Finding]


@functools.cache
def texts() -> dict[str, dict[str, Any]]:
    """By number: `claim`, `source` and what the deciding `figure` is, or `figure_in_model`."""
    with open(Path(__file__).with_name("claims.toml"), "rb") as file:
        return tomllib.load(file)


@dataclass
class Theorem:
    """How a claim is judged where only work takes time."""

    benchmarks: Benchmarks  # On FREE.
    rule: Rule


@dataclass
class Claim:
    """`recorded`: programs of which work and span are."""

    number: int
    benchmarks: Benchmarks
    rule: Rule
    recorded: list[Program] = field(default_factory=list)
    in_model: Theorem | None = None

    def text(self, name: str = "claim") -> str:
        """What `texts` has of it; empty if it has nothing."""
        return str(texts()[str(self.number)].get(name, ""))

    @property
    def is_simulated(self) -> bool:
        """But for what a theorem needs in its model."""
        return self.benchmarks[0].machine != REAL

    def all_benchmarks(self, profiles: Sequence[str]) -> Benchmarks:
        """All that it needs."""
        more = self.in_model.benchmarks if self.in_model else []
        return on_profiles(self.benchmarks, profiles) + more


def on_profiles(benchmarks: Benchmarks, profiles: Sequence[str]) -> Benchmarks:
    """With each profile for EVERY."""
    return [
        wanted._replace(machine=machine)
        for wanted in benchmarks
        for machine in (profiles if wanted.machine == EVERY else [wanted.machine])
    ]


def also_in_model(claim: Claim) -> Claim:
    """The claim is a theorem: its rule judges the same benchmarks in the model too."""
    return replace(claim, in_model=Theorem(on_profiles(claim.benchmarks, [FREE]), claim.rule))


def decide(
    values: Values, least: float = -math.inf, most: float = math.inf, error: float = 1
) -> Verdict:
    """Holds if the intervals of all machines are inside, with their ends moved apart by `error`.

    Does not hold if all are outside on one side.
    """
    ends = [(value.low / error, value.high * error) for value in values]
    if all(least <= low and high <= most for low, high in ends):
        return Verdict.HOLDS
    if all(high < least for _, high in ends) or all(low > most for low, _ in ends):
        return Verdict.DOES_NOT_HOLD
    return Verdict.UNDECIDED


def both(one: Verdict, other: Verdict) -> Verdict:
    """Holds if both do, does not hold if one of them does not."""
    return other if one is Verdict.HOLDS or other is Verdict.DOES_NOT_HOLD else one


def of_theorem(in_model: Verdict, at_costs: Verdict) -> Verdict:
    """A theorem does not hold if it fails in its model. What fails at costs alone refutes nothing.

    It holds in the model, or is undecided where the model has not shown it.
    """
    if in_model is Verdict.DOES_NOT_HOLD or at_costs is not Verdict.DOES_NOT_HOLD:
        return in_model if in_model is Verdict.DOES_NOT_HOLD else at_costs
    return Verdict.HOLDS_IN_MODEL if in_model is Verdict.HOLDS else Verdict.UNDECIDED


def hull(values: Values) -> Estimate:
    """The median of the medians, and an interval around all intervals."""
    middles, lows, highs = zip(*values)
    return Estimate(median(middles), min(lows), max(highs))


def with_interval(value: Estimate) -> str:
    """`0.15 [0.04, 0.26]`, of what is no ratio."""
    return f"{value.median:.2f} [{value.low:.2f}, {value.high:.2f}]"


class Line(NamedTuple):
    """y = at_zero + slope · x, by least squares of the relative errors, for each resample.

    `misfit`: the greatest factor between a y and the line.
    """

    at_zero: Floats
    slope: Floats
    misfit: Floats


def line_through(x: Sequence[Floats], y: Sequence[Floats]) -> Line:
    """Through points, a row for each."""
    xs, ys = numpy.array(x), numpy.array(y)
    weight = ys**-2.0
    w, wx, wy = (part.sum(axis=0) for part in (weight, weight * xs, weight * ys))
    wxx, wxy = (weight * xs * xs).sum(axis=0), (weight * xs * ys).sum(axis=0)
    slope = (w * wxy - wx * wy) / (w * wxx - wx * wx)
    at_zero = (wy - slope * wx) / w
    factor = ys / (at_zero + slope * xs)
    misfit = numpy.maximum(factor, 1 / factor).max(axis=0, initial=1)
    # A line below 0 fits nothing.
    return Line(at_zero, slope, numpy.where((factor > 0).all(axis=0), misfit, 1e6))
