"""How far simulated times are from measured ones, benchmark by benchmark: `simulate --check`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pandas

from stealbench.analysis.tabulate import key, name, number, tabulate
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.report.document import Prominence, Section, Table
from stealbench.report.format import counted, percent, ratio, seconds
from stealbench.report.guides import guide
from stealbench.report.origin import machine_note, name_machine
from stealbench.report.parts import context_of, say, text_at
from stealbench.statistics import Separation, median

CONTENDED_ABOVE = 0.1  # A benchmark is contended if its workers wait for more of their time.
# What the model is to reach on benchmarks whose parameters were not calibrated.
GOALS = {
    "uncontended": {"median error": 0.05, "nine in ten errors": 0.15},
    "contended": {"greatest factor": 2.0},
}


def shares_of(figures: Figures, *shares: str) -> pandas.DataFrame:
    """By benchmark, of workers × seconds: the mean over the seeds of each of these of SHARES."""
    columns = {f"{share}_share": share for share in shares}
    means: pandas.DataFrame = figures.rounds.groupby("cell", sort=False)[list(columns)].mean()
    return means.rename(columns=columns)


class Validation:
    """A measurement and a simulation of the same benchmarks: `cells`, a row for each that finished in
    both. `unit_from` is the instance whose price of a unit was taken, empty for its own; `held_out`
    are those without one: nothing was calibrated with their parameters. Raises BadInput for none.
    """

    def __init__(self, measured: Figures, simulated: Figures) -> None:
        self.measured, self.simulated = measured, simulated
        if not (names := [cell for cell in measured.times if cell in simulated.times]):
            both = "the measurement and the simulation have no benchmark in common that finished"
            raise BadInput(f"{both} in both; valid: two of the same schedulers and workloads")
        cells = measured.cells.loc[names, ["instance", "scheduler", "workers"]].copy()
        cells["measured"] = measured.cells["seconds"]
        cells["simulated"] = simulated.cells["seconds"]
        cells["waiting"] = _waiting_shares(simulated).reindex(names)
        is_contended = cells["waiting"] > CONTENDED_ABOVE
        cells["kind"] = is_contended.map({False: "uncontended", True: "contended"})
        units = [str(simulated.raw.simulations[cell][0].get("unit_from") or "") for cell in names]
        cells["unit_from"] = ["" if unit == "this instance" else unit for unit in units]
        quotient = cells["simulated"] / cells["measured"]
        cells["error"], cells["factor"] = quotient - 1, numpy.maximum(quotient, 1 / quotient)
        self.cells, self.held_out = cells, cells[cells["unit_from"] != ""]

    def doubts(self) -> list[str]:
        """Why the comparison may be unfair."""
        profile = self.simulated.raw.header["about"]["profile"]["processor"]  # It may say more.
        contexts = [context_of(figures.raw) for figures in (self.measured, self.simulated)]
        was, now = (text_at(context, "commit") for context in contexts)
        processor = text_at(contexts[0], "processor")
        other = f"{processor} was measured, and the profile is of {profile}"
        doubts = [] if profile.startswith(processor) else [other]
        return doubts + ([] if was == now else [f"commit {was} was measured, and {now} simulated"])

    def accuracy(self) -> dict[str, Any]:
        """What a profile states, of the benchmarks held out. Raises BadInput if a kind is missing."""
        kinds = {kind: errors_of(own) for kind, own in self.held_out.groupby("kind")}
        if kinds.keys() != GOALS.keys():
            unknown = "both contended and uncontended benchmarks must be held out"
            raise BadInput(f"{unknown}; valid: runs of more workloads and worker counts")
        most = round(kinds["uncontended"]["nine in ten errors"], 4)
        accuracy = {"median_error": round(kinds["uncontended"]["median error"], 4)}
        accuracy |= {"ninth_decile_error": most, "cells": len(self.held_out)}
        return accuracy | {"contended_factor": round(kinds["contended"]["nine in ten factors"], 4)}


def pairs_of(found: Validation, kind: str) -> list[bool]:
    """Whether the simulation has two schedulers in the order of the measurement, of each two that it
    tells apart. They are contended if one is."""
    groups = [own for _, own in found.held_out.groupby(["instance", "workers"], sort=False)]
    times = [[found.measured.times[cell] for cell in own.index] for own in groups]
    separation, are_right = Separation(times), []
    for at, own in enumerate(groups):
        rows = enumerate(own.itertuples())
        for (fast, faster), (slow, slower) in itertools.permutations(rows, 2):
            is_of_kind = min(faster.kind, slower.kind) == kind  # Contended comes first.
            if is_of_kind and separation.is_slower(at, slow, fast):
                are_right.append(bool(faster.simulated < slower.simulated))
    return are_right


def _waiting_shares(simulated: Figures) -> pandas.Series[float]:
    """By benchmark the part of the workers' time, simulated, in which they wait for cache lines, or,
    if that is more, for cache lines and locks while they run tasks. Of a worker that looks for a
    task, the simulation does not tell sleep in a lock from sleep for want of tasks."""
    first = simulated.rounds[simulated.rounds["round"] == 1].set_index("cell")  # As counters are.
    counters = {name: (one or {}).get("per_worker") for name, one in simulated.raw.counters.items()}
    busy_ns = {name: sum(one["busy_ns"] for one in of) for name, of in counters.items() if of}
    part = 1e-9 * pandas.Series(busy_ns, dtype=float) / (first["seconds"] * first["worker_count"])
    running = part - first["work_share"] - first["overhead_share"]
    lines = shares_of(simulated, "lines")["lines"]
    return numpy.fmax(lines, running.reindex(lines.index))


def errors_of(cells: pandas.DataFrame) -> dict[str, float]:
    """Of rows of `Validation.cells`, one at least: the errors without their signs, and factors."""
    at = (9 * len(cells) + 9) // 10 - 1  # Nine in ten do not exceed that one.
    sizes, factors = sorted(cells["error"].abs()), sorted(cells["factor"])
    errors = {"median error": median(sizes), "nine in ten errors": sizes[at]}
    errors |= {"bias": median(cells["error"]), "nine in ten factors": factors[at]}
    return errors | {"greatest factor": factors[-1]}


def _text(errors: dict[str, float], of: str) -> str:
    return ratio(errors[of]) if "factor" in of else percent(errors[of])


def _verdict(found: Validation, kind: str) -> str:
    """The goals, of the benchmarks held out."""
    cells = found.held_out[found.held_out["kind"] == kind]
    if cells.empty:
        return f"No benchmark held out is {kind}."
    errors, right, texts = errors_of(cells), pairs_of(found, kind), []
    for of, goal in GOALS[kind].items():
        met = "met" if errors[of] <= goal else "missed"
        texts.append(f"{of} {_text(errors, of)} (goal: at most {_text(GOALS[kind], of)}, {met})")
    benchmarks, pairs = counted(len(cells), "benchmark"), counted(len(right), "pair")
    order = f"{sum(right)} of {pairs} that the measurement tells apart in its order"
    return f"Held out, {kind} ({benchmarks}): {', '.join(texts)}; {order}."


def _error_table(found: Validation) -> Table:
    """By kind, then by workers and scheduler."""
    kinds = [(kind, found.held_out[found.held_out["kind"] == kind]) for kind in GOALS]
    for (workers, scheduler), own in found.held_out.groupby(["workers", "scheduler"]):
        kinds.append((f"{scheduler}, {counted(workers, 'worker')}", own))
    rows = [(name, own, errors_of(own)) for name, own in kinds if len(own)]
    value = lambda of: number(of, lambda row: _text(row[2], of))
    columns = [
        name("benchmarks", lambda row: row[0]),
        number("number", lambda row: str(len(row[1]))),
        number("contended", lambda row: str(sum(row[1]["kind"] == "contended"))),
        *map(value, errors_of(found.cells)),
    ]
    return tabulate("Errors of the benchmarks held out", columns, rows)


def _every_error(found: Validation) -> Table:
    columns = [
        name("workload", lambda row: row["instance"]),
        key("scheduler"),
        number("workers", lambda row: str(row["workers"])),
        number("measured", lambda row: seconds(row["measured"])),
        number("simulated", lambda row: seconds(row["simulated"])),
        number("error", lambda row: percent(row["error"])),
        number("waiting", lambda row: percent(row["waiting"])),
        name("price of a unit from", lambda row: row["unit_from"] or "calibrated"),
    ]
    return tabulate("Every benchmark", columns, found.cells.to_dict("records"))


def sections_of(found: Validation) -> list[Section]:
    """How large the errors are, and the error of each."""
    summary = Section("Accuracy of the simulation", shown=Prominence.SUMMARY)
    for kind in GOALS:
        say(summary, _verdict(found, kind), is_lead=True)
    compared = f"{counted(len(found.cells), 'benchmark')} finished in both"
    say(summary, f"{compared}, of {len(found.measured.cells)} that were to be measured.")
    summary.blocks.append(_error_table(found))
    errors = Section("Errors by benchmark", [_every_error(found)], Prominence.TABLES)
    how = guide("How to read a validation", contended=100 * CONTENDED_ABOVE)
    name_machine(machine_note(found.measured.raw, found.simulated.raw), [summary, errors])
    return [summary, how, errors]
