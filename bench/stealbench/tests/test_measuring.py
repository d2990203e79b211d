"""Experiments from the command line to the raw file, on planted schedulers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stealbench.experiments.grain import grains_between
from stealbench.experiments.metg import points_wanted, standard_graphs
from stealbench.suite import Suite
from stealbench.tests import planted
from stealbench.tests.planted import plant_scheduler, plant_suite, well_behaved, workload
from stealbench.workloads import Workload, workload_of


VICTIM: dict[str, Any] = {
    "name": "victim",
    "meaning": "whom",
    "values": [{"word": word, "about": {}} for word in ("last", "random")],
    "requirements": [],
}


def plant_one(
    home: Path, name: str, body: str = "", milliseconds: str = "2.5", **more: Any
) -> None:
    """A scheduler that counts steals. `more` that it says of itself."""
    said = {"about": {}, "library": "in-house", "settings": [], "counters": ["steals"]} | more
    catalogue = json.loads((home / "stealbench-sequential--catalogue.json").read_text())
    body += well_behaved('{"steals":1}', milliseconds)
    answers = {"describe": {"scheduler": name} | said, "catalogue": catalogue}
    plant_scheduler(home, name, body, **answers)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two workloads, the second of which cannot be simulated; three schedulers."""
    build = {
        "known": ["serial", "work-stealing", "openmp", "rayon"],
        "simulated": ["work-stealing"],
    }
    build["compared"] = ["serial", "work-stealing", "openmp", "rayon"]
    build["executables"] = ["stealbench-serial", "stealbench-work-stealing", "stealbench-openmp"]
    (tmp_path / "stealbench-build.json").write_text(json.dumps(build))
    plant_suite(tmp_path)
    plant_one(tmp_path, "serial")
    plant_one(tmp_path, "openmp")
    plant_one(tmp_path, "work-stealing", settings=[VICTIM])
    return tmp_path


Call = Callable[..., str]


