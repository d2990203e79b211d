"""The workloads and what can be set on them, as an executable of the suite prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stealbench.cells import why_ended
from stealbench.errors import BadInput
from stealbench.process import Request, Runner
from stealbench.shape import parse

CATALOGUE_OPTION = "--catalogue"
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
    choices: tuple[str, ...] = ()
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
    """The parameter that makes a workload's pieces coarser or finer, and which of its values are
    worth a look. `counts` is size, levels_of_a_piece or levels_of_forks."""

    parameter: str
    counts: str = "size"
    least: int = 1
    most: int = 2**64 - 1
    bounded_by: str = ""  # A parameter whose value ends the range too.


@dataclass(frozen=True)
class Workload:
    """A workload of the suite. `about` has shape, tasks, work, span, bound_by, answer, source and
    unit, the last one None where it cannot be simulated; `sizes` lists assignments for each instance
    by the name of the size."""

    name: str
    family: str
    summary: str
    about: dict[str, str | None]
    parameters: tuple[Parameter, ...]
    grain: Grain | None
    sizes: dict[str, list[list[Assignment]]]

    def parameter(self, key: str) -> Parameter | None:
        return next((each for each in self.parameters if each.name == key), None)

    @property
    def why_not_simulated(self) -> str:
        """Why it cannot be simulated, for a message; empty if it can."""
        if self.about.get("unit"):
            return ""
        bound = self.about.get("bound_by") or ""
        if not bound.startswith("memory"):
            return "cannot be simulated, because its description names no unit of work"
        return (
            f"cannot be simulated, because only computation is modelled and it is bound by {bound}"
        )


def read_workloads(executable: Path) -> list[Workload]:
    """Those that an executable of the suite prints. Raises RuntimeError if it prints no catalogue,
    CannotStart and Interrupted."""
    with Runner() as runner:
        result = runner.run(Request(executable, [CATALOGUE_OPTION], _LONGEST_S))
    failure = why_ended(result, _LONGEST_S)
    try:
        if not failure:
            return [_workload_of(each) for each in parse(result.output)["workloads"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        failure = "unreadable output"
    raise RuntimeError(f"{executable} {CATALOGUE_OPTION}: {failure}")


def _workload_of(said: dict[str, Any]) -> Workload:
    parameters = tuple(
        Parameter(**{k: tuple(v) if k == "choices" else v for k, v in each.items()})
        for each in said["parameters"]
    )
    sizes = {name: [list(i.items()) for i in said["sizes"][name]] for name in SIZES}
    about = "shape tasks work span bound_by answer source unit".split()
    return Workload(
        said["name"],
        said["family"],
        said["summary"],
        {key: said[key] for key in about},
        parameters,
        None if said["grain"] is None else Grain(**said["grain"]),
        sizes,
    )


def find_workload(workloads: Sequence[Workload], name: str) -> Workload:
    """Raises BadInput that names the known ones."""
    for each in workloads:
        if each.name == name:
            return each
    raise _refusal(f"unknown workload '{name}'", (each.name for each in workloads))


def _refusal(complaint: str, valid: Iterable[str]) -> BadInput:
    return BadInput(f"{complaint}; valid: {', '.join(valid)}")


def parse_integer(text: str) -> int | None:
    """The whole number of a text, `8388608` or `2^23`, below 2^64; None if it is none."""
    power = text.removeprefix("2^")
    if not re.fullmatch(r"\d{1,40}", power, re.ASCII):
        return None
    if power != text:
        return 2 ** int(power) if int(power) < 64 else None
    return int(text) if int(text) < 2**64 else None


def text_of(value: Value) -> str:
    """A value as a user would type it."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)


def parse_assignment(text: str, option: str = "--set") -> Assignment:
    """Splits KEY=VALUE. Raises BadInput."""
    key, sign, value = text.partition("=")
    if not sign or not key:
        shown = text or "''"
        raise BadInput(f"{option} {shown}: expected KEY=VALUE")
    return key, value


def values_of(
    workload: Workload, assignments: Iterable[Assignment], option: str = "--set"
) -> tuple[dict[str, Value], list[str]]:
    """A value for every parameter, in order, with what a word means filled in; and the keys that
    were set, in the order of the assignments. Raises BadInput for an unknown key, a value that is
    not valid, and an assignment beside a word that means the same key."""
    values = {each.name: each.default for each in workload.parameters}
    is_set: list[str] = []

    def assign(key: str, text: str) -> None:
        parameter = workload.parameter(key)
        if parameter is None:
            complaint = f"{option} {key}={text}: {workload.name} has no parameter '{key}'"
            raise _refusal(complaint, values)
        value = parameter.read(text)
        if value is None:
            raise BadInput(f"{option} {key}={text}: expected {parameter.valid}")
        values[key] = value

    for key, text in assignments:
        assign(key, text)
        if key not in is_set:
            is_set.append(key)
    # After the loop, so that of several words for one key only the last one counts.
    for key in is_set:
        word = text_of(values[key])
        for other, meant in _meaning_of(workload, key, word).items():
            if other in is_set:
                raise BadInput(
                    f"{option} {key}={word}: it means {other}={meant}, so {option} {other} cannot "
                    "be used with it"
                )
            assign(other, meant)
    return values, is_set


def _meaning_of(workload: Workload, key: str, word: str) -> dict[str, str]:
    parameter = workload.parameter(key)
    return {} if parameter is None else parameter.means.get(word, {})


def instances_of(
    workload: Workload, size: str, by_user: Sequence[Assignment]
) -> list[tuple[Assignment, ...]]:
    """What a size runs with the user's assignments laid over it: the parameters that are set, of
    each instance, without repetitions. A word of the user's that means other keys drops the size's
    values of these keys, and a value of such a key drops the size's word. Raises as values_of."""
    if size not in workload.sizes:
        raise _refusal(f"--size {size}: {workload.name} has no such size", workload.sizes)

    def is_overridden(own: Assignment) -> bool:
        return any(
            own[0] in _meaning_of(workload, *users) or users[0] in _meaning_of(workload, *own)
            for users in by_user
        )

    instances: dict[tuple[Value, ...], tuple[Assignment, ...]] = {}
    for assignments in workload.sizes[size]:
        merged = [each for each in assignments if not is_overridden(each)]
        values, is_set = values_of(workload, [*merged, *by_user])
        chosen = tuple((key, text_of(values[key])) for key in values if key in is_set)
        instances.setdefault(tuple(values.values()), chosen)
    return list(instances.values())


def range_of_grain(workload: Workload, values: dict[str, Value]) -> tuple[int, int]:
    """The least and the greatest grain for these values of the other parameters. Requires: the
    workload has a grain."""
    grain = workload.grain
    assert grain is not None
    parameter = workload.parameter(grain.parameter)
    assert parameter is not None
    most = min(grain.most, int(parameter.max))
    if grain.bounded_by:
        most = min(most, int(values[grain.bounded_by]))
    least = max(grain.least, int(parameter.min))
    # A small input may end below where a sweep usually begins.
    return min(least, max(most, int(parameter.min))), max(most, int(parameter.min))
