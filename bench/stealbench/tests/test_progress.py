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
from stealbench.schedule import Outlook


def test_it_is_a_line_for_each_stage_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Progress() as shown:
        shown.begin_stage("round 1", Outlook(0, None))
        shown.begin("fib/serial", Outlook(0.1, 9))
        shown.begin_stage("round 2", Outlook(0.256, 65))
        shown.note("a \x1b[31mnote\u2028")
    assert capsys.readouterr().err == (
        "round 1, 0 % done\nround 2, 26 % done, 1:05 left\na  [31mnote \n"
    )


def drawn(columns: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a terminal with so many columns is sent."""
    watched, end = os.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    for name, value in {"TERM": "xterm", "COLUMNS": str(columns), "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    with os.fdopen(end, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with Progress() as shown:
            shown.begin_stage("round 2", Outlook(0.25, 65))
            shown.begin("fib/serial [/red]", Outlook(0.28, 65))
            shown.note("DNF uts/serial: exit status 3 [red]")
        monkeypatch.undo()
    text = b""
    with suppress(OSError):  # At its end.
        while piece := os.read(watched, 65536):
            text += piece
    os.close(watched)
    return text.decode()


def test_it_is_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(100, monkeypatch)
    assert "28 % 1:05 left fib/serial [/red]" in text
    assert "DNF uts/serial: exit status 3 [red]" in text
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l"), "the cursor is there"
    begun = text[: text.index("DNF")]
    assert begun.rfind("\x1b[?25h") > begun.rfind("\x1b[?25l"), "even if it is killed now"


def test_it_fills_no_second_line_of_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(30, monkeypatch)
    first = text[: text.index("DNF")]
    assert "fib" in first and "\n" not in first and "\x1b[1A" not in first


def test_where_nobody_reads_it_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        monkeypatch.setattr(sys, "stderr", full)
        say("within ± 2 %")
        with Progress() as shown:
            shown.note("a note")
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())  # So that it can be closed.
    closed = open(os.devnull, "w", encoding="utf-8")
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    say("a line")
    with Progress() as shown:
        shown.begin_stage("round 1", Outlook())
    monkeypatch.undo()
