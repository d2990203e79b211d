"""`stealbench calibrate`: measures what this machine charges for, and stores it as a profile."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from stealbench import prices
from stealbench.cell import Cell
from stealbench.choices import NAMES, add_instances, instances_named, simulated_workloads
from stealbench.errors import BadInput
from stealbench.files import expect_writable, write_atomically
from stealbench.options import Settings, end_of_help, place
from stealbench.process import Runner
from stealbench.profiles import OWN_FILE
from stealbench.progress import Progress
from stealbench.suite import SEQUENTIAL, Suite
from stealbench.workloads import instances_of

_PRICED_BY = ("fib", "uts", "empty_loop")  # Prices of forks, of spawns, and of pieces of loops.
# Priced too: parameters far from those of a size, which leave each benchmark held out that is. The
# standard children of spawn take no step, and the standard matrix fits into no cache.
_ALSO_PRICED = {"spawn": (("children", "32768"), ("work", "1000")), "cholesky": (("n", "1024"),)}


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    settings = Settings(parser)
    always = ", ".join(_PRICED_BY)
    help = f"workloads whose units of work get a price, or all; {always} in any case"
    settings.add("--workloads", "--workload", default=["all"], help=help, **NAMES)
    add_instances(settings)
    help = "file for the profile, as JSON, and its name; an older file is replaced"
    settings.add("--output", type=place, default=Path(OWN_FILE), metavar="FILE", help=help)
    notes = "Close other programs first: a profile of a busy machine is one of a slower machine."
    status = "0 if the profile was written, 1 if something could not be measured"
    examples = ("--output here.json", "--workloads fib,uts")
    parser.epilog = end_of_help(notes, status, "calibrate", examples)
    parser.set_defaults(settings=settings)


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Writes the profile. Raises RuntimeError if something could not be measured."""
    values = options.settings.values(options)
    names = simulated_workloads(suite, values.workloads, "--workloads")
    firsts = [(name, instances_of(suite.workload(name), values.size, ())[0]) for name in _PRICED_BY]
    also = [(name, own) for name, own in _ALSO_PRICED.items() if name in names]
    instances = list(dict.fromkeys([*firsts, *instances_named(suite, names, values), *also]))
    suite.installation.executable_of(SEQUENTIAL)
    expect_writable(values.output)
    if not (schedulers := prices.schedulers_in(suite)):
        build = f"valid: build all with\n  {suite.installation.build.build_all}"
        raise BadInput(f"no simulation is built, to count units; {build}")
    with Runner() as runner, Progress() as progress:
        pricing = prices.Pricing(suite, runner)
        progress.stage("costs of the machine, and prices of units of work", len(instances))
        pricing.add_costs()
        transfers = [pricing.profile["costs"]["transfer_ns"]]
        for instance in instances:
            progress.step(Cell(*instance, "").instance)
            pricing.add_unit(instance, schedulers[0])
            transfers.append(pricing.transfer_ns())
        progress.stage("prices of schedulers", len(schedulers))
        for scheduler in schedulers:
            progress.step(scheduler)
            pricing.add_scheduler(scheduler, firsts)
    profile = pricing.profile
    # Processors of virtual machines move: what waits for lines does so longest at slow transfers.
    profile["costs"] |= dict.fromkeys(("transfer_ns", "remote_transfer_ns"), max(transfers))
    profile["name"] = os.fsencode(values.output.stem).decode("utf-8", "replace")
    shorten = lambda digits: float(f"{float(digits):.4g}")  # People read it, and the rest is noise.
    rounded = json.loads(json.dumps(profile), parse_float=shorten)
    write_atomically(values.output, json.dumps(rounded, ensure_ascii=False, indent=2) + "\n")
    print(f"Written: {values.output}")
    return 0
