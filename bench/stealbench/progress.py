"""What is being measured right now, for whoever watches the standard error output, so that a
redirected table stays clean."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress

from stealbench.inherited import takes_escapes
from stealbench.report.format import on_one_line


def say(line: str, end: str = "\n") -> None:
    """A line on the standard error output. Where nobody can read it, it is no error."""
    with suppress(OSError, ValueError):
        encoding = sys.stderr.encoding or "utf-8"
        text = line.encode(encoding, "replace").decode(encoding)
        print(text, file=sys.stderr, end=end, flush=True)


class Progress:
    """On a terminal one line that is drawn anew for each process: the stage, the part of it that is
    done, the cell in hand. Elsewhere a plain line for each stage. A context."""

    def __init__(self) -> None:
        self._stage, self._steps, self._done, self._is_drawn = "", 1, 0, False
        with suppress(ValueError, AttributeError):
            self._is_drawn = takes_escapes(sys.stderr)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._draw("")

    def _draw(self, text: str) -> None:
        if self._is_drawn:
            say(f"\r{text[: shutil.get_terminal_size().columns - 1]}\x1b[K", end="")

    def stage(self, stage: str, steps: int = 1) -> None:
        """A stage of the whole, such as a round of that many processes."""
        self._stage, self._steps, self._done = stage, steps, 0
        self._draw(stage)
        if not self._is_drawn:
            say(stage)

    def step(self, cell: str) -> None:
        """The next cell of the stage is in hand."""
        part = f"{100 * self._done / self._steps:3.0f} %"
        self._draw(on_one_line(f"{self._stage} {part}  {cell}"))
        self._done += 1

    def note(self, line: str) -> None:
        """A line that stays."""
        self._draw("")
        say(on_one_line(line))
