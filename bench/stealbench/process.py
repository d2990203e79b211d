"""Child processes with a deadline: their output, how they ended, and what they used."""

from __future__ import annotations

import errno
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any, NamedTuple

from stealbench.errors import Refused

_PIECE = 1 << 16  # Bytes that one read takes.
_MOST_PIECES = 256  # Of a process that has ended: one that left its group may write for ever.
_INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SHORTAGES = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
# Kills a program when this one is killed outright. The system call would need a function between
# fork and exec, for which the whole of this process is copied: 2 to 10 ms.
_SETPRIV = shutil.which("setpriv", path="/usr/bin:/bin")
_GUARD = [_SETPRIV, "--pdeathsig", "KILL"] if _SETPRIV else []


class Interrupted(Exception):
    """The user asked to stop. The exit status is then 128 and the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted")
        self.signal = number


class CannotStart(Refused):
    """A program that cannot be started; the message names it and the reason."""


class NoMore(Refused):
    """The same, but since this machine, or a limit of this program, has no more processes, memory or
    files to give: then no other program can be started either."""


class Request(NamedTuple):
    """A program to run. A bare name is looked up on the PATH."""

    executable: Path
    arguments: Sequence[str] = ()
    timeout_s: float | None = None  # None: no deadline.
    input: bytes = b""  # Its standard input.
    most_output_bytes: int = 4 << 20  # Kept of each stream; the rest is read and dropped.


@dataclass(frozen=True)
class Result:
    """How a process ended."""

    status: int = 0  # Exit status; of a signal, the negative of its number.
    was_late: bool = False  # Whether it was killed at its deadline.
    output: bytes = b""
    errors: bytes = b""
    cpu_s: float = 0.0  # User and system time of the process and its children.


def last_line(text: bytes, most_bytes: int) -> str:
    """The last line that is not blank; what is no UTF-8 is replaced."""
    return text.rstrip(b" \t\r\n").rpartition(b"\n")[2][:most_bytes].decode("utf-8", "replace")


def why_ended(result: Result, timeout_s: float | None) -> str:
    """How a process ended, with its last words if it has said some; empty if it ended well."""
    if result.was_late:
        return "timed out" + ("" if timeout_s is None else f" after {timeout_s:g} s")
    if result.status < 0:
        return f"ended by signal {-result.status} ({signal.strsignal(-result.status)})"
    words = last_line(result.errors, 240)
    return f"exit status {result.status}" + (f": {words}" if words else "") if result.status else ""


@dataclass
class _Child:
    process: subprocess.Popen[bytes]
    most_bytes: int  # Of each stream.
    deadline: float
    was_late: bool = False
    kept: dict[Any, bytes] = field(default_factory=dict)  # By pipe.

    def has_ended(self) -> bool:
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, options) is not None

    def kill_group(self) -> None:
        """Before it is collected: its number is its own until then."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


