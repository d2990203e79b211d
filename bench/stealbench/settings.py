"""The settings of a scheduler, and the canonical names of its variants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stealbench.errors import BadInput


@dataclass(frozen=True)
class Setting:
    """One thing that can be set on a scheduler; the first value is the default. `requirements` are
    objects with the members `value`, `other`, `values` and `reason`."""

    name: str
    meaning: str
    values: tuple[dict[str, Any], ...]  # With the members `word` and `about`.
    requirements: tuple[dict[str, Any], ...] = ()

    @property
    def words(self) -> list[str]:
        return [each["word"] for each in self.values]

    @property
    def standard(self) -> str:
        return self.words[0]


def text_of(settings: Iterable[Setting]) -> str:
    """`deque=split|chase-lev, victim=last|random`."""
    return ", ".join(f"{each.name}={'|'.join(each.words)}" for each in settings)


def required_by(owner: Setting, value: str, settings: Sequence[Setting]) -> list[str]:
    """`deque=chase-lev`: what a value requires of the other settings, where their defaults are not
    enough."""
    standard = {each.name: each.standard for each in settings}
    return [
        f"{need['other']}={need['values'][0]}"
        for need in owner.requirements
        if need["value"] == value and standard[need["other"]] not in need["values"]
    ]


def canonical_name(scheduler: str, settings: Sequence[Setting], typed: str) -> str:
    """The name of a variant, `work-stealing:deque=locked`: the settings that differ from the
    defaults, in their order. `typed`: KEY=VALUE, joined by colons, in any order."""
    chosen: dict[str, str] = {}
    for text in typed.split(":"):
        if not text:
            raise BadInput(f"a setting is empty; valid: {text_of(settings)}")
        key, sign, value = text.partition("=")
        if not sign:
            raise BadInput(f"setting '{text}': expected KEY=VALUE; valid: {text_of(settings)}")
        setting = next((each for each in settings if each.name == key), None)
        if setting is None:
            raise BadInput(f"unknown setting '{key}'; valid: {text_of(settings)}")
        if value not in setting.words:
            raise BadInput(f"{text}: unknown value; valid: {', '.join(setting.words)}")
        if key in chosen:
            raise BadInput(f"{key} is set twice; valid: one of {text_of([setting])}")
        chosen[key] = value
    for setting in settings:
        value = chosen.setdefault(setting.name, setting.standard)
    for setting in settings:
        for need in setting.requirements:
            other, given = need["other"], chosen.get(need["other"], "")
            if need["value"] == chosen[setting.name] and given not in need["values"]:
                raise BadInput(
                    f"{setting.name}={need['value']} does not go with {other}={given}, because "
                    f"{need['reason']}; valid: {other}={'|'.join(need['values'])}"
                )
    differing = [f"{s.name}={chosen[s.name]}" for s in settings if chosen[s.name] != s.standard]
    return ":".join([scheduler, *differing])
