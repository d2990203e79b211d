"""list, run, trace and doctor, on planted programs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

from stealbench.commands.trace import timeline
from stealbench.tests.planted import call, plant, plant_scheduler
from stealbench.tests.test_workloads import UTS

ABOUT = {"group": "Baselines", "summary": "calls", "paper": "P", "bound": ""}
VALUES = [{"word": "split", "about": ABOUT}, {"word": "locked", "about": ABOUT | {"bound": "O(1)"}}]
NEED = {"value": "locked", "other": "idle", "values": ["park"], "reason": "it must"}
DEQUE = {"name": "deque", "meaning": "jobs", "values": VALUES, "requirements": [NEED]}
SERIAL: dict[str, Any] = {"scheduler": "serial", "about": ABOUT, "library": "in-house"}
SERIAL |= {"settings": [], "counters": []}
STEALING = SERIAL | {"scheduler": "work-stealing", "settings": [DEQUE], "counters": ["steals"]}
STEALING["about"] = ABOUT | {"group": "Stealing", "summary": "steals"}
ONCE: dict[str, Any] = {"workload": "uts", "scheduler": "s", "workers": 1, "parameters": {}}
ONCE |= {"answer": {"nodes": 7}, "verified": True, "time_ns": 2000, "counters": None}


def line(name: str, begin: float, end: float, worker: int = 0) -> str:
    event = {"name": name, "ph": "X", "tid": worker, "ts": begin, "dur": end - begin}
    return json.dumps(event, separators=(",", ":")) + ",\n"


TRACE = line("run", 0, 1) + line("look for work", 0, 1, worker=1) + line("parked", 1, 2, worker=1)


def plant_one(
    home: Path, described: Any, once: object = ONCE, trace: str = TRACE, end: str = ""
) -> None:
    """A scheduler that prints `once` of a run, and then does what the shell is told."""
    write = f'[ $1 != --trace ] || printf %s {quote(trace)} > "$2"'
    body = f"{write}\nprintf '%s\\n' {quote(json.dumps(once))}; {end}"
    answers = {"describe": described, "catalogue": {"workloads": [UTS], "metrics": []}}
    plant_scheduler(home, described["scheduler"], body, **answers)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "44")
    build = {"known": ["serial", "work-stealing", "taskflow"], "from_source": ["taskflow"]}
    (tmp_path / "stealbench-build.json").write_text(json.dumps(build))
    plant_one(tmp_path, SERIAL)
    plant_one(tmp_path, STEALING)
    return tmp_path


Captured = pytest.CaptureFixture[str]


def called(capsys: Captured, home: Path, arguments: str) -> tuple[int, str, str]:
    status = call(home, arguments)
    output, errors = capsys.readouterr()
    return status, output, errors


LISTED = {  # Parts of what is printed.
    "": " Baselines\n  serial                calls\n~steals. Settings:\n" + " " * 24 + "deque\n"
    "~  Not built   taskflow\n  Add it with\n~ Recursive\n  uts                   counts a tree",
    "taskflow": "CMAKE_PREFIX_PATH=FOLDER~--target stealbench stealbench-taskflow",
    "uts": "uts: counts a tree\n  Shape     a spawn~  Unit      none: it cannot be~tree         a"
    "~  one of custom, T1, T3; default custom\n~  Grain     cut (stealbench grain uts)\n"
    "~    standard     tree=T1\n                 tree=T3\n",
    "work-stealing": "  split          calls\n~    Bound     O(1)\n~deque=locked requires idle=park",
    "--markdown": "### Recursive\n\n| workload |~*standard:* tree=T1 and tree=T3 |",
}


@pytest.mark.parametrize("arguments", LISTED)
def test_list_describes_what_is_named(arguments: str, home: Path, capsys: Captured) -> None:
    status, output, errors = called(capsys, home, f"list {arguments}")
    assert (status, errors) == (0, "")
    assert not [part for part in LISTED[arguments].split("~") if part not in output], output


def test_markdown_has_a_row_for_each_strategy(home: Path, capsys: Captured) -> None:
    strategies = called(capsys, home, "list schedulers --markdown")[1]
    assert "| **`serial`** | calls | P |  |\n| **`work-stealing`** | steals" in strategies
    assert "| `deque=split`, the default | calls | P |  |\n| `deque=locked` |" in strategies


def test_list_prints_json_of_all_that_is_known(home: Path, capsys: Captured) -> None:
    printed = json.loads(called(capsys, home, "list --json")[1])
    names = [own["scheduler"] for own in printed["schedulers"]]
    assert (names, printed["not_built"]) == (["serial", "work-stealing"], ["taskflow"])
    assert printed["schedulers"][1]["settings"][0]["values"][1]["word"] == "locked"
    (uts,) = printed["workloads"]
    assert (uts["bound_by"], uts["grain"]["parameter"]) == ("memory traffic", "cut")
    assert (uts["sizes"]["small"], uts["parameters"][1]["max"]) == ([{"tree": "T1"}], 10000)


REFUSED = {
    "list sudoku": "unknown workload or scheduler 'sudoku'; valid: schedulers, workloads, uts,",
    "run uts --scheduler taskflow": "scheduler taskflow is not built (built: serial, work-steal",
    "run uts --scheduler serial --set b=1,b=2": "--set b=1,b=2: one is set twice",
    "trace uts --scheduler serial --output t": "has no counters; valid: work-stealing\n",
    "trace uts --scheduler work-stealing --output {}/no/t": "/t': No such file or directory; valid",
    "trace uts --scheduler work-stealing --output {}": "a folder; valid: a file in a folder",
    "trace uts --scheduler work-stealing --output {}/pipe": "pipe': not a regular file",
    "trace uts --scheduler work-stealing --output /dev/stdout": "': not a regular file",
    "trace uts --scheduler work-stealing --output {}/t.svg": "its drawing has this name; valid",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_refused(arguments: str, home: Path, capsys: Captured) -> None:
    os.mkfifo(home / "pipe")
    status, output, errors = called(capsys, home, arguments.format(home))
    assert (status, output) == (2, "") and REFUSED[arguments] in errors, errors


@pytest.mark.parametrize(
    ("once", "status", "part"),
    [
        ({}, 0, 'uts tree=T1 on serial, 1 worker\n  answer    {"nodes": 7}\n  check     right\n'),
        ({}, 0, "  time      2.00 µs\n  counters  none for this scheduler\n"),
        ({"verified": None, "time_ns": None}, 0, "is not known\n  time      unknown\n"),
        ({"verified": False}, 1, "  check     WRONG\n"),
        ({"counters": {"n": 1}}, 0, '  counters  {"n": 1}\n'),
        ({"answer": "a\x1b[0m\nb"}, 0, '  answer    "a\\u001b[0m\\nb"\n'),
    ],
)
def test_run_shows_what_came_of_it(
    once: dict[str, Any], status: int, part: str, home: Path, capsys: Captured
) -> None:
    plant_one(home, SERIAL, ONCE | once, end=f"exit {status}")
    arguments = "run uts --scheduler serial --workers 2"
    code, output, errors = called(capsys, home, arguments)
    assert (code, "wrong answer" in errors) == (status, status == 1) and part in output
    assert json.loads(called(capsys, home, f"{arguments} --json")[1]) == ONCE | once


TRACED = "trace uts --scheduler work-stealing --workers 2 --output "


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("kill -SEGV $$", "ended by signal 11 (Segmentation fault)"),
        ("echo }", "unreadable output: not the JSON of one run"),
    ],
)
def test_a_run_that_fails_says_why(end: str, message: str, home: Path, capsys: Captured) -> None:
    plant_one(home, STEALING, end=end)
    (home / "t.json").write_text("as before")
    for arguments in ("run uts --scheduler work-stealing", f"{TRACED}{home}/t.json"):
        status, output, errors = called(capsys, home, arguments)
        assert (status, output) == (1, "") and message in errors
    assert (home / "t.json").read_text() == "as before" and not (home / ".t.json.new").exists()


def test_a_program_that_crashes_or_says_nonsense_of_itself(home: Path, capsys: Captured) -> None:
    plant(home, "stealbench-odd", "echo '{\"about\": 5}'")
    assert "\n  odd\n" in called(capsys, home, "list")[1]
    assert "| **`odd`** |  |  |  |" in called(capsys, home, "list schedulers --markdown")[1]
    plant(home, "stealbench-odd", "kill -SEGV $$")
    status, output, _ = called(capsys, home, "list")
    said = " ".join(output.split())
    assert status == 0 and "cannot describe itself" in said and "work-stealing" in said
    assert "odd cannot describe itself: " in called(capsys, home, "list odd")[2]


def test_a_trace_is_drawn_beside_its_json(home: Path, capsys: Captured) -> None:
    more = ONCE | {"events": 3, "dropped_intervals": 1200}
    plant_one(home, STEALING, more)
    status, output, errors = called(capsys, home, f"{TRACED}{home}/t.json")
    assert (status, "t.json: 3 events of uts" in output, "t.svg: a" in output) == (0, True, True)
    assert "1200 intervals of workers that had more" in errors and "increase --events" in errors
    title = "uts tree=T1 on work-stealing, 2 workers; 1,200 later intervals are missing"
    words, drawing = "running searching sleeping".split(), (home / "t.svg").read_text()
    assert not [w for w in [title, *words, "time [µs]"] if f">{w}</text>" not in drawing]


@pytest.mark.parametrize("text", ['{"ph":"X"}', '"ph":"X"', '{"ph":"X","tid":[]}'])
def test_a_trace_that_cannot_be_read_is_an_error(text: str, home: Path, capsys: Captured) -> None:
    plant_one(home, STEALING, trace=text)
    status, _, errors = called(capsys, home, f"{TRACED}{home}/t.json")
    assert status == 1 and "t.json: unreadable output: not the JSON of a trace" in errors


def test_a_drawing_of_many_intervals_is_an_image_in_it() -> None:
    few, many = ([line("run", n, n + 0.5) for n in range(size)] for size in (3, 10_001))
    drawings = [timeline(lines, "", 1, 1e7) for lines in (few, many)]
    assert ["<image" in drawing.decode() for drawing in drawings] == [False, True]


def test_doctor_names_every_check_and_how_to_build_the_rest(home: Path, capsys: Captured) -> None:
    status, output, _ = called(capsys, home, "doctor --json")
    printed = json.loads(output)
    assert (printed["built"][1:], printed["not_built"]) == (["work-stealing"], ["taskflow"])
    assert status == any(check["status"] == "warn" for check in printed["checks"])
    names = [check["check"] for check in printed["checks"]]
    output = called(capsys, home, "doctor")[1]
    assert len(names) == 13 and all(f" {name} " in output for name in names)
    assert "Not built   taskflow" in output and "Build all that have their libraries" in output
    for file in home.glob("stealbench-[sw]*"):
        file.unlink()
    status, output, _ = called(capsys, home, "doctor")
    assert status == 1 and "warn     schedulers       None is built." in output
