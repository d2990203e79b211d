"""The raw file of an experiment while it is measured: every line is on disk before the next process
starts."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.files import GrowingFile, try_to_write, write_atomically
from stealbench.standing import Standing

Earlier = Literal["keep", "resume", "replace"]
_PAGE = "report.html"
_PACKED = ".gz"
_SAY_NOTHING_MEASURED = ("experiment", "context", "resumed")


def _refusal(folder: Path | str, why: str, valid: str = "") -> BadInput:
    valid = valid or "a folder that can be created and written"
    return BadInput(f"output folder '{folder}': {why}; valid: {valid}")


def encoded(line: Mapping[str, Any]) -> bytes:
    """A line as a raw file has it. What a process wrote need not be UTF-8."""
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"


class Journal:
    """Between processes it holds a lock on the folder, which ends with this process however it ends.
    A context that closes the file."""

    def __init__(self, folder: str | Path, experiment: str, earlier: Earlier) -> None:
        """Makes the folder, locks it and tries to write in it. `earlier`: what becomes of the file
        of this name, unless it is of a finished experiment; it is left alone until the first process
        is added. Raises BadInput if the folder cannot be made or written, if another process writes
        there, if it holds what is to be kept (anything but a finished experiment of this name), and
        if it holds none that could be resumed."""
        if not os.fspath(folder):
            raise _refusal(folder, "it has no name")
        self._experiment = experiment
        self._folder = Path(folder).absolute()
        self.file = self._folder / f"{experiment}.jsonl"
        self.standing = Standing()
        self._growing: GrowingFile | None = None
        self._resumed_bytes: int | None = None
        self._pending = b""
        if earlier == "resume" and not self.file.exists():
            raise BadInput(
                f"--resume: there is no {self.file.name} in '{folder}'; valid: the --output folder "
                "of an interrupted experiment, or no --resume"
            )
        self._lock = self._lock_folder(folder)
        try:
            if self.file.is_dir():
                raise _refusal(folder, f"{self.file.name} is a folder")
            try:
                try_to_write(self.file)
            except OSError as error:
                raise _refusal(folder, error.strerror) from None
            if earlier == "keep":
                self._expect_replaceable()
            elif earlier == "resume":
                self._resume()
        except BaseException:
            os.close(self._lock)
            raise

    def _lock_folder(self, folder: str | Path) -> int:
        """Without the lock a second process could resume what the first is still at. A file system
        that has no locks is taken as it is."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise _refusal(folder, error.strerror) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            valid = "wait for it, or another --output"
            raise _refusal(folder, "another stealbench is writing there", valid) from None
        except OSError:
            pass
        return lock

    def _derived(self) -> list[Path]:
        """Reports of that experiment alone."""
        return [self._folder / f"{self._experiment}{ending}" for ending in (".md", ".csv")]

    def _expect_replaceable(self) -> None:
        def keep(why: str, instead: str = "") -> BadInput:
            valid = f"{instead}--overwrite to replace it, or another --output"
            return _refusal(self._folder, why, valid)

        name = self.file.name
        if self.file.exists():
            try:
                found = rawfile.read(self.file, may_be_packed=False)
            except BadInput as problem:
                why = f"its {name} is not a raw file that can be read ({problem})"
                raise keep(why) from None
            if found.experiment != self._experiment:
                raise keep(f"its {name} is of the experiment {found.experiment}")
            if found.is_finished:
                return
            instead = "--resume to go on with it, "
            raise keep(f"it holds an unfinished {self._experiment}", instead)
        if Path(f"{self.file}{_PACKED}").exists():
            raise keep(f"it holds {name}{_PACKED}")
        # Without a raw file these are no report of it.
        for derived in self._derived():
            if derived.exists():
                without = f"without the {name} that it would be made from"
                raise keep(f"it holds a {derived.name} {without}")
        has_raw = any(self._folder.glob("*.jsonl")) or any(self._folder.glob("*.jsonl.gz"))
        if not has_raw and (self._folder / _PAGE).exists():
            raise keep(f"it holds a {_PAGE} without any raw file")

    def _resume(self) -> None:
        raw = rawfile.read(self.file, may_be_packed=False)
        if raw.experiment != self._experiment:
            raise BadInput(
                f"--resume: '{self.file}' is of the experiment {raw.experiment}; valid: the "
                "--output folder of an interrupted one, or no --resume"
            )
        if raw.is_finished:
            raise BadInput(
                f"--resume: the experiment {self._experiment} in '{self._folder}' is finished; "
                "valid: the --output folder of an interrupted one, or no --resume"
            )
        self.standing, self._resumed_bytes = Standing(raw), raw.whole_bytes

    def add(self, line: Mapping[str, Any]) -> None:
        """Applies the line to the standing and appends it to the file. Lines that say nothing
        measured wait for the first one that does, and reach the disk with it: a crash loses at most
        the line that is being written. Raises BadInput if a reader would refuse it, and CannotWrite;
        what was added before stays."""
        self.add_all([line])

    def add_all(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """The same of several lines. If nothing was saved before, all of them are in the file or
        none."""
        for line in lines:
            text = encoded(line)
            self.standing.apply(rawfile.parsed(text))
            self._pending += text
        is_measured = any(line["type"] not in _SAY_NOTHING_MEASURED for line in lines)
        if self._growing is None:
            if not is_measured:
                return
            self._growing = self._open()
        pending, self._pending = self._pending, b""
        self._growing.append(pending)

    def _open(self) -> GrowingFile:
        """A new file replaces an older one as a whole; one that is resumed loses its torn line. What
        was derived shows other measurements than the raw file is about to hold."""
        if self._resumed_bytes is None:
            pending, self._pending = self._pending, b""
            write_atomically(self.file, pending)
        growing = GrowingFile(self.file, self._resumed_bytes)
        for derived in (*self._derived(), self._folder / _PAGE, Path(f"{self.file}{_PACKED}")):
            try:
                derived.unlink()
            except OSError:
                pass
        return growing

    def is_saved(self) -> bool:
        """Whether anything that was measured is in the file, and the file is still in its place."""
        return self._growing is not None and self._growing.is_in_place()

    def close(self) -> None:
        if self._growing is not None:
            self._growing.close()
        self._growing = None
        os.close(self._lock)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
