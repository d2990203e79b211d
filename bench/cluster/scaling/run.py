#!/usr/bin/env python3
"""run.py FILE BUILD [JOBS]: searches trees on simulated clusters, and adds a line of JSON for each search to FILE.
run.py FILE: prints the tables of such lines in Markdown.

BUILD is the folder of stealbench-smpi.so; JOBS searches run side by side (default 1). What FILE has is left out."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FEW = (16, 64, 256, 1024)
BALANCES = ("lifeline", "random", "master")
TASK_NS = 58.8  # Of a task of uts: T1XXL on one rank, on an AMD EPYC 9004 (family 25, model 17).
TASKS = {"T1": 4130071, "T1L": 102181082, "T1XL": 1635119272, "T1XXL": 4230646601}
# Tree, platform, balance, nodes; the longest last.
SEARCHES = (
    [("T1", "fat_tree", "lifeline", 1), ("T1L", "fat_tree", "lifeline", 25)]
    + [("T1L", "fat_tree", balance, nodes) for nodes in FEW[:3] for balance in BALANCES]
    + [("T1L", "torus", "lifeline", nodes) for nodes in FEW[:3]]
    + [("T1XL", "fat_tree", balance, 64) for balance in BALANCES]
    + [("T1XL", "fat_tree", "lifeline", nodes) for nodes in (256, 396)]
    + [("T1XXL", "fat_tree", "lifeline", 64)]
    + [("T1L", "fat_tree", "lifeline", 1024)]
    + [("T1XL", platform, "lifeline", 1024) for platform in ("fat_tree", "torus")]
)


def search(build, hosts, tree, platform, balance, nodes):
    """One search, as a line."""
    cache = (build / "CMakeCache.txt").read_text()
    smpimain = re.search(r"^SIMGRID_SMPIMAIN:FILEPATH=(.*)$", cache, re.MULTILINE).group(1)
    options = {
        "smpi/np": nodes,
        "smpi/hostfile": hosts,
        "smpi/privatization": "dlopen",
        "network/model": "SMPI",
        "smpi/simulate-computation": "no",
        "smpi/os": "0:1e-6:0",
        "smpi/or": "0:1e-6:0",
        "smpi/iprobe": 2e-7,
        "smpi/test": 2e-7,
        "smpi/grow-injected-times": "no",
    }
    command = [
        smpimain,
        build / "stealbench-smpi.so",
        "--log=root.thresh:error",
        *(f"--cfg={key}:{value}" for key, value in options.items()),
        HERE / f"{platform}.xml",
        "run",
        "uts",
        "--set",
        f"tree={tree}",
        "--balance",
        balance,
        "--json",
    ]
    environment = {**os.environ, "STEALBENCH_TASK_NS": str(TASK_NS)}
    report = json.loads(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
    )
    counters = report["counters"]
    ranks = counters["ranks"]
    total = lambda key: sum(each[key] for each in ranks)
    return {
        "tree": tree,
        "platform": platform,
        "balance": balance,
        "nodes": nodes,
        "task_ns": TASK_NS,
        "verified": report["verified"],
        "time_ns": report["time_ns"],
        "steal_ns": counters["steal_ns"],
        "termination_ns": counters["termination_ns"],
        # Each request has an answer, nearly each report comes before a wave, and all but rank 0 are told of the end.
        # Without those that follow: `done` and `leave`.
        "messages": 2 * total("requests") + total("gifts") + 2 * total("reports") + nodes - 1,
        "tasks_moved": total("tasks_sent"),
        "commit": ranks[0]["commit"],
    }


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def measure(path, build, jobs):
    done = {
        (line["tree"], line["platform"], line["balance"], line["nodes"])
        for line in lines_of(path)
        if line["task_ns"] == TASK_NS
    }
    failures = []
    with tempfile.NamedTemporaryFile("w") as hosts, path.open(
        "a"
    ) as file, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        hosts.writelines(f"node-{i}\n" for i in range(1024))
        hosts.flush()
        started = [
            pool.submit(search, build, hosts.name, *each) for each in SEARCHES if each not in done
        ]
        for each in concurrent.futures.as_completed(started):
            try:
                print(json.dumps(each.result()), file=file, flush=True)
            except (OSError, ValueError, subprocess.CalledProcessError) as error:
                failures.append(str(error))  # The others go on: they took hours.
    if failures:
        sys.exit("\n".join(failures))


def seconds(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def table(title, names, rows):
    print(f"\n{title}\n\n| {' | '.join(names)} |\n|{'---|' * len(names)}")
    for row in rows:
        print(f"| {' | '.join(str(each) for each in row)} |")


def tables(lines):
    found = {}
    for line in lines:
        assert line["verified"], line
        found[line["tree"], line["platform"], line["balance"], line["nodes"]] = line
    rows = []
    for (tree, platform, balance, nodes), line in found.items():
        if nodes == 1:
            continue
        speedup = TASKS[tree] * line["task_ns"] / line["time_ns"]
        rows.append(
            (
                tree,
                platform,
                balance,
                nodes,
                seconds(line["time_ns"]),
                f"{speedup:.3g}",
                f"{100 * speedup / nodes:.0f} %",
                seconds(line["steal_ns"]),
                seconds(line["termination_ns"]),
                f"{line['messages'] / nodes:.0f}",
                f"{line['tasks_moved'] / nodes:.0f}",
            )
        )
    rows.sort(key=lambda row: (list(TASKS).index(row[0]), row[1], BALANCES.index(row[2]), row[3]))
    table(
        "Strong scaling",
        (
            "tree",
            "platform",
            "balance",
            "nodes",
            "time",
            "speedup",
            "efficiency",
            "a steal",
            "termination",
            "messages of a node",
            "tasks sent by a node",
        ),
        rows,
    )
    alone = found["T1", "fat_tree", "lifeline", 1]["time_ns"]
    weak = [
        line
        for line in found.values()
        if (line["tree"], line["nodes"]) in (("T1", 1), ("T1L", 25), ("T1XL", 396))
    ]
    table(
        "Weak scaling: 4.1 million tasks for each node, fat tree, lifelines",
        ("tree", "nodes", "time", "over one node"),
        [
            (
                each["tree"],
                each["nodes"],
                seconds(each["time_ns"]),
                f"{each['time_ns'] / alone:.2f}",
            )
            for each in weak
        ],
    )


values = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "")
if values.is_dir() or len(sys.argv) > 4 or (len(sys.argv) == 2 and not values.exists()):
    sys.exit(__doc__)
if len(sys.argv) > 2:
    measure(
        values, pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    )
else:
    tables(lines_of(values))
