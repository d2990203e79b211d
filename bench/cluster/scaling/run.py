#!/usr/bin/env python3
"""run.py BUILD [JOBS]: searches trees on simulated clusters; writes a line of JSON for each search.
run.py FILE: prints the tables of such lines in Markdown.

BUILD is the folder of stealbench-smpi.so; JOBS searches run side by side (default 1)."""
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FEW = (16, 64, 256, 1024)
BALANCES = ("lifeline", "random", "master")
# Platform, tree, nodes, balance; how often.
SEARCHES = (
    [("fat_tree", tree, 1, "lifeline", 1) for tree in ("T1", "T1L", "T1XL", "T1XXL")]
    + [("fat_tree", "T1XXL", nodes, "lifeline", 1) for nodes in (64, 1024)]
    + [("fat_tree", "T1XL", nodes, "lifeline", 1) for nodes in (64, 256, 1024)]
    + [("fat_tree", "T1XL", 64, balance, 1) for balance in BALANCES[1:]]
    + [("torus", "T1XL", 1024, "lifeline", 1)]
    + [("fat_tree", "T1L", nodes, "lifeline", 3) for nodes in FEW]
    + [("fat_tree", "T1L", nodes, balance, 1) for balance in BALANCES[1:] for nodes in FEW[:3]]
    + [("torus", "T1L", nodes, "lifeline", 1) for nodes in FEW]
    + [("fat_tree", "T1L", 25, "lifeline", 1), ("fat_tree", "T1XL", 396, "lifeline", 1)]
)


def search(build, hosts, platform, tree, nodes, balance):
    """One search, as a line. A node computes as fast as this processor: 1 Gflop is a second of it."""
    cache = (build / "CMakeCache.txt").read_text()
    smpimain = re.search(r"^SIMGRID_SMPIMAIN:FILEPATH=(.*)$", cache, re.MULTILINE).group(1)
    options = {"smpi/np": nodes, "smpi/hostfile": hosts, "smpi/privatization": "dlopen",
               "network/model": "SMPI", "smpi/host-speed": "1Gf", "smpi/iprobe": 1e-6, "smpi/test": 1e-6,
               "smpi/grow-injected-times": "no"}
    command = [smpimain, build / "stealbench-smpi.so", "--log=root.thresh:error",
               *(f"--cfg={key}:{value}" for key, value in options.items()), HERE / f"{platform}.xml",
               "run", "uts", "--set", f"tree={tree}", "--balance", balance, "--json"]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    ranks = report["ranks"]
    total = lambda key: sum(each[key] for each in ranks)
    return {"platform": platform, "tree": tree, "nodes": nodes, "balance": balance,
            "verified": report["verified"], "time_ns": report["time_ns"], "costs_ns": report["costs_ns"],
            # Each request has an answer, nearly each report comes before a wave, and all but rank 0 are told of the end.
            "messages": 2 * total("requests") + total("gifts") + 2 * total("reports") + nodes - 1,
            "tasks_moved": total("tasks_sent"), "processor": ranks[0]["processor"], "commit": ranks[0]["commit"]}


def measure(build, jobs):
    with tempfile.NamedTemporaryFile("w") as hosts, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        hosts.writelines(f"node-{i}\n" for i in range(1024))
        hosts.flush()
        wanted = [each[:4] for each in SEARCHES for _ in range(each[4])]
        for line in pool.map(lambda each: search(build, hosts.name, *each), wanted):
            print(json.dumps(line), flush=True)


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
        found.setdefault((line["platform"], line["tree"], line["nodes"], line["balance"]), []).append(line)

    def median(runs, key):
        return statistics.median(each["costs_ns"][key] if key in each["costs_ns"] else each[key] for each in runs)

    def time(key):
        return median(found[key], "time_ns")

    def spread(runs):
        times = [each["time_ns"] for each in runs]
        low, high = seconds(min(times)), seconds(max(times))
        return f" [{low}, {high}]" if len(times) > 1 else ""

    rows = []
    for key, runs in found.items():
        platform, tree, nodes, balance = key
        if nodes == 1:
            continue
        alone = time(("fat_tree", tree, 1, "lifeline"))
        rows.append((tree, platform, balance, nodes, seconds(time(key)) + spread(runs), f"{alone / time(key):.3g}",
                     f"{100 * alone / time(key) / nodes:.0f} %", seconds(median(runs, "steal")),
                     seconds(median(runs, "termination")), f"{median(runs, 'messages') / nodes:.0f}"))
    rows.sort(key=lambda row: ("T1L T1XL T1XXL".split().index(row[0]), row[1], BALANCES.index(row[2]), row[3]))
    table("Strong scaling", ("tree", "platform", "balance", "nodes", "time", "speedup", "efficiency", "a steal",
                             "termination", "messages of a node"), rows)
    alone = time(("fat_tree", "T1", 1, "lifeline"))
    weak = [("T1", 1), ("T1L", 25), ("T1XL", 396), ("T1XXL", 1024)]
    table("Weak scaling: some 4.1 million tree nodes for each node of the cluster, fat tree, lifelines",
          ("tree", "nodes", "time", "over one node"),
          [(tree, nodes, seconds(time(("fat_tree", tree, nodes, "lifeline"))),
            f"{time(('fat_tree', tree, nodes, 'lifeline')) / alone:.2f}") for tree, nodes in weak])


if len(sys.argv) < 2 or not os.path.exists(sys.argv[1]):
    sys.exit(__doc__)
if os.path.isdir(sys.argv[1]):
    measure(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
else:
    with open(sys.argv[1], encoding="utf-8") as file:
        tables([json.loads(line) for line in file])
