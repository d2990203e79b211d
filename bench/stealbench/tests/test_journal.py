"""The raw file while it is measured: what it keeps, refuses, loses and goes on with."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from stealbench import rawfile
from stealbench.cell import Cell
from stealbench.files import CannotWrite, expect_writable, write_atomically
from stealbench.journal import Earlier, Journal, encoded
from stealbench.tests.planted import ENTRY, message_of

CELLS = [Cell("fib", (("n", "20"),), scheduler) for scheduler in ("serial", "openmp")]


def process(cell: int, number: int, **members: object) -> dict[str, Any]:
    line = {"type": "process", "cell": CELLS[cell].name, "round": number, "spent_seconds": number}
    return line | (members or {"benchmark": {"real_time": 2.5, **ENTRY}})


HEADER: dict[str, Any] = {
    **{"type": "experiment", "format": 3, "experiment": "compare", "command": "stealbench compare"},
    **{"date": "2026-11-24T18:50:49Z", "settings": {}, "about": {}, "baseline": "serial"},
    **{"host_checks": [], "cells": [cell.to_json() for cell in CELLS]},
}
LINES: list[dict[str, Any]] = [
    HEADER,
    {"type": "context", "context": {"commit": "abc"}},
    process(0, 1),
    process(1, 1),
    {"type": "counters", "cell": CELLS[0].name, "spent_seconds": 3, "counters": {"steals": 1}},
    process(1, 2, failure="exit status 3"),
    process(0, 2),
    {"type": "finished", "spent_seconds": 4, "host_checks": []},
]
TO_FIRST = 3  # Lines up to the first process.


def text_of(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(encoded(line) + b"\n" for line in lines)


def refusal(folder: Path | str, earlier: Earlier) -> str:
    return message_of(lambda: Journal(folder, "compare", earlier))


def add(journal: Journal, lines: list[dict[str, Any]]) -> None:
    for line in lines:
        journal.add(line)


def test_every_line_is_on_disk_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda own: synced.append(os.fstat(own).st_ino))
    with Journal(tmp_path / "new" / "folder", "compare", "keep") as journal:
        for count, line in enumerate(LINES, 1):
            journal.add(line)
            assert journal.is_saved() == journal.file.exists() == (count >= TO_FIRST)
            if count >= TO_FIRST:
                assert journal.file.read_bytes() == text_of(LINES[:count])
                assert synced[-1] == journal.file.stat().st_ino
            if count == TO_FIRST:  # The new file, and its name.
                assert synced[-3:-1] == [synced[-1], journal.file.parent.stat().st_ino]
                synced.clear()
        assert len(synced) == len(LINES) - TO_FIRST
        assert journal.raw.is_finished
        assert [own.name for own in journal.file.parent.iterdir()] == ["compare.jsonl"]


def test_what_is_resumed_is_saved_before_anything_is_added(tmp_path: Path) -> None:
    (tmp_path / "compare.jsonl").write_bytes(text_of(LINES[:TO_FIRST]))
    with Journal(tmp_path, "compare", "resume") as journal:
        assert journal.is_saved()
        journal.file.unlink()
        assert not journal.is_saved()


def test_an_older_file_and_its_report_stay_until_the_first_process(tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    file.write_bytes(text_of(LINES))
    reports = ("compare.md", "compare.csv", "report.html", "compare.jsonl.gz", "grain.md")
    for name in reports:
        (tmp_path / name).write_text("older")
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, LINES[:2])
        assert file.read_bytes() == text_of(LINES)
        assert all((tmp_path / name).exists() for name in reports)
        journal.add(LINES[2])
    assert file.read_bytes() == text_of(LINES[:3])
    assert [name for name in reports if (tmp_path / name).exists()] == ["grain.md"]


@pytest.mark.parametrize("earlier", ["keep", "replace"])
def test_a_folder_that_another_writes_to_is_refused(earlier: Earlier, tmp_path: Path) -> None:
    with Journal(tmp_path, "compare", "keep"):
        assert "another stealbench is writing there; valid: wait" in refusal(tmp_path, earlier)
    Journal(tmp_path, "compare", earlier).close()


AN_EXPERIMENT = "it holds an unfinished compare; valid: --resume to go on with what is unfinished,"
DAMAGED = {
    "unfinished": (text_of(LINES[:5]), AN_EXPERIMENT),
    "an older format": (text_of([HEADER | {"format": 2}, *LINES[1:]]), "it has format 2"),
    "a line is missing": (text_of([*LINES[:2], *LINES[3:]]), "where round 1 is due"),
    "words": (b"mine\n", "line 1: it is not JSON"),
    "nothing": (b"", "it has no complete line"),
    "packed": (gzip.compress(text_of(LINES[:5])), "compare.jsonl"),
}


@pytest.mark.parametrize(("text", "part"), DAMAGED.values(), ids=DAMAGED.keys())
def test_what_is_no_finished_experiment_of_this_name_is_kept(
    text: bytes, part: str, tmp_path: Path
) -> None:
    file = tmp_path / "compare.jsonl"
    file.write_bytes(text)
    message = refusal(tmp_path, "keep")
    assert part in message and "--overwrite to replace it, or another --output" in message
    Journal(tmp_path, "compare", "replace").close()
    Journal(tmp_path, "grain", "keep").close()
    if part != AN_EXPERIMENT:
        message = refusal(tmp_path, "resume")
        assert part in message and "valid: " in message
    assert file.read_bytes() == text, "nothing has been measured yet"


@pytest.mark.parametrize("name", ["compare.md", "compare.csv", "report.html", "compare.jsonl.gz"])
def test_files_that_no_experiment_has_written_there_are_kept(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine")
    message = refusal(tmp_path, "keep")
    assert name in message and "--overwrite" in message
    with Journal(tmp_path, "compare", "replace") as journal:
        add(journal, LINES[:2])
        assert (tmp_path / name).read_text() == "mine"
        add(journal, LINES[2:])
    assert not (tmp_path / name).exists()


def test_the_page_of_another_experiment_is_no_obstacle(tmp_path: Path) -> None:
    for name in ("README.md", "report.html", "grain.jsonl.gz"):
        (tmp_path / name).touch()
    Journal(tmp_path, "compare", "keep").close()


@pytest.mark.parametrize("earlier", ["keep", "resume", "replace"])
def test_a_raw_file_that_is_no_regular_file_is_refused(earlier: Earlier, tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    os.mkfifo(file)
    assert "not a regular file" in refusal(tmp_path, earlier)
    file.unlink()
    file.symlink_to("/dev/stdout")
    assert "not a regular file" in refusal(tmp_path, earlier)
    file.unlink()
    file.mkdir()
    assert "compare.jsonl': a folder" in refusal(tmp_path, earlier)


def test_a_line_that_does_not_fit_is_not_written(tmp_path: Path) -> None:
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, [*LINES[:3], process(1, 1, failure="\udcff")])
        message = message_of(lambda: journal.add(LINES[2]))
        assert message == f'round 1 of "{CELLS[0].name}" where round 2 is due'
    raw = rawfile.read(journal.file)
    assert len(raw.processes) == 2
    assert raw.failures == {CELLS[1].name: "?"}, "what is no UTF-8 is replaced"


def test_a_folder_that_cannot_be_made_or_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "below"
    assert refusal(below, "keep") == (
        f"output folder '{below}': Not a directory; valid: a folder that can be created and written"
    )
    assert "output file '/proc/self/task/compare.jsonl'" in refusal("/proc/self/task", "keep")
    os.mkfifo(tmp_path / ".compare.jsonl.new")  # No process reads it.
    assert "No such device" in refusal(tmp_path, "keep")
    (tmp_path / ".compare.jsonl.new").unlink(missing_ok=True)
    # A full disk is found before anything is measured.
    (tmp_path / ".compare.jsonl.new").symlink_to("/dev/full")
    assert "No space left on device" in refusal(tmp_path, "keep")


def test_a_file_is_replaced_as_a_whole_where_its_link_leads(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to("file")
    for text in (b"new", b"newer"):  # First there is no such file.
        write_atomically(link, text)
        assert (file.read_bytes(), link.is_symlink()) == (text, True)
    (tmp_path / ".file.new").symlink_to("/dev/full")
    message = message_of(lambda: write_atomically(file, b"newest"), CannotWrite)
    assert message == f"cannot write {file}: No space left on device"
    assert file.read_bytes() == b"newer"
    assert [own.name for own in tmp_path.iterdir() if own.name.startswith(".")] == []
    for other, why in {
        "/dev/stdout": "not a regular file, or a standard stream",
        str(tmp_path): "a folder",
    }.items():
        refused = message_of(lambda: expect_writable(Path(other)))
        assert refused.startswith(f"output file '{other}': {why}; valid: ")
