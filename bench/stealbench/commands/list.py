"""`stealbench list`: the schedulers and the workloads."""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stealbench.errors import BadInput
from stealbench.options import end_of_help
from stealbench.report.format import in_two_columns
from stealbench.suite import SEQUENTIAL, Installation, Row, Suite, words_of
from stealbench.workloads import Workload

_HEADINGS = {"graphs": "Graphs and grids", "stress": "Scheduler stress"}  # Else the family itself.
_OF_CATALOGUE = (
    "| [{name}]({family}/{name}/) | {shape}<br>*standard:* {standard} | *tasks:* {tasks}<br>*work:*"
    " {work}<br>*span:* {span} | {bound_by} | {answer}<br>*source:* {source} |"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    name = "what to describe, or all of a kind: schedulers, workloads (default: all)"
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help=name)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with all that is known")
    tables = "print Markdown tables: workloads, or strategies of schedulers"
    form.add_argument("--markdown", action="store_true", help=tables)
    status = "0, 1 if a scheduler cannot describe itself"
    parser.epilog = end_of_help("", status, "list", ("uts", "schedulers --json"))


def _chosen(name: str, suite: Suite) -> tuple[list[str], list[Workload]]:
    """Everything, all of a kind, or the scheduler or workload that the user has named."""
    known = [*suite.installation.known(), SEQUENTIAL]
    if name == "schedulers" or name in known:
        return [name] if name in known else known, []
    if name in ("", "workloads"):
        return [] if name else known, suite.workloads
    if name in suite.workload_names:
        return [], [suite.workload(name)]
    valid = ["schedulers", "workloads", *suite.workload_names, *known]
    raise BadInput(f"unknown workload or scheduler '{name}'", valid)


def _fields(indent: str, about: Mapping[str, Any], keys: str) -> Iterator[str]:
    """A line for each that is known."""
    for key in filter(about.get, keys.split()):
        yield f"{indent}{key.replace('_', ' ').capitalize():<9} {about[key]}"


def _of_scheduler(scheduler: Row) -> Iterator[str]:
    name, about = scheduler["scheduler"], scheduler["about"]
    yield f"{name}: {about.get('summary', '')}"
    yield from _fields("  ", about, "paper bound")
    if scheduler["settings"]:
        yield f"  Settings ({name}:KEY=VALUE:KEY=VALUE; the first value is the default)"
    for setting in scheduler["settings"]:
        yield f"    {setting['name']}: {setting['meaning']}"
        for value in setting["values"]:
            yield f"      {value['word']:<14} {value['about'].get('summary', '')}".rstrip()
            yield from _fields("        ", value["about"], "paper bound")
        for need in setting["requirements"]:
            needed = f"{need['other']}={'|'.join(need['values'])}"
            yield f"      {setting['name']}={need['value']} requires {needed}: {need['reason']}"


def _of_workload(workload: Workload) -> Iterator[str]:
    yield f"{workload.name}: {workload.summary}"
    unit = workload.unit or f"none: it {workload.why_not_simulated}"
    about = vars(workload) | {"unit": unit}
    yield from _fields("  ", about, "shape tasks work span bound_by answer source unit")
    yield "  Parameters (--set NAME=VALUE)"
    for parameter in workload.parameters:
        yield f"    {parameter.name:<12} {parameter.meaning}"
        yield f"    {'':<12} {parameter.valid}; default {parameter.default}"
    if workload.grain:
        yield f"  Grain     {workload.grain.parameter} (stealbench grain {workload.name})"
    yield "  Sizes (--size NAME)"
    for size, instances in workload.sizes.items():
        for number, instance in enumerate(instances):
            yield f"    {'' if number else size:<12} {' '.join(map('='.join, instance.items()))}"


def not_built(names: Sequence[str], installed: Installation) -> Iterator[str]:
    """How to build these schedulers."""
    if names:
        yield in_two_columns("Not built", ", ".join(names), 14)
        yield f"  Add {'them' if names[1:] else 'it'} with\n  {installed.build.build_command(names)}"


