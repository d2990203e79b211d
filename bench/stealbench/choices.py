"""What experiments choose from: workloads and their instances, schedulers, worker counts."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any

from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.machine import MOST_WORKERS, Machine
from stealbench.options import Settings, assignments, counts, items, parse_assignment
from stealbench.suite import SEQUENTIAL, Suite, required_by, words_of
from stealbench.workloads import SIZES, Assignment, instances_of

Instance = tuple[str, tuple[Assignment, ...]]  # A workload, and the parameters that are set.
NAMES: dict[str, Any] = {"metavar": "NAME,...", "type": items()}
YARDSTICK = "work-stealing"  # What a scheduler is compared with in an ablation that names no other.


def add_workload(settings: Settings, help: str) -> None:
    """The argument WORKLOAD, which an experiment that is resumed takes from its raw file."""
    settings.add("WORKLOAD", default="", help=f"{help}; see `stealbench list`")


def add_workloads(settings: Settings) -> None:
    help = "workloads, or all; see `stealbench list`"
    settings.add("--workloads", "--workload", default=["mergesort", "uts"], help=help, **NAMES)


def add_schedulers(settings: Settings, shown: str = "all that are built") -> None:
    help = "schedulers, each as NAME or NAME:KEY=VALUE:KEY=VALUE, or all; see `stealbench list`"
    settings.add("--schedulers", "--scheduler", default=[], shown=shown, help=help, **NAMES)


def add_workers(
    settings: Settings, default: Iterable[int], shown: str = "", most: int = MOST_WORKERS
) -> None:
    kind: dict[str, Any] = {"metavar": "N,...", "type": counts(most), "shown": shown}
    help = f"worker counts from 1 to {most}, or ranges such as 1-4"
    settings.add("--workers", default=list(default), help=help, **kind)


def add_instances(settings: Settings) -> None:
    """Sizes of workloads, and parameters that are set."""
    help = "size of each workload: preset parameter values"
    settings.add("--size", default="standard", choices=SIZES, metavar="SIZE", help=help)
    for option, form, help in (
        ("--size-of", "WORKLOAD=SIZE,...", "another size for some workloads"),
        ("--set", "KEY=VALUE,...", "set a parameter of each workload that has it; may be repeated"),
    ):
        settings.add(option, default=[], type=assignments(option), metavar=form, help=help)


def add_pin(settings: Settings) -> None:
    help = "pin each worker to a processor: one on each core, then the second hardware threads"
    settings.add("--pin", default=False, help=help)


def usual_worker_counts() -> list[int]:
    """1, 2, 4, … and the numbers of cores and of processors."""
    machine = Machine()
    processors = machine.usable_processors()
    cores = min(machine.cores() or processors, processors)
    powers = [1 << e for e in range(cores.bit_length()) if 1 << e < cores]
    return list(dict.fromkeys([*powers, cores, processors]))


def expect_workload(suite: Suite, command: str, workload: str, valid: Sequence[str]) -> None:
    """Raises BadInput for a workload that is missing or not among the valid ones."""
    if not workload:
        raise BadInput(f"{command}: WORKLOAD is required", valid)
    suite.workload(workload)
    if workload not in valid:
        raise BadInput(f"{command}: {workload} is not possible", valid)


def workloads_named(names: Iterable[str], option: str, everything: Sequence[str]) -> list[str]:
    """Without repetitions; `all` becomes all names. Raises BadInput where others are beside it."""
    distinct = list(dict.fromkeys(names))
    if distinct == ["all"]:
        return list(everything)
    if "all" in distinct:
        valid = "all alone, or names without it"
        raise BadInput(f"{option} {','.join(names)}: all is every workload", valid)
    return distinct


def simulated_workloads(suite: Suite, names: Sequence[str], option: str) -> list[str]:
    """The same of those that can be simulated; raises BadInput for another one."""
    chosen = workloads_named(names, option, valid := suite.simulated_names())
    for name in chosen:
        if why_not := suite.workload(name).why_not_simulated:
            raise BadInput(f"{option} {name}: {why_not}", [*valid, "all"])
    return chosen


def schedulers_named(suite: Suite, names: Iterable[str], is_simulated: bool = False) -> list[str]:
    """Canonical names without repetitions; none, or `all`, becomes all that are built. Raises
    BadInput."""
    built, distinct = suite.installation, list(dict.fromkeys(names))
    if distinct in ([], ["all"]):
        distinct = built.built_simulations() if is_simulated else built.built()
        if not distinct:
            kind = "simulations" if is_simulated else "schedulers"
            raise BadInput(f"no {kind} are built; build them with\n  {built.build.build_all}")
    choose = built.choose_simulated if is_simulated else built.choose
    return list(dict.fromkeys(choose(name)[0] for name in distinct))


def instances_named(suite: Suite, workloads: Sequence[str], values: Namespace) -> list[Instance]:
    """What is run of the workloads: of one workload all that is set, of several what each has.
    Raises BadInput for a size or a parameter that none of them has."""
    sizes = dict(parse_assignment(text, "--size-of") for text in values.size_of)
    for name, size in sizes.items():
        if name not in workloads or size not in SIZES:
            valid = SIZES if name in workloads else workloads
            raise BadInput(f"--size-of {name}={size}: not possible", valid)
    pairs = [parse_assignment(text) for text in values.set]
    unused, instances = {key for key, _ in pairs}, list[Instance]()
    if len(unused) < len(pairs):
        raise BadInput(f"--set {','.join(values.set)}: one is set twice", "each parameter once")
    for name in workloads:
        workload = suite.workload(name)
        own = [e for e in pairs if len(workloads) == 1 or workload.parameter(e[0])]
        unused -= {key for key, _ in own}
        size = sizes.get(name, values.size)
        instances += [(name, chosen) for chosen in instances_of(workload, size, own)]
    if unused:
        valid = f"those that `stealbench list WORKLOAD` names for one of {', '.join(workloads)}"
        raise BadInput(f"--set {min(unused)}: no chosen workload has this parameter", valid)
    return list(dict.fromkeys(instances))


def every_cell(
    instances: Iterable[Instance], workers: Iterable[int], schedulers: Sequence[str]
) -> list[Cell]:
    """By instance, then workers, then scheduler. Serial code has one worker, whatever it is given,
    so it is measured once, beside the greatest count."""
    counts = list(dict.fromkeys(workers))
    return [
        Cell(workload, parameters, scheduler, count)
        for workload, parameters in instances
        for count in counts
        for scheduler in schedulers
        if scheduler not in ("serial", SEQUENTIAL) or count == max(counts)
    ]


def contrasts_among(suite: Suite, schedulers: Sequence[str]) -> list[dict[str, str]]:
    """Of these schedulers each against the strategy that it says it is compared with, or work
    stealing, where that is among them; and each value of their settings against the default. Where a
    value requires a value of another setting, both sides have that."""
    pairs, described = list[tuple[str, str, str]](), suite.installation.describe(schedulers)
    for name, own in zip(schedulers, described):
        opponent = own["about"].get("compared_with") or YARDSTICK
        if name != YARDSTICK and opponent.partition(":")[0] in schedulers:
            pairs.append(("scheduler", name, opponent))
    for name, own in zip(schedulers, described):
        for setting in own["settings"]:
            for word in words_of(setting)[1:]:
                against = ":".join([name, *required_by(setting, word, own["settings"])])
                factor, variant = f"{name}:{setting['name']}", f"{against}:{setting['name']}={word}"
                pairs.append((factor, variant, against))

    def canonical(typed: str) -> str:
        return suite.installation.choose(typed)[0]

    return [
        {"factor": factor, "variant": canonical(variant), "against": canonical(against)}
        for factor, variant, against in pairs
    ]


def strategies_in(contrasts: Iterable[dict[str, str]]) -> list[str]:
    """Each once."""
    both = ([contrast["against"], contrast["variant"]] for contrast in contrasts)
    return list(dict.fromkeys(name for names in both for name in names))
