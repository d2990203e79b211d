"""What a user can mend, and what the operating system refuses."""

from __future__ import annotations

from collections.abc import Iterable


class BadInput(Exception):
    """Input that is not valid: the message names what is, a text or several. A command ends with
    status 2."""

    def __init__(self, problem: str, valid: str | Iterable[str] = "") -> None:
        text = valid if isinstance(valid, str) else ", ".join(valid)
        super().__init__(f"{problem}; valid: {text}" if text else problem)


class Refused(OSError):
    """Of the operating system, with a number and a message that names the file."""

    def __str__(self) -> str:
        return self.strerror
