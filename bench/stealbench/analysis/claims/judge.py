"""The verdicts on the claims that a raw file has measured or simulated."""

from __future__ import annotations

import functools
import math
import string
import tomllib
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy

from stealbench.analysis.claims import rules
from stealbench.analysis.claims.rules import FAILS, HOLDS, IN_MODEL, MODEL_ERROR, OPEN, VERDICTS
from stealbench.analysis.claims.rules import Claim, Rounds, Values, cell_of, hull
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.format import count, percent, ratio_with_interval, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.parts import processors_of
from stealbench.statistics import Estimate, Floats

FREE = "no-costs"
"""The profile of a machine where nothing but work takes time."""
KINDS: dict[str, Callable[[Estimate], str]] = {
    "ratio": ratio_with_interval,
    "time": seconds_with_interval,
    "interval": lambda value: "{:.2f} [{:.2f}, {:.2f}]".format(*value),  # Of what is no ratio.
    "fit": lambda value: "{} [{}, {}]".format(
        *(f"{end:.3g}" if end < 100 else count(end) for end in value)
    ),
    "seconds": lambda value: seconds(value.median),
    "count": lambda value: count(value.median),
    "percent": lambda value: percent(value.median),
    "plain": lambda value: f"{value.median:.2f}",
}


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


def all_of(verdicts: Sequence[str]) -> str:
    """Holds if all do, does not hold if one of them does not."""
    return min(verdicts, key=VERDICTS.index, default=HOLDS)


def decide(
    estimates: Floats, least: float = -math.inf, most: float = math.inf, error: float = 1
) -> str:
    """Holds if all intervals, widened by `error`, are inside; not if all are beyond one end."""
    low, high = estimates[:, 1] / error, estimates[:, 2] * error
    if (high < least).all() or (low > most).all():
        return FAILS
    return HOLDS if ((low >= least) & (high <= most)).all() else OPEN


def of_theorem(in_model: str, at_costs: str) -> str:
    """It does not hold if it fails in its model. What fails at costs alone refutes nothing: a
    theorem, which speaks of a machine where only work takes time, may hold in its model."""
    if in_model == FAILS or at_costs != FAILS:
        return in_model if in_model == FAILS else at_costs
    return IN_MODEL if in_model == HOLDS else OPEN


class _Sentence(string.Formatter):
    """`{value:kind}`, with the interval that follows from resampled rounds."""

    def __init__(self, read: Rounds) -> None:
        self.read = read

    def format_field(self, value: Any, kind: str) -> str:
        """As `KINDS` has it; a text as it is."""
        return KINDS[kind](hull(self.read.estimates(value))) if kind else str(value)


def _judged(read: Rounds, claim: Claim) -> dict[str, Any]:
    """`figure`, the verdicts `theorem` and `holds` on the bounds that are named so, `because`."""
    found = getattr(rules, claim["rule"])(read, claim)
    if isinstance(found, str):
        return {"figure": None, "theorem": HOLDS, "holds": OPEN, "because": found}
    if claim["rule"] == "contest":
        return {"theorem": HOLDS, "holds": found["verdict"], **found}
    values, sentence = {**claim, "model_error": MODEL_ERROR, **found}, _Sentence(read)

    def estimates(name: str) -> Floats:
        return read.estimates(sentence.get_field(name, (), values)[0])

    def verdict_on(of: str, error: str = "", **ends: float) -> str:
        return decide(estimates(of), **ends, error=values[error] if error else 1)

    parts = {part: claim[part] for part in ("theorem", "holds")}
    shown = claim.get("shown", [*parts["theorem"], *parts["holds"]][0]["of"])
    judged = {part: all_of([verdict_on(**of) for of in bounds]) for part, bounds in parts.items()}
    because = sentence.vformat(claim["because"], (), values)
    return {"figure": hull(estimates(shown)), **judged, "because": because}


def judge_one(
    number: int, values: Values, profiles: Sequence[str], processors: int, gap: str = ""
) -> dict[str, Any]:
    """Of a theorem, at costs and in its model together. `gap`: why a value is missing."""
    claim = all_claims()[number]
    lacking: dict[str, Any] = {"figure": None, "theorem": HOLDS, "holds": OPEN, "because": gap}
    parts = [lacking] if gap else []
    for entry, machines in [] if gap else entries_of(claim, profiles):
        size = min(len(values(cell.name, "seconds")) for cell in cells_of(entry, machines))
        parts.append(_judged(Rounds(values, machines, size, processors), entry))
    at_costs, in_model = parts[0], parts[1] if parts[1:] else {"theorem": OPEN, "figure": None}
    because = at_costs["because"]
    if "because" in in_model:
        because += f" Where only work takes time: {in_model['because']}"
    figures = [
        dict(zip(("figure", "low", "high"), part["figure"] or [None] * 3))
        for part in (at_costs, in_model)
    ]
    theorem = of_theorem(in_model["theorem"], at_costs["theorem"])
    return {
        "number": number,
        **{key: claim[key] for key in ("claim", "source")},
        "machine": "measured" if claim.get("is_measured") else "simulated",
        "without_costs": figures[1] if "model" in claim else None,
        "verdict": all_of([theorem, at_costs["holds"]]),
        "because": because,
        **figures[0],
    }


def profiles_of(raw: RawFile) -> list[str]:
    """What was simulated, but the machine without costs."""
    return sorted(set(raw.header["about"]["machines"]) - {FREE})


def _gap(figures: Figures, number: int, cells: Sequence[Cell]) -> str:
    """Why there is no verdict, if there can be none."""
    processors, measured = processors_of(figures.raw), figures.cells
    for cell in cells:
        name, rounds = cell.name, len(figures.times.get(cell.name, ()))
        if name not in measured.index:  # Another version made it.
            return f"The run lacks {name}; stealbench claims --only {number} measures it."
        if not rounds:
            return f"{name} did not finish: {measured.at[name, 'failure']}."
        if rounds < FEWEST_ROUNDS:
            return f"A verdict needs {FEWEST_ROUNDS} rounds, and there are {rounds}."
        is_shared = cell.machine or cell.workers > processors > 0
        if measured.at[name, "is_disturbed"] and not is_shared:
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
