"""Values of options, with what is valid."""

from __future__ import annotations

import argparse
import math


def percentage(text: str) -> float:
    """A number above 0, at most 100."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no percentage; valid: above 0, at most 100")
    return value
