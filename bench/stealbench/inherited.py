"""What this process and the benchmarks inherit from whoever starts them (bench/process.md)."""

from __future__ import annotations

import io
import os
import signal
import sys
from typing import IO

# By which a user stops a program (nohup), and which Python itself ignores.
_STAY_IGNORED = {
    getattr(signal, f"SIG{name}") for name in "HUP INT QUIT TERM TSTP TTIN TTOU PIPE XFSZ".split()
}
_PR_SET_TIMERSLACK = 29
_USUAL_SLACK_NS = 50_000
_MOST_SHOWN = 200  # Characters of one variable.
_OF_RUNTIMES = (
    "GLIBC_TUNABLES GODEBUG GOGC GOMAXPROCS GOMEMLIMIT GOMP_ HWLOC_ JAVA_TOOL_OPTIONS JDK_JAVA_ "
    "JEMALLOC_ KMP_ LD_ LIBOMP_ MALLOC_ MIMALLOC_ OMP_ PARLAY_ RAYON_ RUST_MIN_STACK "
    "STEALBENCH_INJECT_ TBB_ TCMALLOC_ _JAVA_OPTIONS"
)
_THAT_BIND = "OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY KMP_HW_"


def begin_with_own_state() -> None:
    """To be called first in a program. Resets: the signal mask; ignored signals, but those that stay
    so; standard streams that are closed or do not block; what the umask denies to the owner; the
    timer slack; Google Benchmark's variables, whose flags stealbench gives."""
    _occupy_standard_streams()
    for number in signal.valid_signals() - _STAY_IGNORED:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.umask(os.umask(0o077) & ~0o700)  # What this program writes it reads again.
    control_process(_PR_SET_TIMERSLACK, _USUAL_SLACK_NS)
    _drop("BENCHMARK_")


def _occupy_standard_streams() -> None:
    """Opens a closed stream (`>&-`) on nothing, in the wrong direction: a write to it fails. Else
    the next file would get its number, and be written what was meant for the stream."""
    for number in range(3):
        try:
            os.set_blocking(number, True)  # Else a slow reader would be an error.
        except OSError:  # The least number that is free is this one: those below it are open.
            os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
            os.set_inheritable(number, True)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    if sys.stderr is None:  # What nobody can read is no error.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")


def control_process(option: int, *arguments: int) -> int:
    """The system call prctl; negative if it fails."""
    import ctypes

    values = [ctypes.c_ulong(each) for each in (*arguments, 0, 0, 0, 0)[:4]]
    return int(ctypes.CDLL(None).prctl(option, *values))


def takes_escapes(stream: IO[str]) -> bool:
    """Whether control sequences may be written there: to a terminal that TERM names, not as dumb."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _variables(prefixes: str) -> list[str]:
    return sorted(name for name in os.environ if name.startswith(tuple(prefixes.split())))


def _drop(prefixes: str) -> list[str]:
    names = _variables(prefixes)
    for name in names:
        del os.environ[name]
    return names


def environment_of_runtimes() -> str:
    """`GOGC=off, OMP_PROC_BIND=true`: what changes how runtimes, the allocator or the dynamic linker
    work, in printable ASCII; `none`."""
    texts = []
    for name in _variables(_OF_RUNTIMES):
        text = os.fsencode(f"{name}={os.environ[name]}").decode("ascii", "replace")
        shown = text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."
        texts.append("".join(e if e.isascii() and e.isprintable() else "?" for e in shown))
    return ", ".join(texts) or "none"


def drop_variables_that_bind() -> list[str]:
    """Removes what tells OpenMP where its threads go, and returns the names. Beside --pin one of two
    placements would lose, and OpenMP's can hide processors from a benchmark that pins."""
    return _drop(_THAT_BIND)
