"""The command line: statuses, refusals, and what each command writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from stealbench.cli import COMMANDS, main
from stealbench.tests.conftest import Line, cell, experiment, failed, text_of, timed

NOISE = [1, 1.01, 0.99, 1.005, 0.995, 1.002]
FINISHED: Line = {"type": "finished", "spent_seconds": 6, "host_checks": []}
CONTEXT: Line = {"type": "context", "context": {"processor": "one", "num_cpus": 2, "commit": "a"}}


def write_run(folder: Path, factor: float = 1, more: Sequence[Line] = (), **header: Any) -> Path:
    """A comparison of two schedulers, the second of which takes twice as long."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        (cell("serial"), [factor * time for time in NOISE]),
        (cell("tbb"), [2 * factor * time for time in NOISE]),
    ]
    settings = {"size": "small", "pin": False}
    first = experiment([of for of, _ in rows], settings=settings, **header)
    lines = [first, CONTEXT, *timed(rows), *more, FINISHED]
    (folder / "compare.jsonl").write_bytes(text_of(lines))
    return folder


def call(*arguments: object) -> int:
    """The status of a command."""
    return main([str(argument) for argument in arguments])


def test_the_help_names_each_command_and_every_command_has_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments in [list[str](), *([name] for name in COMMANDS)]:
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--help"])
        text = capsys.readouterr().out
        assert ended.value.code == 0
        assert "Examples:" in text if arguments else all(name in text for name in COMMANDS)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "the following arguments are required: COMMAND"),
        (["reports"], "'reports'; valid: 'report', 'diff'"),
        (["report"], "the following arguments are required: RUN"),
        (["report", "--plot", "x"], "unrecognized arguments: --plot"),
        (["report", "x", "--summary", "--regret"], "not allowed with"),
        (["diff", "x", "y", "--threshold", "0"], "valid: above 0, at most 100"),
        (["diff", "x", "y", "--threshold", "nan"], "valid: above 0, at most 100"),
    ],
)
def test_wrong_arguments_are_refused_with_status_2_and_what_is_valid(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    errors = capsys.readouterr().err
    assert ended.value.code == 2 and message in errors and "For help, run stealbench" in errors


def test_a_report_is_written_beside_the_raw_file_and_begins_with_the_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("report", write_run(tmp_path / "run"), "--plots") == 0
    written = {file.name for file in (tmp_path / "run").iterdir()}
    assert written >= {"compare.jsonl", "compare.md", "compare.csv", "report.html"}
    assert capsys.readouterr().out.startswith("With 1 worker, serial leads.")


def test_a_summary_and_the_regret_write_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run")
    assert call("report", run, "--summary") == 0
    assert "serial leads" in capsys.readouterr().out
    assert call("report", run, "--regret") == 2  # Of two strategies.
    assert "valid: three or more" in capsys.readouterr().err
    assert call("report", run, "--summary", "--plots") == 2
    assert [file.name for file in run.iterdir()] == ["compare.jsonl"]


def test_several_runs_are_set_beside_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [
        write_run(tmp_path / name, factor, date=f"2026-11-2{day}T00:00:00Z")
        for name, factor, day in (("monday", 1, 1), ("tuesday", 3, 2))
    ]
    assert call("report", *runs) == 2
    assert "--output is missing" in capsys.readouterr().err
    assert call("report", *runs, "--output", tmp_path / "both") == 0
    assert {file.name for file in (tmp_path / "both").iterdir()} == {"report.html", "report.md"}
    output = capsys.readouterr().out
    assert "run 2" in output and "slower" in output


def share(folder: Path, rank: int, more: Sequence[Line] = ()) -> Path:
    """A rank's part of a sweep of two benchmarks."""
    one = cell(("serial", "tbb")[rank])
    header: Line = {"share": {"rank": rank, "ranks": 2, "benchmarks": 2}}
    own = folder / f"rank-{rank}"
    own.mkdir()
    lines = [experiment([one], **header), CONTEXT, *timed([(one, NOISE)]), *more, FINISHED]
    (own / "compare.jsonl").write_bytes(text_of(lines))
    return own


@pytest.mark.parametrize("has_failed", [False, True])
def test_the_shares_of_a_sweep_become_one_run_which_fails_where_a_benchmark_did(
    has_failed: bool, tmp_path: Path
) -> None:
    failure = [failed(cell("tbb"), "crashed")] if has_failed else []
    shares = [share(tmp_path, 0), share(tmp_path, 1, failure)]
    assert call("report", *shares, "--output", tmp_path / "sweep") == int(has_failed)
    text = (tmp_path / "sweep/compare.jsonl").read_text()
    first = json.loads(text.splitlines()[0])
    assert [one["scheduler"] for one in first["cells"]] == ["serial", "tbb"]
    assert (tmp_path / "sweep/report.html").exists()


def test_a_difference_ends_with_1_only_if_a_benchmark_is_slower(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [write_run(tmp_path / name, factor) for name, factor in (("a", 1), ("b", 1.5))]
    assert call("diff", *runs) == 1
    output = capsys.readouterr().out
    assert "2 benchmarks: 2 slower" in output and "1.50 ×" in output
    assert call("diff", *reversed(runs)) == 0
    assert "2 faster" in capsys.readouterr().out
    assert call("diff", *runs, "--threshold", 60) == 0
    assert "fib/tbb" not in capsys.readouterr().out
    assert call("diff", *runs, "--threshold", 60, "--all") == 0
    assert "fib/tbb" in capsys.readouterr().out


def test_runs_without_a_common_experiment_have_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "a")
    other = tmp_path / "b"
    other.mkdir()
    text = (run / "compare.jsonl").read_text()
    (other / "micro.jsonl").write_text(text.replace('"compare"', '"ab"'))
    assert call("diff", run, other) == 2
    assert "valid: " in capsys.readouterr().err


def test_a_file_that_cannot_be_written_ends_it_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run")
    (run / "report.html").mkdir()
    assert call("report", run) == 2
    assert "a folder; valid: a file in a folder that can be written" in capsys.readouterr().err
    assert not (run / "compare.md").exists()


def as_process(
    path: Sequence[Path], *arguments: object, output: int
) -> subprocess.CompletedProcess[str]:
    """Of its own, as a shell starts it, with these folders before that of the package."""
    places = [*map(str, path), str(Path(__file__).resolve().parents[2])]
    return subprocess.run(
        [sys.executable, "-B", "-m", "stealbench", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        text=True,
        stdout=output,
        stderr=subprocess.PIPE,
        check=False,
    )


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = as_process([], "report", write_run(tmp_path / "run"), "--summary", output=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_an_output_that_cannot_be_written_is_an_error_and_no_traceback(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        run = write_run(tmp_path / "run")
        ended = as_process([], "report", run, "--summary", output=full.fileno())
    assert ended.returncode == 1
    assert "No space left on device" in ended.stderr and "Traceback" not in ended.stderr


def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "pandas.py").write_text("raise ModuleNotFoundError(name='pandas')\n")
    ended = as_process([tmp_path], "report", tmp_path, output=subprocess.DEVNULL)
    assert ended.returncode == 1
    assert "apt-get install python3-pandas" in ended.stderr and "Traceback" not in ended.stderr
