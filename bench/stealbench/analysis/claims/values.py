"""What rules compute with, and how it becomes a verdict and a reason: the same for every claim.

The last axes of values are the machine and the resample: at 0 the median over the rounds, then
those over resampled rounds. So what is computed of them has an interval too.
"""

from __future__ import annotations

import enum
import math
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy
from numpy.typing import ArrayLike

from stealbench.cell import Cell
from stealbench.report.format import count, percent, ratio_with_interval, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.statistics import CONFIDENCE, Estimate, Floats, bootstrap, median, middle_of
from stealbench.statistics import resamples

Claim = dict[str, Any]  # An entry of `claims.toml`.
Found = dict[str, Any]  # What a rule returns: values, by the names that such an entry has.
# Of a cell and a metric, or of a program and a key of its record: by round, or one for all.
Values = Callable[[str, str], Floats]

# A simulated time may be wrong by so much where workers wait for each other, either way. No verdict
# may depend on less (schedulers/virtual_machine/validation.md).
MODEL_ERROR = 2


def parameters_of(program: str) -> dict[str, str]:
    """Of `fib n=30`."""
    return {key: value for key, _, value in (pair.partition("=") for pair in program.split()[1:])}


def cell_of(program: str, scheduler: str, workers: int, machine: str) -> Cell:
    """`machine` as a raw file has it: empty if it is measured."""
    parameters = tuple(parameters_of(program).items())
    return Cell(program.split()[0], parameters, scheduler, workers, "", "", machine)


@dataclass(frozen=True)
class Rounds:
    """What was measured or simulated of one claim. `size`: the rounds that all its cells have."""

    values: Values
    machines: Sequence[str]
    size: int
    processors: int

    def _medians(self, name: str, key: str) -> Floats:
        values = self.values(name, key)
        drawn = numpy.concatenate([numpy.arange(self.size)[None], resamples(self.size)[0]])
        return middle_of(numpy.sort(values[drawn % len(values)], axis=1))

    def __call__(self, grid: Claim, key: str = "seconds") -> Floats:
        """Medians of a metric by program, scheduler and worker count, machine and resample."""
        parts = grid["programs"], grid["schedulers"], grid["workers"]
        cells = [cell_of(*of, machine) for of in product(*parts) for machine in self.machines]
        rows = [self._medians(cell.name, key) for cell in cells]
        return numpy.reshape(rows, (*map(len, parts), len(self.machines), -1))

    def recorded(self, programs: Sequence[str], key: str) -> Floats:
        """`work_units`, `span_units`, `parallelism` or `depth`: the same on all machines."""
        return numpy.stack([self._medians(program, key)[None] for program in programs])

    def span_share(self, programs: Sequence[str]) -> Floats:
        """The span as a part of the work."""
        return self.recorded(programs, "span_units") / self.recorded(programs, "work_units")

    def estimates(self, values: Floats, confidence: float = CONFIDENCE) -> Floats:
        """Median, low and high: a row for each machine."""
        return bootstrap(self.size, values[:, 0], lambda _: values[:, 1:], confidence)


def hull(estimates: Floats) -> Estimate:
    """The median of the medians, and an interval around all intervals."""
    middles, lows, highs = estimates.T
    return Estimate(median(middles), float(lows.min()), float(highs.max()))


def exponent(x: ArrayLike, y: Floats) -> Floats:
    """b of y = a · x^b through two points."""
    across, up = (numpy.diff(numpy.log(values), axis=0)[0] for values in (x, y))
    return numpy.asarray(up / across)


def line_through(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """By least squares of the relative errors, through points on the third axis from behind.

    The slope, and the greatest factor between a y and the line; a line below 0 fits nothing.
    """
    weight = y**-2.0
    parts = (numpy.ones_like(x), x, y, x * x, x * y)
    w, wx, wy, wxx, wxy = ((weight * part).sum(axis=-3, keepdims=True) for part in parts)
    slope = (w * wxy - wx * wy) / (w * wxx - wx * wx)
    factor = y / ((wy - slope * wx) / w + slope * x)
    misfits = numpy.where(factor > 0, numpy.maximum(factor, 1 / factor), 1e6)
    return slope.squeeze(axis=-3), misfits.max(axis=-3)


class Verdict(enum.Enum):
    """A theorem, which speaks of a machine where only work takes time, may hold in its model."""

    DOES_NOT_HOLD = "does not hold"
    HOLDS_IN_MODEL = "holds in its model, not at the costs of a real machine"
    UNDECIDED = "undecided"
    HOLDS = "holds"


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """Holds if all do, does not hold if one of them does not."""
    return min(verdicts, key=list(Verdict).index, default=Verdict.HOLDS)


def decide(
    estimates: Floats, least: float = -math.inf, most: float = math.inf, error: float = 1
) -> Verdict:
    """Holds if all intervals, widened by `error`, are inside; not if all are beyond one end."""
    low, high = estimates[:, 1] / error, estimates[:, 2] * error
    if (high < least).all() or (low > most).all():
        return Verdict.DOES_NOT_HOLD
    is_inside = (low >= least) & (high <= most)
    return Verdict.HOLDS if is_inside.all() else Verdict.UNDECIDED


def of_theorem(in_model: Verdict, at_costs: Verdict) -> Verdict:
    """It does not hold if it fails in its model. What fails at costs alone refutes nothing."""
    if in_model is Verdict.DOES_NOT_HOLD or at_costs is not Verdict.DOES_NOT_HOLD:
        return in_model if in_model is Verdict.DOES_NOT_HOLD else at_costs
    return Verdict.HOLDS_IN_MODEL if in_model is Verdict.HOLDS else Verdict.UNDECIDED


KINDS: dict[str, Callable[[Estimate], str]] = {
    "ratio": ratio_with_interval,
    "time": seconds_with_interval,
    "interval": lambda value: "{:.2f} [{:.2f}, {:.2f}]".format(*value),  # Of what is no ratio.
    "fit": lambda value: "{} [{}, {}]".format(
        *(f"{end:.3g}" if end < 100 else count(end) for end in value)
    ),
    "seconds": lambda value: seconds(value.median),
    "count": lambda value: count(value.median),
    "percent": lambda value: percent(value.median),
    "plain": lambda value: f"{value.median:.2f}",
}


@dataclass
class Sentence(string.Formatter):
    """`{value:kind}`, with the interval that follows from resampled rounds."""

    rounds: Rounds

    def format_field(self, value: Any, kind: str) -> str:
        """As `KINDS` has it; a text as it is."""
        return KINDS[kind](hull(self.rounds.estimates(value))) if kind else str(value)
