"""The verdicts on the claims that a raw file has measured or simulated."""

from __future__ import annotations

import functools
import string
import tomllib
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy

from stealbench.analysis.claims import contest, rules
from stealbench.analysis.claims.values import MODEL_ERROR, Claim, Rounds, Sentence, Values, Verdict
from stealbench.analysis.claims.values import all_of, cell_of, decide, hull, of_theorem
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.parts import processors_of
from stealbench.statistics import Estimate, Floats

FREE = "no-costs"
"""The profile of a machine where nothing but work takes time."""
ENDS = ("figure", "low", "high")


@functools.cache
def all_claims() -> dict[int, Claim]:
    """The entries of `claims.toml`, by number."""
    text = Path(__file__).with_name("claims.toml").read_text(encoding="utf-8")
    return {int(number): entry for number, entry in tomllib.loads(text).items()}


def entries_of(claim: Claim, profiles: Sequence[str]) -> list[tuple[Claim, Sequence[str]]]:
    """How it is judged, on which machines; a theorem also where only work takes time."""
    own = {"is_measured": False, "theorem": [], "holds": [], **claim}
    entries: list[tuple[Claim, Sequence[str]]] = [(own, [""] if own["is_measured"] else profiles)]
    if "model" in claim:
        entries.append((own | {"is_measured": False, "holds": []} | claim["model"], [FREE]))
    return entries


def cells_of(claim: Claim, machines: Sequence[str]) -> list[Cell]:
    """What one entry needs."""
    grids = [claim, *(claim | grid for grid in claim.get("more", []))]
    parts = [(grid["programs"], grid["schedulers"], grid["workers"], machines) for grid in grids]
    return [cell_of(*cell) for part in parts for cell in product(*part)]


def all_cells_of(claim: Claim, profiles: Sequence[str]) -> list[Cell]:
    """What it needs, in its model too."""
    return [cell for entry in entries_of(claim, profiles) for cell in cells_of(*entry)]


# The figure, the verdicts on what the theorem says and on all else, and the reason.
Part = tuple[Estimate | None, Verdict, Verdict, str]


def _bounded(read: Rounds, claim: Claim) -> Part:
    if claim["rule"] == "contest":
        figure, verdict, because = contest.judge(read, claim)
        return figure, Verdict.HOLDS, verdict, because
    found = getattr(rules, claim["rule"])(read, claim)
    if isinstance(found, str):
        return None, Verdict.HOLDS, Verdict.UNDECIDED, found
    values = {**claim, "model_error": MODEL_ERROR, **found}

    def estimates(name: str) -> Floats:
        return read.estimates(string.Formatter().get_field(name, (), values)[0])

    def verdict_on(of: str, error: str = "", **ends: float) -> Verdict:
        return decide(estimates(of), **ends, error=values[error] if error else 1)

    parts = claim["theorem"], claim["holds"]
    figure = hull(estimates(claim.get("shown", [*parts[0], *parts[1]][0]["of"])))
    theorem, holds = (all_of([verdict_on(**bound) for bound in bounds]) for bounds in parts)
    return figure, theorem, holds, Sentence(read).vformat(claim["because"], (), values)


def judge_one(
    number: int, values: Values, profiles: Sequence[str], processors: int, gap: str = ""
) -> dict[str, Any]:
    """Of a theorem, at costs and in its model together. `gap`: why a value is missing."""
    claim = all_claims()[number]
    parts: list[Part] = [(None, Verdict.HOLDS, Verdict.UNDECIDED, gap)] if gap else []
    for entry, machines in [] if gap else entries_of(claim, profiles):
        size = min(len(values(cell.name, "seconds")) for cell in cells_of(entry, machines))
        parts.append(_bounded(Rounds(values, machines, size, processors), entry))
    (figure, theorem, observed, because), *model = parts
    in_model, without_costs = Verdict.UNDECIDED, None
    for without_costs, in_model, _, why in model:
        because += f" Where only work takes time: {why}"
    figures = [dict(zip(ENDS, part or (None, None, None))) for part in (figure, without_costs)]
    return {
        "number": number,
        **{key: claim[key] for key in ("claim", "source")},
        "machine": "measured" if claim.get("is_measured") else "simulated",
        "without_costs": figures[1] if "model" in claim else None,
        "verdict": all_of([of_theorem(in_model, theorem), observed]).value,
        "because": because,
        **figures[0],
    }


def profiles_of(raw: RawFile) -> list[str]:
    """What was simulated, but the machine without costs."""
    return sorted(set(raw.header["about"]["machines"]) - {FREE})


def _gap(figures: Figures, number: int, cells: Sequence[Cell]) -> str:
    """Why there is no verdict, if there can be none."""
    raw, processors = figures.raw, processors_of(figures.raw)
    for cell in cells:
        name, rounds = cell.name, len(figures.times.get(cell.name, ()))
        if name not in raw.cells:
            return (
                f"The run lacks {name}: another version of stealbench made it; stealbench claims"
                f" --only {number} measures anew."
            )
        if not rounds:
            return f"{name} did not finish: {figures.table.at[name, 'failure']}."
        if rounds < FEWEST_ROUNDS:
            return f"A verdict needs {FEWEST_ROUNDS} rounds, and there are {rounds}."
        is_shared = cell.machine or cell.workers > processors > 0
        if figures.table.at[name, "is_disturbed"] and not is_shared:
            return f"{name} waited for processors in a third of its rounds: measure again."
    return ""


def values_of(figures: Figures) -> Values:
    """Of the frame, or of the first round, which alone has counters, or of what was recorded."""
    raw, rounds = figures.raw, figures.rounds
    places = rounds.groupby("cell").indices
    entries = {name: [counters or {}] for name, counters in raw.counters.items()}
    for record in raw.header["about"]["recorded"]:
        program = Cell(record["workload"], tuple(record["parameters"].items()), "")
        entries[program.instance] = record["runs"]

    def values(name: str, key: str) -> Floats:
        if name in places and key in rounds:
            return numpy.asarray(rounds[key].to_numpy(float)[places[name]])
        return numpy.array([float(entry[key]) for entry in entries[name]])

    return values


def judge(raw: RawFile) -> list[dict[str, Any]]:
    """The claims that were asked for, as --json prints them: with the figure that decides.

    `without_costs`: of a theorem, the same where only work takes time.
    """
    figures, profiles, processors = figures_of(raw), profiles_of(raw), processors_of(raw)
    values, numbers = values_of(figures), sorted({*raw.header["about"]["claims"]} & {*all_claims()})
    cells = {number: all_cells_of(all_claims()[number], profiles) for number in numbers}
    gaps = {number: _gap(figures, number, cells[number]) for number in numbers}
    return [judge_one(number, values, profiles, processors, gaps[number]) for number in numbers]
