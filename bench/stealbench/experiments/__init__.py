"""The experiments: one file each, what is measured, and what of it is shown."""

from __future__ import annotations

import importlib
from types import ModuleType

from stealbench.errors import BadInput

NAMES = ("compare", "grain", "metg", "micro", "simulate", "explain", "claims")
"""In the order in which they are listed."""


def experiment(name: str) -> ModuleType:
    """The module of an experiment, imported when it is asked for. Raises BadInput for another."""
    if name not in NAMES:
        raise BadInput(f"there is no experiment '{name}'; valid: {', '.join(NAMES)}")
    return importlib.import_module(f"{__name__}.{name}")
