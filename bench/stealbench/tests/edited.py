"""Committed raw files, edited: what the oracle of sweeps, diff and merge was made of.

Every edit is exact, so that the C++ driver and these tests read the same file.
"""

from __future__ import annotations

import copy
import functools
import gzip
import json
from pathlib import Path

from stealbench.tests.conftest import Line

REFERENCE = Path(__file__).resolve().parents[3] / "results/reference/2026-11-22"


def lines_of(name: str) -> list[Line]:
    """`comparison/grain`: the lines of a committed raw file."""
    with gzip.open(REFERENCE / f"{name}.jsonl.gz") as file:
        return [json.loads(line) for line in file]


@functools.cache
def _first_simulated(count: int) -> str:
    header, *lines = lines_of("validation/simulate")
    header["cells"] = header["cells"][:count]
    names = {cell["name"] for cell in header["cells"]}
    return json.dumps([header, *(line for line in lines if line.get("cell", "") in names | {""})])


def simulated() -> list[Line]:
    """Two benchmarks of a committed simulation."""
    lines: list[Line] = json.loads(_first_simulated(2))
    return lines


def _slow_down(line: Line, factor: float) -> None:
    line["benchmark"]["real_time"] *= factor


def with_more_rounds(lines: list[Line], rounds: int) -> list[Line]:
    """Rounds that repeat the first ones, each a little slower."""
    finished = lines[-1]
    timed = [line for line in lines if line["type"] == "process"]
    had = max(line["round"] for line in timed)
    added = []
    for number in range(had + 1, rounds + 1):
        for line in timed:
            if line["round"] == number - had:
                added.append(copy.deepcopy(line) | {"round": number})
                _slow_down(added[-1], 1 + 0.001 * number)
    return [*lines[:-1], *added, finished]


def grain_in_six_rounds() -> list[Line]:
    """So that grains are rated and modelled."""
    return with_more_rounds(lines_of("comparison/grain"), 6)


def later(lines: list[Line]) -> list[Line]:
    """A later run: some benchmarks changed, one failed, one is missing, another compiler."""
    lines = copy.deepcopy(lines)
    header = lines[0]
    header["date"] = "2026-11-30T00:00:00Z"
    place = {cell["name"]: index for index, cell in enumerate(header["cells"])}
    failing, missing = (header["cells"][index]["name"] for index in (5, 7))
    header["cells"] = [cell for cell in header["cells"] if cell["name"] != missing]
    kept = []
    for line in lines:
        if line["type"] == "context":
            line["context"]["compiler"] = "Clang 14"
        if line.get("cell") == missing or line.get("cell") == failing and line.get("round") != 1:
            continue
        if line["type"] == "process":
            noise = 1 + 0.004 * ((line["round"] * 7 + place[line["cell"]]) % 5)
            _slow_down(line, noise * (1.0, 1.2, 0.85, 1.02)[place[line["cell"]] % 4])
        if line.get("cell") == failing:
            line["failure"] = "wrong answer"
            del line["benchmark"]
        kept.append(line)
    return kept


def two_builds() -> list[Line]:
    """The comparison and what came later as builds A and B of one run."""
    sides = {"A": lines_of("comparison/compare"), "B": later(lines_of("comparison/compare"))}
    header = sides["A"][0]
    header["settings"] |= {"threshold": 5.0}
    header["about"] = {"builds": {"A": "one", "B": "two"}}
    cells, lines = [], []
    for build, side in sides.items():
        names = {cell["name"] for cell in side[0]["cells"]}
        for line in side[1:-1]:
            if line["type"] == "counters":
                continue
            if "cell" in line:
                line["cell"] += f"/build:{build}"
            lines.append(line | ({"build": build} if line["type"] == "context" else {}))
        for cell in sides["A"][0]["cells"]:
            if cell["name"] in names and "build" not in cell:
                cells.append(cell | {"build": build, "name": f"{cell['name']}/build:{build}"})
    header["cells"] = cells
    return [header, *lines, sides["A"][-1]]
