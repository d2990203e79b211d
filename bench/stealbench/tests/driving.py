"""A small driver around the measurement, for tests that stop, kill and resume it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stealbench.catalogue import Installation
from stealbench.cell import Cell
from stealbench.cells import Target
from stealbench.errors import BadInput
from stealbench.inherited import begin_with_own_state
from stealbench.journal import Journal
from stealbench.process import Interrupted
from stealbench.rounds import Plan, measure
from stealbench.schedule import StopRule
from stealbench.session import begin, go_on


@dataclass(frozen=True)
class Drive:
    """fib on planted schedulers, into the folder `results` beside them."""

    folder: Path
    schedulers: tuple[str, ...] = ("serial", "openmp")
    workers: tuple[int, ...] = (1,)
    rounds: int = 3
    budget_s: float = 60
    target_percent: float = 2
    seed: int = 7
    timeout_s: float = 10
    counts: bool = True
    earlier: str = "keep"
    is_metric: bool = False

    @property
    def raw_file(self) -> Path:
        return self.folder / "results" / "compare.jsonl"

    def lines(self, kind: str = "") -> list[dict[str, Any]]:
        lines = [json.loads(each) for each in self.raw_file.read_text().splitlines()]
        return [each for each in lines if kind in ("", each["type"])]

    def edit(self, lines: Sequence[dict[str, Any]]) -> None:
        self.raw_file.write_text("".join(json.dumps(each) + "\n" for each in lines))

    def run(self) -> int:
        """Its exit status; raises as measure does."""
        installed = Installation(self.folder)
        settings = {"schedulers": list(self.schedulers), "rounds": self.rounds, "seed": self.seed}
        if self.earlier not in ("keep", "resume", "replace"):
            raise ValueError(self.earlier)
        with Journal(self.raw_file.parent, "compare", self.earlier) as journal:  # type: ignore[arg-type]
            cells = [
                Cell("fib", (("n", "35"),), s, w) for w in self.workers for s in self.schedulers
            ]
            checks = [{"check": "workers", "status": "pass", "detail": "Some."}]
            if self.earlier == "resume":
                go_on(journal, settings, checks)
            else:
                begin(journal, ["compare"], settings, {}, cells, checks)
            until = StopRule(self.rounds, self.target_percent, self.budget_s)
            plan = Plan(until, self.timeout_s, self.seed, self.counts, host_checks=checks)

            def target_of(cell: Cell) -> Target:
                return Target(cell, installed.choose(cell.scheduler)[1], self.is_metric)

            def interval(values: Sequence[float]) -> tuple[float, float]:
                return min(values[-6:]), max(values[-6:])

            command = f"stealbench compare --resume --output {self.raw_file.parent}"
            measure(plan, target_of, journal, interval, command)
            return 0 if all(each.has_finished for each in journal.standing.cells) else 1

    def resume(self) -> int:
        return replace(self, earlier="resume").run()

    def apart(self, shell: str = "exec", end: str = "") -> subprocess.CompletedProcess[str]:
        """The same in a process of its own, as part of a command of a shell."""
        members = {key: getattr(self, key) for key in self.__dataclass_fields__}
        text = json.dumps(members | {"folder": str(self.folder)})
        command = f'{shell} "$0" -m stealbench.tests.driving "$1" {end}'
        arguments = ["/bin/sh", "-c", command, sys.executable, text]
        done = subprocess.run(arguments, capture_output=True, check=False, timeout=60, text=True)
        return done


def main(text: str) -> int:
    """As the command line does it."""
    begin_with_own_state()
    members = json.loads(text)
    lists = {key: tuple(members[key]) for key in ("schedulers", "workers")}
    try:
        return Drive(**members | lists | {"folder": Path(members["folder"])}).run()
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    except Interrupted as error:
        return 128 + error.signal
    except OSError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
