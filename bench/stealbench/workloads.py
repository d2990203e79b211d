"""The workloads and what can be set on them, as an executable of the suite prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stealbench.errors import BadInput
from stealbench.process import Request, Runner, why_ended
from stealbench.shape import parse

SIZES = ("test", "small", "standard", "large")
_LONGEST_S = 10.0
_REAL = r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"

Assignment = tuple[str, str]
Value = int | float | str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a workload: `type` is integer, real or choice. A word of a choice may mean
    values of other parameters, which cannot be set beside it then."""

    name: str
    meaning: str
    type: str
    default: Value
    min: float = 0
    max: float = 0
    choices: Sequence[str] = ()
    means: dict[str, dict[str, str]] = field(default_factory=dict)

    def read(self, text: str) -> Value | None:
        """The value of a text; None if it is not valid."""
        if self.type == "choice":
            return text if text in self.choices else None
        value: float | None = None
        if self.type == "integer":
            value = parse_integer(text)
        elif re.fullmatch(_REAL, text, re.ASCII):
            value = float(text) + 0.0  # -0 becomes 0, so that equal values are printed alike.
        return value if value is not None and self.min <= value <= self.max else None

    @property
    def valid(self) -> str:
        if self.type == "choice":
            return f"one of {', '.join(self.choices)}"
        kind = "an integer" if self.type == "integer" else "a number"
        return f"{kind} between {text_of(self.min)} and {text_of(self.max)}"


@dataclass(frozen=True)
class Grain:
    """The parameter that makes pieces coarser or finer, and which of its values are worth a look.
    `counts` is size, levels_of_a_piece or levels_of_forks; a parameter may bound the range too."""

    parameter: str
    counts: str = "size"
    least: int = 1
    most: int = 2**64 - 1
    bounded_by: str = ""


@dataclass(frozen=True)
class Workload:
    """As an executable prints it. `sizes`: the instances of a size, each as what it sets; `unit`: of
    work, None where it cannot be simulated."""

    name: str
    family: str
    summary: str
    shape: str
    tasks: str
    work: str
    span: str
    bound_by: str
    answer: str
    source: str
    unit: str | None
    parameters: Sequence[Parameter]
    grain: Grain | None
    sizes: dict[str, list[dict[str, str]]]

    def parameter(self, key: str) -> Parameter | None:
        return next((own for own in self.parameters if own.name == key), None)

    def meaning_of(self, key: str, word: str) -> dict[str, str]:
        """What a word for a parameter means for others."""
        parameter = self.parameter(key)
        return parameter.means.get(word, {}) if parameter else {}

    @property
    def why_not_simulated(self) -> str:
        """For a message; empty if it can be simulated."""
        reason = "its description names no unit of work"
        if self.bound_by.startswith("memory"):
            reason = f"only computation is modelled and it is bound by {self.bound_by}"
        return "" if self.unit else f"cannot be simulated, because {reason}"


@dataclass(frozen=True)
class Metric:
    """The cost of one operation that `stealbench micro` measures; `raw`: the same without a
    scheduler; `unit`: of the cost, seconds or bytes."""

    name: str
    meaning: str
    raw: str
    workers: int
    unit: str
    needs_other_workers: bool

    def why_not_applicable(self, scheduler: str) -> str:
        """Why a scheduler has no such cost; empty if it has."""
        alone = "its one worker is the calling thread" if self.needs_other_workers else ""
        reasons = {"mpi": "it has no forks, but tasks that it sends", "serial": alone}
        return reasons.get(scheduler, "")


def read_catalogue(executable: Path) -> tuple[dict[str, Workload], list[Metric]]:
    """What an executable of the suite prints, workloads by name. Raises RuntimeError if it prints no
    catalogue, CannotStart and Interrupted."""
    with Runner() as runner:
        result = runner.run(Request(executable, ["--catalogue"], _LONGEST_S))
    failure = why_ended(result, _LONGEST_S)
    try:
        if not failure:
            said: Any = parse(result.output)
            workloads = {row["name"]: workload_of(row) for row in said["workloads"]}
            return workloads, [Metric(**metric) for metric in said["metrics"]]
    except (KeyError, TypeError):
        failure = "unreadable output"
    raise RuntimeError(f"{executable} --catalogue: {failure}")


def workload_of(said: dict[str, Any]) -> Workload:
    """Of what is printed of it. Raises KeyError and TypeError."""
    parameters = [Parameter(**parameter) for parameter in said["parameters"]]
    grain = said["grain"] and Grain(**said["grain"])
    whole: dict[str, Any] = said | {"parameters": parameters, "grain": grain}
    return Workload(**whole)


def parse_integer(text: str) -> int | None:
    """The whole number of a text, `8388608` or `2^23`, below 2^64; None if it is none."""
    match = re.fullmatch(r"(2\^)?(\d{1,40})", text, re.ASCII)
    if match is None:
        return None
    value = 2 ** min(int(match[2]), 64) if match[1] else int(match[2])
    return value if value < 2**64 else None


def text_of(value: Value) -> str:
    """A value as a user would type it."""
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def values_of(
    workload: Workload, assignments: Iterable[Assignment], option: str = "--set"
) -> tuple[dict[str, Value], list[str]]:
    """A value for every parameter, in order, with what a word means filled in; and the keys that
    were set. Raises BadInput for an unknown key, a value that is not valid, and an assignment beside
    a word that means the same key."""
    values = {own.name: own.default for own in workload.parameters}
    typed = dict(assignments)  # Of several values for one key only the last one counts.
    meant = dict[str, str]()
    for key, word in typed.items():
        for other, text in workload.meaning_of(key, word).items():
            meant[other] = text
            if other in typed:
                why = f"it means {other}={text}, so {option} {other} cannot be used with it"
                raise BadInput(f"{option} {key}={word}: {why}")
    for key, text in (typed | meant).items():
        if (parameter := workload.parameter(key)) is None:
            why = f"{workload.name} has no parameter '{key}'"
            raise BadInput(f"{option} {key}={text}: {why}", values)
        if (value := parameter.read(text)) is None:
            raise BadInput(f"{option} {key}={text}: expected {parameter.valid}")
        values[key] = value
    return values, list(typed)


def instances_of(
    workload: Workload, size: str, by_user: Sequence[Assignment]
) -> list[tuple[Assignment, ...]]:
    """What a size runs with the user's assignments over it: the parameters that are set, of each
    instance once. A user's word that means other keys drops the size's values of these, and a value
    of such a key drops the size's word. Raises as values_of."""
    meaning = workload.meaning_of
    instances: dict[tuple[Value, ...], tuple[Assignment, ...]] = {}
    for assignments in workload.sizes[size]:
        merged = [
            own
            for own in assignments.items()
            if not any(own[0] in meaning(*user) or user[0] in meaning(*own) for user in by_user)
        ]
        values, is_set = values_of(workload, [*merged, *by_user])
        chosen = tuple((key, text_of(values[key])) for key in values if key in is_set)
        instances.setdefault(tuple(values.values()), chosen)
    return list(instances.values())


def range_of_grain(workload: Workload, values: dict[str, Value]) -> tuple[int, int]:
    """The least and the greatest grain for these values. Requires: the workload has a grain."""
    grain = workload.grain
    assert grain is not None and (own := workload.parameter(grain.parameter)) is not None
    bound = int(values[grain.bounded_by]) if grain.bounded_by else grain.most
    most = max(min(grain.most, bound, int(own.max)), int(own.min))
    # A small input may end below where a sweep usually begins.
    return min(max(grain.least, int(own.min)), most), most
