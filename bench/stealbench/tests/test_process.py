"""Processes: how they end, what is kept of them, and what is killed with them."""

from __future__ import annotations

import errno
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stealbench.process import CannotStart, Interrupted, Request, Result, Runner
from stealbench.tests.planted import plant

TRUE = Request(Path("/bin/true"))


@pytest.fixture
def runner() -> Iterator[Runner]:
    with Runner() as own:
        yield own


def shell(script: str, timeout_s: float | None = None, most: int = 4 << 20) -> Request:
    return Request(Path("sh"), ["-c", script], timeout_s, most_output_bytes=most)


def has_ended(number: object) -> bool:
    """A process that no other has collected yet is dead all the same."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def wait_until(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo out; echo err >&2; exit 7", Result(7, False, b"out\n", b"err\n")),
        ("kill -SEGV $$", Result(-11)),
        ("kill -PIPE $$; echo lives", Result(-13)),
        ("echo 12345; echo 1234567 >&2", Result(0, False, b"12345\n", b"123456")),
        ("grep -h ^SigBlk /proc/self/status | tr -d '\\n[:alpha:]:\t' | tr -s 0", b"0"),
    ],
)
def test_it_has_the_status_and_the_streams_up_to_a_length(
    script: str, expected: Result | bytes, runner: Runner
) -> None:
    result = runner.run(shell(script, most=6))
    members = result.status, result.was_late, result.output, result.errors
    assert expected in (result.output, Result(*members))


def test_arguments_and_input_reach_the_program_unchanged(runner: Runner) -> None:
    request = Request(Path("echo"), ["a b", "$HOME", "*", "--pdeathsig"])
    assert runner.run(request).output == b"a b $HOME * --pdeathsig\n"
    text = b"x" * 200_000  # More than a pipe holds.
    assert runner.run(Request(Path("cat"), input=text)).output == text
    assert runner.run(Request(Path("true"), input=text)).status == 0
    assert runner.run(Request(Path("cat"), ["/dev/stdin"], input=b"text")).output == b"text"
    assert runner.run(shell("cat; echo end")).output == b"end\n"


def test_a_late_one_is_killed_with_its_whole_group(runner: Runner) -> None:
    begin, script = time.monotonic(), "trap '' TERM INT HUP; sleep 1000 & echo $!; wait"
    result = runner.run(shell(script, 0.3))
    assert (result.was_late, 0.3 <= time.monotonic() - begin < 5) == (True, True)
    assert wait_until(lambda: has_ended(int(result.output)))
    most_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = runner.run(shell("exec yes", 0.5, most=100))
    assert (result.was_late, len(result.output)) == (True, 100)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < most_kib + 20_000, "nor is it kept"


def test_one_that_ended_in_time_is_not_late_and_leaves_nothing_in_its_group(
    runner: Runner,
) -> None:
    runner.start(Request(Path("/bin/true"), timeout_s=0.001))
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    time.sleep(0.005)
    assert not runner.wait()[1].was_late, "however late that is seen"
    # The sleeper holds the output open, so that reading to its end would wait for the sleeper.
    result = runner.run(shell("sleep 30 & echo $!", 20))
    assert not result.was_late
    assert wait_until(lambda: has_ended(int(result.output)))


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_an_interrupt_is_raised_once_and_all_that_run_are_killed(
    name: str, runner: Runner, tmp_path: Path
) -> None:
    lives = tmp_path / "lives"
    runner.start(shell(f"echo $$ > {lives}; exec sleep 1000"))
    runner.start(shell(f"until test -s {lives}; do :; done; kill -{name} $PPID; sleep 1000"))
    with pytest.raises(Interrupted) as raised:
        runner.wait()
    assert raised.value.signal == getattr(signal, f"SIG{name}")
    assert has_ended(lives.read_text().strip())
    assert runner.run(shell("exit 5")).status == 5
    os.kill(os.getpid(), raised.value.signal)
    with pytest.raises(Interrupted):  # Between two programs it stops the next wait.
        runner.run(TRUE)


def test_an_interrupt_while_the_last_one_is_collected_is_not_lost(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect = os.wait4

    def interrupted(number: int, options: int) -> object:
        os.kill(os.getpid(), signal.SIGTERM)
        return collect(number, options)

    monkeypatch.setattr(os, "wait4", interrupted)
    with pytest.raises(Interrupted):
        runner.run(TRUE)


def test_what_still_runs_is_killed_with_this_program(tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    program = f"""
from pathlib import Path
from stealbench.process import Request, Runner
with Runner() as runner:
    runner.run(Request(Path("/bin/sh"), ["-c", "echo $$ > {lives}; exec sleep 20"]))
"""
    with subprocess.Popen([sys.executable, "-c", program]) as starter:
        assert wait_until(lambda: lives.exists() and lives.read_text().endswith("\n"))
        starter.kill()
    assert wait_until(lambda: has_ended(lives.read_text().strip()))


def test_those_that_were_started_run_side_by_side_and_end_in_their_own_order(
    runner: Runner, tmp_path: Path
) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    # The first ends only when the second has run beside it.
    reader = runner.start(shell(f"read word < {pipe}; exit 3"))
    writer = runner.start(shell(f"echo word > {pipe}; sleep 1000", 0.3))
    ends = [runner.wait() for _ in range(2)]
    assert [(number, e.status, e.was_late) for number, e in ends] == [
        (reader, 3, False),
        (writer, -9, True),
    ]


@pytest.mark.parametrize(
    ("text", "mode", "number"),
    [
        (None, 0, errno.ENOENT),
        ("text", 0o644, errno.EACCES),
        ("text", 0o755, errno.ENOEXEC),
        ("#!/nowhere/at/all\n", 0o755, errno.ENOENT),
        ("#!", 0o755, errno.ENOENT),
    ],
)
def test_a_program_that_cannot_be_executed_is_named_and_is_no_shortage(
    text: str | None, mode: int, number: int, runner: Runner, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    if text is not None:
        plant(tmp_path, "program", "").write_text(text)
        program.chmod(mode)
    with pytest.raises(CannotStart) as raised:
        runner.run(Request(program))
    assert str(raised.value) == f"cannot start {program}: {os.strerror(number)}"


def test_its_processor_time_is_its_own_and_that_of_its_children(runner: Runner) -> None:
    burn = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"
    copy = "dd if=/dev/zero of=/dev/null bs=1M count=1000 2> /dev/null"  # It works in the kernel.
    result = runner.run(shell(f"{burn}; {copy}; times"))
    own_user, _, _, system_of_children = times = [
        float(seconds) for seconds in re.findall(r"0m([\d.]+)s", result.output.decode())
    ]
    assert min(own_user, system_of_children) > 0.005
    assert sum(times) - 0.01 <= result.cpu_s < sum(times) + 0.05
    assert runner.run(shell("sleep 0.05")).cpu_s < 0.03
