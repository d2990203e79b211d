"""check_catalogue.py EXECUTABLE: what the package reads of an executable's catalogue is what the
executable itself does with the same arguments: its instances, and its messages."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stealbench.errors import BadInput  # noqa: E402
from stealbench.workloads import SIZES, instances_of, read_catalogue  # noqa: E402

executable = Path(sys.argv[1])
workloads = [*read_catalogue(executable)[0].values()]
failures = 0


def answer(*arguments: str) -> list[str]:
    """Its lines, of either stream."""
    listing = [executable, "--workers", "1", "--benchmark_list_tests", *arguments]
    result = subprocess.run(listing, capture_output=True, text=True, check=False)
    return [*result.stdout.splitlines(), *result.stderr.splitlines()]


def expect(lines: list[str], expected: list[str], case: str) -> None:
    global failures
    if lines != expected:
        failures += 1
        print(f"{case}: the executable has {lines}, and its catalogue {expected}")


def name_of(first: str, *assignments: tuple[str, str]) -> str:
    parts = [first, "serial", *(f"{key}:{value}" for key, value in assignments), "workers:1"]
    return "/".join([*parts, "manual_time"])


def expected_of(workload, size: str, *assignments: tuple[str, str]) -> list[str]:
    try:
        return [name_of(workload.name, *i) for i in instances_of(workload, size, assignments)]
    except BadInput as problem:
        return [str(problem)]


for size in SIZES:
    names = [name for each in workloads for name in expected_of(each, size)]
    expect(answer("--size", size), names, f"--size {size}")
for workload in workloads:
    for parameter in workload.parameters:
        cases = [[(parameter.name, "?")]]  # Refused, with what is valid.
        for word in parameter.choices:
            meant = parameter.means.get(word, {}).items()
            cases += [[(parameter.name, word)], *([(parameter.name, word), own] for own in meant)]
        for case in cases:
            typed = [word for key, value in case for word in ("--set", f"{key}={value}")]
            said = answer("--workload", workload.name, "--size", "test", *typed)
            expect(said, expected_of(workload, "test", *case), f"{workload.name} {typed}")
printed = subprocess.run([executable, "--catalogue"], capture_output=True, check=True).stdout
metrics = json.loads(printed)["metrics"]
for metric in metrics:
    if metric["workers"] == 1:
        expect(answer("--metric", metric["name"]), [name_of(metric["name"])], metric["name"])
sys.exit(failures > 0 or not metrics or not workloads)
