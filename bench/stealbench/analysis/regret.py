"""Regret: the time of a strategy over that of the best, for whoever must choose one for all.

`Figures.regret` has the values; here is what is said of them, of one run and of several.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pandas

from stealbench.analysis.tabulate import Text, name, tabulate
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, Prominence, Section, Table
from stealbench.report.format import MISSING, counted, joined, ratio, ratio_with_interval
from stealbench.report.guides import guide_text
from stealbench.report.origin import changes_of_profile, machine_note
from stealbench.report.parts import DNF, not_told_apart_yet, say, scheduler_in
from stealbench.report.parts import workers_in_words
from stealbench.statistics import Estimate

FEWEST_STRATEGIES = 3  # With fewer a ranking says no more than one ratio.


def contrasts_of(raw: RawFile) -> list[dict[str, str]]:
    """`factor`, `variant` and `against` of an ablation, as the first line has them; else empty."""
    return raw.header["about"].get("ablation") or []


def base_of(raw: RawFile) -> str:
    """The strategy that most others of an ablation are compared with; empty if it is none."""
    counts = Counter(sorted(contrast["against"] for contrast in contrasts_of(raw)))
    return counts.most_common(1)[0][0] if counts else ""


def strategies_of(raw: RawFile) -> dict[int, int]:
    """How many strategies a worker count has, of each that three have; of a simulation of those that
    it reports. `serial` has a benchmark with the most workers alone."""
    pairs = {(cell.workers, cell.scheduler) for cell in raw.cells.values()}
    counts = Counter(workers for workers, _ in sorted(pairs))
    if raw.experiment != "compare":
        reported = raw.header["about"]["workers"] if raw.experiment == "simulate" else ()
        counts = Counter({workers: counts[workers] for workers in sorted(reported)})
    return {workers: count for workers, count in counts.items() if count >= FEWEST_STRATEGIES}


def comparable(runs: Iterable[RawFile]) -> list[RawFile]:
    """Of each run with regret what all have: the best of more strategies is another one."""
    kept = [raw for raw in runs if strategies_of(raw)]
    pairs = [{(cell.scheduler, cell.instance) for cell in raw.cells.values()} for raw in kept]
    shared = set.intersection(*pairs) if pairs else set()
    if len({scheduler for scheduler, _ in shared}) < FEWEST_STRATEGIES:
        return []
    for at, raw in enumerate(kept):
        cells = {k: one for k, one in raw.cells.items() if (one.scheduler, one.instance) in shared}
        if len(cells) < len(raw.cells):
            processes = [row for row in raw.processes if row["cell"] in cells]
            kept[at] = dataclasses.replace(raw, cells=cells, processes=processes)
    return kept


def _heading(figures: Figures, workers: int) -> str:
    """`2 workers`, `64 workers, simulated, reference with wake 5us`."""
    about, words = figures.raw.header["about"], workers_in_words(figures, workers)
    if not figures.raw.is_simulated:
        return words
    return f"{words}, simulated, {about['profile']['name']}{changes_of_profile(about)}"


def _leaders(regret: pandas.DataFrame, base: str) -> list[str]:
    """The base first if it leads, then the one of the least mean, for chance decides that."""
    leading = regret[regret["leads"].astype(bool)]
    first = leading["mean"].astype(float).sort_values(kind="stable").index[:1]
    return list(dict.fromkeys([*leading.index[leading.index == base], *first, *leading.index]))


def _worst(figures: Figures, row: Any) -> list[str]:
    """`35.1 ×` and `spawn`: the greatest slowdown that is shown, if any."""
    if row["worst"] is None:
        return []
    own, instances = figures.table.loc[row["worst"]], figures.instances
    is_alone = [name.split()[0] for name in instances].count(own["workload"]) == 1
    return [ratio(own["slowdown"]), own["workload" if is_alone else "instance"]]


def _entry(figures: Figures, workers: int, scheduler: str) -> Text:
    """`1.79 × · 35.1 × spawn`: of a table."""
    row = figures.regret(workers).loc[scheduler]
    if row["failed"]:
        return f"{DNF} ({row['failed']})", Emphasis.FAILED
    if pandas.isna(row["mean"]):
        return MISSING
    around = Estimate(row["mean"], row["low"], row["high"])
    mean = ratio(row["mean"]) if figures.have_intervals else ratio_with_interval(around)
    text = f"{mean} · {' '.join(_worst(figures, row)) or 'nowhere'}"
    return (text, Emphasis.BEST) if row["leads"] else text


def choice_of(figures: Figures, workers: int) -> str:
    """`If you may choose one of 9 strategies …`: that of the least mean, and what contradicts it.

    Empty of fewer than three strategies, and below six rounds.
    """
    strategies, regret = strategies_of(figures.raw).get(workers), figures.regret(workers)
    base = base_of(figures.raw)
    if not strategies or not (leaders := _leaders(regret, base)):
        return ""
    names = {name: scheduler_in(figures, name, workers) for name in regret.index}
    chosen, *others = leaders
    text = f"If you may choose one of {strategies} strategies with {_heading(figures, workers)}:"
    text += f" {names[chosen]}, {ratio(regret.at[chosen, 'mean'])} the best on average, "
    worst = _worst(figures, regret.loc[chosen])
    nowhere = "and is shown to be slower than the best nowhere."
    text += f"{worst[0]} at worst ({worst[1]})." if worst else nowhere
    if others:
        text += f" Not told apart from it: {joined([names[name] for name in others], 3)}."
    table = figures.cells.drop_duplicates("instance")
    family_of = table["workload"].map(figures.raw.header.get("families") or {})
    for family, instances in table["instance"].groupby(family_of, sort=False):
        own = figures.regret(workers, tuple(instances))
        if not own.at[chosen, "leads"] and (first := _leaders(own, base)):
            best, takes = (ratio(own.at[name, "mean"]) for name in (first[0], chosen))
            text += f" For the family {family} alone: {names[first[0]]}, {best}"
            text += f" ({names[chosen]} takes {takes})."
    turned = []
    for cost in figures.cells["varied"].unique():
        leads = figures.regret(workers, varied=cost)["leads"]
        turned += [cost.replace("=", " × ")] if leads.any() and not leads[chosen] else []
    if turned:
        text += f" The sensitivity table contradicts this with {joined(turned)}."
    return text


def _tables_of(runs: Sequence[Figures]) -> list[Table]:
    """A row for each strategy, the least mean of the last column first; a column for each run and
    worker count."""
    of_runs = [(figures, strategies_of(figures.raw)) for figures in runs]
    setups = [(figures, workers) for figures, counts in of_runs for workers in counts]
    if not setups:
        return []
    counts = sorted(count for _, counts in of_runs for count in counts.values())
    strategies = " to ".join(map(str, dict.fromkeys([counts[0], counts[-1]])))
    title = (
        f"Regret: time over the best of {strategies} strategies, geometric mean of"
        f" {counted(len(runs[-1].instances), 'instance')} · the worst"
    )

    def strategy(row: str) -> str:
        return max((scheduler_in(figures, row, workers) for figures, workers in setups), key=len)

    columns = [name("strategy", strategy)]
    columns += [name(_heading(*one), functools.partial(_entry, *one)) for one in setups]
    last, workers = setups[-1]
    means = last.regret(workers)["mean"].astype(float).sort_values(kind="stable")
    return [tabulate(title, columns, means.index, origin=machine_note(*(of.raw for of in runs)))]


def sections_of_one(figures: Figures) -> list[Section]:
    """Mean and worst regret of one run: a column for each worker count."""
    section = Section("Regret", [*_tables_of([figures])], Prominence.TABLES)
    say(section, guide_text("Regret"))
    return [section] if len(section.blocks) > 1 else []


def sections_of(runs: Sequence[Figures]) -> list[Section]:
    """Which strategy to choose for all programs, by several runs, and what they have in common."""
    if not (shared := comparable(figures.raw for figures in runs)):
        return []
    section = Section("Regret", shown=Prominence.SUMMARY)
    # Beside an ablation the other machines have a few of its strategies, and a column is enough.
    has_base = any(base_of(figures.raw) for figures in runs)
    for figures in (one for one in runs if base_of(one.raw) or not has_base):
        counts = strategies_of(figures.raw)
        if counts and not figures.have_intervals:
            kind = "Simulated" if figures.raw.is_simulated else "Measured"
            say(section, f"{kind}, the strategies are {not_told_apart_yet(figures)}")
        for workers in counts:
            say(section, choice_of(figures, workers))
    section.blocks += _tables_of(list(map(figures_of, shared)))
    if len(shared) > 1:
        say(section, "The table has the strategies and instances that are on all machines.")
    say(section, guide_text("Regret"))
    return [section]


def values(figures: Figures, scheduler: str) -> list[dict[str, Any]]:
    """The regret of a scheduler with each worker count with which it finished all, as JSON."""
    entries = []
    for workers in strategies_of(figures.raw):
        row = figures.regret(workers).loc[scheduler]
        if pandas.notna(row["mean"]):
            worst = figures.table.loc[row["worst"]] if row["worst"] else {}
            entry = {"workers": workers, **row[["mean", "low", "high"]].to_dict()}
            entry |= {"leads": bool(row["leads"]), "worst": worst.get("slowdown")}
            entries.append(entry | {"worst_on": worst.get("instance")})
    return entries
