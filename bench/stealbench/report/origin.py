"""Where values come from: what did not finish, the machine or the profile, build and settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from stealbench.figures import UNFINISHED, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Definitions, Emphasis, Paragraph, Plot, PlotGroup
from stealbench.report.document import Prominence, Section, Table
from stealbench.report.format import counted
from stealbench.report.parts import context_of, processors_of, text_at


def _values_table(title: str, values: Sequence[tuple[str, str]]) -> Table:
    columns = [Column("what", is_name=True), Column("value", is_name=True)]
    return Table(title, columns, [list(row) for row in values])


def _machine(raw: RawFile) -> Section:
    if raw.is_simulated:
        profile = raw.header["about"]["profile"]
        values = [(key, str(profile[key])) for key in ("name", "processor", "date", "source")]
        values += [(key, json.dumps(cost)) for key, cost in profile["costs"].items()]
        table = _values_table("The profile", values)
        return Section("The simulated machine", [Paragraph(simulation_note(raw)), table])
    keys = ("check", "status", "detail")
    columns = [Column(key, is_name=True) for key in keys]
    rows = [[check[key] for key in keys] for check in raw.host_checks]
    warned = [at for at, check in enumerate(raw.host_checks) if check["status"] == "warn"]
    marks = {(at, 1): Emphasis.FAILED for at in warned}
    title = "What may disturb a measurement on this machine"
    return Section("The machine", [Table(title, columns, rows, marks)])


def _plain(value: Any) -> str:
    """A number, a word, or a list of such; nothing for what has more structure."""
    if isinstance(value, list) and not any(isinstance(part, (dict, list)) for part in value):
        return ", ".join(map(_plain, value))
    if isinstance(value, (dict, list)):
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _provenance(raw: RawFile) -> Section:
    """The command, the settings, and what the processes of the first build say of it."""
    values = [(key, raw.header[key]) for key in ("command", "date")]
    values += [*raw.header["settings"].items(), ("spent_seconds", raw.spent_seconds)]
    values += [("resumed", raw.times_resumed)] if raw.times_resumed else []
    values += [(key, value) for key, value in context_of(raw).items() if key != "date"]
    shown = [(key, _plain(value)) for key, value in values if _plain(value)]
    return Section("Provenance", [_values_table("Build, machine and settings", shown)])


def origin_sections(raw: RawFile, name: str = "") -> list[Section]:
    """Of any experiment. `name` is put into titles where a page has several."""
    unfinished = [cell for cell in raw.cells if cell in raw.failures or not raw.rounds.get(cell)]
    reasons = [(f"DNF {cell}", raw.failures.get(cell, UNFINISHED)) for cell in unfinished]
    failures = Section("Did not finish", [Definitions(reasons)], Prominence.TABLES)
    sections = [*([failures] if reasons else []), _machine(raw), _provenance(raw)]
    for section in sections:
        section.title += f" ({name})" if name else ""
    return sections


def changes_of_profile(about: dict[str, Any]) -> str:
    """` with transfer 180ns, wake 5us`: the costs of the profile that were changed, if any."""
    changes = about.get("changes") or []
    return f" with {_plain(changes)}" if changes else ""


def simulation_note(source: RawFile | dict[str, Any]) -> str:
    """That values are simulated, with which profile, and how far they are from measured ones.

    Takes the members that the first line of a simulation has as its `about`, or such a file.
    """
    about = source.header["about"] if isinstance(source, RawFile) else source
    profile = about["profile"]
    name, processor, date = (text_at(profile, key) for key in ("name", "processor", "date"))
    text = f"Simulated, not measured: profile {name} ({processor}, {date})"
    text += changes_of_profile(about)
    if (accuracy := profile["accuracy"]) is None:
        text += ", not validated."
    else:
        text += (
            f". Error against {accuracy['cells']} benchmarks measured on {processor}: without"
            f" contention median {100 * accuracy['median_error']:.2g} %, nine in ten within"
            f" {100 * accuracy['ninth_decile_error']:.2g} %; nine in ten contended ones within a"
            f" factor of {accuracy['contended_factor']:.2g}. With more workers than were measured,"
            " trust only an order that all profiles share, and no time."
        )
    if doubt := profile.get("doubt"):
        text += f" The profile is doubtful: {doubt}"
    if other := about.get("other_processor"):
        text += f" The profile is of another processor than this simulation ran on ({other})."
    if not profile["measured"]:
        text += f" The costs of the profile are not measured; they come from: {profile['source']}"
    return text


def _profiles_of(raw: RawFile) -> dict[str, str]:
    """By name, with its changes: the processor of each profile that values are simulated with."""
    about = raw.header.get("about", {})
    profiles = list(about["machines"].values()) if raw.experiment == "claims" else []
    if raw.is_simulated:
        profiles.append(about["profile"])
    changes = changes_of_profile(about) if raw.is_simulated else ""
    return {text_at(p, "name") + changes: text_at(p, "processor") for p in reversed(profiles)}


def _machine_of(raw: RawFile) -> str:
    """`2 processors: AMD EPYC, with cgroup limits`: what the processes ran on."""
    context, processors = context_of(raw), processors_of(raw)
    environment = context.get("environment")
    on = f"{counted(processors, 'processor')}: " if processors else ""
    limits = "" if environment in (None, "", "none") else f", with {environment}"
    return on + text_at(context, "processor") + limits


def _most_workers(raw: RawFile) -> int:
    """Of a benchmark that was measured; 0 if none was."""
    cells = figures_of(raw).cells
    had = cells["worker_count"].fillna(cells["workers"])[cells["machine"] == ""]
    return 0 if raw.is_simulated or had.empty else int(had.max())


def machine_note(*runs: RawFile) -> str:
    """`Measured on 2 processors: AMD EPYC.`, or `Simulated, …`, or both: of their tables."""
    shared: dict[str, int] = {}  # By machine the most workers, where they shared a processor.
    profiles: dict[str, str] = {}
    for raw in runs:
        profiles = {**_profiles_of(raw), **profiles}
        if workers := _most_workers(raw):
            machine, is_shared = _machine_of(raw), 0 < processors_of(raw) < workers
            shared[machine] = max(shared.get(machine, 0), workers if is_shared else 0)
    sentences = []
    for machine, count in sorted(shared.items()):
        with_workers = f"with up to {counted(count, 'worker')} " if count else ""
        sentences.append(f"Measured {with_workers}on {machine}.")
    if names := ", ".join(sorted(profiles)):
        profile = (
            f"profile {names} ({profiles[names]})" if len(profiles) == 1 else f"profiles {names}"
        )
        sentences.append(f"Simulated, with a processor for each worker: {profile}.")
    return " ".join(sentences)


def name_machine(note: str, sections: Sequence[Section]) -> None:
    """Gives the note to the tables and plots that have none."""
    for block in (block for section in sections for block in section.blocks):
        for part in block.plots if isinstance(block, PlotGroup) else (block,):
            if isinstance(part, (Table, Plot)):
                part.origin = part.origin or note


def subtitle_of(raw: RawFile) -> str:
    """What was measured, or simulated, on what: experiment, processor, commit and date."""
    context = context_of(raw)
    commits = dict.fromkeys(
        text_at(context_of(raw, build), "commit") for build in raw.contexts or [""]
    )
    on = f" on {text_at(context, 'processor')}, {text_at(context, 'num_cpus')} processors"
    return (
        f"{raw.experiment}: {counted(len(raw.cells), 'benchmark')}"
        f"{', simulated' if raw.is_simulated else on}; commit {' and '.join(commits)};"
        f" {text_at(raw.header, 'date')}."
    )
