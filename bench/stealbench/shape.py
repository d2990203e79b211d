"""Which members a line of a raw file must have, and of which kind: `shapes.json`.

`results/dataset/schema.json` describes every line; this is what is read of it. A key that ends
with `?` may be missing or null, one that ends with `~` may be null, and `*` is every key.
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

from stealbench.errors import BadInput

MOST_WORKERS = 65_536
MOST_EVENTS = 1e18
"""The greatest number of a line."""

TYPES = ("experiment", "context", "process", "counters", "resumed", "finished")


@functools.cache
def shapes() -> dict[str, Any]:
    """By type of line, and `experiment NAME` for what an experiment adds to its first line."""
    file = Path(__file__).with_name("shapes.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def shown(value: object) -> str:
    """A value in a message: quoted if it is a text, in ASCII, cut if it is long."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:80] + "…"


def parse(text: bytes | str) -> Any:
    """JSON as RFC 8259 has it, without NaN; None if it is not that."""

    def number(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise ValueError(digits)
        return value

    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        return json.loads(decoded, parse_float=number, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def is_number(value: object) -> bool:
    """Whether it is a number of JSON: not a boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _fits(value: object, shape: object) -> bool:
    if isinstance(shape, (dict, list)):
        return isinstance(value, type(shape))
    if shape == "text":
        return isinstance(value, str)
    if shape == "boolean":
        return isinstance(value, bool)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    if shape == "whole":
        return isinstance(value, int) and 0 <= value <= MOST_WORKERS
    return 0 <= value <= MOST_EVENTS


def _in_words(shape: object) -> str:
    if isinstance(shape, (dict, list)):
        return "an object" if isinstance(shape, dict) else "a list"
    if shape == "whole":
        return f"a whole number from 0 to {MOST_WORKERS}"
    return f"a number from 0 to {MOST_EVENTS:g}" if shape == "number" else f"a {shape}"


def expect(value: Any, shape: Any, where: str = "") -> None:
    """Raises BadInput, which names the key below `where`, unless the value has the shape."""
    if shape == "profile":
        shape = shapes()["profile"]
    if not _fits(value, shape):
        subject = f"'{where}'" if where else "the line"
        raise BadInput(f"{subject} is {shown(value)}, not {_in_words(shape)}")
    if isinstance(shape, list):
        for index, element in enumerate(value):
            expect(element, shape[0], f"{where}[{index}]")
    elif isinstance(shape, dict):
        _expect_members(value, shape, where + "." if where else "")


def _expect_members(value: dict[str, Any], shape: dict[str, Any], before: str) -> None:
    for key, member in shape.items():
        if key == "*":
            for name, element in value.items():
                expect(element, member, before + shown(name))
            continue
        name = key.rstrip("?~")
        if name in value:
            if value[name] is not None or name == key:
                expect(value[name], member, before + name)
        elif not key.endswith("?"):
            raise BadInput(f"the key '{before}{name}' is missing; it must be {_in_words(member)}")


def expect_line(line: Any) -> str:
    """The type of a line. Raises BadInput unless it has all that is read of such a line."""
    expect(line, {"type": "text"})
    kind: str = line["type"]
    if kind not in TYPES:
        raise BadInput(f"unknown type {shown(kind)}; valid: {', '.join(TYPES)}")
    expect(line, shapes().get(kind, {}))
    if kind == "experiment":
        expect(line, shapes().get(f"experiment {line['experiment']}", {}))
        if "profile" in (line.get("about") or {}):
            expect(line, shapes()["experiment simulate"])
    return kind
