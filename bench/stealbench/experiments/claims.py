"""`stealbench claims`: what textbooks and manuals claim of scheduling, put to the test."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from typing import Any

from stealbench import options
from stealbench.analysis.claims.judge import FREE, all_cells_of, all_claims, judge
from stealbench.analysis.claims.rules import MODEL_ERROR, cell_of
from stealbench.analysis.tabulate import entry, key, name, tabulate
from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.errors import BadInput
from stealbench.invocation import Target
from stealbench.measuring import Design, Experiment, Search
from stealbench.profiles import read_profile
from stealbench.rawfile import RawFile
from stealbench.report.document import Block, Paragraph, Prominence, Section
from stealbench.report.format import MISSING, counted
from stealbench.report.guides import guide
from stealbench.rounds import Plan
from stealbench.schedule import StopRule
from stealbench.suite import RECORDER, Suite

PLURALS = {
    "holds": "hold",
    "holds in its model, not at the costs of a real machine": (
        "hold in their model, not at the costs of a real machine"
    ),
    "does not hold": "do not hold",
    "undecided": "are undecided",
}


def verdict_of(judged: Mapping[str, Any]) -> str:
    """What is measured is said of the machine it was measured on alone."""
    is_local = judged["machine"] == "measured" and judged["verdict"] in ("holds", "does not hold")
    return str(judged["verdict"]) + " here" * is_local


def _text_of(figure: Mapping[str, Any]) -> str:
    is_there = figure["figure"] is not None
    return "{figure:.3g} [{low:.3g}, {high:.3g}]".format(**figure) if is_there else MISSING


def _figures_of(judged: Mapping[str, Any]) -> str:
    claim, free = all_claims()[judged["number"]], judged["without_costs"]
    other = f", {claim['figure_in_model']}" if "figure_in_model" in claim else ""
    without_costs = f"; without costs{other}: {_text_of(free)}" if free is not None else ""
    return f"{claim['figure']}: {_text_of(judged)}{without_costs}"


def sections(raw: RawFile) -> list[Section]:
    """How many claims hold, a verdict for each, and why."""
    all_judged, reasons = judge(raw), list[Block]()
    columns = [
        entry("#", "number", is_name=False),
        *map(key, ("claim", "source")),
        name("verdict", verdict_of),
        key("machine"),
        name("figure (if the claim holds), with its interval", _figures_of),
    ]
    table = tabulate("Claims of textbooks and manuals", columns, all_judged)
    for judged in all_judged:
        claim = "{number}. {claim} ({source})".format(**judged)
        reasons.append(Paragraph(f"{verdict_of(judged)}. {judged['because']}", term=claim))
    counts = Counter(judged["verdict"] for judged in all_judged)
    totals = "; ".join(f"{counts[verdict]} {plural}" for verdict, plural in PLURALS.items())
    first = Paragraph(f"Of {counted(len(all_judged), 'claim')}, {totals}.")
    return [
        Section("Claims put to the test", [first, table], Prominence.SUMMARY),
        Section("Why", reasons, Prominence.TABLES),
        guide("How a claim is judged", factor=MODEL_ERROR),
    ]


def values(raw: RawFile) -> list[dict[str, Any]]:
    """One object with the member `claims`."""
    return [{"claims": judge(raw)}]


def _declare(settings: options.Settings) -> None:
    kind = options.items(options.number(1, len(all_claims())))
    help = "claims to test, by number"
    settings.add("--only", default=[], type=kind, metavar="N,...", shown="all", help=help)


def _machines_of(suite: Suite) -> dict[str, Any]:
    """Every profile, and the first one without any cost but that of the work."""
    files = sorted(suite.installation.profiles().items())
    if not files:
        raise BadInput("no profile lies beside stealbench; build it again")
    machines = {name: read_profile(file) for name, file in files}
    free = read_profile(files[0][1])
    # What waits passes some time all the same, or it would wait for ever.
    costs = dict.fromkeys(free["costs"], 0) | {"pause_ns": 0.001, "yield_ns": 0.001}
    for unit in free["work"]:
        unit.pop("schedulers", None)
    free |= {"name": FREE, "costs": costs, "schedulers": {}, "accuracy": None}
    return machines | {FREE: free}


def _design(values: Namespace, suite: Suite) -> Design:
    values.only = sorted({*values.only}) or list(all_claims())
    claims = [all_claims()[number] for number in values.only]
    is_simulated = any("model" in claim or not claim.get("is_measured") for claim in claims)
    machines = _machines_of(suite) if is_simulated else {}
    profiles = [name for name in machines if name != FREE]
    cells = dict.fromkeys(cell for claim in claims for cell in all_cells_of(claim, profiles))
    for cell in cells:
        _target_of(cell, values, suite)
    programs = dict.fromkeys(name for claim in claims for name in claim.get("recorded", []))
    if programs:
        suite.installation.recorder()
    of_programs = [cell_of(name, RECORDER, 1, "") for name in programs]
    recorded = [{"workload": of.workload, "parameters": dict(of.parameters)} for of in of_programs]
    about = {"claims": values.only, "recorded": recorded, "machines": machines}
    return Design(list(cells), about)


def _search(search: Search, design: Design) -> None:
    """Records once; what takes the times of its strands for each round, the best of five runs."""
    search.begin("recording work and span")
    keys = ("strands_by", "work_units", "span_units", "parallelism", "depth")
    for program in design.about["recorded"]:
        cell = Cell(program["workload"], tuple(program["parameters"].items()), RECORDER)
        records: list[dict[str, Any]] = []
        while not records or records[0]["strands_by"] == "clock" and len(records) < FEWEST_ROUNDS:
            runs = [search.recorded(cell, [])]
            if runs[0]["strands_by"] == "clock":
                runs += [search.recorded(cell, []) for _ in range(4)]
            best = max(runs, key=lambda run: float(run["parallelism"]))
            records.append({key: best[key] for key in keys})
        program["runs"] = records


def _target_of(cell: Cell, values: Namespace, suite: Suite) -> Target:
    built = suite.installation
    choose = built.choose_simulated if cell.machine else built.choose
    # A workload, which may have the name of a metric, always has a parameter here.
    return Target(cell, choose(cell.scheduler)[1], is_metric=not cell.parameters)


EXPERIMENT = Experiment(
    _declare,
    _design,
    examples=("", "--only 12,14 --json"),
    notes="What two processors decide is measured. The rest is simulated on every profile, and"
    " theorems also where only work takes time. A verdict must be the same on all profiles and,"
    " where workers wait for each other, survive times that are wrong by a factor of two. All claims"
    " take five to eight minutes on two processors.",
    plan=Plan(until=StopRule(FEWEST_ROUNDS), simulated="with a machine"),
    json_help="print one JSON object, and no report",
    search=_search,
    target_of=_target_of,
)
