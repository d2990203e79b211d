"""What is being measured right now, for whoever watches the standard error output, so that a
redirected table stays clean."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from stealbench.inherited import takes_escapes
from stealbench.report.format import on_one_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


def say(line: str) -> None:
    """A line on the standard error output. Where nobody can read it, it is no error."""
    with suppress(OSError, ValueError):
        encoding = sys.stderr.encoding or "utf-8"
        print(line.encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)


class Progress:
    """On a terminal one line that is drawn anew for each process: a bar for the part of the stage
    that is done, the stage, the cell in hand. Elsewhere a plain line for each stage. A context."""

    def __init__(self) -> None:
        self._stage, self._steps, self._bar = "", 0, None if _is_plain() else _bar()

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._bar.console.show_cursor(True)  # It would stay hidden where this is killed.
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            with suppress(OSError):
                self._bar.stop()

    def stage(self, stage: str, steps: int = 1) -> None:
        """A stage of the whole, such as a round of that many processes."""
        self._stage, self._steps = stage, 0
        if self._bar is None:
            say(stage)
        else:
            self._bar.update(self._bar.task_ids[0], total=steps)

    def step(self, cell: str) -> None:
        """The next cell of the stage is in hand."""
        if self._bar is not None:
            text = f"{self._stage}  {on_one_line(cell)}"
            with suppress(OSError):
                task = self._bar.task_ids[0]
                self._bar.update(task, description=text, completed=self._steps, refresh=True)
        self._steps += 1

    def note(self, line: str) -> None:
        """A line that stays."""
        if self._bar is None:
            say(on_one_line(line))
            return
        with suppress(OSError):
            self._bar.console.print(on_one_line(line), soft_wrap=True)


def _is_plain() -> bool:
    with suppress(OSError, ValueError, AttributeError):
        return not takes_escapes(sys.stderr)
    return True


def _bar() -> Bar:
    """Drawn when a process begins, and not by a thread of its own: that would disturb the others."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.table import Column

    text = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))
    console = Console(stderr=True, force_terminal=True, markup=False, highlight=False, emoji=False)
    columns = BarColumn(20), TaskProgressColumn(), text
    plain: dict[str, Any] = {"redirect_stdout": False, "redirect_stderr": False}
    bar = Progress(*columns, auto_refresh=False, transient=True, console=console, **plain)
    bar.add_task("")
    return bar
