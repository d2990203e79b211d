"""Values as people read them, for what measures and for reports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from stealbench.report.format import bytes_, joined, on_one_line


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.00 KiB"),
        (102.4e9, "95.4 GiB"),
        (999.6 * 1024, "1000 KiB"),
        (1023.6 * 1024, "1.00 MiB"),
        (5e18, "4547474 TiB"),
        (None, "—"),
    ],
)
def test_bytes_have_a_unit(amount: float | None, words: str) -> None:
    assert bytes_(amount) == words


def test_more_names_than_are_read_are_counted() -> None:
    assert joined(["a", "b"], 2) == "a, b"
    assert joined(["a", "b", "c", "d"], 2) == "a, b and 2 more"


def test_nothing_moves_the_cursor() -> None:
    assert on_one_line("a\nb\x85c\ud800") == "a b c "


def test_what_measures_loads_no_numpy() -> None:
    heavy = "{'numpy', 'pandas', 'scipy', 'matplotlib'}"
    code = f"import sys, stealbench.rounds, stealbench.session; print({heavy} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "set()\n"
