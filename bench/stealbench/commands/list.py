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


def _object_of(workload: Workload) -> Row:
    sizes = {size: [dict(own) for own in instances] for size, instances in workload.sizes.items()}
    whole = vars(workload) | workload.about | {"sizes": sizes}
    del whole["about"]
    return whole | {"grain": workload.grain and workload.grain.parameter}


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
    unit = workload.about["unit"] or f"none: it {workload.why_not_simulated}"
    about = workload.about | {"unit": unit}
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
            yield f"    {'' if number else size:<12} {' '.join(map('='.join, instance))}"


def not_built(names: Sequence[str], installed: Installation) -> Iterator[str]:
    """How to build these schedulers."""
    if names:
        yield in_two_columns("Not built", ", ".join(names), 14)
        yield f"  Add {'them' if names[1:] else 'it'} with\n  {installed.build.build_command(names)}"


def _in_short(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Of groups, names and texts: a line for each, or more where the terminal is narrow."""
    for group, members in itertools.groupby(rows, lambda row: row[0]):
        yield f" {group}"
        yield from (in_two_columns(name, text, 24) for _, name, text in members)


def _row_of(scheduler: Row) -> tuple[str, str, str]:
    keys = ", ".join(setting["name"] for setting in scheduler["settings"])
    about = scheduler["about"]
    text = about.get("summary", "") + (f". Settings: {keys}" if keys else "")
    return about.get("group", ""), scheduler["scheduler"], text


def _catalogue_table(workloads: Sequence[Workload]) -> Iterator[str]:
    head = "workload | parallelism, standard size | tasks, work, span | bound by | answer and check"
    gap = ""
    for family, members in itertools.groupby(workloads, lambda own: own.family):
        yield f"{gap}### {_HEADINGS.get(family, family.capitalize())}\n"
        yield f"| {head}, source |\n| --- | --- | --- | --- | --- |"
        gap = "\n"
        for own in members:
            standard = " and ".join(" ".join(map("=".join, each)) for each in own.sizes["standard"])
            yield (
                "| [{name}]({family}/{name}/) | {shape}<br>*standard:* {standard} | *tasks:*"
                " {tasks}<br>*work:* {work}<br>*span:* {span} | {bound_by} | {answer}<br>*source:*"
                " {source} |"
            ).format(name=own.name, family=family, standard=standard, **own.about)


def _strategy_table(schedulers: Sequence[Row]) -> Iterator[str]:
    """Every strategy, which is a scheduler or a value of one of its settings."""

    def row(strategy: str, about: Mapping[str, str]) -> str:
        cells = (about.get(key, "") for key in ("summary", "paper", "bound"))
        return f"| {strategy} | {' | '.join(cells)} |"

    yield "| strategy | what it does | paper | bound |\n|---|---|---|---|"
    for own in schedulers:
        yield row(f"**`{own['scheduler']}`**", own["about"])
        for setting in own["settings"]:
            default = words_of(setting)[0]
            for value in setting["values"]:
                mark = ", the default" if value["word"] == default else ""
                yield row(f"`{setting['name']}={value['word']}`{mark}", value["about"])


def _lines(options: argparse.Namespace, suite: Suite) -> Iterator[str]:
    installed, name = suite.installation, options.name
    names, workloads = _chosen(name, suite)
    is_one = name not in ("", "schedulers", "workloads")
    # The last ones take longest to start.
    built = [own for own in names[::-1] if installed.is_built(own)]
    schedulers = installed.describe(built, is_strict=is_one)[::-1]
    groups = list(dict.fromkeys(own["about"].get("group", "") for own in schedulers))
    schedulers.sort(key=lambda own: groups.index(own["about"].get("group", "")))
    # The sequential versions come with `serial`.
    missing = [e for e in names if not installed.is_built(e) and (is_one or e != SEQUENTIAL)]
    if options.json:
        flat = [{"name": own["scheduler"]} | own["about"] | own for own in schedulers]
        kept = [{k: own[k] for k in own if k not in ("about", "scheduler")} for own in flat]
        whole: Row = {"schedulers": kept, "workloads": [*map(_object_of, workloads)]}
        whole |= {"not_built": missing}
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
        end = "; `stealbench list NAME` describes one"
        yield from [f"Schedulers, as NAME or NAME:KEY=VALUE:KEY=VALUE{end}"] if names else []
        yield from _in_short(map(_row_of, schedulers))
        yield from not_built(missing, installed)
        yield from [f"Workloads{end}"] if workloads else []
        yield from _in_short((e.family.capitalize(), e.name, e.summary) for e in workloads)


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Prints them."""
    print(*_lines(options, suite), sep="\n")
    return 0
