"""The reader takes what was written, and refuses the rest with the line and what is valid."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from stealbench.tests.conftest import Line, cell, experiment, failed, process, raw_of, text_of
from stealbench import rawfile
from stealbench.errors import BadInput

FIB = cell("serial", n="30")
FIRST = experiment([FIB])
FINISHED = {"type": "finished", "spent_seconds": 2, "host_checks": []}


def changed(line: Line, **values: Any) -> Line:
    return {**line, **values}


COUNTED = {"type": "counters", "cell": FIB["name"], "spent_seconds": 1}


@pytest.mark.parametrize("unit, seconds", [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1)])
def test_each_unit_of_google_benchmark_is_known(unit: str, seconds: float) -> None:
    line = process(FIB, 1, 1, real_time=7, time_unit=unit)
    assert raw_of([FIRST, line]).processes[0]["seconds"] == pytest.approx(7 * seconds)


def test_a_line_that_was_being_written_is_left_out() -> None:
    text = text_of([FIRST, process(FIB, 1, 1)])
    raw = rawfile.read_lines(io.BytesIO(text + b'{"type": "proc'))
    assert len(raw.processes) == 1 and raw.whole_bytes == len(text)


def test_a_failure_is_kept_with_its_reason_and_the_rounds_before_it() -> None:
    raw = raw_of([FIRST, process(FIB, 1, 1), failed(FIB, "crashed"), FINISHED])
    assert raw.failures == {FIB["name"]: "crashed"} and raw.rounds == {FIB["name"]: 1}


@pytest.mark.parametrize("counters", [{"steals": 3}, None])
def test_counters_are_of_one_run_and_may_be_null(counters: Any) -> None:
    raw = raw_of([FIRST, {**COUNTED, "counters": counters}])
    assert raw.counters == {FIB["name"]: counters}


def test_the_first_context_stays_and_later_ones_add_to_it() -> None:
    context = {"type": "context", "context": {"num_cpus": 2}}
    later = {"type": "context", "context": {"num_cpus": 4, "tbb": "2021"}}
    assert raw_of([FIRST, context, later]).contexts[""] == {"num_cpus": 2, "tbb": "2021"}


def test_the_worse_of_two_checks_of_a_host_stays() -> None:
    def check(status: str) -> list[Line]:
        return [{"check": "load", "status": status, "detail": status}]

    first = changed(FIRST, host_checks=check("unknown"))
    lines = [{"type": "resumed", "host_checks": check(status)} for status in ("pass", "warn")]
    raw = raw_of([first, *lines])
    assert raw.host_checks == check("warn") and raw.times_resumed == 2


@pytest.mark.parametrize(
    "lines, message",
    [
        ([FINISHED], "line 1: the first line does not describe an experiment"),
        ([FIRST, FIRST], "line 2: an experiment begins inside of another one"),
        ([changed(FIRST, format=2)], "it has format 2; this stealbench reads format 3"),
        ([changed(FIRST, cells=[])], "it has no benchmarks"),
        ([changed(FIRST, cells=[FIB, FIB])], "twice"),
        ([changed(FIRST, cells=[changed(FIB, build="A")])], "'settings.threshold' is missing"),
        ([changed(FIRST, cells=[changed(FIB, name="x")])], 'is named "x"'),
        ([changed(FIRST, cells=[changed(FIB, workers=0)])], "is 0, not a whole number from 1"),
        ([changed(FIRST, cells=[changed(FIB, workers=70000)])], "'cells[0].workers' is 70000"),
        ([{k: v for k, v in FIRST.items() if k != "date"}], "the key 'date' is missing"),
        ([FIRST, {"type": "other"}], "valid: experiment, context, process"),
        ([FIRST, [1]], "the line is a list, not an object"),
        ([FIRST, failed(FIB, "")], "'failure' is empty; valid: a reason, or no such key"),
        ([FIRST, changed(failed(FIB, ""), failure=7)], "'failure' is 7, not a text"),
        ([changed(FIRST, host_checks=7)], "'host_checks' is 7, not a list"),
        ([FIRST, changed(process(FIB, 1, 1), cell="x")], 'there is no benchmark "x"'),
        ([FIRST, process(FIB, 2, 1)], "round 2 of"),
        ([FIRST, process(FIB, 1, 1, time_unit="h")], "valid: ns, us, ms, s"),
        ([FIRST, process(FIB, 1, 1, runs=0)], "'runs' is 0, not a number from 1"),
        ([FIRST, process(FIB, 1, -1)], "'real_time' is -1000"),
        ([FIRST, process(FIB, 1, 1, cpu_seconds=True)], "'cpu_seconds' is true"),
        ([FIRST, process(FIB, 1, 1, cpu_seconds=float("nan"))], "it is not JSON"),
        ([FIRST, process(FIB, 1, 1, cpu_seconds=10**400)], "'cpu_seconds' is 1000"),
        ([FIRST, process(FIB, 1, 1, cpu_seconds=1e10)], "number from 0 to 1e+09"),
        ([FIRST, process(FIB, 1, 1, waiting_threads="x")], "'waiting_threads' is"),
        ([FIRST, process(FIB, 1, 1e-16)], "'real_time' is 1e-13, not a number from 1e-15"),
        ([FIRST, {**COUNTED, "counters": 3}], "'counters' is 3, not an object"),
        ([FIRST, COUNTED], "the key 'counters' is missing; it must be an object"),
        ([FIRST, {**process(FIB, 1, 1), "simulation": {}}], "has no profile"),
        ([FIRST, FINISHED], "has neither a value nor a failure"),
    ],
)
def test_a_damaged_line_is_refused_by_its_number_and_key(lines: list[Any], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        raw_of(lines)
    assert message in str(refused.value)
    assert str(refused.value).startswith(f"line {len(lines)}: ")


def test_a_line_that_is_too_deep_for_the_reader_is_no_json() -> None:
    with pytest.raises(BadInput, match="line 1: it is not JSON"):
        rawfile.read_lines(io.BytesIO(b"[" * 100_000 + b"\n"))


def test_a_compressed_file_is_read_like_a_plain_one(tmp_path: Path) -> None:
    text = text_of([FIRST, process(FIB, 1, 1)])
    (tmp_path / "a.jsonl").write_bytes(text)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(text))
    plain, packed = (rawfile.read(tmp_path / name) for name in ("a.jsonl", "a.jsonl.gz"))
    assert plain == packed


def test_what_is_no_raw_file_is_refused_with_its_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    (tmp_path / "cut.gz").write_bytes(gzip.compress(text_of([FIRST]) * 100)[:-20])
    for name, message in (
        ("none", "there is no such file"),
        (".", "that is a folder"),
        ("pipe", "that is no regular file"),
        ("empty", "it has no complete line"),
        ("cut.gz", "; valid: a file that a stealbench experiment wrote"),
    ):
        with pytest.raises(BadInput, match=message) as refused:
            rawfile.read(tmp_path / name)
        assert str(tmp_path) in str(refused.value)


WHOLE = text_of([FIRST, process(FIB, 1, 1), failed(FIB, "crashed"), FINISHED])


@given(some.data())
def test_no_damage_ends_in_anything_but_a_refusal(data: some.DataObject) -> None:
    text = bytearray(WHOLE)
    for _ in range(data.draw(some.integers(1, 4))):
        at = data.draw(some.integers(0, len(text) - 1))
        text[at : at + data.draw(some.integers(0, 30))] = data.draw(some.binary(max_size=8))
    try:
        rawfile.read_lines(io.BytesIO(bytes(text)))
    except BadInput as refused:
        assert str(refused)


values = some.recursive(
    some.none() | some.booleans() | some.floats() | some.integers() | some.text(max_size=5),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner),
    max_leaves=5,
)


@given(some.sampled_from([FIRST, process(FIB, 1, 1), FINISHED]), some.data())
def test_any_value_of_any_key_is_read_or_refused(line: Line, data: some.DataObject) -> None:
    damaged = json.loads(json.dumps(line))
    key = data.draw(some.sampled_from(sorted(damaged)))
    damaged[key] = data.draw(values)
    lines = [damaged] if line is FIRST else [FIRST, damaged]
    try:
        raw_of(lines)
    except BadInput as refused:
        assert str(refused).startswith("line ")
