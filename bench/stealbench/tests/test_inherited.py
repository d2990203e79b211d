"""The driver in the hands of a parent that leaves it an odd state."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from stealbench import inherited

BEGIN = """import os, signal, sys
from stealbench.inherited import begin_with_own_state
begin_with_own_state()
show = lambda *values: print(*values, file=sys.stderr)
"""
WRITE = """
file = open('/dev/null')
try:
    print('text', flush=True)
finally:
    show(file.fileno() > 2)
"""


@pytest.mark.parametrize(
    ("shell", "then", "seen"),
    [
        ("exec >&- <&-;", WRITE, "True"),
        ("exec 2>&-;", "print('text', file=sys.stderr)", ""),
        (
            "exec",
            "os.set_blocking(2, False); begin_with_own_state(); show(os.get_blocking(2))",
            "True",
        ),
        ("BENCHMARK_FILTER=a exec", "show(os.environ.get('BENCHMARK_FILTER'))", "None"),
    ],
)
def test_an_odd_state_is_made_a_usual_one(shell: str, then: str, seen: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'{shell} "$0" -c "$1"', sys.executable, BEGIN + then],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.stderr.split("\n")[0] == seen


@pytest.mark.parametrize(("name", "takes"), [("xterm", True), ("dumb", False), ("", False)])
def test_a_dumb_terminal_is_sent_no_escape_sequences(
    name: str, takes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", name)
    with os.fdopen(os.openpty()[1], "w") as terminal, open(os.devnull, "w") as nothing:
        assert inherited.takes_escapes(terminal) == takes
        assert not inherited.takes_escapes(nothing)


def test_the_environment_of_runtimes_is_printable_and_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("MALLOC", "1")  # None of these words begins it.
    assert inherited.environment_of_runtimes() == "none"
    monkeypatch.setenv("GOGC", "a\n\udcff\x7fb")
    monkeypatch.setenv("OMP_PLACES", "cores")
    assert inherited.environment_of_runtimes() == "GOGC=a???b, OMP_PLACES=cores"
    monkeypatch.setenv("GOGC", "x" * 5000)
    assert len(inherited.environment_of_runtimes()) < 300
    assert inherited.drop_variables_that_bind() == ["OMP_PLACES"]
    assert "OMP_PLACES" not in os.environ
