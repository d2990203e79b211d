"""The command line: `stealbench COMMAND …`."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from stealbench.errors import BadInput
from stealbench.inherited import begin_with_own_state
from stealbench.process import Interrupted

# A new command is a module of `commands` and a line here. It is imported when it is called.
COMMANDS = {
    "report": "Write the report of one experiment, of all of a folder, or of several runs",
    "diff": "Compare two runs of an experiment on the same machine and show what has changed",
}

FAILED, BAD_INPUT, KILLED_BY_SIGNAL = 1, 2, 128


class _Parser(argparse.ArgumentParser):
    """Says what is wrong and what is valid in a line, and where the help is."""

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"invalid choice: (.*) \(choose from (.*)\)", r"\1; valid: \2", message)
        print(f"{self.prog}: {message}\nFor help, run {self.prog} --help", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def _program() -> _Parser:
    program = _Parser(
        "stealbench",
        usage="stealbench COMMAND ...",
        description="Ranks fork-join schedulers by what one set of workloads measured of them.",
        epilog="`stealbench COMMAND --help` describes a command.",
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=12),
        allow_abbrev=False,
    )
    commands = program.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary, add_help=False)
    return program


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Of the command alone, so that no other one is imported."""
    name = _program().parse_known_args(arguments[:1])[0].command
    module = importlib.import_module(f"stealbench.commands.{name}")
    parser = _Parser(
        f"stealbench {name}",
        description=COMMANDS[name],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.declare(parser)
    parser.set_defaults(run=module.run)
    return parser.parse_args(arguments[1:])


def _drop_output() -> None:
    """What is left of it, which cannot be written: else Python tries again as it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0, 1 if it failed, 2 for bad input, 128 + N if signal N stopped it."""
    begin_with_own_state()
    try:
        options = _parsed(sys.argv[1:] if arguments is None else arguments)
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except BadInput as problem:
        print(f"stealbench: {problem}", file=sys.stderr)
        return BAD_INPUT
    except Interrupted as interruption:
        return KILLED_BY_SIGNAL + interruption.signal
    except KeyboardInterrupt:
        return KILLED_BY_SIGNAL + 2
    except BrokenPipeError:  # Who reads the output has seen enough: so it ends quietly.
        _drop_output()
        return FAILED
    except ModuleNotFoundError as missing:
        package = f"python3-{missing.name or 'pandas'}".replace("_", "-")
        print(
            f"stealbench: Python has no {missing.name} here; to install it: apt-get install"
            f" {package}, or .ci/install verify for all that stealbench uses",
            file=sys.stderr,
        )
        return FAILED
    except (OSError, RuntimeError) as problem:
        print(f"stealbench: {problem}", file=sys.stderr)
        _drop_output()
        return FAILED
