"""The frame of a raw file, and what is computed from it: times, ratios, ranks, regret.

`frame` has a row for each process, `figures` a row for each benchmark. A figure is computed here
and nowhere else. Its interval, if it has one, is in the columns NAME_low and NAME_high.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy
import pandas

from stealbench.rawfile import (
    LEAST_DISTURBED,
    MEASURED,
    MOST_WAITING,
    OWN_BASELINE,
    SHARES,
    RawFile,
)
from stealbench.shape import is_number
from stealbench.statistics import (
    FEWEST_FOR_INTERVAL,
    Estimate,
    Floats,
    Separation,
    estimate_median,
    estimate_medians,
    estimate_ratios,
    geometric_mean,
    median,
)

OF_CELL = ("workload", "instance", "scheduler", "workers", "varied", "build", "machine")

COUNTS = ("fork_count", "worker_count")
"""Equal in all rounds of a benchmark: they have no interval."""


def frame(raw: RawFile) -> pandas.DataFrame:
    """A row for each process of a raw file, in its order.

    Columns: `experiment`; `cell`, the name of the benchmark, and its parts `workload`, `instance`,
    `scheduler`, `workers`, `varied`, `build`, `machine`; `kind`: timed, counted or simulated;
    `round` from 1; `failure`, the reason if it failed; then the values of a process
    (`results/README.md`), times in `seconds`, and of a counted run its counters.
    """
    cells = {
        name: {part: getattr(cell, part) for part in OF_CELL} for name, cell in raw.cells.items()
    }
    first = ["experiment", "cell", *OF_CELL, "kind", "round", "failure", "seconds", *COUNTS]
    rows = [{"experiment": raw.experiment, **cells[row["cell"]], **row} for row in raw.processes]
    table = pandas.DataFrame(rows)
    return table.reindex(columns=[*first, *table.columns.difference(first, sort=False)])


def figures_of(raw: RawFile) -> Figures:
    """The figures of a raw file that is complete, or is read no further: computed once."""
    if "figures" not in raw.computed:
        raw.computed["figures"] = Figures(raw)
    figures: Figures = raw.computed["figures"]
    return figures


class Figures:
    """Figures of one raw file: `table`, a row for each benchmark, in the order of its first line.

    Columns: the parts of its name; `rounds`; `failure`, why it did not finish, or None; and, of a
    benchmark that finished,
    `seconds`: median time of one run;
    `seconds_per_fork`: seconds × workers over the tasks;
    `speedup`: time of the baseline (with the fewest workers that it finished with) over its own;
    `overhead`: T1 / Ts, of its scheduler with one worker;
    `slowdown`: time over the least median with as many workers;
    `rank`: among those, None below six rounds (all pairs with one worker count are one family);
    `is_best`: it has the least median; `is_behind`: it is shown to be slower than that one;
    `is_disturbed`: in a third of its rounds it waited for a processor.
    A ratio is paired: over the rounds that both benchmarks have.
    """

    def __init__(self, raw: RawFile) -> None:
        self.raw = raw
        self.frame = frame(raw)
        self.rounds = self.frame[self.frame["round"].notna() & self.frame["failure"].isna()]
        places = self.rounds.groupby("cell", sort=False).indices
        self._places = {name: places[name] for name in raw.cells if self._has_finished(name)}
        seconds = self.rounds["seconds"].to_numpy(float)
        self.times = {name: seconds[rows] for name, rows in self._places.items()}
        """Of each benchmark that finished: seconds, by round."""
        self.table = self._named()
        self._add_times()
        self._add_speedups()
        self._add_ranks()

    def _has_finished(self, name: str) -> bool:
        return name not in self.raw.failures and self.raw.rounds.get(name, 0) > 0

    @property
    def instances(self) -> list[str]:
        """In the order of the first line."""
        return list(dict.fromkeys(self.table["instance"]))

    @property
    def schedulers(self) -> list[str]:
        """In the order of the first line."""
        return list(dict.fromkeys(self.table["scheduler"]))

    @property
    def worker_counts(self) -> list[int]:
        """Ascending."""
        return sorted(set(self.table["workers"]))

    @property
    def fewest_rounds(self) -> int:
        """Of a benchmark that finished; 0 if none did."""
        return min(map(len, self.times.values()), default=0)

    @property
    def have_intervals(self) -> bool:
        """Whether each that finished has six rounds: below, an interval is a range."""
        return self.fewest_rounds == 0 or self.fewest_rounds >= FEWEST_FOR_INTERVAL

    def estimates(self, column: str) -> pandas.DataFrame:
        """Median, low and high of a value of processes: a row for each benchmark that has it."""
        if column not in self.rounds:
            return _by_size({}, None)
        values = self.rounds[column].to_numpy(float)
        having = {
            name: rows for name, rows in self._places.items() if not numpy.isnan(values[rows]).any()
        }
        return _by_size(
            having,
            lambda names: estimate_medians(values[numpy.array([having[name] for name in names])]),
        )

    def ratios(self, pairs: dict[str, tuple[str, str]]) -> pandas.DataFrame:
        """Median, low and high of the time of one benchmark over that of another, by key."""
        common = {
            key: min(len(self.times[over]), len(self.times[under]))
            for key, (over, under) in pairs.items()
        }

        def of(keys: Sequence[str]) -> Floats:
            size = common[keys[0]]
            sides = [[self.times[pairs[key][side]][:size] for key in keys] for side in (0, 1)]
            return estimate_ratios(numpy.array(sides[0]), numpy.array(sides[1]))

        return _by_size({key: range(size) for key, size in common.items()}, of)

    def _named(self) -> pandas.DataFrame:
        rows = []
        for name, cell in self.raw.cells.items():
            row = {part: getattr(cell, part) for part in OF_CELL}
            row["rounds"] = self.raw.rounds.get(name, 0)
            reason = self.raw.failures.get(name, "not measured, the experiment is unfinished")
            rows.append({**row, "failure": None if name in self.times else reason})
        return pandas.DataFrame(rows, index=pandas.Index(self.raw.cells, name="cell"))

    def _add(self, name: str, estimates: pandas.DataFrame) -> None:
        for column, suffix in (("median", ""), ("low", "_low"), ("high", "_high")):
            self.table[name + suffix] = estimates[column].reindex(self.table.index)

    def _add_times(self) -> None:
        self._add("seconds", self.estimates("seconds"))
        firsts = self.rounds.drop_duplicates("cell").set_index("cell")
        for count in COUNTS:
            self.table[count] = firsts[count].reindex(self.table.index)
        forks = self.table["fork_count"].where(self.table["fork_count"] > 0)
        for suffix in ("", "_low", "_high"):
            self.table["seconds_per_fork" + suffix] = self.table["seconds" + suffix] * (
                self.table["worker_count"] / forks
            )
            waiting = self.rounds.get("waiting_threads", pandas.Series(dtype=float))
        is_lost = waiting > MOST_WAITING * self.rounds["worker_count"].reindex(waiting.index)
        lost = is_lost.groupby(self.rounds["cell"]).mean().reindex(self.table.index)
        self.table["is_disturbed"] = (lost >= LEAST_DISTURBED) & self.table["failure"].isna()

    def _comparable(self) -> pandas.DataFrame:
        """Those that finished and are neither of a build nor of a profile."""
        table = self.table
        return table[table["failure"].isna() & (table["build"] == "") & (table["machine"] == "")]

    def _add_speedups(self) -> None:
        baseline = self.raw.header["baseline"]
        measured = self._comparable()
        measured = measured[measured["varied"] == ""].sort_values("workers", kind="stable")
        speedups: dict[str, tuple[str, str]] = {}
        overheads: dict[str, tuple[str, str]] = {}
        for _, of_instance in measured.groupby("instance", sort=False):
            fewest = {
                row.scheduler: (str(row.Index), row.workers)
                for row in of_instance.drop_duplicates("scheduler").itertuples()
            }
            alone = {name: cell for name, (cell, workers) in fewest.items() if workers == 1}
            base = fewest[baseline][0] if baseline in fewest else None
            for row in of_instance.itertuples():
                cell = str(row.Index)
                over = alone.get(row.scheduler) if baseline == OWN_BASELINE else base
                if over is not None:
                    speedups[cell] = (over, cell)
                if row.scheduler in alone and base is not None:
                    overheads[cell] = (alone[row.scheduler], base)
        self._add("speedup", self.ratios(speedups))
        self._add("overhead", self.ratios(overheads))

    def _add_ranks(self) -> None:
        place = {name: index for index, name in enumerate(self.schedulers)}
        slowdowns: dict[str, tuple[str, str]] = {}
        found: dict[str, tuple[float | None, bool, bool]] = {}
        for _, rows in self._comparable().groupby(["workers", "varied"]):
            rows = rows.sort_values("scheduler", key=lambda names: names.map(place), kind="stable")
            of_instances = [of_one for _, of_one in rows.groupby("instance", sort=False)]
            tables = [[str(cell) for cell in of_one.index] for of_one in of_instances]
            separation = Separation([[self.times[cell] for cell in cells] for cells in tables])
            for at, cells in enumerate(tables):
                best = int(of_instances[at]["seconds"].to_numpy().argmin())
                ranks = separation.ranks(at)
                for row, cell in enumerate(cells):
                    slowdowns[cell] = (cell, cells[best])
                    is_behind = separation.is_slower(at, row, best)
                    found[cell] = (ranks[row] if ranks else None, row == best, is_behind)
        columns = ["rank", "is_best", "is_behind"]
        ranking = pandas.DataFrame.from_dict(found, orient="index", columns=columns)
        self.table["rank"] = ranking["rank"].astype(float).reindex(self.table.index)
        for column in columns[1:]:
            self.table[column] = ranking[column].reindex(self.table.index, fill_value=False)
        self._add("slowdown", self.ratios(slowdowns))

    def regret(
        self, workers: int, instances: Iterable[str] | None = None, varied: str = ""
    ) -> pandas.DataFrame:
        """What it costs to choose one scheduler for all instances: a row for each, by name.

        `mean` (geometric, None unless all finished), `low` and `high` of the time over the best;
        `worst`, the benchmark of the greatest slowdown (of those shown to be slower than the best;
        of all below six rounds); `failed`, how many did not finish; `leads`: it has a mean, and no
        other is shown to have a smaller one (over the geometric means of rounds; all pairs of
        schedulers are one family).
        """
        chosen = self.instances if instances is None else list(instances)
        table = self.table
        table = table[
            (table["workers"] == workers)
            & (table["varied"] == varied)
            & table["instance"].isin(chosen)
            & (table["build"] == "")
            & (table["machine"] == "")
        ]
        order = {name: index for index, name in enumerate(chosen)}
        table = table.sort_values("instance", key=lambda names: names.map(order), kind="stable")
        best = [str(cell) for cell in table.index[table["is_best"]]]
        rows: dict[str, dict[str, Any]] = {}
        complete: dict[str, list[str]] = {}
        for scheduler in self.schedulers:
            own = table[table["scheduler"] == scheduler]
            slowdowns = own["slowdown"].dropna()
            shown = slowdowns[own["is_behind"] | (not self.have_intervals)]
            row: dict[str, Any] = {
                "mean": None,
                "low": None,
                "high": None,
                "worst": str(shown.idxmax()) if len(shown) else None,
                "failed": int(own["slowdown"].isna().sum()),
                "leads": False,
            }
            if len(slowdowns) == len(chosen) and chosen:
                complete[scheduler] = [str(cell) for cell in own.index]
                mean = geometric_mean(slowdowns)
                around = self.mean_ratio(complete[scheduler], best)
                row |= {"mean": mean, "low": min(around.low, mean), "high": max(around.high, mean)}
            rows[scheduler] = row
        self._find_leaders(rows, complete)
        return pandas.DataFrame.from_dict(rows, orient="index")

    def _find_leaders(
        self, rows: dict[str, dict[str, Any]], complete: dict[str, list[str]]
    ) -> None:
        names = list(complete)
        size = min(
            (len(self.times[cell]) for cells in complete.values() for cell in cells), default=0
        )
        if size < FEWEST_FOR_INTERVAL:
            return
        leader = min(range(len(names)), key=lambda index: float(rows[names[index]]["mean"]))
        separation = Separation([[self._mean_times(complete[name], size) for name in names]])
        for index, name in enumerate(names):
            rows[name]["leads"] = not separation.is_slower(0, index, leader)

    def _mean_times(self, cells: Sequence[str], size: int) -> Floats:
        logs = numpy.log(numpy.array([self.times[cell][:size] for cell in cells]))
        return numpy.asarray(numpy.exp(logs.mean(axis=0)))

    def mean_ratio(self, over: Sequence[str], under: Sequence[str]) -> Estimate:
        """The geometric mean of ratios of benchmarks to those at the same places of `under`.

        The median over the rounds that all have.
        """
        size = min(len(self.times[cell]) for cell in (*over, *under))
        return estimate_median(self._mean_times(over, size) / self._mean_times(under, size))


def _by_size(values: dict[str, Any], estimates_of: Any) -> pandas.DataFrame:
    """Estimates of rows of equal length together: a row with median, low and high for each key."""
    sizes: dict[int, list[str]] = {}
    for name, row in values.items():
        sizes.setdefault(len(row), []).append(name)
    columns = ["median", "low", "high"]
    if not sizes:
        return pandas.DataFrame(columns=columns, dtype=float)
    parts = [
        pandas.DataFrame(estimates_of(names), index=names, columns=columns)
        for names in sizes.values()
    ]
    return pandas.concat(parts)


def export(figures: Figures) -> pandas.DataFrame:
    """What the CSV file of a report has: a row for each benchmark, units in the names.

    All figures with their intervals, the median of each value of a process, and the counters.
    """
    raw, table = figures.raw, figures.table
    simulated = raw.is_simulated
    is_mixed = "machines" in raw.header.get("about", {})
    columns: dict[str, Any] = {"cell": table.index}
    columns |= {name: table[name] for name in ("workload", "instance", "scheduler", "workers")}
    columns |= {name: table[name] for name in ("rounds", "failure")}
    columns["rank"] = table["rank"].astype("Int64")
    if (table["build"] != "").any():
        columns["build"] = table["build"]
    if simulated or is_mixed:
        profile = "" if is_mixed else raw.header["about"]["profile"]["name"]
        columns["simulated_with"] = table["machine"] if is_mixed else profile
        columns["varied"] = table["varied"]
    for name in ("seconds_per_fork", "speedup", "overhead", "slowdown", "seconds"):
        columns |= {name + suffix: table[name + suffix] for suffix in ("", "_low", "_high")}
    values = [name for name in MEASURED if not simulated or is_mixed]
    shares = [f"{share}_share" for share in SHARES] + ["tasks_moved", "steal_attempts"]
    values += [*COUNTS, *(shares if simulated or is_mixed else [])]
    for name in dict.fromkeys(values):
        estimates = figures.estimates(name).reindex(table.index)
        if name in COUNTS:
            columns[name] = estimates["median"]
            continue
        for column, suffix in (("median", ""), ("low", "_low"), ("high", "_high")):
            columns[name + suffix] = estimates[column]
    counters = {
        name: {
            key: value for key, value in (raw.counters.get(name) or {}).items() if is_number(value)
        }
        for name in raw.cells
    }
    for key in dict.fromkeys(key for row in counters.values() for key in row):
        columns[key] = [counters[name].get(key) for name in raw.cells]
    return pandas.DataFrame(columns, index=table.index)
