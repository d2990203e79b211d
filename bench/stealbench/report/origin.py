"""Where values come from: what did not finish, the machine or the profile, build and settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Definitions, Emphasis, Paragraph, Plot, PlotGroup
from stealbench.report.document import Prominence, Section, Table
from stealbench.report.format import counted
from stealbench.report.guides import guide
from stealbench.report.parts import context_of, processors_of, text_at

UNFINISHED = "not measured, the experiment is unfinished"


def _failures(raw: RawFile) -> Section | None:
    reasons = [
        (f"DNF {name}", raw.failures.get(name, UNFINISHED))
        for name in raw.cells
        if name in raw.failures or not raw.rounds.get(name)
    ]
    return Section("Did not finish", [Definitions(reasons)], Prominence.TABLES) if reasons else None


def _values_table(title: str) -> Table:
    return Table(title, [Column("what", is_name=True), Column("value", is_name=True)])


def _machine(raw: RawFile) -> Section:
    if raw.is_simulated:
        profile = raw.header["about"]["profile"]
        table = _values_table("The profile")
        table.rows = [[key, str(profile[key])] for key in ("name", "processor", "date", "source")]
        table.rows += [[key, json.dumps(cost)] for key, cost in profile["costs"].items()]
        return Section("The simulated machine", [Paragraph(simulation_note(raw)), table])
    columns = [Column("check", is_name=True), Column("status"), Column("detail", is_name=True)]
    table = Table("What may disturb a measurement on this machine", columns)
    for row, check in enumerate(raw.host_checks):
        if check["status"] == "warn":
            table.marks[row, 1] = Emphasis.FAILED
        table.rows.append([check[key] for key in ("check", "status", "detail")])
    return Section("The machine", [table])


def _plain(value: Any) -> str:
    """A number, a word, or a list of such; nothing for what has more structure."""
    if isinstance(value, list):
        is_flat = not any(isinstance(element, (dict, list)) for element in value)
        return ", ".join(map(_plain, value)) if is_flat else ""
    if isinstance(value, dict):
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _builds(raw: RawFile) -> list[str]:
    return list(dict.fromkeys(cell.build for cell in raw.cells.values()))


def _provenance(raw: RawFile) -> Section:
    table = _values_table("Build, machine and settings")
    values = [(key, raw.header.get(key, "")) for key in ("command", "date")]
    values += raw.header["settings"].items()
    values.append(("spent_seconds", raw.spent_seconds))
    if raw.times_resumed:
        values.append(("resumed", raw.times_resumed))
    before: dict[str, Any] = {}  # Of another build only what differs.
    for build in _builds(raw):
        context = dict(context_of(raw, build))
        # The last two are of older files.
        for key in ("date", "library_build_type", "scheduler_library"):
            context.pop(key, None)
        values += [
            (f"{key} of {build}" if before else key, value)
            for key, value in context.items()
            if key not in before or before[key] != value
        ]
        before = context
    table.rows = [[key, _plain(value)] for key, value in values if _plain(value)]
    return Section("Provenance", [table])


def origin_sections(raw: RawFile, name: str = "") -> list[Section]:
    """Of any experiment. `name` is put into titles where a page has several."""
    failures = _failures(raw)
    all_sections = [*([failures] if failures else []), _machine(raw), _provenance(raw)]
    for section in all_sections:
        section.title += f" ({name})" if name else ""
    return all_sections


def definitions() -> Section:
    """What the words of all measuring experiments mean: once on a page."""
    section = guide("How each value was measured")
    section.shown = Prominence.DETAIL
    return section


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
    accuracy = profile["accuracy"]
    if accuracy is None:
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
    if profile["measured"]:
        return text
    return f"{text} The costs of the profile are not measured; they come from: {profile['source']}"


def _profiles_of(raw: RawFile) -> dict[str, str]:
    """By name, with its changes: the processor of each profile that values are simulated with."""
    about = raw.header.get("about", {})
    profiles = []
    if raw.is_simulated:
        profiles.append((about["profile"], changes_of_profile(about)))
    if raw.experiment == "claims":
        profiles += [(machine, "") for machine in about["machines"].values()]
    if raw.experiment == "explain" and about.get("simulation", {}).get("times"):
        profiles.append((about["simulation"]["profile"], ""))
    return {
        text_at(profile, "name") + changes: text_at(profile, "processor")
        for profile, changes in reversed(profiles)
    }


def machine_of(raw: RawFile) -> str:
    """`2 processors: AMD EPYC, with cgroup limits`: what the processes ran on."""
    context, processors = context_of(raw), processors_of(raw)
    environment = context.get("environment")
    return (
        (f"{counted(processors, 'processor')}: " if processors else "")
        + text_at(context, "processor")
        + ("" if environment in (None, "", "none") else f", with {environment}")
    )


def _workers_of_measured(raw: RawFile) -> list[int]:
    had: dict[str, int] = {}
    for row in raw.processes:
        if "round" in row:
            had.setdefault(row["cell"], int(row["worker_count"]))
    measured = [cell for cell in raw.cells.values() if not (raw.is_simulated or cell.machine)]
    return [had.get(cell.name, cell.workers) for cell in measured]


def machine_note(*runs: RawFile) -> str:
    """`Measured on 2 processors: AMD EPYC.`, or `Simulated, …`, or both: of their tables."""
    most: dict[str, int] = {}  # By machine the most workers, where they shared a processor.
    profiles: dict[str, str] = {}
    for raw in runs:
        profiles = {**_profiles_of(raw), **profiles}
        if workers := _workers_of_measured(raw):
            shared = max(workers) if 0 < processors_of(raw) < max(workers) else 0
            most[machine_of(raw)] = max(most.get(machine_of(raw), 0), shared)
    sentences = []
    for machine, count in sorted(most.items()):
        with_workers = f"with up to {counted(count, 'worker')} " if count else ""
        sentences.append(f"Measured {with_workers}on {machine}.")
    names = sorted(profiles)
    if names:
        processor = f" ({profiles[names[0]]})" if len(names) == 1 else ""
        sentences.append(
            "Simulated, with a processor for each worker:"
            f" profile{'s' if len(names) > 1 else ''} {', '.join(names)}{processor}."
        )
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
    commits = dict.fromkeys(text_at(context_of(raw, build), "commit") for build in _builds(raw))
    on = f" on {text_at(context, 'processor')}, {text_at(context, 'num_cpus')} processors"
    return (
        f"{raw.experiment}: {counted(len(raw.cells), 'benchmark')}"
        f"{', simulated' if raw.is_simulated else on}; commit {' and '.join(commits)};"
        f" {text_at(raw.header, 'date')}."
    )
