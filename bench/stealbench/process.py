"""A child process with a deadline: its output, how it ended, and what it used."""

from __future__ import annotations

import errno
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO

from stealbench.inherited import control_process

_PR_SET_PDEATHSIG = 1
_PIECE = 1 << 16  # Bytes that one read takes.
_MOST_PIECES = 256  # Of a process that has ended: one that left its group may write for ever.
_INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SHORTAGES = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}


class Interrupted(Exception):
    """The user asked to stop. The exit status is then 128 and the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted")
        self.signal = number


class CannotStart(OSError):
    """A program that cannot be started; the message names it and the reason."""

    def __init__(self, number: int, executable: Path) -> None:
        super().__init__(number, os.strerror(number))
        self.executable = executable

    def __str__(self) -> str:
        return f"cannot start {self.executable}: {self.strerror}"

    @property
    def is_shortage(self) -> bool:
        """Whether this machine, or a limit of this program, has no more processes, memory or files
        to give: then no other program can be started either."""
        return self.errno in _SHORTAGES


@dataclass(frozen=True)
class Request:
    """A program to run. A bare name is looked up on the PATH."""

    executable: Path
    arguments: Sequence[str] = ()
    timeout_s: float | None = None  # None: no deadline.
    input: bytes = b""  # Its standard input.
    most_output_bytes: int = 4 << 20  # Kept of each stream; the rest is read and dropped.


@dataclass(frozen=True)
class Result:
    """How a process ended: with an exit status, by a signal, or at its deadline."""

    how: str = "exited"  # Or "signalled", "timed out".
    status: int = 0  # Exit status, or the number of the signal.
    output: bytes = b""
    errors: bytes = b""
    output_was_cut: bool = False
    cpu_s: float = 0.0  # User and system time of the process and its children.

    @property
    def ending(self) -> str:
        """`exit status 3`, `ended by signal 11 (Segmentation fault)`, `timed out`."""
        if self.how == "exited":
            return f"exit status {self.status}"
        if self.how == "signalled":
            return f"ended by signal {self.status} ({signal.strsignal(self.status)})"
        return "timed out"


@dataclass
class _Stream:
    """One of the child's streams, read to its end."""

    pipe: IO[bytes]
    most: int
    kept: bytearray = field(default_factory=bytearray)
    was_cut: bool = False

    def read(self) -> bool:
        """Reads what is there; False where there is no more now."""
        if self.pipe.closed:
            return False
        try:
            piece = os.read(self.pipe.fileno(), _PIECE)
        except BlockingIOError:
            return False
        if not piece:
            self.pipe.close()
            return False
        room = self.most - len(self.kept)
        self.kept += piece[:room]
        self.was_cut |= len(piece) > room
        return True