@pytest.fixture
def call(home: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    def run(line: str, status: int = 0) -> str:
        ended = planted.call(home, line, "--output", home / "out")
        said = capsys.readouterr()
        assert ended == status, said.err
        return said.out + said.err

    return run


def header_of(home: Path, name: str = "compare") -> dict[str, Any]:
    first = (home / "out" / f"{name}.jsonl").read_text().splitlines()[0]
    header: dict[str, Any] = json.loads(first)
    return header


def names(home: Path, name: str = "compare") -> list[str]:
    return [cell["name"] for cell in header_of(home, name)["cells"]]


def test_a_comparison_records_what_it_was_given_and_what_is_missing(home: Path, call: Call) -> None:
    call("compare --workload sort --workers 2,1-2 --rounds 1 --seed 5 --set cut=4")
    header = header_of(home)
    assert names(home) == [
        "sort/serial/keys:100/cut:4/workers:2",
        "sort/work-stealing/keys:100/cut:4/workers:2",
        "sort/openmp/keys:100/cut:4/workers:2",
        "sort/work-stealing/keys:100/cut:4/workers:1",
        "sort/openmp/keys:100/cut:4/workers:1",
    ]
    assert {"seed": 5, "workers": [2, 1], "workloads": ["sort"]}.items() <= header[
        "settings"
    ].items()
    assert header["settings"]["schedulers"] == ["serial", "work-stealing", "openmp"]
    assert header["families"] == {"sort": "family of sort"}
    assert header["about"]["not_built"]["schedulers"] == ["rayon"]
    assert header["baseline"] == "serial" and header["host_checks"]


def test_what_is_excluded_is_left_out(home: Path, call: Call) -> None:
    call("compare --workloads all --workers 1 --rounds 1 --exclude rayon,sort,openmp")
    assert [name.split("/")[:2] for name in names(home)] == [
        ["fib", "serial"],
        ["fib", "work-stealing"],
    ]


def test_an_ablation_has_each_value_of_a_setting_against_the_default(
    home: Path, call: Call
) -> None:
    call("compare --ablation --workload fib --workers 1 --rounds 1")
    variant, against = "work-stealing:victim=random", "work-stealing"
    contrast = {"factor": "work-stealing:victim", "variant": variant, "against": against}
    assert header_of(home)["about"]["ablation"] == [contrast]
    assert header_of(home)["settings"]["schedulers"] == ["serial", against, variant]


def test_another_build_is_measured_in_the_same_rounds(
    home: Path, call: Call, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    plant_suite(other)
    plant_one(other, "openmp", milliseconds="1.5")
    line = f"compare --against {other} --scheduler openmp --workload fib --workers 1 --rounds 6"
    assert "slower" in call(line, status=1)
    assert names(home) == [f"fib/openmp/keys:100/workers:1/build:{build}" for build in "AB"]
    assert header_of(home)["about"]["builds"] == {"A": str(other), "B": str(home)}
    refused = call(line.replace("openmp", "serial") + " --overwrite", status=2)
    assert "serial is not in both builds; valid: openmp" in refused
    plant_one(other, "work-stealing", settings=[VICTIM | {"values": VICTIM["values"][::-1]}])
    refused = call(line.replace("openmp", "work-stealing:victim=random") + " --overwrite", status=2)
    assert "scheduler work-stealing:victim=random: the defaults differ" in refused


@pytest.mark.parametrize(
    "line, message",
    [
        ("compare --workloads fib,nix", "unknown workload 'nix'; valid: fib, sort"),
        ("compare --workloads all,fib", "all is every workload"),
        ("compare --schedulers nix", "unknown scheduler 'nix'; valid: serial, work-stealing"),
        ("compare --schedulers rayon", "scheduler rayon is not built"),
        ("compare --schedulers work-stealing:victim=nix", "unknown value; valid: last, random"),
        ("compare --workers 0", "--workers 0: must be between 1 and 1024"),
        ("compare --workers -1", "-1: must be a number, or a range such as 1-4"),
        ("compare --size-of fib", "--size-of fib: expected KEY=VALUE"),
        ("compare --workers 4-2", "4-2: must begin with the smaller number"),
        ("compare --workers 1,,2", "an item of the list is empty"),
        ("compare --workloads sort --set nix=1", "--set nix=1: sort has no parameter 'nix'"),
        ("compare --workloads all --set nix=1", "no chosen workload has this parameter"),
        ("compare --workloads fib --set keys=1,keys=2", "set twice"),
        ("compare --size-of sort=small --workloads fib", "--size-of sort=small: not possible"),
        ("compare --size huge", "valid: test, small, standard, large"),
        ("compare --exclude nix", "--exclude nix: no such workload or scheduler; valid: fib, sort"),
        ("compare --workloads fib --exclude fib", "leaves nothing to compare"),
        ("compare --ablation --schedulers serial", "--ablation: it chooses the schedulers"),
        ("compare --workload fib --against nowhere", "it has no executable stealbench-NAME"),
        ("compare --target 0", "is no percentage"),
        ("compare --resume --workloads fib", "--resume: there is no compare.jsonl"),
        ("compare --resume --overwrite", "not allowed with"),
        ("grain", "grain: WORKLOAD is required; valid: fib"),
        ("grain sort", "grain: sort is not possible; valid: fib"),
        ("grain fib --set cut=3", "--set cut: this command varies cut"),
        ("grain fib --grains 9", "--grains cut=9: expected an integer between 0 and 5"),
        ("micro --metrics nix", "--metrics nix: unknown; valid: fork, steal"),
        ("micro --metrics steal --schedulers serial", "its one worker is the calling thread"),
    ],
)
def test_bad_input_is_refused_before_anything_is_measured(
    line: str, message: str, home: Path, call: Call
) -> None:
    assert message in call(line, status=2)
    assert not list(home.glob("out/*"))


def test_damaged_neighbours_are_found_before_the_measurement(home: Path, call: Call) -> None:
    (home / "out").mkdir()
    (home / "out" / "micro.jsonl").write_text("damaged\n")
    assert "micro.jsonl" in call("compare --workload fib --rounds 1 --workers 1", status=2)


def test_costs_that_a_scheduler_has_not_are_gaps(home: Path, call: Call) -> None:
    call("micro --schedulers serial,openmp --rounds 1")
    assert names(home, "micro") == [
        "fork/serial/workers:1",
        "fork/openmp/workers:1",
        "steal/openmp/workers:2",
    ]
    assert header_of(home, "micro")["about"]["gaps"][0]["figure"] == "steal"


@pytest.mark.parametrize("workload", ["fib", "--workload fib", "--workloads fib"])
def test_a_workload_may_be_an_option(workload: str, home: Path, call: Call) -> None:
    call(f"grain {workload} --workers 1 --rounds 1 --schedulers openmp --grains 1,2")
    assert header_of(home, "grain")["settings"]["WORKLOAD"] == "fib"


def test_the_catalogue_is_that_of_a_scheduler_that_a_comparison_builds(home: Path) -> None:
    for name, word in (("sequential", "old"), ("serial", "new")):
        catalogue = {"workloads": [workload(word, None)], "metrics": []}
        plant_scheduler(home, name, "", catalogue=catalogue)
    assert Suite(home, "stealbench").workload_names == ["new"]


def test_values_are_printed_as_json(home: Path, call: Call) -> None:
    said = call("compare --workload fib --workers 1 --rounds 1 --schedulers serial,openmp --json")
    values = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert [value["scheduler"] for value in values] == ["serial", "openmp"]


def of_grain(**grain: Any) -> Workload:
    return workload_of(workload("fib", None, {"parameter": "keys", **grain}))


@pytest.mark.parametrize(
    "grain, chosen, expected",
    [
        (dict(least=16, most=100), {"keys": "16"}, [16, 32, 64, 100]),
        (dict(least=16, most=100), {"keys": "50"}, [16, 32, 50, 64, 100]),
        (dict(least=16, most=2**14), {"keys": "16"}, [16 << e for e in range(11)]),
        (dict(least=16, most=2**15), {"keys": "16"}, [*(16 << 2 * e for e in range(6)), 2**15]),
        (dict(counts="levels_of_forks", least=0, most=5), {"keys": "2"}, [0, 1, 2, 3, 4, 5]),
        (dict(least=16, most=2), {"keys": "5"}, [2]),
    ],
)
def test_grains_go_in_steps_up_to_one_piece_of_the_whole(
    grain: dict[str, Any], chosen: dict[str, str], expected: list[int]
) -> None:
    assert grains_between(of_grain(**grain), list(chosen.items())) == expected


HALVES = [1 << e for e in reversed(range(11))]


@pytest.mark.parametrize(
    "overhead, fails_below, wanted",
    [(100, 0, 6), (0.1, 0, 11), (0, 2048, 1), (0, 64, 6)],
)
def test_metg_measures_one_point_behind_the_first_below_half_or_one_that_fails(
    overhead: float, fails_below: int, wanted: int
) -> None:
    calls = []

    def seconds(point: int) -> float | None:
        calls.append(point)
        return None if HALVES[point] < fails_below else HALVES[point] + overhead

    assert points_wanted(HALVES, seconds) == wanted
    assert len(calls) <= 5, "by bisection"


def test_the_graphs_of_metg_have_about_as_many_tasks_each() -> None:
    shown = [
        (graph["name"], graph["workload"], *graph["parameters"].values(), graph["tasks"])
        for graph in standard_graphs(2)
    ]
    assert shown == [
        ("independent", "taskbench", "trivial", "512", "1", 512),
        ("fork tree", "empty_tree", "9", 512),
        ("stencil_1d", "taskbench", "stencil_1d", "8", "64", 512),
        ("fft", "taskbench", "fft", "8", "64", 512),
        ("tree", "taskbench", "tree", "8", "64", 1 + 2 + 4 + 61 * 8),
    ]
    assert [graph["tasks"] for graph in standard_graphs(64)][2:4] == [16 * 256] * 2


def test_what_never_finished_has_a_report_with_its_reasons(home: Path, call: Call) -> None:
    for name in ("serial", "openmp"):
        plant_one(home, name, "exit 3\n")
    for line in (
        "compare --workload fib --workers 1,2",
        "grain fib --workers 1 --grains 1,2",
        "micro --metrics fork",
    ):
        said = call(f"{line} --rounds 1 --schedulers serial,openmp", status=1)
        assert "DNF" in said and "Written: " in said and "benchmarks did not finish" in said, line


def test_a_finished_measurement_without_its_report_is_not_replaced(home: Path, call: Call) -> None:
    line = "compare --workload fib --workers 1 --rounds 1 --schedulers serial"
    call(line)
    (home / "out" / "compare.md").unlink()
    assert "`stealbench report` to write it" in call(line, status=2)
    assert "its compare is finished" in call("compare --resume", status=2)
    call(f"{line} --overwrite")
