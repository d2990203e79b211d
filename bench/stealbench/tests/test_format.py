"""Values as people read them, for what measures and for reports."""

from __future__ import annotations

import subprocess
import sys

from stealbench.report.format import bytes_, joined, on_one_line


def test_bytes_have_a_unit() -> None:
    amounts = (0, 1023, 1024, 102.4e9, 999.6 * 1024, 1023.6 * 1024, 5e18, None)
    words = ["0 B", "1023 B", "1.00 KiB", "95.4 GiB", "1000 KiB", "1.00 MiB", "4547474 TiB", "—"]
    assert list(map(bytes_, amounts)) == words


def test_names_are_counted_where_nobody_would_read_them_and_move_no_cursor() -> None:
    assert joined(["a", "b"], 2) == "a, b"
    assert joined(["a", "b", "c", "d"], 2) == "a, b and 2 more"
    assert on_one_line("a\nb\x85c\ud800") == "a b c "


def test_what_measures_loads_no_numpy() -> None:
    heavy = "{'numpy', 'pandas', 'scipy', 'matplotlib'}"
    code = f"import sys, stealbench.measuring; print({heavy} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "set()\n"
