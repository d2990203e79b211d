"""Which members a line of a raw file must have, and of which kind: `shapes.json`.

`results/schema.json` describes every line; this is what is read of it. A key that ends
with `?` may be missing or null, one that ends with `~` may be null, and `*` is every key.
The package jsonschema would have to be loaded to measure.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stealbench.errors import BadInput

MOST_WORKERS = 65_536
MOST_EVENTS = 1e18
"""The greatest number of a line."""
TYPES = ("experiment", "context", "process", "counters", "resumed", "finished")
KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "dict": ("an object", lambda value: isinstance(value, dict)),
    "list": ("a list", lambda value: isinstance(value, list)),
    "text": ("a text", lambda value: isinstance(value, str)),
    "boolean": ("a boolean", lambda value: isinstance(value, bool)),
    "whole": (
        f"a whole number from 0 to {MOST_WORKERS}",
        lambda value: type(value) is int and 0 <= value <= MOST_WORKERS,
    ),
    "number": (
        f"a number from 0 to {MOST_EVENTS:g}",
        lambda value: type(value) in (int, float) and 0 <= value <= MOST_EVENTS,
    ),
}


@functools.cache
def shapes() -> dict[str, Any]:
    """By type of line, and `experiment NAME` for what an experiment adds to its first line."""
    file = Path(__file__).with_name("shapes.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def shown(value: object) -> str:
    """A value in a message: quoted if it is a text, in ASCII, cut if it is long."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:80] + "…"


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(digits)
    return value


# What was timed is most of a file, and its numbers have bounds that infinity is beyond.
DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
OF_TIMED = json.JSONDecoder(parse_constant=_finite)


def parse(text: bytes | str) -> Any:
    """JSON as RFC 8259 has it, without NaN; None if it is not that."""
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        return (OF_TIMED if '"benchmark"' in text else DECODER).decode(text)
    except (ValueError, RecursionError):
        return None


def is_number(value: object) -> bool:
    """Whether it is a number of JSON: not a boolean."""
    return type(value) in (int, float)


def _kind_of(shape: Any) -> tuple[str, Callable[[Any], bool]]:
    return KINDS[shape if isinstance(shape, str) else type(shape).__name__]


def expect(value: Any, shape: Any, where: str = "") -> None:
    """Raises BadInput, which names the key below `where`, unless the value has the shape."""
    shape = shapes()["profile"] if shape == "profile" else shape
    in_words, fits = _kind_of(shape)
    if not fits(value):
        subject = f"'{where}'" if where else "the line"
        raise BadInput(f"{subject} is {shown(value)}, not {in_words}")
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
            is_simple = isinstance(member, str) and member in KINDS  # Most are: it saves a call.
            if is_simple and KINDS[member][1](value[name]):
                continue
            if value[name] is not None or name == key:
                expect(value[name], member, before + name)
        elif not key.endswith("?"):
            in_words = _kind_of(shapes()["profile"] if member == "profile" else member)[0]
            raise BadInput(f"the key '{before}{name}' is missing; it must be {in_words}")


def expect_line(line: Any) -> str:
    """The type of a line. Raises BadInput unless it has all that is read of such a line."""
    expect(line, {"type": "text"})
    kind: str = line["type"]
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
