#!/usr/bin/env python3
"""medians.py FILE: prints the median time of each benchmark of a raw file, in the unit that the file has."""
import gzip, json, statistics, sys

times = {}
with (gzip.open if sys.argv[1].endswith(".gz") else open)(sys.argv[1], "rt") as lines:
    for line in map(json.loads, lines):
        if "benchmark" in line:  # Of a process that finished.
            times.setdefault(line["cell"], []).append(line["benchmark"]["real_time"])
for cell, of_rounds in times.items():
    print(cell, statistics.median(of_rounds), len(of_rounds), sep="\t")
