"""How far simulated times are from measured ones, benchmark by benchmark: `simulate --check`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pandas

from stealbench.analysis.tabulate import key, name, number, tabulate
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Definitions, Prominence, Section, Table
from stealbench.report.format import counted, percent, ratio, seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import changes_of_profile, machine_note, name_machine, subtitle_of
from stealbench.report.parts import context_of, estimate_in, say, text_at, with_interval_kind
from stealbench.statistics import Separation, median

CONTENDED_ABOVE = 0.1
"""A benchmark is contended if its workers wait for a greater part of their time."""
# What the model is to reach on benchmarks whose parameters were not calibrated: the median and
# nine in ten of uncontended errors at most, and the greatest factor of contended ones.
GOALS = {"median_error": 0.05, "ninth_decile_error": 0.15, "factor": 2}
KINDS = {False: "uncontended", True: "contended"}


def shares_of(figures: Figures, *shares: str) -> pandas.DataFrame:
    """By benchmark, of workers × seconds: the mean over the seeds of each of these of SHARES.

    The sum of a row of all is 1.
    """
    columns = {f"{share}_share": share for share in shares}
    means: pandas.DataFrame = figures.rounds.groupby("cell", sort=False)[list(columns)].mean()
    return means.rename(columns=columns)


def foreign_units(raw: RawFile) -> dict[str, str]:
    """By benchmark the instance whose price of a unit was taken; empty for its own."""
    units = {cell: str(runs[0].get("unit_from") or "") for cell, runs in raw.simulations.items()}
    return {cell: "" if unit == "this instance" else unit for cell, unit in units.items()}


class Validation:
    """A measurement and a simulation of the same benchmarks.

    `cells`: a row for each that finished in both, in the order of the measurement: `instance`,
    `scheduler`, `workers`; `measured` and `simulated` median times in seconds, each with _low and
    _high; `waiting`, `is_contended`; `unit_from`, the instance whose price of a unit was taken,
    empty for its own: with other parameters nothing was calibrated, `is_held_out`; `error`, signed,
    as a part of the measured time; `factor`, at least 1.
    `pairs`: two schedulers that the measurement tells apart, `faster` and `slower`, `is_right` if
    the simulation has them in this order, `is_contended` if one is, `is_held_out`.
    `unpaired`: by name, why a benchmark of either is not compared.
    Raises BadInput unless they have a benchmark in common that finished in both.
    """

    def __init__(self, measured: Figures, simulated: Figures) -> None:
        self.measured, self.simulated = measured, simulated
        self.unpaired = _unpaired(measured, simulated)
        names = [cell for cell in measured.times if cell in simulated.times.keys() - self.unpaired]
        if not names:
            raise BadInput(
                "the measurement and the simulation have no benchmark in common that finished in"
                " both; valid: two that ran some of the same schedulers, workloads and worker"
                " counts"
            )
        cells = measured.cells.loc[names, ["instance", "scheduler", "workers"]].copy()
        for figures, side in ((measured, "measured"), (simulated, "simulated")):
            for suffix in ("", "_low", "_high"):
                cells[side + suffix] = figures.cells["seconds" + suffix]
        cells["waiting"] = _waiting_shares(simulated).reindex(names)
        cells["is_contended"] = cells["waiting"] > CONTENDED_ABOVE
        cells["unit_from"] = pandas.Series(foreign_units(simulated.raw)).reindex(names)
        cells["is_held_out"] = cells["unit_from"] != ""
        quotient = cells["simulated"] / cells["measured"]
        cells["error"], cells["factor"] = quotient - 1, numpy.maximum(quotient, 1 / quotient)
        self.cells = cells
        self.pairs = self._find_pairs()

    def _find_pairs(self) -> pandas.DataFrame:
        by_group = self.cells.groupby(["instance", "workers"], sort=False)
        groups = [list(rows.index) for _, rows in by_group]
        separation = Separation([[self.measured.times[cell] for cell in one] for one in groups])
        pairs = [
            (group[faster], group[slower])
            for at, group in enumerate(groups)
            for faster in range(len(group))
            for slower in range(len(group))
            if separation.is_slower(at, slower, faster)
        ]
        table = pandas.DataFrame(pairs, columns=["faster", "slower"], dtype=object)
        fast, slow = (self.cells.loc[table[side]].reset_index() for side in table)
        table["is_right"] = fast["simulated"] < slow["simulated"]
        table["is_contended"] = fast["is_contended"] | slow["is_contended"]
        table["is_held_out"] = fast["is_held_out"]
        return table

    def held_out(self, is_contended: bool) -> pandas.DataFrame:
        """The benchmarks held out that are contended, or those that are not."""
        return self.cells[self.cells["is_held_out"] & (self.cells["is_contended"] == is_contended)]

    def doubts(self) -> list[str]:
        """Why the comparison may be unfair."""
        runs = {"measurement": self.measured.raw, "simulation": self.simulated.raw}
        modelled = str(self.simulated.raw.header["about"]["profile"]["processor"])
        processor = text_at(context_of(self.measured.raw), "processor")
        was, now = (text_at(context_of(raw), "commit") for raw in runs.values())
        differs = f"the processor that was measured is {processor}, and the profile is of"
        # The profile may say more of the processor.
        doubts = [] if modelled.startswith(processor) else [f"{differs} {modelled}"]
        doubts += [] if was == now else [f"commit {was} was measured, and {now} simulated"]
        unfinished = [kind for kind, raw in runs.items() if not raw.is_finished]
        return doubts + [f"the {kind} is not finished" for kind in unfinished]

    def accuracy(self) -> dict[str, Any]:
        """What a profile states as its accuracy, of the benchmarks held out.

        Median and ninth decile of the uncontended errors, ninth decile of the contended factors,
        and how many they are. Raises BadInput if none held out is contended, or none is not.
        """
        cells = {kind: self.held_out(is_contended) for is_contended, kind in KINDS.items()}
        for kind, of_kind in cells.items():
            if of_kind.empty:
                raise BadInput(
                    f"no benchmark held out is {kind}, so the accuracy of a profile cannot be"
                    " known; valid: runs of more workloads and worker counts"
                )
        uncontended, contended = map(errors_of, cells.values())
        return {
            "median_error": round(uncontended["median"], 4),
            "ninth_decile_error": round(uncontended["ninth_decile"], 4),
            "contended_factor": round(contended["ninth_decile_factor"], 4),
            "cells": sum(map(len, cells.values())),
        }


def _unpaired(measured: Figures, simulated: Figures) -> dict[str, str]:
    reasons = {}
    for cell, failure in measured.cells["failure"].items():
        failures = {"measurement": failure, "simulation": simulated.cells["failure"].get(cell)}
        texts = [f"{kind}: {why}" for kind, why in failures.items() if why]
        if cell not in simulated.cells.index:
            reasons[str(cell)] = "not simulated"
        elif texts:
            reasons[str(cell)] = "; ".join(texts)
    unvaried = simulated.cells.index[simulated.cells["varied"] == ""]
    return reasons | {cell: "not measured" for cell in unvaried.difference(measured.cells.index)}


def _waiting_shares(simulated: Figures) -> pandas.Series[float]:
    """By benchmark the part of the workers' time, simulated, in which they wait for cache lines.

    Or, if that is more, for cache lines and locks while they run tasks. Of a worker that looks for
    a task, the simulation does not tell sleep in a lock from sleep for want of tasks.
    """
    lines = shares_of(simulated, "lines")["lines"]
    # The counters are those of the first seed.
    first = simulated.rounds[simulated.rounds["round"] == 1].set_index("cell")
    counters = {name: (one or {}).get("per_worker") for name, one in simulated.raw.counters.items()}
    busy_ns = {name: sum(one["busy_ns"] for one in of) for name, of in counters.items() if of}
    busy = 1e-9 * pandas.Series(busy_ns, dtype=float)
    part = busy / (first["seconds"] * first["worker_count"])
    running = part - first["work_share"] - first["overhead_share"]
    return numpy.fmax(lines, running.reindex(lines.index))


def ninth_decile(values: pandas.Series[float]) -> float:
    """The least value that nine in ten do not exceed."""
    return float(sorted(values)[(9 * len(values) + 9) // 10 - 1])


def errors_of(cells: pandas.DataFrame) -> dict[str, float]:
    """Of rows of `Validation.cells`, one at least: the errors without their signs, and factors."""
    sizes, factors = cells["error"].abs(), cells["factor"]
    return {
        "median": median(sizes),
        "ninth_decile": ninth_decile(sizes),
        "greatest": float(sizes.max()),
        "bias": median(cells["error"]),
        "ninth_decile_factor": ninth_decile(factors),
        "greatest_factor": float(factors.max()),
    }


def _goal(name: str, value: float, at_most: str = "") -> str:
    goal = f"{GOALS[name]:g}" if name == "factor" else f"{100 * GOALS[name]:g} %"
    return f"(goal: {at_most}{goal}, {'met' if value <= GOALS[name] else 'missed'})"


def _verdict(found: Validation, is_contended: bool) -> str:
    """The goals, of the benchmarks held out."""
    cells, kind = found.held_out(is_contended), KINDS[is_contended]
    if cells.empty:
        return f"No benchmark held out is {kind}."
    errors, pairs = errors_of(cells), found.pairs[found.pairs["is_held_out"]]
    pairs = pairs[pairs["is_contended"] == is_contended]
    right = int(pairs["is_right"].sum())
    middle, most, factor = (errors[of] for of in ("median", "ninth_decile", "greatest_factor"))
    if is_contended:
        text = f"the greatest factor is {factor:.2f} {_goal('factor', factor, 'at most ')}"
        order = f" (goal: all, {'met' if right == len(pairs) else 'missed'})"
    else:
        text = f"the median error is {percent(middle)} {_goal('median_error', middle, 'at most ')};"
        text += f" nine in ten errors are at most {percent(most)}"
        text, order = f"{text} {_goal('ninth_decile_error', most)}", ""
    return (
        f"Held out, {kind} ({counted(len(cells), 'benchmark')}): {text}; of"
        f" {counted(len(pairs), 'pair')} of schedulers that the measurement tells apart,"
        f" {right} {'is' if right == 1 else 'are'} in its order{order}."
    )


def _origin(found: Validation) -> str:
    measured, simulated = found.measured, found.simulated
    about = simulated.raw.header["about"]
    profile = f"Profile {text_at(about['profile'], 'name')}{changes_of_profile(about)}"
    return (
        f"{subtitle_of(measured.raw)} {subtitle_of(simulated.raw)}"
        f" {profile} of {text_at(about['profile'], 'date')}."
        f" {counted(measured.fewest_rounds, 'round')} and"
        f" {counted(simulated.fewest_rounds, 'seed')};"
        f" {counted(len(found.cells), 'benchmark')} compared, {len(found.unpaired)} not."
    )


def _error_table(found: Validation) -> Table:
    """Those that are contended or not, then by workers and scheduler."""
    held_out = found.cells[found.cells["is_held_out"]]
    kinds = {kind: found.held_out(is_contended) for is_contended, kind in KINDS.items()}
    by = ["workers", "scheduler"]
    # Of equal worker counts in the order of the file.
    every = found.cells.drop_duplicates(by).sort_values("workers", kind="stable")
    for workers, scheduler in every[by].itertuples(index=False):
        is_own = (held_out["workers"] == workers) & (held_out["scheduler"] == scheduler)
        kinds[f"{scheduler}, {counted(workers, 'worker')}"] = held_out[is_own]
    rows = [
        {"benchmarks": kind, "number": len(cells), "contended": cells["is_contended"].sum()}
        | errors_of(cells)
        for kind, cells in kinds.items()
        if len(cells)
    ]

    def value(header: str, of: str, text_of: Callable[[float], str]) -> Any:
        return number(header, lambda row: text_of(row[of]))

    columns = [
        key("benchmarks"),
        value("number", "number", str),
        value("contended", "contended", str),
        value("error, median", "median", percent),
        value("error, nine in ten", "ninth_decile", percent),
        value("error, greatest", "greatest", percent),
        value("bias", "bias", _signed_percent),
        value("factor, nine in ten", "ninth_decile_factor", ratio),
        value("factor, greatest", "greatest_factor", ratio),
    ]
    return tabulate("Errors of the benchmarks held out", columns, rows)


def _signed_percent(part: float) -> str:
    return f"{100 * part:+.1f} %"


def _wrong_pairs(found: Validation) -> Table:
    """Both ratios are of the time of the one that was measured to be slower."""
    wrong = found.pairs[~found.pairs["is_right"].astype(bool)]
    rows = [[found.cells.loc[cell] for cell in pair] for pair in zip(wrong.faster, wrong.slower)]
    columns = [
        name("workload", lambda pair: pair[0]["instance"]),
        number("workers", lambda pair: str(pair[0]["workers"])),
        name("faster", lambda pair: pair[0]["scheduler"]),
        name("slower", lambda pair: pair[1]["scheduler"]),
        number(
            "slower ÷ faster, measured",
            lambda pair: ratio(pair[1]["measured"] / pair[0]["measured"]),
        ),
        number("simulated", lambda pair: ratio(pair[1]["simulated"] / pair[0]["simulated"])),
    ]
    return tabulate("Pairs of schedulers that the simulation has in another order", columns, rows)


def _every_error(found: Validation) -> Table:
    def time(side: str, figures: Figures) -> Any:
        header = with_interval_kind(side, figures.have_intervals)
        return name(header, lambda row: seconds_with_interval(estimate_in(row, side)))

    columns = [
        name("workload", lambda row: row["instance"]),
        key("scheduler"),
        number("workers", lambda row: str(row["workers"])),
        time("measured", found.measured),
        time("simulated", found.simulated),
        number("error", lambda row: _signed_percent(row["error"])),
        number("waiting", lambda row: percent(row["waiting"])),
        name("contended", lambda row: "contended" if row["is_contended"] else "no"),
        name("price of a unit from", lambda row: row["unit_from"] or "calibrated"),
    ]
    return tabulate("Every benchmark", columns, found.cells.to_dict("records"))


def sections_of(found: Validation) -> list[Section]:
    """How large the errors are, which pairs are in another order, and the error of each."""
    summary = Section("Accuracy of the simulation", shown=Prominence.SUMMARY)
    for is_contended in KINDS:
        say(summary, _verdict(found, is_contended), is_lead=True)
    say(summary, _origin(found))
    summary.blocks.append(_error_table(found))
    errors = Section("Errors by benchmark", [_wrong_pairs(found)], Prominence.TABLES)
    errors.blocks.append(_every_error(found))
    if found.unpaired:
        unpaired = [(f"Not compared: {name}", why) for name, why in found.unpaired.items()]
        errors.blocks.append(Definitions(unpaired))
    goals = {name: goal if name == "factor" else 100 * goal for name, goal in GOALS.items()}
    goals["contended"] = 100 * CONTENDED_ABOVE
    how = guide("How to read a validation", Prominence.TABLES, **goals)
    sections = [summary, how, errors]
    name_machine(machine_note(found.measured.raw, found.simulated.raw), sections)
    return sections
