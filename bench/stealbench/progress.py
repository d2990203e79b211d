"""What is being measured right now, for whoever watches the standard error output, so that a
redirected table stays clean."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from stealbench.inherited import takes_escapes
from stealbench.report.format import on_one_line
from stealbench.schedule import Outlook

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


def say(line: str) -> None:
    """A line on the standard error output. Where nobody can read it, it is no error."""
    with suppress(OSError, ValueError):
        encoding = sys.stderr.encoding or "utf-8"
        print(line.encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)


class Progress:
    """On a terminal one line that is drawn anew for each process: the stage, a bar, the time left,
    the cell in hand. Elsewhere a plain line for each stage. A context."""

    def __init__(self) -> None:
        self._stage = ""
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        with suppress(OSError, ValueError, AttributeError):
            if takes_escapes(sys.stderr):
                self._bar = _bar()
                self._bar.start()
                self._bar.console.show_cursor(True)  # It would stay hidden where this is killed.
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            with suppress(OSError):
                self._bar.stop()

    @property
    def is_drawn(self) -> bool:
        """Whether it shows the cell in hand."""
        return self._bar is not None

    def begin_stage(self, stage: str, ahead: Outlook) -> None:
        """A stage of the whole, such as a round."""
        self._stage = stage
        if self._bar is None:
            left = f", {ahead.left}" if ahead.left else ""
            say(f"{stage}, {100 * ahead.done:.0f} % done{left}")

    def begin(self, cell: str, ahead: Outlook) -> None:
        """The cell in hand."""
        if self._bar is not None:
            text = f"{self._stage}  {100 * ahead.done:3.0f} % {ahead.left} {on_one_line(cell)}"
            with suppress(OSError):
                self._bar.update(
                    self._bar.task_ids[0], description=text, completed=ahead.done, refresh=True
                )

    def note(self, line: str) -> None:
        """A line that stays."""
        if self._bar is None:
            say(on_one_line(line))
            return
        with suppress(OSError):
            self._bar.console.print(on_one_line(line), soft_wrap=True)


def _bar() -> Bar:
    """Drawn when a process begins, and not by a thread of its own: that would disturb the others."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    text = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))
    console = Console(stderr=True, force_terminal=True, markup=False, highlight=False, emoji=False)
    plain: dict[str, Any] = {"redirect_stdout": False, "redirect_stderr": False}
    bar = Progress(
        BarColumn(20), text, auto_refresh=False, transient=True, console=console, **plain
    )
    bar.add_task("", total=1.0)
    return bar
