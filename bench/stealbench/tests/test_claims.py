"""The rules of claims on made values: each claim holds, and falls where a part of it is broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy
import pytest

from stealbench import rawfile
from stealbench.analysis.claims import rules
from stealbench.analysis.claims.judge import all_cells_of, all_claims, all_of, judge, judge_one
from stealbench.analysis.claims.judge import of_theorem
from stealbench.analysis.claims.rules import FAILS, HOLDS, IN_MODEL, OPEN, Rounds, cell_of, hull
from stealbench.analysis.claims.rules import line_through
from stealbench.cell import Cell
from stealbench.experiments import claims
from stealbench.statistics import Floats
from stealbench.tests.conftest import cell, experiment, failed, process, raw_of
from stealbench.tests.edited import REFERENCE
from stealbench.tests.frozen import assert_same, assert_same_rows, oracle, section_in, tables_of
from stealbench.tests.frozen import texts_of

THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
COSTS, MODEL = "machine:(near|far)$", "machine:no-costs$"
Value = Callable[[Cell], float]
Fault = tuple[str, str, float | Value]  # A pattern of names of cells or programs; metric; factor.


def number_in(of: Cell, key: str) -> float:
    return float(dict(of.parameters).get(key, 1))


def on(of: Cell, scheduler: str, value: float, other: float) -> float:
    return value if of.scheduler == scheduler else other


MADE = {"work_units": 1e6, "fork_count": 1000, "tasks_moved": 1000, "lines_share": 0.01}
"""As little span as nothing. All else is 1, and the speedup of one second linear."""


def made(of: Cell, metric: str) -> float:
    return 1 / of.workers if metric == "seconds" else MADE.get(metric, 1)


WORLDS: dict[int, dict[str, Value]] = {
    1: {"seconds": lambda of: 1 / of.workers + 5e-7},
    2: {"seconds": lambda of: 1 / of.workers + 0.1},
    3: {"work_units": lambda of: 2 ** number_in(of, "depth"), "steal_attempts": lambda of: 1e5},
    4: {"most_live_jobs": lambda of: on(of, "work-stealing", number_in(of, "children"), 1)},
    5: {"most_live_jobs": lambda of: on(of, "work-stealing", number_in(of, "children"), 8192)},
    6: {"most_live_jobs": lambda of: of.workers},
    7: {
        "fork_count": lambda of: 2**25 / number_in(of, "grain"),
        "seconds": lambda of: 1 + 32 / number_in(of, "grain"),
    },
    8: {"seconds": lambda of: on(of, "serial", 10, 5)},
    9: {"seconds": lambda of: on(of, "serial", 0.1, 0.1 + 2 ** (number_in(of, "depth") - 21))},
    10: {
        "parallelism": lambda of: 1 + number_in(of, "keys") * (6e-7 if "serial" in of.name else 1)
    },
    11: {"work_share": lambda of: on(of, "work-stealing", 0.99, 0.53)},
    12: {"seconds": lambda of: 1e-9},
    16: {"depth": lambda of: 10, "tasks_moved": lambda of: 1},
    19: {"seconds": lambda of: 1 if of.workers == 1 else 2 if "locked" in of.scheduler else 0.6},
    21: {"jobs_spawned": lambda of: on(of, "work-stealing", 1, 4095)},
    22: {},
    24: {"seconds": lambda of: on(of, "serial", 1, 1.3)},
}


def rivals_need_thrice(metric: str, claimed: str) -> dict[str, Value]:
    return {metric: lambda of: made(of, metric) * on(of, claimed, 1, 3)}


CONTESTS = {number: claim for number, claim in all_claims().items() if number not in WORLDS}
for number, claim in CONTESTS.items():
    WORLDS[number] = rivals_need_thrice(claim.get("column", "seconds"), claim["schedulers"][0])


def judged(number: int, *faults: Fault, processors: int = 2) -> dict[str, Any]:
    """In six rounds, on two profiles."""
    cells = {of.name: of for of in all_cells_of(all_claims()[number], ["far", "near"])}

    def values(name: str, key: str) -> Floats:
        of = cells.get(name) or cell_of(name, "recorder", 1, "")
        value = WORLDS[number][key](of) if key in WORLDS[number] else made(of, key)
        for pattern, metric, factor in faults:
            if metric == key and re.search(pattern, name):
                value *= factor(of) if callable(factor) else factor
        noise = 1e-4 * numpy.arange(6) if key == "seconds" else numpy.zeros(6)
        return value * (1 + noise)

    return judge_one(number, values, ["far", "near"], processors)


LIVE, TIME, MADE_TASKS, LEAF = "most_live_jobs", "seconds", "jobs_spawned", "work-stealing/depth"
BUSY, STOLEN = "/busy-leaves/children:262144/", "/continuation-stealing/children:262144/"
# A claim, its verdict with faults, a metric, a factor, each pattern that suffices; more faults.
TABLE: list[tuple[Any, ...]] = [
    (1, FAILS, TIME, 1.01, ["^fib.*:2/", "^uts.*sh.*:64/", "^uts.*b0.*:512/", f"fib.*:8/{MODEL}"]),
    (1, IN_MODEL, TIME, 1.01, [f"^fib.*workers:8/{COSTS}"]),
    (1, OPEN, TIME, 1.01, ["^fib.*workers:8/machine:far"]),
    (2, FAILS, TIME, 2.8, ["^fib.*workers:16/", "^uts.*workers:16/", f"workers:16/{MODEL}"]),
    (2, IN_MODEL, TIME, 2.8, [f"workers:16/{COSTS}"]),
    (2, HOLDS, TIME, 1.8, ["workers:16/"]),
    (3, FAILS, "steal_attempts", 40, ["depth:16/", f"depth:16/.*{MODEL}"]),
    (3, IN_MODEL, "steal_attempts", 40, [f"depth:16/.*{COSTS}"]),
    (3, OPEN, "steal_attempts", 20, ["depth:16/"]),
    (3, HOLDS, "steal_attempts", 7, ["depth:16/"]),
    (3, HOLDS, "steal_attempts", 40, ["depth:16/"], ("depth=16", "span_units", 256)),
    (4, FAILS, LIVE, 9, [STOLEN, STOLEN + ".*" + MODEL]),
    (4, IN_MODEL, LIVE, 9, [STOLEN + ".*" + COSTS]),
    (4, HOLDS, LIVE, 8, [STOLEN]),
    (4, FAILS, LIVE, 1 / 16, ["/work-stealing/children:262144/"]),
    (4, OPEN, LIVE, 1 / 8, ["/work-stealing/children:262144/"]),
    (5, FAILS, LIVE, 6, ["bwos/children:262144/"]),
    (5, HOLDS, LIVE, 5, ["bwos/children:262144/"]),
    (6, FAILS, LIVE, 1.1, [name + ".*" + MODEL for name in (BUSY, STOLEN)]),
    (6, IN_MODEL, LIVE, 1.1, [name + ".*" + COSTS for name in (BUSY, STOLEN)]),
    (7, FAILS, TIME, 3, [f"grain:{1 << power}/" for power in (6, 8, 10, 12, 14)]),
    (7, FAILS, TIME, 1.2, ["grain:1024/"]),
    (7, HOLDS, TIME, 1.1, ["grain:1024/"]),
    (7, FAILS, TIME, lambda of: 0.99 / (1 + 33 / number_in(of, "grain")), ["reduce"]),
    (7, FAILS, "fork_count", 3, ["reduce"]),
    (7, FAILS, "fork_count", 1 / 3, ["reduce"]),
    (8, FAILS, TIME, 1.08, [f"{LEAF}:{depth}/" for depth in (15, 17, 19)]),
    (8, HOLDS, TIME, 2, [f"{LEAF}:{depth}/" for depth in (7, 9, 11, 13, 21, 23)]),
    (8, HOLDS, TIME, 1.04, [f"{LEAF}:17/"]),
    (8, OPEN, TIME, 1e6, [""]),
    (9, FAILS, TIME, 0.02, [f"g/depth:{depth}/" for depth in (17, 19, 21, 23)]),
    (9, FAILS, TIME, 0.02, [f"onetbb/depth:{depth}/" for depth in (17, 19, 21, 23)]),
    (9, HOLDS, TIME, 0.86, [f"{LEAF}:15/"]),
    (10, OPEN, "parallelism", 92, ["keys=1048576.*serial", "keys=1048576.*parallel"]),
    (10, OPEN, "parallelism", 1 / 92, ["keys=1048576.*serial", "keys=1048576.*parallel"]),
    (10, HOLDS, "parallelism", 3, ["keys=1048576.*parallel"]),
    (11, FAILS, "work_share", 0.9, ["work-stealing", "static"]),
    (11, FAILS, "work_share", 1.1, ["work-stealing", "static"]),
    (12, HOLDS, TIME, 10, ["fork"], ("steal/", TIME, 49), ("wake", TIME, 9900)),
    (12, FAILS, TIME, 51, ["fork", "^steal/"]),
    (12, FAILS, TIME, 11_000, ["wake"]),
    (16, FAILS, "depth", 101, ["depth=16"]),
    (16, FAILS, "tasks_moved", 9999, [""]),
    (16, OPEN, "depth", 40, ["depth=16"]),
    (19, FAILS, TIME, 0.3, ["locked.*workers:16"]),
    (19, OPEN, TIME, 2, ["chase-lev.*workers:16"]),
    (19, FAILS, "span_units", 1e5, ["uts"]),
    (21, FAILS, MADE_TASKS, 1e-4, ["eager.*workers:1/", "eager.*workers:64/"]),
    (21, FAILS, MADE_TASKS, 9999, ["g/.*workers:1/", "g/.*workers:64/"]),
    (21, OPEN, MADE_TASKS, 1e-4, ["eager.*workers:1/machine:far"]),
    (21, OPEN, MADE_TASKS, 2500, ["g/.*workers:64/"]),
    (22, FAILS, TIME, 1.12, [f"^fib.*workers:{count}/" for count in (4, 16, 64, 256, 1024)]),
    (22, FAILS, TIME, 1.12, ["^uts.*workers:16/", f"workers:16/{MODEL}"]),
    (22, HOLDS, TIME, 1.09, ["workers:16/"]),
    (22, IN_MODEL, TIME, 1.12, [f"workers:16/{COSTS}"]),
    (22, OPEN, TIME, 1.12, ["workers:16/"], ("^fib.*workers:64/", "lines_share", 30)),
    (22, HOLDS, TIME, 2, ["workers:256/"], ("", "span_units", 1e3)),
    (24, IN_MODEL, TIME, 1.6, [f"beat/{name}.*:1$" for name in ("n:", "d", ".*:64/", ".*:16384/")]),
    (24, HOLDS, TIME, 5, ["/work-stealing(:deque=chase-lev)?/"]),
    (24, FAILS, "jobs_exposed", 1e5, ["^fib", "depth:14/", "depth:8/"]),
]
FAULTS = [
    (number, verdict, (pattern, metric, factor), *more)
    for number, verdict, metric, factor, patterns, *more in TABLE
    for pattern in patterns
]


def contested() -> Iterator[tuple[int, str, Fault]]:
    """What each rival does in a contest, on each program with each worker count."""
    for number, claim in CONTESTS.items():
        (metric,) = WORLDS[number]
        far, even = (3.1, 3) if "is_measured" in claim else (9, 1.6)
        for rival in claim["schedulers"][1:]:
            yield number, OPEN, (f"/{rival}/", metric, 1 / even)
            for program, count in product(claim["programs"], claim["workers"]):
                name = "^" + cell_of(program, rival, count, "").name
                yield number, FAILS, (f"{name}(/|$)", metric, 1 / far)
                yield number, HOLDS, (f"{name}(/|$)", metric, 1 / even)
                if "is_measured" not in claim:
                    yield number, OPEN, (f"{name}/", metric, 1 / 5.9)  # The model's error.
                    yield number, OPEN, (f"{name}/machine:far", metric, 1 / far)


@pytest.mark.parametrize("row", [*((n, HOLDS) for n in WORLDS), *FAULTS, *contested()], ids=str)
def test_a_claim_holds_until_a_fault_decides(row: Any) -> None:
    number, verdict, *faults = row
    found = judged(number, *faults)
    assert found["verdict"] == verdict, found["because"]
    assert found["figure"] is None or found["low"] <= found["figure"] <= found["high"]


BOUNDS = [
    (number, bound, end)
    for number, claim in all_claims().items()
    for entry in (claim, claim.get("model", {}))
    for bound in [*entry.get("theorem", []), *entry.get("holds", [])]
    for end in bound.keys() & {"least", "most"}
]


@pytest.mark.parametrize(("number", "bound", "end"), BOUNDS, ids=str)
def test_without_any_bound_a_row_of_the_table_would_fail(
    number: int, bound: dict[str, Any], end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(bound, end)
    rows = [row for row in FAULTS if row[0] == number]
    assert any(judged(number, *faults)["verdict"] != verdict for _, verdict, *faults in rows)


def test_what_is_measured_and_simulated_of_theorems_are_combined() -> None:
    pairs = {HOLDS: (HOLDS, HOLDS), OPEN: (HOLDS, OPEN), FAILS: (OPEN, FAILS)}
    assert list(map(all_of, pairs.values())) == list(pairs)
    by_model = {HOLDS: [HOLDS, OPEN, IN_MODEL], OPEN: [HOLDS, OPEN, OPEN], FAILS: [FAILS] * 3}
    for in_model, expected in by_model.items():
        assert [of_theorem(in_model, costs) for costs in (HOLDS, OPEN, FAILS)] == expected
    assert hull(numpy.array([[4.0, 3, 5], [1, 0.5, 9], [2, 1, 3]])) == (2, 0.5, 9)


def test_a_contest_is_corrected_for_the_number_of_comparisons() -> None:
    slower = numpy.array([0.9, 0.95, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.1, 1.11])
    claim = {"schedulers": ["claimed", "rival"], "programs": ["fib n=20"], "is_measured": True}

    def values(name: str, key: str) -> Floats:
        return slower if name == "fib/rival/n:20/workers:1" else numpy.ones(11)

    for workers, verdict in (([1], HOLDS), (list(range(1, 11)), OPEN)):
        found = rules.contest(Rounds(values, [""], 11, 1), claim | {"workers": workers})
        assert found["verdict"] == verdict


def test_a_line_fits_relative_errors() -> None:
    x: Floats = numpy.array([1.0, 10, 100])[:, None, None]
    assert [float(part.squeeze()) for part in line_through(x, 3 + 2 * x)] == pytest.approx([2, 1])
    bent = line_through(numpy.log10(x), 20.0 * (x == 10) + 10.0 * (x != 10))
    assert float(bent[1].squeeze()) == pytest.approx(1.8)
    assert line_through(numpy.log10(x), 5.0 * (x == 1) + 0.01 * (x == 10) + (x == 100))[1] == 1e6


def test_what_cannot_be_judged_says_why() -> None:
    assert judged(9, ("", TIME, 1e6))["because"] == "No leaf took 0 s to 1.00 µs."
    assert "fewer processors than 16 workers, and there" in judged(19, processors=16)["because"]


def test_the_ratio_that_decides_a_contest_is_its_figure() -> None:
    assert judged(13, ("victim=first/", TIME, 1 / 1.6))["figure"] == pytest.approx(1.875)


OPERATIONS = [
    cell("work-stealing", n, name) for name, n in (("fork", 1), ("steal", 2), ("wake", 2))
]


def prices(rounds: int, *lines: Any, processors: str = "2", **more: float) -> tuple[str, str]:
    about = {"claims": [12], "recorded": [], "machines": {}}
    first = experiment(OPERATIONS, "claims", about=about)
    of_machine = {"type": "context", "context": {"processors": processors}}
    timed = [process(of, n + 1, 1e-9, **more) for n in range(rounds) for of in OPERATIONS]
    (found,) = judge(raw_of([first, of_machine, *timed, *lines]))
    return claims.verdict_of(found), found["because"]


def test_what_does_not_carry_a_verdict_is_undecided_and_says_why() -> None:
    assert prices(6)[0] == "holds here"
    assert prices(5) == ("undecided", "A verdict needs 6 rounds, and there are 5.")
    crashed = "steal/work-stealing/workers:2 did not finish: crashed."
    assert prices(6, failed(OPERATIONS[1], "crashed")) == ("undecided", crashed)
    waited = "fork/work-stealing/workers:1 waited for processors in a third of its rounds: measure"
    assert prices(6, waiting_threads=0.3) == ("undecided", waited + " again.")
    # One worker has a processor of its own.
    assert "fork/" in prices(6, processors="1", waiting_threads=0.15)[1]


def test_the_committed_claims_are_judged_as_by_the_cpp_driver() -> None:
    raw = rawfile.read(REFERENCE / "claims/claims.jsonl.gz")
    frozen = oracle("sections_claims")
    sections = claims.sections(raw)
    for title, expected in frozen.items():
        texts = texts_of(section_in(sections, title))
        for text, other in zip(texts, expected["texts"], strict=True):
            assert_same(THOUSANDS.sub("", text), THOUSANDS.sub("", other))
    ((title, rows),) = frozen["Claims put to the test"]["tables"]
    assert_same_rows(tables_of(section_in(sections, "Claims put to the test"))[0], rows)
    assert [one["number"] for one in claims.values(raw)[0]["claims"]] == list(range(1, 26))
