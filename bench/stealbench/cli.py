"""The command line: `stealbench COMMAND …`."""

from __future__ import annotations

import argparse
import errno
import functools
import importlib
import importlib.util
import os
import re
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, cast

from stealbench.errors import BadInput, Refused
from stealbench.experiments import NAMES
from stealbench.inherited import begin_with_own_state
from stealbench.process import Interrupted
from stealbench.progress import say
from stealbench.report.format import on_one_line
from stealbench.suite import Suite

# A new command is a module of `commands`, or of `experiments` if it measures, and a line here. It is
# imported when it is called.
COMMANDS = {
    "list": "List the schedulers and the workloads, or describe one of them",
    "run": "Run a workload once; print its answer, whether it is right, and its time",
    "trace": "Run a workload once; record when each worker ran tasks, searched for work or slept",
    "compare": "Measure every scheduler on every workload and rank the schedulers",
    "grain": "Measure a workload at several grain sizes; report the best, and which are as good",
    "metg": "Measure the shortest task that still runs at 50 % or 90 % efficiency",
    "micro": "Measure the cost of single operations: fork, spawn, steal, wake-up and others",
    "simulate": "Simulate schedulers on up to 4096 processors, or check a simulation",
    "explain": "Explain a workload: its work and span, and how near to bounds schedulers are",
    "claims": "Put claims of textbooks and manuals to the test",
    "calibrate": "Measure the profile of this machine for simulations",
    "report": "Write the report of one experiment, of all of a folder, or of several runs",
    "diff": "Compare two runs of an experiment on the same machine and show what has changed",
    "doctor": "Check what disturbs measurements on this machine, and what is not built",
}

BAD_INPUT = 2  # An exit status.
_REMEDIES = {
    errno.EMFILE: "; a higher limit of open files (ulimit -n) helps",
    errno.EAGAIN: "; fewer other processes, or a higher limit of them (ulimit -u), help",
    errno.ENOMEM: "; fewer other programs, or a higher limit of memory (ulimit -v), help",
}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong and what is valid in a line, and where the help is."""

    def error(self, message: str) -> NoReturn:
        if match := re.search(r"invalid choice: (.*) \(choose from (.*)\)", message):
            words = match[2].replace("'", "")  # Python 3.13 has none around them.
            message = f"{message[: match.start()]}{match[1]}; valid: {words}"
        message = re.sub(r"^argument (-[^/:]*)(/[^:]*)?: ", r"\1 ", message)
        message = re.sub(r"^argument COMMAND: ", "unknown command ", message)
        if message.startswith("unrecognized arguments: "):
            options = [name for action in self._actions for name in action.option_strings]
            message = message.replace("unrecognized arguments:", "unknown argument", 1)
            message += f"; valid: {', '.join(options)}"
        message = "\n".join(map(on_one_line, message.split("\n")))
        say(f"{self.prog}: {message}\nFor help, run {self.prog} --help")
        raise SystemExit(BAD_INPUT)


def _program() -> tuple[_Parser, dict[str, _Parser]]:
    program = _Parser(
        "stealbench",
        usage="stealbench COMMAND ...",
        description="Measures fork-join schedulers on one set of workloads and ranks them. Every"
        " measurement runs in its own process, and every answer is checked.",
        epilog="`stealbench COMMAND --help` describes a command.\n\nExamples:\n  stealbench list\n"
        "  stealbench compare --workloads fib,uts --schedulers serial,work-stealing",
        formatter_class=functools.partial(
            argparse.RawDescriptionHelpFormatter, max_help_position=12
        ),
        allow_abbrev=False,
    )
    program.add_argument("--version", action="store_true", help="print the version and commit")
    kind: dict[str, Any] = {"dest": "command", "metavar": "COMMAND", "title": "commands"}
    commands = program.add_subparsers(prog="stealbench", **kind)
    kind = {"formatter_class": argparse.RawDescriptionHelpFormatter}
    for name, summary in COMMANDS.items():
        text = summary.replace("%", "%%")
        commands.add_parser(name, help=text, description=text, allow_abbrev=False, **kind)
    return program, commands.choices


class _Later(ModuleType):
    """A library that is loaded when it is used (LazyLoader loads it when it is imported twice)."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def _declare(name: str, parser: argparse.ArgumentParser) -> Callable[[Namespace, Suite], int]:
    """The options of a command, and what runs it. No other one is imported."""
    if name in NAMES and "pandas" not in sys.modules and importlib.util.find_spec("pandas"):
        sys.modules["pandas"] = _Later("pandas")
    if importlib.util.find_spec(f"stealbench.commands.{name}"):
        module = importlib.import_module(f"stealbench.commands.{name}")
        module.declare(parser)
        return cast(Callable[[Namespace, Suite], int], module.run)
    from stealbench import measuring

    experiment = importlib.import_module(f"stealbench.experiments.{name}").EXPERIMENT
    settings = measuring.declare(name, experiment, parser)
    return functools.partial(measuring.run, name, experiment, settings)


def _run(arguments: Sequence[str], suite: Suite) -> int:
    program, parsers = _program()
    is_completing = "_ARGCOMPLETE" in os.environ  # By a shell, which asks what may follow.
    words = os.environ["COMP_LINE"].split()[1:2] if is_completing else arguments[:1]
    run = _declare(words[0], parsers[words[0]]) if {*words} & {*parsers} else None
    if is_completing:
        import argcomplete

        argcomplete.autocomplete(program)
    typed, unknown = program.parse_known_args(arguments)
    if typed.version:
        build = suite.installation.build
        print(f"stealbench {build.version} (commit {build.commit})")
        return 0
    if run is None:
        program.print_help(sys.stderr)
        return BAD_INPUT
    if unknown:
        parsers[typed.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    typed.arguments = list(arguments)
    return run(typed, suite)


def _interrupt(number: int, _: object) -> None:
    raise Interrupted(number)


def _fail(message: str, status: int = 1) -> int:
    if message:
        say("stealbench: " + "\n".join(map(on_one_line, message.split("\n"))))
    try:
        sys.stdout.flush()
    except OSError:  # Python would try to write the rest again as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def main(arguments: Sequence[str] | None = None, home: Path | str | None = None) -> int:
    """The exit status. `home`: the folder of the build; the current one by default."""
    begin_with_own_state()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)
    try:
        suite = Suite(Path(home or "."), sys.argv[0] if home else "stealbench")
        status = _run(sys.argv[1:] if arguments is None else arguments, suite)
        sys.stdout.flush()
        return status
    except BadInput as problem:
        return _fail(str(problem), BAD_INPUT)
    except Interrupted as interruption:
        return 128 + interruption.signal
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except MemoryError:
        return _fail("not enough memory; valid: a smaller input, or a higher limit (ulimit -v)")
    except ModuleNotFoundError as missing:
        package = f"python3-{missing.name or 'pandas'}".replace("_", "-")
        install = f"apt-get install {package}, or .ci/install bench for all that stealbench uses"
        return _fail(f"Python has no {missing.name} here; to install it: {install}")
    except BrokenPipeError:  # Who reads the output has seen enough: so it ends quietly.
        return _fail("")
    except (OSError, RuntimeError) as problem:
        what, code = str(problem), getattr(problem, "errno", 0)
        if code and not isinstance(problem, Refused) and getattr(problem, "filename", 0) is None:
            what = f"cannot write the standard output: {os.strerror(code)}"
        return _fail(what + _REMEDIES.get(code, ""))
