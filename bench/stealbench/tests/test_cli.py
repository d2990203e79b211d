"""The command line: statuses, refusals, what it loads, and what report and diff write."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stealbench.cli import COMMANDS
from stealbench.tests import planted
from stealbench.tests.conftest import Line, cell, experiment, failed, text_of, timed

NOISE = [1, 1.01, 0.99, 1.005, 0.995, 1.002]
FINISHED: Line = {"type": "finished", "spent_seconds": 6, "host_checks": []}
CONTEXT: Line = {"type": "context", "context": {"processor": "one", "num_cpus": 2, "commit": "a"}}
Captured = pytest.CaptureFixture[str]
call = functools.partial(planted.call, None)


def write_run(folder: Path, factor: float = 1, **header: Any) -> Path:
    """A comparison of two schedulers, the second of which takes twice as long."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(cell(name), [k * factor * time for time in NOISE]) for k, name in ((1, "a"), (2, "b"))]
    settings = {"size": "small", "pin": False}
    first = experiment([of for of, _ in rows], settings=settings, **header)
    (folder / "compare.jsonl").write_bytes(text_of([first, CONTEXT, *timed(rows), FINISHED]))
    return folder


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_names_each_command_and_each_has_examples(name: str, capsys: Captured) -> None:
    assert call(name, "--help") == 0
    text = capsys.readouterr().out
    assert text.count(f"stealbench {name}".strip()) >= 3 and "\nExamples:\n" in text
    assert name or not [command for command in COMMANDS if f"    {command}" not in text]


REFUSED = {
    "": "usage: stealbench COMMAND",
    "reports": "unknown command 'reports'; valid: list, run, trace, compare,",
    "report": "the following arguments are required: RUN\nFor help, run stealbench report --help",
    "report --plot x": "unknown argument --plot; valid: -h, --help, --output, --plots",
    "report x --summary --regret": "--regret not allowed with argument --summary",
    "report x --summary --plots": "--summary: writes no file; valid: one RUN, without --output",
    "report x y": "--output is missing; valid: ",
    "diff x y --threshold 0": "--threshold '0' is no percentage; valid: above 0",
    "diff x y --threshold nan": "'nan' is no percentage; valid: above 0",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_wrong_arguments_are_refused_with_what_is_valid(arguments: str, capsys: Captured) -> None:
    assert call(arguments) == 2
    assert REFUSED[arguments] in capsys.readouterr().err


def test_a_report_begins_with_the_verdict(tmp_path: Path, capsys: Captured) -> None:
    run = write_run(tmp_path / "run")
    assert call("report", run, "--summary") == 0
    assert "a leads" in capsys.readouterr().out
    assert len([*run.iterdir()]) == 1
    assert call("report", run, "--plots") == 0
    assert capsys.readouterr().out.startswith("With 1 worker, a leads.")
    assert {file.name for file in run.iterdir()} >= {"compare.md", "compare.csv", "report.html"}
    later = write_run(tmp_path / "later", 3, date="2026-11-23T00:00:00Z")
    assert call("report", run, later, "--output", tmp_path / "both") == 0
    assert {file.name for file in (tmp_path / "both").iterdir()} == {"report.html", "report.md"}
    assert "run 2" in capsys.readouterr().out


@pytest.mark.parametrize("has_failed", [False, True])
def test_the_shares_of_a_sweep_become_one_run_which_fails_where_a_benchmark_did(
    has_failed: bool, tmp_path: Path
) -> None:
    shares = [tmp_path / "rank-0", tmp_path / "rank-1"]
    for rank, one in enumerate((cell("a"), cell("b"))):
        shares[rank].mkdir()
        first = experiment([one], share={"rank": rank, "ranks": 2, "benchmarks": 2})
        more = [failed(one, "crashed")] if has_failed and rank else []
        lines = [first, CONTEXT, *timed([(one, NOISE)]), *more, FINISHED]
        (shares[rank] / "compare.jsonl").write_bytes(text_of(lines))
    assert call("report", *shares, "--output", tmp_path / "sweep") == int(has_failed)
    header = json.loads((tmp_path / "sweep/compare.jsonl").read_text().splitlines()[0])
    assert [one["scheduler"] for one in header["cells"]] == ["a", "b"]


def test_a_difference_is_1_only_if_a_benchmark_is_slower(tmp_path: Path, capsys: Captured) -> None:
    runs = [write_run(tmp_path / name, factor) for name, factor in (("a", 1), ("b", 1.5))]
    assert (call("diff", *runs), call("diff", *reversed(runs))) == (1, 0)
    output = capsys.readouterr().out
    assert "2 benchmarks: 2 slower" in output and "2 faster" in output
    assert call("diff", *runs, "--threshold", 60) == 0
    assert "fib/b" not in capsys.readouterr().out
    assert call("diff", *runs, "--threshold", 60, "--all") == 0
    assert "b on fib" in capsys.readouterr().out
    other = write_run(tmp_path / "c", name="micro", about={"figures": [], "gaps": []})
    assert call("diff", runs[0], other) == 2
    assert "have no experiment in common; valid: " in capsys.readouterr().err


def as_process(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """Of its own, as a shell starts it."""
    command = [sys.executable, "-B", "-m", "stealbench", *map(str, arguments)]
    more = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, **more}
    return subprocess.run(command, check=False, **more)


@pytest.mark.parametrize("name", ["list", "run", "trace", "doctor", "compare"])
def test_the_help_loads_no_library(name: str, tmp_path: Path) -> None:
    for library in ("pandas", "scipy", "matplotlib", "jinja2", "rich"):
        (tmp_path / f"{library}.py").write_text("raise SystemExit(__name__)\n")
    env = os.environ | {"PYTHONPATH": f"{tmp_path}:{os.environ['PYTHONPATH']}"}
    ended = as_process(name, "--help", env=env)
    assert (ended.returncode, ended.stderr) == (0, "") and "Examples:" in ended.stdout
    (tmp_path / "pandas.py").write_text("raise ModuleNotFoundError(name='pandas')\n")
    ended = as_process("report", write_run(tmp_path / "run"), env=env)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    assert "apt-get install python3-pandas" in ended.stderr


def test_an_output_that_nobody_reads_or_that_is_full_is_no_traceback(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run")
    reading, writing = os.pipe()
    os.close(reading)
    ended = as_process("report", run, "--summary", stdout=writing)
    assert (ended.returncode, ended.stderr) == (1, "")
    with open("/dev/full", "wb") as full:
        ended = as_process("report", run, "--summary", stdout=full)
    expected = (1, "stealbench: cannot write the standard output: No space left on device\n")
    assert (ended.returncode, ended.stderr) == expected


def test_a_shell_is_told_what_may_follow(tmp_path: Path) -> None:
    for text, answer in (("stealbench do", "doctor"), ("stealbench compare --abl", "--ablation")):
        line = {"COMP_LINE": text, "COMP_POINT": str(len(text)), "_ARGCOMPLETE": "1"}
        line["_ARGCOMPLETE_STDOUT_FILENAME"] = f"{tmp_path}/answer"
        as_process(env=os.environ | line)
        assert (tmp_path / "answer").read_text().strip() == answer
