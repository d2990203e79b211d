"""`stealbench calibrate`: measures what this machine charges for, and stores it as a profile."""

from __future__ import annotations

import argparse
import itertools
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stealbench import prices
from stealbench.catalogue import SEQUENTIAL
from stealbench.cell import Cell
from stealbench.choices import Instance, add_instances, instances_named, simulated_workloads
from stealbench.errors import BadInput
from stealbench.files import expect_writable, write_atomically
from stealbench.options import Settings, end_of_help, items, place
from stealbench.process import Runner
from stealbench.profiles import OWN_FILE, REFERENCE, checked, find_profile
from stealbench.progress import Progress
from stealbench.report.format import counted, seconds
from stealbench.schedule import Outlook
from stealbench.suite import Suite
from stealbench.workloads import instances_of

_PRICED_BY = ("fib", "uts", "empty_loop")  # Prices of forks, of spawns, and of pieces of loops.
# Priced too: parameters far from those of a size, which leave each benchmark held out that is. The
# standard children of spawn take no step, and the standard matrix fits into no cache.
_ALSO_PRICED = {"spawn": (("children", "32768"), ("work", "1000")), "cholesky": (("n", "1024"),)}
_CHECKED = ("fib", "integrate", "nqueens", "skynet", "uts", "primes")  # Of milliseconds if small.
_WORST_ERROR = 0.15
_TRANSFERS = ("transfer_ns", "remote_transfer_ns")
_MOST_CHANGE = 1.5  # Among measurements of a transfer.


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    settings = Settings(parser)
    kind: dict[str, Any] = {"default": ["all"], "type": items(), "metavar": "NAME,..."}
    always = ", ".join(_PRICED_BY)
    help = f"workloads whose units of work get a price, or all; {always} in any case"
    settings.add("--workloads", "--workload", help=help, **kind)
    add_instances(settings)
    help = "measure memory, kernel and threads alone; take all prices from the profile `reference`"
    settings.add("--costs-only", default=False, help=help)
    help = "file for the profile, as JSON, and its name; an older file is replaced"
    settings.add("--output", type=place, default=Path(OWN_FILE), metavar="FILE", help=help)
    notes = "Close other programs first: a profile of a busy machine is one of a slower machine."
    status = "0 if the profile was written, 1 if something could not be measured"
    examples = ("--output here.json", "--costs-only")
    parser.epilog = end_of_help(notes, status, "calibrate", examples)
    parser.set_defaults(settings=settings)


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Writes the profile. Raises RuntimeError if something could not be measured."""
    values = options.settings.values(options, None)
    names = simulated_workloads(suite, values.workloads, "--workloads")
    firsts = [(name, instances_of(suite.workload(name), values.size, ())[0]) for name in _PRICED_BY]
    also = [(name, own) for name, own in _ALSO_PRICED.items() if name in names]
    instances = list(dict.fromkeys([*firsts, *instances_named(suite, names, values), *also]))
    suite.installation.executable_of(SEQUENTIAL)
    schedulers = prices.schedulers_in(suite)
    expect_writable(values.output)
    reference = find_profile(suite, REFERENCE) if values.costs_only else None
    if reference is None and not schedulers:
        build = f"build all with\n  {suite.installation.build.build_all}"
        raise BadInput(f"no simulation is built, to count units; valid: --costs-only, or {build}")
    with Runner() as runner, Progress() as progress:
        pricing = prices.Pricing(suite, runner)
        numbers, steps = itertools.count(), 1 if reference else 2 + len(instances + schedulers)

        def begin(step: str) -> None:
            progress.begin_stage(step, ahead := Outlook(next(numbers) / steps))
            progress.begin("", ahead)

        begin("costs of the machine")
        pricing.add_costs()
        profile = pricing.profile
        if reference:
            profile |= {key: reference[key] for key in ("schedulers", "work")}
            origin = f"{reference['name']} ({reference['processor']})"
            profile["source"] += f" Prices of units and strategies: those of {origin}."
        else:
            transfers = [profile["costs"]["transfer_ns"]]
            for instance in instances:
                begin(f"price of a unit of {Cell(*instance, '').instance}")
                pricing.add_unit(instance, schedulers[0])
                transfers.append(pricing.transfer_ns())
            for scheduler in schedulers:
                begin(f"prices of {scheduler}")
                pricing.add_scheduler(scheduler, firsts)
            transfers.append(pricing.transfer_ns())
            # What waits for lines spends most of that time on the slow transfers.
            profile["costs"] |= dict.fromkeys(_TRANSFERS, max(transfers))
            if max(transfers) > _MOST_CHANGE * min(transfers):
                ends = " and another ".join(seconds(1e-9 * f(transfers)) for f in (min, max))
                changed = f"of {len(transfers)} measurements of transfer one was {ends}"
                progress.note(f"stealbench: warning: the distance of processors changes: {changed}")
                profile["source"] += f" The distance of the processors changed: {changed}."
        text = json.dumps(profile)  # Four digits: the rest is noise, and people read the file.
        rounded = json.loads(text, parse_float=lambda digits: float(f"{float(digits):.4g}"))
        pricing.profile = profile = checked(rounded)
        if not reference:
            begin("checks of the profile")
            small = {
                name: own
                for name in _CHECKED
                if name in names
                for own in reversed(instances_of(suite.workload(name), "small", ()))
                if (name, own) not in instances
            }
            if doubt := _doubt(pricing, list(small.items()), progress):
                progress.note(f"stealbench: warning: the profile is doubtful: {doubt}")
                profile["doubt"] = doubt
    profile["name"] = os.fsencode(values.output.stem).decode("utf-8", "replace")
    write_atomically(values.output, json.dumps(profile, ensure_ascii=False, indent=2) + "\n")
    print(f"Written: {values.output}")
    return 0


def _doubt(pricing: prices.Pricing, held_out: Sequence[Instance], progress: Progress) -> str:
    """Measures and simulates each with one and two workers; which are off, empty if none is."""
    scheduler, misses = next(iter(pricing.profile["schedulers"])), []
    for instance, workers in itertools.product(held_out, (1, 2)):
        cell = Cell(*instance, scheduler, workers)
        measured = pricing.measured(cell)
        simulated = pricing.simulated(cell, pricing.profile)["seconds"]
        error = simulated / measured - 1
        line = f"{cell.instance} on {scheduler} with {counted(workers, 'worker')}: simulated"
        line += f" {seconds(simulated)}, measured {seconds(measured)} ({100 * error:+.1f} %)"
        progress.note(f"stealbench: check: {line}")
        misses += [line] if abs(error) > _WORST_ERROR else []
    bound = f"miss the bound of {100 * _WORST_ERROR:g} %"
    text = f"benchmarks that it was not calibrated on {bound}: {'; '.join(misses)}."
    return text if misses else ""
