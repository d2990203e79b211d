"""Which members a line of a raw file must have, and of which kind: `shapes.json`.

`results/schema.json` describes every line; this is what is read of it. A key that ends
with `?` may be missing or null, one that ends with `~` may be null, and `*` is every key.
The package jsonschema would have to be loaded to measure.
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

from stealbench.errors import BadInput

TYPES = ("experiment", "context", "process", "counters", "resumed", "finished")
MOST_WORKERS, MOST_EVENTS, MOST_SECONDS = 65_536, 1e18, 1e9
NUMBER, WHOLE = ("a number", (int, float)), ("a whole number", (int,))
KINDS: dict[str, tuple[str, tuple[type, ...], tuple[float, float] | None]] = {
    "dict": ("an object", (dict,), None),
    "list": ("a list", (list,), None),
    "text": ("a text", (str,), None),
    "boolean": ("a boolean", (bool,), None),
    "whole": (*WHOLE, (0, MOST_WORKERS)),
    "workers": (*WHOLE, (1, MOST_WORKERS)),
    "ran workers": (*NUMBER, (1, MOST_WORKERS)),
    "number": (*NUMBER, (0, MOST_EVENTS)),
    "runs": (*NUMBER, (1, MOST_EVENTS)),
    "seconds": (*NUMBER, (0, MOST_SECONDS)),
    "time": (*NUMBER, (1e-15, MOST_SECONDS)),
    "share": (*NUMBER, (0, 1.000001)),  # A quotient of rounded sums.
}
"""In words, as types, and from which number to which."""


@functools.cache
def shapes() -> dict[str, Any]:
    """By type of line, and `experiment NAME` for what an experiment adds to its first line."""
    file = Path(__file__).with_name("shapes.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    loaded["experiment simulate"]["about"]["profile"] = loaded["profile"]
    return loaded


def shown(value: object) -> str:
    """A value in a message: quoted if it is a text, in ASCII, cut if it is long."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:80] + "…"


def _refused(constant: str) -> None:
    raise ValueError(constant)


DECODER = json.JSONDecoder(parse_constant=_refused)


def parse(text: bytes | str) -> Any:
    """JSON as RFC 8259 has it, without NaN; None if it is not that."""
    try:
        return DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def is_number(value: object) -> bool:
    """Whether it is a finite number of JSON: not a boolean."""
    return type(value) in (int, float) and -math.inf < value < math.inf  # type: ignore[operator]


def fits(value: Any, kind: str) -> bool:
    """Whether it is of one of `KINDS`."""
    _, types, bounds = KINDS[kind]
    return type(value) in types and (bounds is None or bounds[0] <= value <= bounds[1])


def in_words(kind: str) -> str:
    """`a number from 0 to 1e+09`"""
    words, _, bounds = KINDS[kind]
    return words + (f" from {bounds[0]:g} to {bounds[1]:g}" if bounds else "")


def _kind_of(shape: Any) -> str:
    return shape if isinstance(shape, str) else type(shape).__name__


def expect(value: Any, shape: Any, where: str = "") -> None:
    """Raises BadInput, which names the key below `where`, unless the value has the shape."""
    if not fits(value, _kind_of(shape)):
        subject = f"'{where}'" if where else "the line"
        raise BadInput(f"{subject} is {shown(value)}, not {in_words(_kind_of(shape))}")
    before = where and where + "."
    if isinstance(shape, list):
        for index, element in enumerate(value):
            expect(element, shape[0], f"{where}[{index}]")
    for key, member in shape.items() if isinstance(shape, dict) else ():
        name = key.rstrip("?~")
        if key == "*":
            for name, element in value.items():
                expect(element, member, before + shown(name))
        elif name in value:
            if isinstance(member, str) and fits(value[name], member):
                continue  # Most are: it saves a call.
            if value[name] is not None or name == key:
                expect(value[name], member, before + name)
        elif not key.endswith("?"):
            words = in_words(_kind_of(member))
            raise BadInput(f"the key '{before}{name}' is missing; it must be {words}")


@functools.cache
def _bounds_of(shape: str) -> list[tuple[str, float, float, bool]]:
    """Of each key, which may be missing or not."""
    rows = []
    for key, kind in shapes()[shape].items():
        least, most = KINDS[kind][2] or (0, 0)
        rows.append((key.rstrip("?"), least, most, key.endswith("?")))
    return rows


def numbers_of(entry: dict[str, Any], shape: str) -> dict[str, float]:
    """The members that a shape of numbers alone has. Raises BadInput as `expect` does, which is too
    slow for each process of a long run."""
    bounds = _bounds_of(shape)
    number: Any
    numbers = {
        key: float(number)
        for key, least, most, _ in bounds
        if type(number := entry.get(key)) in (int, float) and least <= number <= most
    }
    if len(numbers) < len(bounds):
        for key, _, _, may_lack in bounds:
            if key not in numbers and (key in entry or not may_lack):
                expect(entry, shapes()[shape])
    return numbers


def expect_line(line: Any) -> str:
    """The type of a line. Raises BadInput unless it has all that is read of such a line."""
    expect(line, {})
    kind: str = line.get("type")
    if kind not in TYPES:
        raise BadInput(f"unknown type {shown(kind)}; valid: {', '.join(TYPES)}")
    expect(line, shapes().get(kind, {}))
    if kind == "experiment":
        expect(line, shapes().get(f"experiment {line['experiment']}", {}))
        if any(cell.get("build") for cell in line["cells"]):
            expect(line, shapes()["two builds"])
        if "profile" in (line.get("about") or {}):
            expect(line, shapes()["experiment simulate"])
    return kind
