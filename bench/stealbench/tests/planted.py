"""What tests plant as executables: shell scripts that do what the test says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# Finds out what it is to run, and where it is to print that.
FIND = r"""
file=/dev/stdout; workload=; workers=; variant=; set=; x=1; once=; last=
for word; do
  case $last in
    --workload|--metric) workload=$word ;;
    --workers) workers=$word ;;
    --variant) variant=:$word ;;
    --set) set=$set/${word%%=*}:${word#*=}; x=${word#*=} ;;
  esac
  [ "$word" != --once ] || once=yes
  last=$word
done
case $x in *[!0-9]*) x=1 ;; esac
name=$workload/${0##*/stealbench-}$variant$set/workers:$workers/manual_time
"""
ENTRY: dict[str, Any] = {
    "time_unit": "ms",
    "cpu_seconds": 0.002,
    "user_seconds": 0.0015,
    "system_seconds": 0.0005,
    "voluntary_switches": 1,
    "forced_switches": 0,
    "runs": 3,
    "start_up_seconds": 0.001,
    "first_run_seconds": 0.004,
    "fork_count": 1000,
    "worker_count": 1,
    "peak_rss_bytes": 4096,
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
    entry = json.dumps(ENTRY)[1:-1]
    return (
        f"{FIND}if [ $once ]; then echo '{once_report(counters=counters)}'\n"
        """else echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":'"""
        f"{milliseconds}',{entry}{more}}}]}}' > \"$file\"; fi"
    )
