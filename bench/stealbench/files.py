"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stealbench.errors import BadInput, Refused

VALID_FOLDER = "a folder that can be created and written"


class CannotWrite(Refused):
    """A file that cannot be written; the message names it and the reason."""

    @classmethod
    def because_of(cls, error: OSError, file: Path) -> CannotWrite:
        if isinstance(error, CannotWrite):
            return error
        return cls(error.errno, f"cannot write {file}: {error.strerror}")


def _refusal(file: Path, why: str) -> BadInput:
    return BadInput(f"output file '{file}': {why}", "a file in a folder that can be written")


def file_to_replace(name: Path) -> Path:
    """Where the symbolic links of what a user names lead. Raises BadInput if it is no regular file,
    or a standard stream (/dev/stdout), as who opened it would not see what replaces it."""
    try:
        status = name.stat()
        streams = [os.fstat(number) for number in (1, 2)]
    except FileNotFoundError:
        return Path(os.path.realpath(name))
    except OSError as error:
        raise _refusal(name, error.strerror) from None
    if stat.S_ISDIR(status.st_mode):
        raise _refusal(name, "a folder")
    is_stream = any(os.path.samestat(status, stream) for stream in streams)
    if is_stream or not stat.S_ISREG(status.st_mode):
        raise _refusal(name, "not a regular file, or a standard stream")
    return Path(os.path.realpath(name))


def write_all(descriptor: int, text: bytes) -> None:
    """To the disk. Raises OSError; a part of the text may then be there."""
    left = memoryview(text)
    while left:
        left = left[os.write(descriptor, left) :]
    os.fsync(descriptor)


@contextmanager
def written_beside(file: Path, text: bytes) -> Iterator[Path]:
    """A new file, which is gone afterwards unless it is renamed. Beside it, as a rename does not
    cross file systems; always of one name: what a killed process has left is written over."""
    temporary = file.parent / f".{file.name}.new"
    # Not blocking: what was left there under this name may be a pipe that no program reads.
    opener = lambda name, flags: os.open(name, flags | os.O_NONBLOCK, 0o666)
    try:
        with open(temporary, "wb", buffering=0, opener=opener) as new:
            write_all(new.fileno(), text)
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink()


def write_atomically(name: Path, text: bytes | str) -> None:
    """Replaces a file as a whole: a reader, or a crash, sees the old text or the new one. Raises as
    file_to_replace, and CannotWrite: then the old file is as it was."""
    file = file_to_replace(name)
    try:
        with written_beside(file, text.encode() if isinstance(text, str) else text) as new:
            os.rename(new, file)
    except OSError as error:
        raise CannotWrite.because_of(error, file) from None
    with suppress(OSError):  # Lest a power failure undo the rename. Else the file is whole, too.
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def expect_writable(file: Path) -> None:
    """Raises BadInput if the file could not be written so."""
    try:
        with written_beside(file_to_replace(file), b"{}\n"):  # A full disk takes nothing at all.
            pass
    except OSError as error:
        raise _refusal(file, error.strerror) from None


def make_folder(folder: Path) -> None:
    """Makes the folder of a report. Raises BadInput, and leaves no new one, if it is no use."""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        expect_writable(folder / "report.html")
    except (OSError, BadInput) as error:
        if is_new:
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"output folder '{folder}': {error.strerror}", VALID_FOLDER) from None
