"""What this process and the benchmarks inherit from whoever starts them (bench/process.md)."""

from __future__ import annotations

import os
import signal
import sys
from typing import IO

# By which a user stops a program (nohup), and which Python itself ignores.
_STAY_IGNORED = {
    getattr(signal, f"SIG{name}") for name in "HUP INT QUIT TERM TSTP TTIN TTOU PIPE XFSZ".split()
}
_MOST_SHOWN = 200  # Characters of one variable.
_OF_RUNTIMES = (
    "GLIBC_TUNABLES GODEBUG GOGC GOMAXPROCS GOMEMLIMIT GOMP_ HWLOC_ JAVA_TOOL_OPTIONS JDK_JAVA_ "
    "JEMALLOC_ KMP_ LD_ LIBOMP_ MALLOC_ MIMALLOC_ OMP_ PARLAY_ RAYON_ RUST_MIN_STACK "
    "STEALBENCH_INJECT_ TBB_ TCMALLOC_ _JAVA_OPTIONS"
)
_THAT_BIND = "OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY KMP_HW_"


def begin_with_own_state() -> None:
    """To be called first in a program: makes of an odd state the one that process.md describes."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.set_blocking(number, True)  # Else a slow reader would be an error.
        except OSError:  # The least number that is free is this one: those below it are open.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))
    for ignored in signal.valid_signals() - _STAY_IGNORED:
        if signal.getsignal(ignored) == signal.SIG_IGN:
            signal.signal(ignored, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.umask(os.umask(0o077) & ~0o700)  # What this program writes it reads again.
    _drop("BENCHMARK_")


def takes_escapes(stream: IO[str]) -> bool:
    """Whether control sequences may be written there: to a terminal that TERM names, not as dumb."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _variables(prefixes: str) -> list[str]:
    return sorted(name for name in os.environ if name.startswith(tuple(prefixes.split())))


def _drop(prefixes: str) -> list[str]:
    return [name for name in _variables(prefixes) if os.environ.pop(name) is not None]


def environment_of_runtimes() -> str:
    """`GOGC=off, OMP_PROC_BIND=true`, in printable ASCII; `none`."""
    texts = (f"{name}={os.environ[name]}" for name in _variables(_OF_RUNTIMES))
    printable = ("".join(e if " " <= e <= "~" else "?" for e in text) for text in texts)
    return ", ".join(e[:_MOST_SHOWN] + "..." * (len(e) > _MOST_SHOWN) for e in printable) or "none"


def drop_variables_that_bind() -> list[str]:
    """Removes what tells OpenMP where its threads go, and returns the names. Beside --pin one of two
    placements would lose, and OpenMP's can hide processors from a benchmark that pins."""
    return _drop(_THAT_BIND)
