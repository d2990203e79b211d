"""Processes: how they end, what is kept of them, and what is killed with them."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


from stealbench.process import CannotStart, Interrupted, Request, Result, Runner
from stealbench.tests.planted import plant

SH = Path("/bin/sh")


@pytest.fixture
def runner() -> Iterator[Runner]:
    with Runner() as own:
        yield own


def shell(script: str, timeout_s: float | None = None, most: int = 4 << 20) -> Request:
    return Request(SH, ["-c", script], timeout_s, most_output_bytes=most)


def is_running(number: int) -> bool:
    """A process that nobody has collected yet is dead all the same."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: object, seconds: float = 10) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


def test_both_streams_and_the_exit_status_are_kept(runner: Runner) -> None:
    result = runner.run(shell("echo out; echo err >&2; exit 7"))
    assert (result.output, result.errors, result.how) == (b"out\n", b"err\n", "exited")
    assert result.ending == "exit status 7"


def test_arguments_reach_the_program_unchanged(runner: Runner) -> None:
    request = Request(Path("echo"), ["a b", "$HOME", "*", "--pdeathsig"])
    assert runner.run(request).output == b"a b $HOME * --pdeathsig\n"


def test_input_reaches_the_program_that_reads_it(runner: Runner) -> None:
    text = b"x" * 200_000  # More than a pipe holds.
    assert runner.run(Request(Path("/bin/cat"), input=text)).output == text
    assert runner.run(Request(Path("/bin/true"), input=text)).status == 0
    assert runner.run(shell("cat; echo end")).output == b"end\n"


def test_a_crash_is_named_by_its_signal(runner: Runner) -> None:
    result = runner.run(shell("kill -SEGV $$"))
    assert result.ending == "ended by signal 11 (Segmentation fault)"
    assert runner.run(shell("kill -PIPE $$; echo lives")).how == "signalled"


def test_one_that_hangs_is_killed_at_the_deadline_with_its_whole_group(
    runner: Runner, tmp_path: Path
) -> None:
    lives = tmp_path / "lives"
    begin = time.monotonic()
    result = runner.run(
        shell(f"trap '' TERM INT HUP; sleep 1000 & echo $! > {lives}; echo started; wait", 0.3)
    )
    assert (result.ending, result.output) == ("timed out", b"started\n")
    assert 0.3 <= time.monotonic() - begin < 5
    assert wait_until(lambda: not is_running(int(lives.read_text())))


def test_one_that_ended_in_time_is_not_late_however_late_that_is_seen(runner: Runner) -> None:
    runner.start(Request(Path("/bin/true"), timeout_s=0.001))
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    time.sleep(0.005)
    assert runner.wait()[1].how == "exited"


def test_one_that_never_stops_writing_is_killed_at_the_deadline(runner: Runner) -> None:
    result = runner.run(shell("while :; do echo yes; done", 0.2, most=100))
    assert (result.how, len(result.output), result.output_was_cut) == ("timed out", 100, True)


def test_no_more_is_kept_of_either_stream_than_was_asked_for(runner: Runner) -> None:
    result = runner.run(shell("echo 12345; echo 1234567 >&2", most=6))
    assert (result.output, result.errors) == (b"12345\n", b"123456")
    assert not result.output_was_cut


def test_what_it_leaves_in_its_group_is_killed_with_it(runner: Runner) -> None:
    # The sleeper holds the output open, so that reading to its end would wait for the sleeper.
    result = runner.run(shell("sleep 30 & echo $!"))
    assert result.how == "exited"
    assert wait_until(lambda: not is_running(int(result.output)))


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_an_interrupt_is_raised_and_all_that_run_are_killed(
    name: str, runner: Runner, tmp_path: Path
) -> None:
    lives = tmp_path / "lives"
    runner.start(shell(f"echo $$ > {lives}; exec sleep 1000"))
    runner.start(shell(f"until test -s {lives}; do :; done; kill -{name} $PPID; sleep 1000"))
    with pytest.raises(Interrupted) as raised:
        runner.wait()
    assert raised.value.signal == getattr(signal, f"SIG{name}")
    assert not is_running(int(lives.read_text()))
    assert runner.run(shell("exit 5")).status == 5  # The next one is not interrupted.


