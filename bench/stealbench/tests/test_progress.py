"""What a user sees while it measures."""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import termios
from contextlib import suppress

import pytest

from stealbench.progress import Progress, say

Patch = pytest.MonkeyPatch


def test_it_is_a_line_for_each_stage_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Progress() as shown:
        shown.stage("round 1 of 2")
        shown.step("fib/serial")
        shown.note("a \x1b[31mnote\u2028")
    assert capsys.readouterr().err == "round 1 of 2\na  [31mnote \n"


def drawn(columns: int, monkeypatch: Patch) -> str:
    """What a terminal with so many columns is sent."""
    watched, end = os.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    for name, value in {"TERM": "xterm", "COLUMNS": str(columns), "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    with os.fdopen(end, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with Progress() as shown:
            shown.stage("round 2", 4)
            shown.step("uts/serial")
            shown.step("fib/serial [/red]")
            shown.note("DNF uts/serial: exit status 3 [red]")
        monkeypatch.undo()
    text = b""
    with suppress(OSError):  # At its end.
        while piece := os.read(watched, 65536):
            text += piece
    os.close(watched)
    return text.decode()


def test_it_is_one_line_on_a_terminal(monkeypatch: Patch) -> None:
    text = drawn(100, monkeypatch)
    assert "\rround 2  25 %  fib/serial [/red]\x1b[K" in text
    begun, _, rest = text.partition("DNF")
    assert begun.endswith("\r\x1b[K"), "what was drawn is gone"
    assert rest.startswith(" uts/serial: exit status 3 [red]")
    narrow = drawn(12, monkeypatch).partition("DNF")[0]
    assert "\rround 2  25\x1b[K" in narrow and "\n" not in narrow


@pytest.mark.parametrize("is_closed", [False, True])
def test_where_nobody_reads_it_is_no_error(is_closed: bool, monkeypatch: Patch) -> None:
    with open("/dev/full", "w", encoding="ascii") as full, monkeypatch.context() as during:
        during.setattr(sys, "stderr", full)
        if is_closed:
            os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())
            full.close()
        say("within ± 2 %")
        with Progress() as shown:
            shown.stage("round 1")
            shown.note("a note")
        if not is_closed:
            os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())  # So that it can be closed.
