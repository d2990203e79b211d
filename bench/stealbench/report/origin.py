"""Where values come from: what did not finish, the machine or the profile, build and settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from stealbench.analysis.tabulate import entry, key, tabulate
from stealbench.figures import UNFINISHED
from stealbench.rawfile import RawFile
from stealbench.report.document import Paragraph, Plot, Prominence, Section, Table
from stealbench.report.format import counted
from stealbench.report.parts import context_of, processors_of, text_at

OF_CONTEXT = ("processor", "commit", "compiler", "flags", "build_type", "kernel", "governor")


def facts_of(raw: RawFile) -> dict[str, str]:
    """What a run says of itself, and of two runs may be an oversight if it differs."""
    context, settings, about = context_of(raw), raw.header["settings"], raw.header["about"]
    facts = {fact: text_at(context, fact) for fact in (*OF_CONTEXT, "environment")}
    facts |= {"processors": str(processors_of(raw) or "unknown"), "date": raw.header["date"]}
    facts |= {option: text_at(settings, option) for option in ("size", "pin")}
    if raw.is_simulated:
        costs = {key: value for key, value in about["profile"].items() if key != "accuracy"}
        digest = hashlib.sha256(json.dumps(costs, sort_keys=True).encode()).hexdigest()[:8]
        facts["profile"] = f"{about['profile']['name']}{changes_of_profile(about)} ({digest})"
    return facts


def differing(runs: Mapping[str, RawFile]) -> str:
    """`commit: A a1, B b2; date: …`: each fact that differs among named runs, in a sentence."""
    facts = {name: facts_of(raw) for name, raw in runs.items()}
    texts = []
    for fact in dict.fromkeys(fact for own in facts.values() for fact in own):
        values = {name: own.get(fact, "none") for name, own in facts.items()}
        if len(set(values.values())) > 1:
            texts.append(f"{fact}: {', '.join(f'{of} {value}' for of, value in values.items())}")
    return f"These differ: {'; '.join(texts)}." if texts else ""


def subtitle_of(raw: RawFile) -> str:
    """What was measured, or simulated, on what: experiment, processor, commit and date."""
    facts, benchmarks = facts_of(raw), counted(len(raw.cells), "benchmark")
    on = f" on {facts['processor']}, {facts['processors']} processors"
    what = f"{raw.experiment}: {benchmarks}{', simulated' if raw.is_simulated else on}"
    return f"{what}; commit {facts['commit']}; {facts['compiler']}; {facts['date']}."


def _plain(value: Any) -> str:
    """A number, a word, or a list of such; nothing for what has more structure."""
    if isinstance(value, list) and not any(isinstance(part, (dict, list)) for part in value):
        return ", ".join(map(_plain, value))
    if isinstance(value, (dict, list)):
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def origin_sections(raw: RawFile, name: str = "") -> list[Section]:
    """Of any experiment. `name` is put into titles where a page has several."""
    of = f" ({name})" if name else ""
    failures = Section(f"Did not finish{of}", shown=Prominence.TABLES)
    for cell in raw.cells:
        if cell in raw.failures or not raw.rounds.get(cell):
            reason = raw.failures.get(cell, UNFINISHED)
            failures.blocks.append(Paragraph(reason, term=f"DNF {cell}"))
    context = {key: value for key, value in context_of(raw).items() if key != "date"}
    values: dict[str, Any] = {key: raw.header[key] for key in ("command", "date")}
    values |= {**raw.header["settings"], "spent_seconds": raw.spent_seconds}
    shown = {key: text for key, value in (values | context).items() if (text := _plain(value))}
    columns = [entry("what", 0), entry("value", 1)]
    tables = [tabulate("Build, machine and settings", columns, shown.items())]
    if raw.host_checks:
        title = "What may disturb a measurement on this machine"
        columns = [key(of) for of in ("check", "status", "detail")]
        tables.append(tabulate(title, columns, raw.host_checks))
    provenance = Section(f"Provenance{of}", [*tables])
    return [failures, provenance] if failures.blocks else [provenance]


def changes_of_profile(about: dict[str, Any]) -> str:
    """` with transfer 180ns, wake 5us`: the costs of the profile that were changed, if any."""
    changes = about.get("changes") or []
    return f" with {_plain(changes)}" if changes else ""


def simulation_note(raw: RawFile) -> str:
    """That values are simulated, with which profile, and how far they are from measured ones."""
    about = raw.header["about"]
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


def machine_note(*runs: RawFile) -> str:
    """`Measured on 2 processors: AMD EPYC.`, or `Simulated, …`, or both: of their tables."""
    machines, profiles = set[str](), dict[str, str]()  # A profile with its changes has a processor.
    for raw in runs:
        about, facts = raw.header["about"], facts_of(raw)
        used = about["machines"].values() if raw.experiment == "claims" else []
        used = [about["profile"]] if raw.is_simulated else used
        changes = changes_of_profile(about) if raw.is_simulated else ""
        profiles |= {text_at(own, "name") + changes: text_at(own, "processor") for own in used}
        if not all(map(raw.simulates, raw.cells.values())):
            limits = facts["environment"].replace("unknown", "").replace("none", "")
            machine = facts["processor"] + (f", with {limits}" if limits else "")
            processors = processors_of(raw)
            on = f"{counted(processors, 'processor')}: " if processors else ""
            machines.add(f"Measured on {on}{machine}.")
    sentences = sorted(machines)
    if names := ", ".join(sorted(profiles)):
        is_one = len(profiles) == 1
        which = f"profile {names} ({profiles[names]})" if is_one else f"profiles {names}"
        sentences.append(f"Simulated, with a processor for each worker: {which}.")
    return " ".join(sentences)


def name_machine(note: str, sections: Sequence[Section]) -> None:
    """Gives the note to the tables and plots that have none."""
    for block in (block for section in sections for block in section.blocks):
        if isinstance(block, Table | Plot):
            block.origin = block.origin or note