def _in_short(title: str, rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Of groups, names and texts: a line for each, or more where the terminal is narrow."""
    yield f"{title}; `stealbench list NAME` describes one"
    for group, members in itertools.groupby(rows, lambda row: row[0]):
        yield f" {group}"
        yield from (in_two_columns(name, text, 24) for _, name, text in members)


def _row_of(scheduler: Row) -> tuple[str, str, str]:
    keys, about = ", ".join(own["name"] for own in scheduler["settings"]), scheduler["about"]
    text = about.get("summary", "") + (f". Settings: {keys}" if keys else "")
    return about.get("group", ""), scheduler["scheduler"], text


def _catalogue_table(workloads: Sequence[Workload]) -> Iterator[str]:
    head = "workload | parallelism, standard size | tasks, work, span | bound by | answer and check"
    for number, (family, members) in enumerate(itertools.groupby(workloads, lambda e: e.family)):
        yield "\n" * bool(number) + f"### {_HEADINGS.get(family, family.capitalize())}\n"
        yield f"| {head}, source |\n| --- | --- | --- | --- | --- |"
        for own in members:
            instances = (map("=".join, instance.items()) for instance in own.sizes["standard"])
            standard = " and ".join(map(" ".join, instances))
            yield _OF_CATALOGUE.format(standard=standard, **vars(own))


def _strategy_table(schedulers: Sequence[Row]) -> Iterator[str]:
    """Every strategy, which is a scheduler or a value of one of its settings."""
    yield "| strategy | what it does | paper | bound |\n|---|---|---|---|"
    for own in schedulers:
        rows = [(f"**`{own['scheduler']}`**", own["about"])]
        for setting in own["settings"]:
            for word, value in zip(words_of(setting), setting["values"]):
                default = ", the default" if word == words_of(setting)[0] else ""
                rows.append((f"`{setting['name']}={word}`{default}", value["about"]))
        for name, about in rows:
            cells = [name, *(about.get(key, "") for key in ("summary", "paper", "bound"))]
            yield f"| {' | '.join(cells)} |"


def _lines(options: argparse.Namespace, suite: Suite) -> Iterator[str]:
    installed, name = suite.installation, options.name
    names, workloads = _chosen(name, suite)
    is_one = name not in ("", "schedulers", "workloads")
    built = filter(installed.is_built, names[::-1])  # The last ones take longest to start.
    schedulers = installed.describe(built, is_strict=is_one)[::-1]
    groups = list(dict.fromkeys(own["about"].get("group", "") for own in schedulers))
    schedulers.sort(key=lambda own: groups.index(own["about"].get("group", "")))
    # The sequential versions come with `serial`.
    missing = [e for e in names if not installed.is_built(e) and (is_one or e != SEQUENTIAL)]
    if options.json:
        whole = {"schedulers": schedulers, "workloads": workloads, "not_built": missing}
        yield json.dumps(whole, indent=2, ensure_ascii=False, default=vars)
    elif options.markdown and workloads:
        yield from _catalogue_table(workloads)
    elif options.markdown:
        # Without those from source: the page that has it would differ where they are built.
        added = installed.build.from_source
        yield from _strategy_table([e for e in schedulers if e["scheduler"] not in added])
    elif is_one and not missing:
        yield from itertools.chain(*map(_of_scheduler, schedulers), *map(_of_workload, workloads))
    else:
        if names:
            title = "Schedulers, as NAME or NAME:KEY=VALUE:KEY=VALUE"
            yield from _in_short(title, map(_row_of, schedulers))
            yield from not_built(missing, installed)
        if workloads:
            rows = ((own.family.capitalize(), own.name, own.summary) for own in workloads)
            yield from _in_short("Workloads", rows)


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Prints them."""
    print(*_lines(options, suite), sep="\n")
    return 0
