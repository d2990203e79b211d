"""What is said of a validation: how large the errors of a simulation are, and where."""

from __future__ import annotations

import pandas

from stealbench.analysis.validation import (
    CONTENDED_ABOVE,
    GOAL_FACTOR,
    GOAL_MEDIAN_ERROR,
    GOAL_NINTH_DECILE_ERROR,
    Validation,
    errors_of,
)
from stealbench.figures import Figures
from stealbench.report.document import Column, Definitions, Prominence, Section, Table
from stealbench.report.format import counted, percent, ratio, seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import changes_of_profile, machine_note, name_machine, subtitle_of
from stealbench.report.parts import estimate_in, say, text_at, with_interval_kind


def _signed_percent(part: float) -> str:
    return f"{100 * part:+.1f} %"


def _kind(is_contended: bool) -> str:
    return "contended" if is_contended else "uncontended"


def _met(is_met: object) -> str:
    return "met" if is_met else "missed"


def _verdict(found: Validation, is_contended: bool) -> str:
    """The goals, of the benchmarks held out."""
    cells, kind = found.held_out(is_contended), _kind(is_contended)
    if cells.empty:
        return f"No benchmark held out is {kind}."
    errors = errors_of(cells)
    pairs = found.pairs[found.pairs["is_held_out"] & (found.pairs["is_contended"] == is_contended)]
    right = int(pairs["is_right"].sum())
    order = ""
    if is_contended:
        factor = errors["greatest_factor"]
        text = (
            f"the greatest factor is {factor:.2f} (goal: at most {GOAL_FACTOR:g},"
            f" {_met(factor <= GOAL_FACTOR)})"
        )
        order = f" (goal: all, {_met(right == len(pairs))})"
    else:
        middle, most = errors["median"], errors["ninth_decile"]
        text = (
            f"the median error is {percent(middle)} (goal: at most {100 * GOAL_MEDIAN_ERROR:g} %,"
            f" {_met(middle <= GOAL_MEDIAN_ERROR)}); nine in ten errors are at most"
            f" {percent(most)} (goal: {100 * GOAL_NINTH_DECILE_ERROR:g} %,"
            f" {_met(most <= GOAL_NINTH_DECILE_ERROR)})"
        )
    return (
        f"Held out, {kind} ({counted(len(cells), 'benchmark')}): {text}; of"
        f" {counted(len(pairs), 'pair')} of schedulers that the measurement tells apart,"
        f" {right} {'is' if right == 1 else 'are'} in its order{order}."
    )


def _origin(found: Validation) -> str:
    measured, simulated = found.measured, found.simulated
    about = simulated.raw.header["about"]
    profile = about["profile"]
    return (
        f"{subtitle_of(measured.raw)} {subtitle_of(simulated.raw)}"
        f" Profile {text_at(profile, 'name')}{changes_of_profile(about)} of"
        f" {text_at(profile, 'date')}."
        f" {counted(measured.fewest_rounds, 'round')} and"
        f" {counted(simulated.fewest_rounds, 'seed')};"
        f" {counted(len(found.cells), 'benchmark')} compared, {len(found.unpaired)} not."
    )


def _error_table(found: Validation) -> Table:
    """Those that are contended or not, then by workers and scheduler."""
    headers = ["number", "contended", "error, median", "error, nine in ten", "error, greatest"]
    headers += ["bias", "factor, nine in ten", "factor, greatest"]
    columns = [Column("benchmarks", is_name=True), *map(Column, headers)]
    table = Table("Errors of the benchmarks held out", columns)

    def add(kind: str, cells: pandas.DataFrame) -> None:
        if cells.empty:
            return
        errors = errors_of(cells)
        sizes = [percent(errors[name]) for name in ("median", "ninth_decile", "greatest")]
        factors = [ratio(errors[name]) for name in ("ninth_decile_factor", "greatest_factor")]
        numbers = [str(len(cells)), str(cells["is_contended"].sum())]
        table.rows.append([kind, *numbers, *sizes, _signed_percent(errors["bias"]), *factors])

    for is_contended in (False, True):
        add(_kind(is_contended), found.held_out(is_contended))
    kinds = found.cells.drop_duplicates(["workers", "scheduler"])
    for row in kinds.sort_values("workers", kind="stable").itertuples():
        cells = found.cells[found.cells["is_held_out"]]
        of_kind = (cells["workers"] == row.workers) & (cells["scheduler"] == row.scheduler)
        add(f"{row.scheduler}, {counted(row.workers, 'worker')}", cells[of_kind])
    return table


def _wrong_pairs(found: Validation) -> Table:
    """Both ratios are of the time of the one that was measured to be slower."""
    names = {"workload": True, "workers": False, "faster": True, "slower": True}
    columns = [Column(name, is_name) for name, is_name in names.items()]
    columns += [Column("slower ÷ faster, measured"), Column("simulated")]
    table = Table("Pairs of schedulers that the simulation has in another order", columns)
    for pair in found.pairs[~found.pairs["is_right"].astype(bool)].itertuples():
        fast, slow = found.cells.loc[pair.faster], found.cells.loc[pair.slower]
        ratios = [ratio(slow[side] / fast[side]) for side in ("measured", "simulated")]
        texts = [fast["instance"], str(fast["workers"]), fast["scheduler"], slow["scheduler"]]
        table.rows.append(texts + ratios)
    return table


def _every_error(found: Validation) -> Table:
    def with_kind(name: str, figures: Figures) -> Column:
        return Column(with_interval_kind(name, figures.have_intervals), is_name=True)

    columns = [Column("workload", is_name=True), Column("scheduler", is_name=True)]
    columns += [Column("workers"), with_kind("measured", found.measured)]
    columns += [with_kind("simulated", found.simulated), Column("error"), Column("waiting")]
    columns += [Column("contended", is_name=True), Column("price of a unit from", is_name=True)]
    table = Table("Every benchmark", columns)
    for _, row in found.cells.iterrows():
        times = [
            seconds_with_interval(estimate_in(row, side)) for side in ("measured", "simulated")
        ]
        table.rows.append(
            [
                row["instance"],
                row["scheduler"],
                str(row["workers"]),
                *times,
                _signed_percent(row["error"]),
                percent(row["waiting"]),
                "contended" if row["is_contended"] else "no",
                row["unit_from"] or "calibrated",
            ]
        )
    return table


def sections_of(found: Validation) -> list[Section]:
    """How large the errors are, which pairs are in another order, and the error of each."""
    summary = Section("Accuracy of the simulation", shown=Prominence.SUMMARY)
    for is_contended in (False, True):
        say(summary, _verdict(found, is_contended), is_lead=True)
    say(summary, _origin(found))
    summary.blocks.append(_error_table(found))
    errors = Section("Errors by benchmark", [_wrong_pairs(found)], Prominence.TABLES)
    errors.blocks.append(_every_error(found))
    if found.unpaired:
        unpaired = [(f"Not compared: {name}", why) for name, why in found.unpaired.items()]
        errors.blocks.append(Definitions(unpaired))
    how = guide(
        "How to read a validation",
        contended=100 * CONTENDED_ABOVE,
        median_error=100 * GOAL_MEDIAN_ERROR,
        ninth_decile_error=100 * GOAL_NINTH_DECILE_ERROR,
        factor=GOAL_FACTOR,
    )
    sections = [summary, how, errors]
    name_machine(machine_note(found.measured.raw, found.simulated.raw), sections)
    return sections
