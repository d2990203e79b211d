"""check_command.py STEALBENCH [SCHEDULER]: the commands of a build, with its own executables. Of a
scheduler in another language: it has the answers of ours, and as many tasks."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

STEALBENCH = Path(sys.argv[1]).absolute()
FOLDER = tempfile.TemporaryDirectory()
FOREIGN = {  # Its workloads, and what its library begins with.
    "goroutines": ("fib,skynet,uts", "Go 1."),
    "java-fork-join": ("fib,skynet,uts,mergesort", "Java "),
}
failures = 0


def expect(is_true: bool, what: str) -> None:
    global failures
    if not is_true:
        failures += 1
        print(f"not so: {what}")


def call(line: str, status: int | None = 0, program: str = "stealbench") -> str:
    """What a command prints, which ends with this status, or any."""
    command = [STEALBENCH.with_name(program), *line.split()]
    ended = subprocess.run(command, cwd=FOLDER.name, capture_output=True, text=True, check=False)
    said = ended.stdout + ended.stderr
    is_expected = status in (None, ended.returncode)
    expect(is_expected, f"{line} ended with {ended.returncode}, not {status}: {said}")
    return said


def lines(experiment: str) -> list[dict]:
    file = Path(FOLDER.name) / "out" / f"{experiment}.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def check_commands() -> None:
    run = json.loads(call("run fib --scheduler work-stealing --workers 2 --set n=20 --json"))
    expect(run["answer"] == 6765 and run["verified"] is True, f"fib(20) is 6765 in {run}")
    call("run uts --scheduler serial --size test --set tree=nix", status=2)
    call("trace fib --scheduler work-stealing --workers 2 --size test --output fib.json")
    for name in ("fib.json", "fib.svg"):
        expect((Path(FOLDER.name) / name).stat().st_size > 0, f"trace writes {name}")
    expect("work-stealing" in call("list") and "Parameters" in call("list uts"), "what is listed")
    expect("processors" in json.loads(call("doctor --json", None)), "doctor looks at processors")
    ours = "--schedulers serial,work-stealing --rounds 1 --output out"
    for line in (
        f"compare --workloads fib --size test --workers 1,2 {ours}",
        f"compare --workloads fib --size test --workers 2 --against {STEALBENCH.parent} {ours}",
        f"grain mergesort --size test --workers 2 --grains 16,64 {ours}",
        f"micro --metrics fork,spawn {ours}",
        f"explain fib --size test --workers 1,2,8 {ours}",
        "metg --schedulers work-stealing --workers 1 --rounds 1 --output out",
        "simulate fib --size test --schedulers work-stealing --workers 1,8 --seeds 1 --output out",
        "claims --only 7 --rounds 1 --output out",
    ):
        name = line.split()[0]
        printed = call(line)
        whole = lines(name)
        expect(bool(whole) and whole[-1]["type"] == "finished", f"{line} finishes")
        cells = {cell["name"] for cell in whole[0]["cells"]} if whole else set()
        ran = {row["cell"] for row in whole if row["type"] == "process" and "failure" not in row}
        expect(cells == ran, f"every benchmark of {line} finishes")
        expect("Written: " in printed, f"{line} writes a report")
    expect("micro" in call("report out --output page"), "a report of all that were measured")
    expect(": 0 slower, 0 faster" in call("diff out out"), "nothing has changed since itself")
    call("calibrate --workloads fib --size test --output here.json")
    profile = json.loads((Path(FOLDER.name) / "here.json").read_text())
    expect(
        0 < profile["costs"]["transfer_ns"] < 1e6, f"a transfer takes some time: {profile['costs']}"
    )


def check_executables() -> None:
    """Options of the executables whose effect no table shows, and what they refuse."""
    simulation, stealing = "stealbench-simulated-work-stealing", "stealbench-work-stealing"
    profile = STEALBENCH.with_name("profiles") / "reference.json"
    loop = f"--profile {profile} --workload empty_loop --size none --set loops=2^12 --workers 2"
    options = ("", "--seed 1", "--seed 2", "--vary transfer=2", "--exact")
    runs = [json.loads(call(f"{loop} {more}", 0, simulation)) for more in options]
    times = [run["seconds"] for run in runs]
    expect(times[0] == times[1] and len({*times}) == 4, f"{options} make these times: {times}")
    expect(runs[0]["unit_from"] == "this instance", f"{profile} has its price: {runs[0]}")
    for bad in ("--vary transfer=x", "--variant deque=abp"):
        call(f"{loop} {bad}", 2, simulation)
    once = "--workload fib --size test --workers 1 --once --variant deque="
    counts = [json.loads(call(once + name, 0, stealing))["counters"] for name in ("split", "abp")]
    expect(counts[0]["queue_bytes"] != counts[1]["queue_bytes"], f"two deques differ: {counts}")
    call("--workload lu --size test", 0, "stealbench-serial.work-span")  # Overwrites its input.
    os.environ["OMP_THREAD_LIMIT"] = "1"  # A runtime reads it as its process starts.
    for openmp in STEALBENCH.parent.glob("stealbench-openmp*"):
        said = call("--workload fib --size test --workers 2 --once", 1, openmp.name)
        expect("fewer threads than asked for" in said, f"{openmp} says what it lacks: {said}")
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    said = call("--metric steal", 1, "stealbench-sequential")
    expect("two processors, and there is one" in said, f"what lacks a processor is said: {said}")
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
    said = call("--workload fib --stack-mib 1 --workers 8 --trace t --events 10000000", 2, stealing)
    expect("room for that many intervals" in said, f"what lacks memory is said: {said}")


def check_foreign(scheduler: str, workloads: str, library: str) -> None:
    call(
        f"compare --schedulers serial,{scheduler} --workloads {workloads} --size small --workers 2 --rounds 1 --output out"
    )
    tasks = defaultdict(set)
    header, *rest = lines("compare")
    instances = {
        cell["name"]: (cell["workload"], *cell["parameters"].items()) for cell in header["cells"]
    }
    for line in rest:
        if line["type"] == "process":
            tasks[instances[line["cell"]]].add(line["benchmark"]["fork_count"])
    expect(len(tasks) >= workloads.count(",") + 1, f"each workload of {workloads} is measured")
    for instance, counts in tasks.items():
        expect(len(counts) == 1, f"as many tasks of {instance} as ours: {counts}")
    named = [
        line["context"].get(f"library of {scheduler}", "")
        for line in rest
        if line["type"] == "context"
    ]
    expect(any(name.startswith(library) for name in named), f"{named} begin with {library}")
    said = call(f"run nqueens --scheduler {scheduler}", status=None)
    expect(f"{scheduler} has fib with n" in said, f"{scheduler} says what it has: {said}")


if len(sys.argv) > 2:
    check_foreign(sys.argv[2], *FOREIGN[sys.argv[2]])
else:
    check_commands()
    check_executables()
sys.exit(failures > 0)