def test_an_interrupt_between_two_programs_stops_the_next_wait(runner: Runner) -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(Interrupted):
        runner.run(Request(Path("/bin/true")))


def test_an_ignored_signal_does_not_interrupt() -> None:  # As under nohup.
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Runner() as own:
            assert own.run(shell("kill -HUP $PPID; echo lives")).output == b"lives\n"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_still_runs_is_killed_with_its_runner_and_signals_are_as_before(
    tmp_path: Path,
) -> None:
    lives = tmp_path / "lives"
    before = signal.getsignal(signal.SIGINT)
    with Runner() as own:
        own.start(shell(f"echo $$ > {lives}; exec sleep 1000"))
        assert wait_until(lambda: lives.exists() and lives.read_text().endswith("\n"))
        assert is_running(int(lives.read_text()))
    assert not is_running(int(lives.read_text()))
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.parametrize("guard", ["setpriv", "none"])
def test_what_still_runs_is_killed_with_this_program(guard: str, tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    program = f"""
import shutil
from pathlib import Path
from stealbench.process import Request, Runner
if {guard!r} == "none":
    shutil.which = lambda name, path=None: None
with Runner() as runner:
    runner.run(Request(Path("/bin/sh"), ["-c", "echo $$ > {lives}; exec sleep 20"]))
"""
    starter = subprocess.Popen([sys.executable, "-c", program])
    assert wait_until(lambda: lives.exists() and lives.read_text().endswith("\n"))
    starter.kill()
    starter.wait()
    assert wait_until(lambda: not is_running(int(lives.read_text())), 5)


def test_those_that_were_started_run_side_by_side_and_end_in_their_own_order(
    runner: Runner, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # The first ends only when the second has run beside it.
    reader = runner.start(shell(f"read word < {pipe}; exit 3"))
    writer = runner.start(shell(f"echo word > {pipe}; sleep 1000", 0.3))
    number, result = runner.wait()
    assert (number, result.status) == (reader, 3)
    number, result = runner.wait()
    assert (number, result.how) == (writer, "timed out")


def test_a_program_that_cannot_be_executed_is_named_and_is_no_shortage(
    runner: Runner, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("text")
    (tmp_path / "plain").write_text("text")
    (tmp_path / "plain").chmod(0o755)
    (tmp_path / "lost").write_text("#!/nowhere/at/all\n")
    (tmp_path / "lost").chmod(0o755)
    reasons = {
        "missing": errno.ENOENT,
        "text": errno.EACCES,
        ".": errno.EACCES,
        "plain": errno.ENOEXEC,
        "lost": errno.ENOENT,
    }
    for name, reason in reasons.items():
        with pytest.raises(CannotStart) as raised:
            runner.run(Request(tmp_path / name))
        assert str(raised.value) == f"cannot start {tmp_path / name}: {os.strerror(reason)}"
        assert not raised.value.is_shortage
    with pytest.raises(CannotStart):
        runner.run(Request(Path("no-such-program")))


def test_where_no_file_can_be_opened_it_says_so_and_goes_on(runner: Runner) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, most[1]))
    try:
        with pytest.raises(CannotStart) as raised:
            runner.run(Request(Path("/bin/true")))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)
    assert raised.value.is_shortage
    assert runner.run(shell("exit 5")).status == 5


def test_where_no_process_can_be_had_it_says_so_and_does_not_wait(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(CannotStart) as raised:
        runner.run(Request(Path("/bin/true")))
    assert raised.value.is_shortage
    assert str(raised.value) == "cannot start /bin/true: Resource temporarily unavailable"


def test_its_processor_time_is_its_own_and_that_of_its_children(runner: Runner) -> None:
    burn = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"
    assert runner.run(shell(burn)).cpu_s > 0.005
    assert runner.run(shell(f"({burn})")).cpu_s > 0.005
    assert runner.run(shell("sleep 0.05")).cpu_s < 0.03


def test_begins_with_no_signal_blocked_or_ignored(runner: Runner) -> None:
    result = runner.run(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status"))
    assert result.output.split()[1::2] == [b"0" * 16, b"0" * 16]


def test_a_result_says_how_it_ended() -> None:
    assert Result("timed out").ending == "timed out"
    assert Result("signalled", 9).ending == "ended by signal 9 (Killed)"
