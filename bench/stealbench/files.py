"""Files that are written as a whole or not at all, and files that grow by lines."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from stealbench.errors import BadInput


class CannotWrite(OSError):
    """A file that cannot be written; the message names it and the reason."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(number, message)

    def __str__(self) -> str:
        return self.strerror


def _failure(error: OSError, file: Path) -> CannotWrite:
    return CannotWrite(error.errno or errno.EIO, f"cannot write {file}: {error.strerror}")


def _refusal(file: Path, why: str) -> BadInput:
    return BadInput(f"output file '{file}': {why}; valid: a file in a folder that can be written")


def file_to_replace(name: Path) -> Path:
    """The file that is written where a user names this one: where its symbolic links lead. Raises
    BadInput if that is no regular file, which a rename would replace: a folder, a pipe, a device, or
    one that this program has open, such as /dev/stdout."""
    file = name
    for _ in range(40):  # As the kernel.
        try:
            mode = os.lstat(file).st_mode
        except FileNotFoundError:
            return file
        except OSError as error:
            raise _refusal(name, error.strerror) from None
        if stat.S_ISDIR(mode):
            raise _refusal(name, "a folder")
        if stat.S_ISREG(mode):
            return file
        # A link in /proc is a file that this program has open: who opened it would not see what
        # replaces it.
        if not stat.S_ISLNK(mode) or os.path.realpath(file.parent).startswith("/proc/"):
            raise _refusal(name, "not a regular file")
        file = file.parent / os.readlink(file)
    raise _refusal(name, os.strerror(errno.ELOOP))


def _write_all(descriptor: int, text: bytes) -> None:
    left = memoryview(text)
    while left:
        left = left[os.write(descriptor, left) :]
    os.fsync(descriptor)


def _write_new(file: Path, text: bytes) -> None:
    """If it fails it leaves no file. Raises OSError."""
    # Not blocking: what was left there under this name may be a pipe that no program reads.
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK
    descriptor = os.open(file, flags, 0o666)
    try:
        try:
            _write_all(descriptor, text)
        finally:
            os.close(descriptor)
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _temporary_beside(file: Path) -> Path:
    """Beside it, because a rename does not cross file systems. Always the same, so that what a
    killed process has left there is written over."""
    return file.parent / f".{file.name}.new"


def write_atomically(name: Path, text: bytes | str) -> None:
    """Replaces a file as a whole: a reader, or a crash, sees the old text or the new one. Raises as
    file_to_replace, and CannotWrite, and then leaves the old file alone."""
    file = file_to_replace(name)
    temporary = _temporary_beside(file)
    try:
        _write_new(temporary, text.encode() if isinstance(text, str) else text)
        os.rename(temporary, file)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise _failure(error, file) from None
    # Lest a power failure undo the rename. Else the file is whole all the same.
    with contextlib.suppress(OSError):
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def try_to_write(file: Path) -> None:
    """Tries in its folder whether the file could be written so; an older one is left alone. Raises
    as file_to_replace, and OSError."""
    attempt = _temporary_beside(file_to_replace(file))
    _write_new(attempt, b"{}\n")  # Not nothing: a full disk takes that.
    os.unlink(attempt)


def expect_writable(file: Path) -> None:
    """The same for a file that a user names. Raises BadInput if it could not be written."""
    try:
        try_to_write(file)
    except OSError as error:
        raise _refusal(file, error.strerror) from None


def make_folder(folder: Path) -> None:
    """Makes the folder of a report. Raises BadInput, and leaves no new one, if it is no use."""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try_to_write(folder / "report.html")
    except OSError as error:
        if is_new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise BadInput(
            f"output folder '{folder}': {error.strerror};"
            " valid: a folder that can be created and written"
        ) from None


class GrowingFile:
    """A file that text is appended to; each part is on the disk when `append` returns."""

    def __init__(self, file: Path, size: int | None = None) -> None:
        """Opens a file that is there, and cuts it to a size in bytes. Raises CannotWrite."""
        self.file = file
        try:
            self._descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
            if size is not None:
                os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise _failure(error, file) from None

    def is_in_place(self) -> bool:
        """Whether the open file is the one of that name still."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self.file))
        except OSError:
            return False

    def append(self, text: bytes) -> None:
        """Raises CannotWrite; a part of the text may then be there. Also if the file no longer has
        the name, so that what is written would be lost."""
        try:
            _write_all(self._descriptor, text)
        except OSError as error:
            raise _failure(error, self.file) from None
        if not self.is_in_place():
            lost = "was moved, deleted or replaced by another program"
            raise CannotWrite(errno.ENOENT, f"{self.file} {lost}")

    def close(self) -> None:
        os.close(self._descriptor)
