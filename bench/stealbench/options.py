"""Values of options, with what is valid; and the options that a raw file records."""

from __future__ import annotations

import argparse
import copy
import json
import re
import textwrap
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from stealbench.errors import BadInput

Kind = Callable[[str], Any]


def number(least: int, most: int) -> Kind:
    """A whole number from `least` to `most`."""

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,20}", text, re.ASCII) and least <= int(text) <= most:
            return int(text)
        raise ArgumentTypeError(f"{text or repr('')}: must be between {least} and {most}")

    return read


def percentage(text: str) -> float:
    """A number above 0, at most 100."""
    if re.fullmatch(r"\d{1,3}(\.\d*)?|\.\d+", text, re.ASCII) and 0 < float(text) <= 100:
        return float(text)
    raise ArgumentTypeError(f"'{text}' is no percentage; valid: above 0, at most 100")


def duration(text: str) -> str:
    """A time as the user wrote it, such as 90ns; `nanoseconds` reads it."""
    if 0 <= nanoseconds(text) <= 1e9:
        return text
    valid = "must be a time from 0 to 1000ms with one of the units ns, us, µs, ms, such as 90ns"
    raise ArgumentTypeError(f"{text or repr('')}: {valid}")


def nanoseconds(text: str) -> float:
    """Of `90ns`; negative if it is no time."""
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)(ns|us|µs|ms)", text, re.ASCII)
    return float(match[1]) * {"n": 1, "u": 1e3, "µ": 1e3, "m": 1e6}[match[2][0]] if match else -1


def parse_assignment(text: str, option: str = "--set") -> tuple[str, str]:
    """Splits KEY=VALUE. Raises BadInput."""
    key, sign, value = text.partition("=")
    if not sign or not key:
        raise BadInput(f"{option} {text or repr('')}: expected KEY=VALUE")
    return key, value


def place(text: str) -> Path:
    """Of a file or a folder."""
    if not text:
        raise ArgumentTypeError("'': it has no name; valid: a file or a folder")
    return Path(text)


def items(kind: Kind = str) -> Kind:
    """Values that commas separate."""

    def read(text: str) -> list[Any]:
        if "" in (parts := text.split(",")):
            raise ArgumentTypeError(f"'{text}': an item of the list is empty")
        return [kind(part) for part in parts]

    return read


def assignments(option: str) -> Kind:
    """KEY=VALUE, of which commas separate several."""
    return items(lambda text: "=".join(parse_assignment(text, option)))


def counts(most: int) -> Kind:
    """Worker counts and ranges of them, `1-4,8`, without repetitions."""
    kind = number(1, most)

    def read(text: str) -> list[int]:
        all_counts: dict[int, None] = {}
        for part in items()(text):
            first, dash, last = part.partition("-")
            if not first or dash and not last:
                raise ArgumentTypeError(f"{part}: must be a number, or a range such as 1-4")
            if kind(first) > kind(last or first):
                raise ArgumentTypeError(f"{part}: must begin with the smaller number")
            all_counts |= dict.fromkeys(range(int(first), int(last or first) + 1))
        return list(all_counts)

    return read


def end_of_help(notes: str, status: str, command: str, examples: tuple[str, str]) -> str:
    """What follows the options: notes, the exit status, and two examples."""
    paragraphs = [*notes.split("\n\n"), f"Exit status: {status}, 2 for bad input."]
    text = "\n\n".join(textwrap.fill(" ".join(part.split()), 80) for part in paragraphs if part)
    lines = [f"  stealbench {command} {example}".rstrip() for example in examples]
    return "\n".join([text, "", "Examples:", *lines])


class Settings:
    """The options of an experiment that decide what is measured: the raw file records them, and
    --resume takes what the user has not typed from there. `parser` is for options that are none."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser
        self._defaults: dict[str, Any] = {}  # By the names of the options without dashes.

    def add(self, *names: str, default: Any, help: str, shown: str = "", **more: Any) -> None:
        """Declares a setting. `shown`: the default in the help, if not the value. The values of a
        list, whose default is one, add up where the option is repeated."""
        key, more["default"] = names[0].lstrip("-"), argparse.SUPPRESS
        self._defaults[key] = default
        if isinstance(default, list):
            more["action"] = "extend"
            shown = shown or ",".join(map(str, default))
        elif default is False:
            more["action"] = "store_true"
        elif default:
            shown = shown or (f"{default:g}" if isinstance(default, float) else str(default))
        if key == names[0]:
            # As an option, too, since other commands have it as one.
            also: dict[str, Any] = {"dest": key, "help": argparse.SUPPRESS}
            self.parser.add_argument("--workloads", "--workload", **also, **more)
            more |= {"nargs": "?", "metavar": key}
            if kind := more.get("type"):  # argparse reads the absence of a default, too.
                more["type"] = lambda text: text if text == argparse.SUPPRESS else kind(text)
        help += f" (default: {shown})" if shown else ""
        self.parser.add_argument(*names, help=help.replace("%", "%%"), **more)

    def values(self, typed: Namespace, recorded: Mapping[str, Any] = {}) -> Namespace:
        """What was typed, then what a raw file has recorded, then the defaults."""
        chosen = copy.deepcopy(self._defaults) | dict(recorded)
        return Namespace(**{_attribute(key): chosen[key] for key in chosen} | vars(typed))

    def are_in(self, typed: Namespace) -> bool:
        """Whether any was typed."""
        return any(hasattr(typed, _attribute(key)) for key in self._defaults)

    def record(self, values: Namespace) -> dict[str, Any]:
        """What a raw file records."""
        record = {key: getattr(values, _attribute(key)) for key in self._defaults}
        copied: dict[str, Any] = json.loads(json.dumps(record))
        return copied


def _attribute(key: str) -> str:
    return key.replace("-", "_")
