"""`stealbench list`: the schedulers and the workloads."""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from stealbench.catalogue import SEQUENTIAL, Description, Installation
from stealbench.errors import BadInput
from stealbench.options import end_of_help
from stealbench.report.format import in_two_columns
from stealbench.suite import Suite
from stealbench.workloads import Workload

_HEADINGS = {"graphs": "Graphs and grids", "stress": "Scheduler stress"}  # Else the family itself.


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    name = "what to describe, or all of a kind: schedulers, workloads (default: all)"
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help=name)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with all that is known")
    tables = "print Markdown tables: workloads, strategies of schedulers, settings of a scheduler"
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
    valid = ", ".join(["schedulers", "workloads", *suite.workload_names, *known])
    raise BadInput(f"unknown workload or scheduler '{name}'; valid: {valid}")


def _described(names: Sequence[str], installed: Installation) -> list[Description]:
    """By group."""
    schedulers = installed.describe(names[::-1], is_strict=len(names) == 1)[
        ::-1
    ]  # The last ones take longest to start.
    groups = list(dict.fromkeys(own.about.get("group", "") for own in schedulers))
    return sorted(schedulers, key=lambda own: groups.index(own.about.get("group", "")))


def _object_of(one: Description | Workload) -> dict[str, Any]:
    changed: dict[str, Any]
    if isinstance(one, Description):
        changed = {"name": one.scheduler}
    else:
        sizes = {size: [dict(own) for own in instances] for size, instances in one.sizes.items()}
        changed = {"grain": one.grain and one.grain.parameter, "sizes": sizes}
    whole = changed | vars(one) | one.about | changed
    return {key: value for key, value in whole.items() if key not in ("about", "scheduler")}


def _fields(indent: str, about: dict[str, Any], keys: str) -> Iterator[str]:
    """A line for each that is known."""
    for key in filter(about.get, keys.split()):
        yield f"{indent}{key.replace('_', ' ').capitalize():<9} {about[key]}"


def _of_scheduler(scheduler: Description) -> Iterator[str]:
    name = scheduler.scheduler
    yield f"{name}: {scheduler.about.get('summary', '')}"
    yield from _fields("  ", scheduler.about, "paper bound")
    if scheduler.settings:
        yield f"  Settings ({name}:KEY=VALUE:KEY=VALUE; the first value is the default)"
    for setting in scheduler.settings:
        yield f"    {setting.name}: {setting.meaning}"
        for value in setting.values:
            yield f"      {value['word']:<14} {value['about'].get('summary', '')}".rstrip()
            yield from _fields("        ", value["about"], "paper bound")
        for need in setting.requirements:
            needed = f"{need['other']}={'|'.join(need['values'])}"
            yield f"      {setting.name}={need['value']} requires {needed}: {need['reason']}"


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


def _row_of(scheduler: Description) -> tuple[str, str, str]:
    keys = ", ".join(setting.name for setting in scheduler.settings)
    text = scheduler.about.get("summary", "") + (f". Settings: {keys}" if keys else "")
    return scheduler.about.get("group", ""), scheduler.scheduler, text


def _catalogue_table(workloads: Sequence[Workload]) -> Iterator[str]:
    head = "workload | parallelism, standard size | tasks, work, span | bound by | answer and check"
    gap = ""
    for family, members in itertools.groupby(workloads, lambda each: each.family):
        yield f"{gap}### {_HEADINGS.get(family, family.capitalize())}\n"
        yield f"| {head}, source |\n| --- | --- | --- | --- | --- |"
        gap = "\n"
        for each in members:
            standard = " and ".join(" ".join(map("=".join, own)) for own in each.sizes["standard"])
            yield (
                "| [{name}]({family}/{name}/) | {shape}<br>*standard:* {standard} | *tasks:*"
                " {tasks}<br>*work:* {work}<br>*span:* {span} | {bound_by} | {answer}<br>*source:*"
                " {source} |"
            ).format(name=each.name, family=family, standard=standard, **each.about)


def _strategy_table(schedulers: Sequence[Description]) -> Iterator[str]:
    """Every strategy, which is a scheduler or a value of one of its settings."""
    unknown = dict.fromkeys(("summary", "paper", "bound"), "")
    row = "| {} | {summary} | {paper} | {bound} |"
    yield "| strategy | what it does | paper | bound |\n|---|---|---|---|"
    for each in schedulers:
        yield row.format(f"**`{each.scheduler}`**", **unknown | each.about)
        for setting in each.settings:
            for word, value in zip(setting.words, setting.values):
                default = ", the default" if word == setting.words[0] else ""
                shown = f"`{setting.name}={word}`{default}"
                yield row.format(shown, **unknown | value["about"])


def _setting_table(scheduler: Description) -> Iterator[str]:
    if not scheduler.settings:
        valid = "schedulers, workloads, a workload, or a scheduler with settings"
        why = f"scheduler {scheduler.scheduler} has no settings"
        raise BadInput(f"--markdown: {why}; valid: {valid}")
    yield "| setting | meaning | values, the default first |\n|---|---|---|"
    for each in scheduler.settings:
        yield f"| `{each.name}` | {each.meaning} | `{'`, `'.join(each.words)}` |"


def _lines(options: argparse.Namespace, suite: Suite) -> Iterator[str]:
    installed, name = suite.installation, options.name
    names, workloads = _chosen(name, suite)
    is_one = name not in ("", "schedulers", "workloads")
    schedulers = _described([*filter(installed.is_built, names)], installed)
    # The sequential versions come with `serial`.
    missing = [e for e in names if not installed.is_built(e) and (is_one or e != SEQUENTIAL)]
    if options.json:
        objects = [*map(_object_of, schedulers)], [*map(_object_of, workloads)]
        whole = {"schedulers": objects[0], "workloads": objects[1], "not_built": missing}
        yield json.dumps(whole, indent=2, ensure_ascii=False, default=vars)
    elif options.markdown and workloads:
        yield from _catalogue_table(workloads)
    elif options.markdown and is_one:
        yield from _setting_table(installed.description_of(name))
    elif options.markdown:
        # Without those from source: the page that has it would differ where they are built.
        added = installed.build.from_source
        yield from _strategy_table([e for e in schedulers if e.scheduler not in added])
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
