"""The raw file while it is measured: what it keeps, refuses, loses and goes on with."""

from __future__ import annotations

import gzip
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stealbench import rawfile
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.files import CannotWrite, expect_writable, write_atomically
from stealbench.journal import Earlier, Journal, encoded
from stealbench.rawfile import RawFile
from stealbench.standing import CellStanding
from stealbench.tests.planted import ENTRY

CELLS = [Cell("fib", (("n", "20"),), scheduler) for scheduler in ("serial", "openmp")]


def process(cell: int, number: int, **members: object) -> dict[str, Any]:
    line = {"type": "process", "cell": CELLS[cell].name, "round": number, "spent_seconds": number}
    return line | (members or {"benchmark": {"real_time": 2.5, **ENTRY}})


HEADER: dict[str, Any] = {
    "type": "experiment",
    "format": 3,
    "experiment": "compare",
    "command": "stealbench compare",
    "date": "2026-11-24T18:50:49Z",
    "settings": {},
    "about": {},
    "baseline": "serial",
    "host_checks": [],
    "cells": [each.to_json() for each in CELLS],
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
    return b"".join(map(encoded, lines))


def message_of(call: Callable[[], object], kind: type[Exception] = BadInput) -> str:
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


def refusal(folder: Path | str, earlier: Earlier) -> str:
    return message_of(lambda: Journal(folder, "compare", earlier))


def add(journal: Journal, lines: list[dict[str, Any]]) -> None:
    for line in lines:
        journal.add(line)


def test_every_line_is_on_disk_before_the_next(tmp_path: Path) -> None:
    with Journal(tmp_path / "new" / "folder", "compare", "keep") as journal:
        for count, line in enumerate(LINES, 1):
            journal.add(line)
            is_measured = count >= TO_FIRST
            assert journal.is_saved() == is_measured
            assert journal.file.exists() == is_measured
            if is_measured:
                assert journal.file.read_bytes() == text_of(LINES[:count])
        assert journal.standing.raw.is_finished
        assert [each.name for each in journal.file.parent.iterdir()] == ["compare.jsonl"]


def test_it_is_brought_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synchronized: list[int] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synchronized.append(os.fstat(descriptor).st_ino)
    )
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, LINES[:4])
        own = journal.file.stat().st_ino
        folder = tmp_path.stat().st_ino
        assert synchronized[-4:] == [own, folder, own, own], "the new file, its name, lines"


def test_an_older_file_and_its_report_stay_until_the_first_process(tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    file.write_bytes(text_of(LINES))
    reports = ("compare.md", "compare.csv", "report.html", "grain.md")
    for name in reports:
        (tmp_path / name).write_text("older")
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, LINES[:2])
        assert file.read_bytes() == text_of(LINES)
        assert all((tmp_path / name).exists() for name in reports)
        journal.add(LINES[2])
    assert file.read_bytes() == text_of(LINES[:3])
    assert [(tmp_path / name).exists() for name in reports] == [False, False, False, True]


def test_a_folder_that_another_writes_to_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path, "compare", "keep"):
        for earlier in ("keep", "replace"):
            assert "another stealbench is writing there; valid: wait" in refusal(tmp_path, earlier)  # type: ignore[arg-type]
    Journal(tmp_path, "compare", "keep").close()