@dataclass
class _Child:
    number: int
    process: subprocess.Popen[bytes]
    streams: tuple[_Stream, _Stream]
    deadline: float
    was_late: bool = False

    def has_ended(self) -> bool:
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, options) is not None

    def kill_group(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def finish(self) -> Result:
        """Kills what it has left running, and reads what is in the pipes."""
        self.kill_group()  # Before it is collected: its number is its own until then.
        for stream in self.streams:
            for _ in range(_MOST_PIECES):
                if not stream.read():
                    break
            stream.pipe.close()
        _, state, used = os.wait4(self.process.pid, 0)
        signalled = os.WIFSIGNALED(state)
        status = os.WTERMSIG(state) if signalled else os.WEXITSTATUS(state)
        self.process.returncode = -status if signalled else status
        output, errors = self.streams
        return Result(
            "timed out" if self.was_late else "signalled" if signalled else "exited",
            status,
            bytes(output.kept),
            bytes(errors.kept),
            output.was_cut,
            used.ru_utime + used.ru_stime,
        )


class Runner:
    """Runs programs, each in a process group of its own, which is killed at the deadline and with
    this program. A context: within it SIGINT, SIGTERM and SIGHUP do not end this program but
    interrupt the wait that they fall into, or else the next one; one that is ignored stays so. For
    the main thread, and one at a time."""

    def __init__(self) -> None:
        self._running: dict[int, _Child] = {}
        self._started = 0
        self._interruption = 0
        self._before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> Runner:
        self._wake, end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wake_end = end
        self._wake_before = signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for number in _INTERRUPTIONS:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._end_all()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wake_before)
        os.close(self._wake)
        os.close(self._wake_end)

    def run(self, request: Request) -> Result:
        """Runs a program to its end, while no other that it has started runs. Raises as start and
        wait."""
        self.start(request)
        return self.wait()[1]

    def start(self, request: Request) -> int:
        """Starts a program, without a shell. Returns its number, from 0 in the order of the starts.
        Raises CannotStart."""
        executable = _full_path(request.executable)
        guard, set_up = _guard()
        try:
            with _file_of(request.input) as file:
                process = subprocess.Popen(
                    [*guard, executable, *request.arguments],
                    stdin=file,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    process_group=0,
                    preexec_fn=set_up,
                    bufsize=0,
                )
        except OSError as error:
            raise CannotStart(error.errno or errno.EIO, request.executable) from None
        assert process.stdout is not None and process.stderr is not None
        most = request.most_output_bytes
        streams = _Stream(process.stdout, most), _Stream(process.stderr, most)
        for stream in streams:
            os.set_blocking(stream.pipe.fileno(), False)
        late = float("inf") if request.timeout_s is None else time.monotonic() + request.timeout_s
        number = self._started
        self._started += 1
        self._running[number] = _Child(number, process, streams, late)
        return number

    def wait(self) -> tuple[int, Result]:
        """Waits until one of those that run has ended (there is one at least), and kills what it has
        left running in its group. Returns its number and its result. When the user interrupts, kills
        all that run and raises Interrupted."""
        while True:
            self._raise_if_interrupted()
            for child in self._running.values():
                if child.has_ended():
                    result = child.finish()
                    del self._running[child.number]
                    self._raise_if_interrupted()
                    return child.number, result
                if time.monotonic() >= child.deadline:
                    child.was_late = True
                    child.deadline = float("inf")
                    child.kill_group()
            self._wait_for_event()

    def _wait_for_event(self) -> None:
        actions: dict[int, Callable[[], object]] = {self._wake: self._drain}
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        for child in self._running.values():
            for stream in child.streams:
                if not stream.pipe.closed:
                    actions[stream.pipe.fileno()] = stream.read
                    poll.register(stream.pipe, select.POLLIN)
        left = min(each.deadline for each in self._running.values()) - time.monotonic()
        # Rounded up, lest it be asked again and again in the last millisecond.
        for descriptor, _ in poll.poll(None if left == float("inf") else max(0.0, left * 1000 + 1)):
            actions[descriptor]()

    def _drain(self) -> None:
        try:
            os.read(self._wake, _PIECE)
        except BlockingIOError:
            pass

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._interruption = number

    def _raise_if_interrupted(self) -> None:
        if self._interruption:
            number, self._interruption = self._interruption, 0
            self._end_all()
            raise Interrupted(number)

    def _end_all(self) -> None:
        for child in self._running.values():
            child.kill_group()
        for child in self._running.values():
            child.finish()
        self._running.clear()


def _guard() -> tuple[list[str], Callable[[], None] | None]:
    """What kills a program when this one is killed outright: a program that starts it, or where that
    is missing a call between fork and exec, for which the whole of this process is forked: 2 to 10
    ms."""
    setpriv = shutil.which("setpriv", path="/usr/bin:/bin")
    if setpriv is not None:
        return [setpriv, "--pdeathsig", "KILL"], None
    parent = os.getpid()

    def set_up() -> None:
        if control_process(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0 or os.getppid() != parent:
            os._exit(127)

    return [], set_up


def _file_of(text: bytes) -> IO[bytes]:
    """A standard input: a file in memory, which its reader may also open by a name."""
    if not text:
        return open(os.devnull, "rb")
    file = os.fdopen(os.memfd_create("input"), "w+b")
    file.write(text)
    file.seek(0)
    return file


def _full_path(executable: Path) -> str:
    """Raises CannotStart for what the kernel would refuse: else the guard's words would be taken for
    those of the program."""
    place = os.fspath(executable)
    place = place if "/" in place else shutil.which(place) or place
    try:
        if os.path.isdir(place) or not os.access(place, os.X_OK):
            os.stat(place)
            raise PermissionError(errno.EACCES, "")
        with open(place, "rb") as file:
            beginning = file.read(256)
        if beginning[:2] == b"#!":
            os.stat(beginning[2:].split(maxsplit=1)[0])  # The interpreter.
        elif beginning[:4] != b"\x7fELF":
            raise OSError(errno.ENOEXEC, "")
    except PermissionError:
        if not os.access(place, os.X_OK) or os.path.isdir(place):  # It need not be readable.
            raise CannotStart(errno.EACCES, executable) from None
    except (OSError, IndexError) as error:
        raise CannotStart(getattr(error, "errno", errno.ENOEXEC), executable) from None
    return place
