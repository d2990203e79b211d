"""`stealbench doctor`: what disturbs measurements here, and which schedulers are not built."""

from __future__ import annotations

import argparse
import json

from stealbench.commands.list import not_built
from stealbench.host import checks_before
from stealbench.options import end_of_help
from stealbench.report.format import in_two_columns
from stealbench.suite import Suite


def declare(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    notes = "`compare` makes the same checks before it measures, and records them."
    status = "0 if no check warns and a scheduler is built, 1 otherwise"
    parser.epilog = end_of_help(notes, status, "doctor", ("", "--json"))


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Prints all checks, also those that pass."""
    installed, usable = suite.installation, suite.processors
    built = installed.built()
    missing = [name for name in installed.known() if name not in built]
    detail = f"Built: {', '.join(built)}." if built else "None is built."
    own = {"check": "schedulers", "status": "pass" if built else "warn", "detail": detail}
    checks = [*checks_before(usable), own]
    if options.json:
        whole = {"processors": usable, "checks": checks, "built": built, "not_built": missing}
        print(json.dumps(whole, indent=2, ensure_ascii=False))
    else:
        for check in checks:
            print(in_two_columns(f"{check['status']:<8} {check['check']}", check["detail"], 28))
        print(in_two_columns(f"{'':<8} processors", f"This process may use {usable}.", 28))
        print(*not_built(missing, installed), sep="\n")
        if missing:
            print(f"Build all that have their libraries with\n  {installed.build.build_all}")
    return int(any(check["status"] == "warn" for check in checks))
