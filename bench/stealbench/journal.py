"""The raw file of an experiment while it is measured: every line is on disk before the next process
starts."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Literal

from stealbench import rawfile
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.files import VALID_FOLDER, CannotWrite, expect_writable, write_all, write_atomically
from stealbench.rawfile import FORMAT, OWN_BASELINE, RawFile

Earlier = Literal["keep", "resume", "replace"]
Members = Mapping[str, Any]
OVERWRITE = "or --overwrite to start again"
_INSTEAD = (
    "--resume to go on with what is unfinished, `stealbench report` to write its report, --overwrite"
    " to replace it, or another --output"
)
_SAY_NOTHING_MEASURED = ("experiment", "context", "resumed")


def encoded(value: Any) -> bytes:
    """As a raw file has it. What a process wrote need not be UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def now() -> str:
    """`2026-11-24T18:50:49Z`."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Journal:
    """Between processes it holds a lock on the folder, which ends with this process however it ends.
    A context that closes the file."""

    def __init__(self, folder: str | Path, experiment: str, earlier: Earlier) -> None:
        """Makes the folder, locks it and tries to write in it. `earlier`: what becomes of a file of
        this name that is no finished experiment; any is left alone until the first process is added.
        Raises BadInput if it is not to be written, or nothing there can be resumed."""
        self._folder, self._is_resumed = Path(folder).absolute(), earlier == "resume"
        self.file = self._folder / f"{experiment}.jsonl"
        self._raw: RawFile | None = None  # What the lines say.
        self._descriptor: int | None = None  # Of the file, once something measured is in it.
        self._pending = b""
        # What is derived shows other measurements than the raw file is about to hold.
        own = (self.file.with_suffix(end) for end in (".md", ".csv", ".jsonl.gz"))
        self._derived = [self._folder / "report.html", *own]
        if self._is_resumed and not self.file.exists():
            valid = "the --output folder of an interrupted experiment, or another --output"
            raise BadInput(f"--resume: there is no {self.file.name} in '{folder}'", valid)
        with ExitStack() as self._open_files:
            self._lock_folder(folder)
            expect_writable(self.file)
            if earlier != "replace" and (why := self._why_kept()):
                raise BadInput(f"output folder '{folder}': {why}", _INSTEAD)
            self._open_files = self._open_files.pop_all()

    @property
    def raw(self) -> RawFile:
        """What the lines say so far. There is a first one."""
        assert self._raw is not None
        return self._raw

    def _lock_folder(self, typed: str | Path) -> None:
        """First of all: what another process writes there is not to be touched."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise BadInput(f"output folder '{typed}': {error.strerror}", VALID_FOLDER) from None
        self._open_files.callback(os.close, lock)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            why = f"output folder '{typed}': another stealbench is writing there"
            raise BadInput(why, "wait for it, or another --output") from None
        except OSError:  # The file system has no locks.
            pass

    def _why_kept(self) -> str:
        """Why what is there is neither resumed nor replaced; empty if it may be."""
        name, experiment = self.file.name, self.file.stem
        if not self.file.exists():
            has_raw = any(self._folder.glob("*.jsonl*"))  # Then the page may be of that.
            foreign = [file.name for file in self._derived[has_raw:] if file.exists()]
            return f"it holds {foreign[0]} without {name}" if foreign else ""
        try:
            raw = rawfile.read(self.file, may_be_packed=False)
        except BadInput as problem:
            return f"its {name} is not a raw file that can be read ({problem})"
        if raw.experiment != experiment:
            return f"its {name} is of the experiment {raw.experiment}"
        if self._is_resumed:
            self._raw = raw
            return f"its {experiment} is finished" if raw.is_finished else ""
        if not raw.is_finished:
            return f"it holds an unfinished {experiment}"
        has_report = self.file.with_suffix(".md").exists()
        return "" if has_report else f"it holds a finished {experiment} without its report"

    def begin(self, cells: Sequence[Cell], host_checks: Sequence[Members], **more: Any) -> None:
        """Adds the first line, with `more`. Without host checks all cells are simulated."""
        first = {"type": "experiment", "format": FORMAT, "experiment": self.file.stem}
        first |= {"date": now(), **more, "host_checks": host_checks}
        first |= {"baseline": "serial" if host_checks else OWN_BASELINE}
        self.add(first | {"cells": [cell.to_json() for cell in cells]})

    def expect_same(self, settings: Members) -> None:
        """Raises BadInput unless these settings are those that were recorded."""
        recorded, name = self.raw.header["settings"], self.file.stem
        if recorded.keys() != settings.keys():
            why = f"the settings in the first line of {self.file} are not those of this {name}"
            raise BadInput(f"--resume: {why}", f"the build that started it, {OVERWRITE}")
        differences = [
            f"--{key} was {encoded(recorded[key]).decode()}, not {encoded(settings[key]).decode()}"
            for key in settings
            if settings[key] != recorded[key]
        ]
        if differences:
            why = f"the {name} started with other settings: {'; '.join(differences)}"
            raise BadInput(f"--resume: {why}", f"the same settings, {OVERWRITE}")

    def add(self, line: Members) -> None:
        """Appends the line. Lines that say nothing measured wait for the first one that does. Raises
        BadInput if a reader would refuse it, and CannotWrite, also if the file has lost its name.
        """
        text = encoded(line) + b"\n"
        self._raw = rawfile.apply(self._raw, rawfile.parsed(text))
        self._pending += text
        if self._descriptor is None and line["type"] in _SAY_NOTHING_MEASURED:
            return
        try:
            if self._descriptor is None:
                self._descriptor = self._open()
            pending, self._pending = self._pending, b""
            write_all(self._descriptor, pending)
        except OSError as error:
            raise CannotWrite.because_of(error, self.file) from None
        if not self.is_saved():
            lost = "was moved, deleted or replaced by another program"
            raise CannotWrite(errno.ENOENT, f"{self.file} {lost}")

    def _open(self) -> int:
        """A new file replaces an older one as a whole; one that is resumed loses its torn line."""
        if not self.raw.whole_bytes:
            pending, self._pending = self._pending, b""
            write_atomically(self.file, pending)
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND)
        self._open_files.callback(os.close, descriptor)
        if self.raw.whole_bytes:
            os.ftruncate(descriptor, self.raw.whole_bytes)
        for derived in self._derived:
            with suppress(OSError):
                derived.unlink()
        return descriptor

    def is_saved(self) -> bool:
        """Whether anything that was measured is in the file, and the file is still in its place."""
        if self._descriptor is None:  # Nothing was added, but what is resumed has lines.
            return self._is_resumed and self.file.exists()
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self.file))
        except OSError:
            return False

    def close(self) -> None:
        self._open_files.close()
        self._descriptor = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