def test_an_unfinished_experiment_is_kept_unless_asked_to_replace_it(tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    file.write_bytes(text_of(LINES[:5]))
    message = refusal(tmp_path, "keep")
    assert (
        "it holds an unfinished compare; valid: --resume to go on with it, --overwrite" in message
    )
    with Journal(tmp_path, "compare", "replace") as journal:
        assert journal.standing.cells == []
    assert file.read_bytes() == text_of(LINES[:5]), "nothing has been measured yet"
    Journal(tmp_path, "grain", "keep").close()


DAMAGED = {
    "an older format": text_of([HEADER | {"format": 2}, *LINES[1:]]),
    "another experiment": text_of([HEADER | {"experiment": "other"}, *LINES[1:]]),
    "a line is missing": text_of([*LINES[:2], *LINES[3:]]),
    "words": b"mine\n",
    "nothing": b"",
    "an object": b"{}",
    "bytes": b"\0\xff\n",
    "packed": gzip.compress(text_of(LINES[:5])),
    "half a line": text_of(LINES)[: len(text_of(LINES)) // 2] + b"\n",
    "torn at once": text_of(LINES)[:40],
    "nested": b"[" * 100_000 + b"\n",
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_file_that_is_no_experiment_of_this_name_is_kept(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    file.write_bytes(text)
    message = refusal(tmp_path, "keep")
    assert (
        "compare.jsonl" in message and "--overwrite to replace it, or another --output" in message
    )
    assert file.read_bytes() == text
    Journal(tmp_path, "compare", "replace").close()
    assert "valid: " in refusal(tmp_path, "resume")


@pytest.mark.parametrize("name", ["compare.md", "compare.csv", "report.html", "compare.jsonl.gz"])
def test_files_that_no_experiment_has_written_there_are_kept(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine")
    message = refusal(tmp_path, "keep")
    assert name in message and "--overwrite" in message
    assert (tmp_path / name).read_text() == "mine"
    with Journal(tmp_path, "compare", "replace") as journal:
        add(journal, LINES)
    assert not (tmp_path / name).exists()


def test_the_page_of_another_experiment_is_no_obstacle(tmp_path: Path) -> None:
    for name in ("README.md", "report.html", "grain.jsonl.gz"):
        (tmp_path / name).touch()
    Journal(tmp_path, "compare", "keep").close()


def test_a_raw_file_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "compare.jsonl")
    for earlier in ("keep", "resume", "replace"):
        assert "not a regular file" in refusal(tmp_path, earlier)  # type: ignore[arg-type]
    (tmp_path / "compare.jsonl").unlink()
    (tmp_path / "compare.jsonl").symlink_to("/dev/stdout")
    assert "not a regular file" in refusal(tmp_path, "replace")


@pytest.mark.parametrize("accident", ["moved", "deleted", "replaced"])
def test_it_stops_when_its_file_is_gone(accident: str, tmp_path: Path) -> None:
    folder = tmp_path / "output"
    with Journal(folder, "compare", "keep") as journal:
        add(journal, LINES[:4])
        if accident == "moved":
            folder.rename(tmp_path / "moved")
        elif accident == "deleted":
            shutil.rmtree(folder)
        else:
            journal.file.rename(tmp_path / "other")
            journal.file.touch()
        assert not journal.is_saved()
        message = message_of(lambda: journal.add(LINES[4]), CannotWrite)
        assert message == f"{journal.file} was moved, deleted or replaced by another program"


def test_it_goes_on_and_cuts_off_a_torn_line_when_something_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    torn = text_of(LINES[:5]) + encoded(LINES[5])[:30]
    file.write_bytes(torn)
    with Journal(tmp_path, "compare", "resume") as journal:
        assert [len(each.samples) for each in journal.standing.cells] == [1, 1]
        journal.add({"type": "resumed", "date": "2026-11-24T18:50:49Z"})
        assert file.read_bytes() == torn
        add(journal, LINES[5:])
        assert journal.standing.raw.times_resumed == 1
    lines = file.read_bytes().splitlines(keepends=True)
    assert b"resumed" in lines.pop(5)
    assert b"".join(lines) == text_of(LINES)


def test_what_is_no_unfinished_experiment_is_not_gone_on_with(tmp_path: Path) -> None:
    missing = refusal(tmp_path / "none", "resume")
    assert missing.startswith("--resume: there is no compare.jsonl in ")
    assert not (tmp_path / "none").exists()
    file = tmp_path / "compare.jsonl"
    for text, part in {
        text_of(LINES): "the experiment compare in '",
        b'{"type":': "it has no complete line",
        b'{"type":\n': "line 1: it is not JSON",
        text_of([HEADER | {"experiment": "other"}]): "is of the experiment other",
    }.items():
        file.write_bytes(text)
        message = refusal(tmp_path, "resume")
        assert part in message and "valid: " in message


@pytest.mark.parametrize(("waiting", "has_lost"), [((9, 0, 0), True), ((9, 0, 0, 0), False)])
def test_a_benchmark_has_lost_a_processor_where_a_third_of_its_processes_has(
    waiting: tuple[float, ...], has_lost: bool
) -> None:
    samples: list[dict[str, Any]] = [
        {"waiting_threads": each, "worker_count": 1} for each in waiting
    ]
    assert CellStanding(CELLS[0], RawFile({}, {}), samples).has_lost_processor == has_lost


def test_a_line_that_does_not_fit_is_not_written(tmp_path: Path) -> None:
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, LINES[:3])
        message = message_of(lambda: journal.add(LINES[2]))
        assert message == f'round 1 of "{CELLS[0].name}" where round 2 is due'
        assert journal.file.read_bytes() == text_of(LINES[:3])


def test_what_is_no_utf8_is_written_as_a_replacement(tmp_path: Path) -> None:
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, [LINES[0], process(0, 1, failure="\udcff")])
    raw = rawfile.read(tmp_path / "compare.jsonl")
    assert raw.failures == {CELLS[0].name: "?"}


def test_a_folder_that_cannot_be_made_or_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "below"
    assert refusal(below, "keep") == (
        f"output folder '{below}': Not a directory; valid: a folder that can be created and written"
    )
    assert "no name" in refusal("", "keep")
    assert "output folder '/proc/self/task'" in refusal("/proc/self/task", "keep")
    (tmp_path / "compare.jsonl").mkdir()
    assert "compare.jsonl is a folder" in refusal(tmp_path, "replace")


def test_a_full_disk_is_found_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / ".compare.jsonl.new").symlink_to("/dev/full")
    assert "No space left on device" in refusal(tmp_path, "keep")


def test_a_line_at_most_is_lost_when_the_disk_becomes_full(tmp_path: Path) -> None:
    whole = text_of(LINES[:5])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(tmp_path, "compare", "keep") as journal:
        add(journal, LINES[:5])
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 20, before[1]))
        try:
            message = message_of(lambda: journal.add(LINES[5]), CannotWrite)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert message == f"cannot write {journal.file}: File too large"
    assert journal.file.read_bytes() == whole + encoded(LINES[5])[:20]
    with Journal(tmp_path, "compare", "resume") as resumed:
        add(resumed, LINES[5:])
    assert resumed.file.read_bytes() == text_of(LINES)


def test_a_file_is_replaced_as_a_whole_where_its_link_leads(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to("file")
    write_atomically(link, b"new")
    assert (file.read_bytes(), link.is_symlink()) == (b"new", True)
    (tmp_path / ".file.new").symlink_to("/dev/full")
    message = message_of(lambda: write_atomically(file, b"newer"), CannotWrite)
    assert message == f"cannot write {file}: No space left on device"
    assert file.read_bytes() == b"new"
    for other, why in {"/dev/stdout": "not a regular file", str(tmp_path): "a folder"}.items():
        refused = message_of(lambda: expect_writable(Path(other)))
        assert refused.startswith(f"output file '{other}': {why}; valid: ")
