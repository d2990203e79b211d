"""What tests plant as executables: shell scripts that do what the test says; and messages."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stealbench import cli, measuring
from stealbench.errors import BadInput

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:  # By whoever starts the tests: nohup, `&`.
        signal.signal(number, signal.SIG_DFL)

# Finds out what it is to run.
FIND = r"""
workload=; workers=; variant=; set=; once=; last=
for word; do
  case $last in
    --workload|--metric) workload=$word ;;
    --workers) workers=$word ;;
    --variant) variant=:$word ;;
    --set) set=$set/${word%%=*}:${word#*=} ;;
  esac
  [ "$word" != --once ] || once=yes
  last=$word
done
name=$workload/${0##*/stealbench-}$variant$set/workers:$workers/manual_time
"""
ENTRY: dict[str, Any] = {
    **{"time_unit": "ms", "cpu_seconds": 0.002, "user_seconds": 0.0015, "system_seconds": 0.0005},
    **{"voluntary_switches": 1, "forced_switches": 0, "runs": 3, "start_up_seconds": 0.001},
    **{"first_run_seconds": 0.004, "fork_count": 1000, "worker_count": 1, "peak_rss_bytes": 4096},
}


def plant(folder: Path, name: str, body: str) -> Path:
    """A shell script that can be executed; the body is what it does."""
    script = folder / name
    script.write_text("#!/bin/sh\n" + body + "\n")
    script.chmod(0o755)
    return script


def once_report(verified: str = "true", counters: str = "null") -> str:
    """What a program prints of one run."""
    return (
        '{"workload":"fib","scheduler":"s","workers":1,"parameters":{},"answer":1,'
        f'"verified":{verified},"time_ns":1,"counters":{counters}}}'
    )


def well_behaved(counters: str = "null", milliseconds: str = "2.5", more: str = "") -> str:
    """A scheduler that does as it should. `more` is pasted into its entry, as the shell has it."""
    return (
        f"{FIND}if [ $once ]; then echo '{once_report(counters=counters)}'\n"
        """else echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":'"""
        f"{milliseconds}',{json.dumps(ENTRY)[1:-1]}{more}}}]}}'; fi"
    )


# A simulation that does as it should; CASES say how often a workload charges, and how long it takes.
SIMULATION = r"""for word; do
  case $last in
    --workload) w=$word ;; --workers) p=$word ;; --seed) seed=$word ;; --set) w=$w/$word ;;
  esac
  last=$word
done
cat > "$0.profile"; ns=1000; fork=0; call=0; spawn=0; piece=0; units=100
case $w in CASES esac
echo '{"workload":"'${w%%/*}'","workers":'$p',"seed":'$seed',"verified":true,"seconds":'$ns'e-9,
"parameters":{},"work_units":'$units',"fork_count":10,"tasks_moved":0,"steal_attempts":0,
"shares":{"work":1,"overhead":0,"search":0,"lines":0,"asleep":0},"charges":{"fork":'$fork',"call":'$call',"spawn":'$spawn',"piece":'$piece'}}'"""


def simulating(cases: str) -> str:
    """A simulation. `cases` are branches on workload/parameters, such as `fib*) ns=9; fork=2 ;;`."""
    return SIMULATION.replace("CASES", cases)


def workload(name: str, unit: str | None, grain: dict[str, Any] | None = None) -> dict[str, Any]:
    """As an executable prints it: `keys`, 100 in each size, and `cut`."""
    about = dict.fromkeys("summary shape tasks work span answer source".split(), "text")
    keys = {"name": "keys", "meaning": "keys", "type": "integer", "min": 0, "max": 2**40}
    levels = {"name": "cut", "meaning": "levels", "type": "integer", "min": 0, "max": 5}
    sizes = dict.fromkeys(("test", "small", "standard", "large"), [{"keys": "100"}])
    about |= {"name": name, "family": f"family of {name}", "bound_by": "memory traffic"}
    parameters = [keys | {"default": 64}, levels | {"default": 3}]
    return about | {"unit": unit, "parameters": parameters, "grain": grain, "sizes": sizes}


METRICS = [
    dict(name=name, meaning="cost", raw="call", workers=count, unit="seconds")
    | {"needs_other_workers": count > 1}
    for name, count in (("fork", 1), ("steal", 2))
]


def plant_suite(folder: Path) -> None:
    """The sequential versions of two workloads, the second of which cannot be simulated; no
    scheduler."""
    sized = {"parameter": "cut", "counts": "size", "least": 1, "bounded_by": "keys"}
    workloads = [workload("fib", "calls", sized), workload("sort", None)]
    catalogue = {"workloads": workloads, "metrics": METRICS}
    plant_scheduler(folder, "sequential", well_behaved(), catalogue=catalogue)


@dataclass(frozen=True)
class Drive:
    """`stealbench compare` of planted schedulers on fib, without a report; into the folder `out`
    beside them."""

    folder: Path
    options: str = "--rounds 3 --seed 7"
    schedulers: str = "serial,openmp"
    workers: str = "1"
    command: str = "compare --workload fib"

    @property
    def raw_file(self) -> Path:
        return self.folder / "out" / f"{self.command.split()[0]}.jsonl"

    def plant(self, scheduler: str, body: str) -> Path:
        return plant(self.folder, f"stealbench-{scheduler}", body)

    def lines(self, kind: str = "") -> list[dict[str, Any]]:
        lines = [json.loads(text) for text in self.raw_file.read_text().splitlines()]
        return [line for line in lines if kind in ("", line["type"])]

    def edit(self, lines: Sequence[dict[str, Any]]) -> None:
        self.raw_file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def _arguments(self, more: str, is_resumed: bool) -> list[str]:
        line = f"{self.command} --schedulers {self.schedulers} {self.options}"
        line += f" --workers {self.workers}" if "compare" in line else ""
        line = "compare --resume" if is_resumed else line
        return [*line.split(), *more.split(), "--output", str(self.raw_file.parent)]

    def run(self, more: str = "", is_resumed: bool = False) -> int:
        """Its exit status. Without a report."""
        with pytest.MonkeyPatch.context() as during:
            during.setattr(measuring, "_report", lambda own, *_: int(bool(own.raw.failures)))
            return cli.main(self._arguments(more, is_resumed), self.folder)

    def resume(self, more: str = "") -> int:
        return self.run(more, is_resumed=True)

    def apart(
        self, shell: str = "exec", end: str = "", more: str = "", is_resumed: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """The same in a process of its own, as part of a command of a shell."""
        code = (
            "import sys; from stealbench import cli, measuring\n"
            "measuring._report = lambda own, *_: int(bool(own.raw.failures))\n"
            f"sys.exit(cli.main(sys.argv[1:], {str(self.folder)!r}))"
        )
        arguments = [sys.executable, "-c", code, *self._arguments(more, is_resumed)]
        command = ["/bin/sh", "-c", f'{shell} "$0" "$@" {end}', *arguments]
        return subprocess.run(command, capture_output=True, check=False, timeout=60, text=True)


def call(home: Path | None, *arguments: object) -> int:
    """The status of a command, also where argparse ends it. Blanks separate arguments."""
    try:
        return cli.main(" ".join(map(str, arguments)).split(), home)
    except SystemExit as ended:
        return int(ended.code or 0)


def plant_scheduler(folder: Path, name: str, body: str, **answers: object) -> Path:
    """An executable that answers `--KEY` with a JSON object, and else does what the body says."""
    for key, answer in answers.items():
        file = folder / f"stealbench-{name}--{key.replace('_', '-')}.json"
        file.write_text(json.dumps(answer))
    return plant(
        folder, f"stealbench-{name}", f'[ ! -e "$0$1.json" ] || exec cat "$0$1.json"\n{body}'
    )


def message_of(call: Callable[[], object], kind: type[Exception] = BadInput) -> str:
    """Of what it raises."""
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


def rows(text: str) -> list[tuple[str, ...]]:
    """A table for parametrize: a row of each line, and a cell between bars."""
    lines = filter(str.strip, text.splitlines())
    return [tuple(cell.strip() for cell in line.split(" | ")) for line in lines]
