"""The driver in the hands of a parent that leaves it an odd state."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from stealbench import inherited

BEGIN = "from stealbench.inherited import begin_with_own_state; begin_with_own_state()\n"


def begun(shell: str, then: str, end: str = "") -> str:
    """What a program prints to the standard error output that this shell starts."""
    command = f'{shell} "$0" -c "$1" {end}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, f"import os, sys, signal\n{BEGIN}{then}"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL if not end else None,
        text=True,
        check=False,
        timeout=20,
    )
    return done.stderr


def test_signals_that_are_blocked_or_ignored_are_so_no_longer() -> None:
    seen = begun(
        "exec env --block-signal --ignore-signal=USR1,CHLD,ALRM",
        "print(signal.pthread_sigmask(signal.SIG_BLOCK, ()), [signal.getsignal(each) == "
        "signal.SIG_IGN for each in (signal.SIGUSR1, signal.SIGCHLD, signal.SIGALRM)], "
        "file=sys.stderr)",
    )
    assert seen == "set() [False, False, False]\n"


def test_what_is_ignored_because_the_user_leaves_stays_ignored() -> None:
    seen = begun("exec env --ignore-signal=HUP", "os.kill(os.getpid(), 1); sys.stderr.write('on')")
    assert seen == "on"


def test_files_belong_to_their_owner_whatever_the_umask() -> None:
    assert begun("umask 777; exec", "sys.stderr.write(oct(os.umask(0)))") == "0o77"


def test_timers_have_the_usual_slack() -> None:
    odd = "import ctypes; ctypes.CDLL(None).prctl(29, ctypes.c_ulong(10**9), 0, 0, 0)\n"
    show = "sys.stderr.write(open('/proc/self/timerslack_ns').read())"
    assert begun("exec", odd + BEGIN + show) == "50000\n"


def test_a_closed_stream_is_not_taken_for_a_file_and_a_write_to_it_fails() -> None:
    show = """
file = open('/dev/null')
try:
    print('text', flush=True)
except OSError as error:
    print(file.fileno() > 2, error.strerror, file=sys.stderr)
"""
    assert begun("exec", show, ">&- <&-").splitlines()[0] == "True Bad file descriptor"
    assert begun("exec", "print('text', file=sys.stderr)", "2>&-") == ""


def test_a_stream_that_does_not_block_blocks() -> None:
    odd = "os.set_blocking(2, False)\n"
    assert begun("exec", odd + BEGIN + "sys.stderr.write(str(os.get_blocking(2)))") == "True"


def test_flags_of_google_benchmark_in_the_environment_are_not_ours() -> None:
    show = "sys.stderr.write(os.environ.get('BENCHMARK_FILTER', 'none'))"
    assert begun("BENCHMARK_FILTER=nothing exec", show) == "none"


def test_a_dumb_terminal_is_sent_no_escape_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    _, end = os.openpty()
    for terminal, takes in {"xterm": True, "dumb": False, "": False}.items():
        monkeypatch.setenv("TERM", terminal)
        assert inherited.takes_escapes(end) == takes
    monkeypatch.setenv("TERM", "xterm")
    assert not inherited.takes_escapes(os.open(os.devnull, os.O_RDONLY))


def test_the_environment_of_runtimes_is_printable_and_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in inherited.variables(inherited._OF_RUNTIMES):
        monkeypatch.delenv(name)
    assert inherited.environment_of_runtimes() == "none"
    monkeypatch.setenv("MALLOC", "1")  # None of these words begins it.
    monkeypatch.setenv("GOGC", "a\n\udcff\x7fb")
    monkeypatch.setenv("OMP_PLACES", "cores")
    assert inherited.environment_of_runtimes() == "GOGC=a???b, OMP_PLACES=cores"
    monkeypatch.setenv("GOGC", "x" * 5000)
    assert len(inherited.environment_of_runtimes()) < 300
    assert inherited.drop_variables_that_bind() == ["OMP_PLACES"]
    assert "OMP_PLACES" not in os.environ
