"""Reports as files: all of them or none, each as a whole."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from stealbench.files import file_to_replace, make_folder, write_atomically
from stealbench.tests.conftest import cell, experiment, text_of, timed
from stealbench.errors import BadInput
from stealbench.report import plots
from stealbench.report.write import read_runs, regret_of, write_report

NOISE = (1, 1.01, 0.99, 1.005, 0.995, 1.002)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cells = [cell(name, 2) for name in ("serial", "a", "b")]
    rows = [(of, [i * factor for factor in NOISE]) for i, of in enumerate(cells, 1)]
    raw = tmp_path / "run" / "compare.jsonl"
    raw.parent.mkdir()
    raw.write_bytes(text_of([experiment(cells), *timed(rows)]))
    return raw.parent


def test_a_report_is_a_page_markdown_csv_and_the_terminal(folder: Path, tmp_path: Path) -> None:
    out = io.StringIO()
    written = write_report(folder, tmp_path / "report", out=out)
    assert [file.name for file in written] == ["compare.md", "compare.csv", "report.html"]
    assert sorted(written) == sorted((tmp_path / "report").iterdir())
    text = out.getvalue()
    assert text.startswith("With 2 workers, serial (1 worker) leads.")
    assert text.index("Rank · time over the best") < text.index("Regret: time over the best")
    assert f"Written: {tmp_path / 'report'}/compare.md\n" in text
    page = (tmp_path / "report/report.html").read_text()
    assert "<h1>Fork-join schedulers compared on fib</h1>" in page
    assert "This experiment is unfinished" in page
    assert "compare: 3 benchmarks on unknown, unknown processors; commit unknown;" in text


def test_the_report_of_a_folder_goes_there_with_plots_as_slides_with_their_data(
    folder: Path,
) -> None:
    write_report(folder, out=io.StringIO())
    write_report(folder / "compare.jsonl", plots=True, out=(out := io.StringIO()))
    names = sorted(file.name for file in (folder / "plots").iterdir())
    assert names == ["speedup-of-fib.csv", "speedup-of-fib.png", "speedup-of-fib.svg"]
    assert f"{folder}/plots/: 3 files" in out.getvalue()
    assert len(list(folder.iterdir())) == 5


def test_a_folder_without_a_raw_file_and_an_unknown_experiment_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="contains none of compare.jsonl, grain.jsonl, .*valid:"):
        read_runs(tmp_path)
    file = tmp_path / "compare.jsonl"
    file.write_bytes(text_of([experiment([cell("a")], "dance")]))
    with pytest.raises(BadInput, match="compare.jsonl': there is no experiment 'dance'; valid: co"):
        read_runs(file)


def test_regret_needs_three_strategies(folder: Path, tmp_path: Path) -> None:
    assert "Regret: time over the best of 3 strategies" in regret_of(folder)
    file = tmp_path / "two.jsonl"
    cells = [cell("a"), cell("b")]
    file.write_bytes(text_of([experiment(cells), *timed([(of, NOISE) for of in cells])]))
    with pytest.raises(BadInput, match="fewer than three strategies in common; valid: three"):
        regret_of(file)


def test_nothing_is_written_if_a_plot_cannot_be_drawn(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise ValueError("0 is not on the axis")

    monkeypatch.setattr(plots, "draw", fail)
    with pytest.raises(BadInput, match="a plot cannot be drawn: 0 is not on the axis; valid:"):
        write_report(folder, tmp_path / "new", plots=True, out=io.StringIO())
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_if_one_of_the_files_cannot_be_replaced(folder: Path) -> None:
    (folder / "compare.csv").mkdir()
    with pytest.raises(BadInput, match="compare.csv': a folder; valid: a file in a folder"):
        write_report(folder, out=io.StringIO())
    assert not (folder / "compare.md").exists()


def test_a_file_is_replaced_through_its_link_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "real").read_text() == "new" and (tmp_path / "link").is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_stays_as_it_was_if_the_new_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    write_atomically(tmp_path / "file", "old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_what_is_no_regular_file_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to_pipe").symlink_to("pipe")
    (tmp_path / "to_folder").symlink_to(tmp_path)
    (tmp_path / "ring").symlink_to("ring")
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    for name in ("pipe", "to_pipe", "to_folder", "ring", "stdout"):
        with pytest.raises(BadInput, match="valid: a file in a folder that can be written"):
            file_to_replace(tmp_path / name)


def test_a_scheduler_may_have_any_name(tmp_path: Path) -> None:
    file = tmp_path / "compare.jsonl"
    cells = [cell("serial"), cell("=<b>&\"|*`$\\'\x1b\u202e")]
    file.write_bytes(text_of([experiment(cells), *timed([(of, NOISE) for of in cells])]))
    write_report(file, plots=True, out=io.StringIO())
    assert "<b>" not in (tmp_path / "report.html").read_text()
    assert ",\"'=<b>" in (tmp_path / "compare.csv").read_text()