class Runner:
    """Runs programs, each in a process group of its own, which is killed at the deadline and with
    this program. A context, in the main thread, one at a time: within it SIGINT, SIGTERM and SIGHUP
    interrupt the wait that they fall into, or else the next one; one that is ignored stays so."""

    def __init__(self) -> None:
        self._running: dict[int, _Child] = {}
        self._started = self._interruption = 0
        self._before: dict[int, Any] = {}  # Handlers of signals.
        self._selector = selectors.PollSelector()  # Without a file: there may be none left.

    def __enter__(self) -> Runner:
        self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._selector.register(self._wake[0], selectors.EVENT_READ)
        self._wake_before = signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, *_INTERRUPTIONS):
            if number == signal.SIGCHLD or signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._take_signal)
        return self

    def __exit__(self, *_: object) -> None:
        self._end_all()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wake_before)
        for descriptor in self._wake:
            os.close(descriptor)

    def run(self, request: Request) -> Result:
        """Runs a program to its end, while no other runs. Raises as start and wait."""
        self.start(request)
        return self.wait()[1]

    def start(self, request: Request) -> int:
        """Starts a program, without a shell. Returns its number, from 0. Raises CannotStart, and
        NoMore."""
        try:
            command = [*_GUARD, _full_path(request.executable), *request.arguments]
            pipe = subprocess.PIPE
            with _file_of(request.input) as file:
                process = subprocess.Popen(
                    command, stdin=file, stdout=pipe, stderr=pipe, process_group=0, bufsize=0
                )
        except OSError as error:
            number = error.errno or errno.EIO
            message = f"cannot start {request.executable}: {os.strerror(number)}"
            raise (NoMore if number in _SHORTAGES else CannotStart)(number, message) from None
        late = float("inf") if request.timeout_s is None else time.monotonic() + request.timeout_s
        child = _Child(process, request.most_output_bytes, late)
        for stream in filter(None, (process.stdout, process.stderr)):
            child.kept[stream] = b""
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, child)
        self._started += 1
        self._running[self._started - 1] = child
        return self._started - 1

    def wait(self) -> tuple[int, Result]:
        """Waits until one of those that run (at least one) has ended, and kills what it has left in
        its group. Returns its number and its result. When the user interrupts, kills all that run
        and raises Interrupted."""
        while True:
            self._raise_if_interrupted()
            for number, child in self._running.items():
                if child.has_ended():
                    result = self._finish(self._running.pop(number))
                    self._raise_if_interrupted()
                    return number, result
                if time.monotonic() >= child.deadline:
                    child.was_late, child.deadline = True, float("inf")
                    child.kill_group()
            left = min(child.deadline for child in self._running.values()) - time.monotonic()
            for key, _ in self._selector.select(None if left == float("inf") else left):
                if key.data is None:
                    os.read(self._wake[0], _PIECE)
                elif self._read(key.data, key.fileobj) == b"":
                    self._close(key.fileobj)

    def _read(self, child: _Child, pipe: Any) -> bytes | None:
        """What is there, empty at the end; None where there is nothing now."""
        try:
            piece = os.read(pipe.fileno(), _PIECE)
        except BlockingIOError:
            return None
        child.kept[pipe] += piece[: child.most_bytes - len(child.kept[pipe])]
        return piece

    def _close(self, pipe: Any) -> None:
        self._selector.unregister(pipe)
        pipe.close()

    def _finish(self, child: _Child) -> Result:
        """Kills what it has left running, and reads what is in the pipes."""
        child.kill_group()
        for pipe in (own for own in child.kept if not own.closed):
            for _ in range(_MOST_PIECES):
                if not self._read(child, pipe):
                    break
            self._close(pipe)
        _, state, used = os.wait4(child.process.pid, 0)
        status = child.process.returncode = os.waitstatus_to_exitcode(state)
        output, errors = child.kept.values()
        return Result(status, child.was_late, output, errors, used.ru_utime + used.ru_stime)

    def _take_signal(self, number: int, frame: FrameType | None) -> None:
        if number in _INTERRUPTIONS:
            self._interruption = number

    def _raise_if_interrupted(self) -> None:
        if self._interruption:
            number, self._interruption = self._interruption, 0
            self._end_all()
            raise Interrupted(number)

    def _end_all(self) -> None:
        for child in self._running.values():
            child.kill_group()
        while self._running:
            self._finish(self._running.popitem()[1])


def _file_of(text: bytes) -> IO[bytes]:
    """A standard input: a file in memory, which its reader may also open by a name."""
    if not text:
        return open(os.devnull, "rb")
    file = os.fdopen(os.memfd_create("input"), "w+b")
    file.write(text)
    file.seek(0)
    return file


def _full_path(executable: Path) -> str:
    """Raises OSError for what the kernel would refuse: else the guard would say so."""
    place = shutil.which(os.fspath(executable))
    if place is None:
        os.stat(executable)
        raise PermissionError(errno.EACCES, "")
    if os.access(place, os.R_OK):  # It need not be readable.
        with open(place, "rb") as file:
            beginning = file.read(256)
        if beginning.startswith(b"#!"):
            os.stat((beginning[2:].split() or [b""])[0])  # The interpreter.
        elif not beginning.startswith(b"\x7fELF"):
            raise OSError(errno.ENOEXEC, "")
    return place
