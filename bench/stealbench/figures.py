"""The frame of a raw file, and what is computed from it: times, ratios, ranks, regret.

`frame` has a row for each process, `Figures` a row for each benchmark. A figure is computed here
and nowhere else. Its interval, if it has one, is in the columns NAME_low and NAME_high.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
import pandas

from stealbench.cell import FEWEST_ROUNDS
from stealbench.rawfile import LEAST_DISTURBED, MEASURED, MOST_WAITING, OWN_BASELINE, SHARES
from stealbench.rawfile import RawFile
from stealbench.shape import is_number
from stealbench.statistics import Estimate, Floats, Separation, estimate_median, estimate_medians
from stealbench.statistics import estimate_ratios, geometric_mean

OF_CELL = ("workload", "instance", "scheduler", "workers", "varied", "build", "machine")
COUNTS = ("fork_count", "worker_count")  # Equal in all rounds of a benchmark: without an interval.
UNFINISHED = "not measured, the experiment is unfinished"
ENDS = {"": "median", "_low": "low", "_high": "high"}  # Of a column's name; column of estimates.
Pair = tuple[str, str]


def frame(raw: RawFile) -> pandas.DataFrame:
    """A row for each process of a raw file, in its order.

    Columns: `experiment`; `cell`, the name of the benchmark, and its parts `workload`, `instance`,
    `scheduler`, `workers`, `varied`, `build`, `machine`; `kind`: timed, counted or simulated;
    `round` from 1; `failure`, the reason if it failed; then the values of a process
    (`results/README.md`), times in `seconds`, and of a counted run its counters.
    """
    table = pandas.DataFrame(raw.processes).assign(experiment=raw.experiment)
    if raw.processes:
        table = table.join(_named(raw), on="cell")
    first = ["experiment", "cell", *OF_CELL, "kind", "round", "failure", "seconds", *COUNTS]
    return table.reindex(columns=[*first, *table.columns.difference(first, sort=False)])


def _named(raw: RawFile) -> pandas.DataFrame:
    rows = [[getattr(cell, part) for part in OF_CELL] for cell in raw.cells.values()]
    return pandas.DataFrame(rows, pandas.Index(raw.cells, name="cell"), OF_CELL)


def figures_of(raw: RawFile) -> Figures:
    """The figures of a raw file that is complete, or is read no further: computed once."""
    if "figures" not in raw.computed:
        raw.computed["figures"] = Figures(raw)
    figures: Figures = raw.computed["figures"]
    return figures


def estimate_at(estimates: pandas.DataFrame, key: str) -> Estimate | None:
    """A row of `Figures.estimates` or `Figures.ratios`, if it has one."""
    return Estimate(*map(float, estimates.loc[key])) if key in estimates.index else None


class Figures:
    """Figures of one raw file, each computed when it is asked for.

    `cells`: a row for each benchmark in the order of the first line: the parts of its name;
    `rounds`; `failure`, why it did not finish, or None; and, of a benchmark that finished,
    `seconds`: median time of one run;
    `seconds_per_fork`: seconds × workers over the tasks;
    `is_disturbed`: in a third of its rounds it waited for a processor.
    `table`: the same, and
    `speedup`: time of the baseline (with the fewest workers that it finished with) over its own;
    `overhead`: T1 / Ts, of its scheduler with one worker;
    `slowdown`: time over the least median with as many workers;
    `rank`: among those, None below six rounds (all pairs with one worker count are one family);
    `is_best`: it has the least median; `is_behind`: it is shown to be slower than that one.
    A ratio is paired: over the rounds that both benchmarks have.
    """

    def __init__(self, raw: RawFile) -> None:
        self.raw = raw
        self.frame = frame(raw)
        self.rounds = self.frame[self.frame["round"].notna() & self.frame["failure"].isna()]
        places = self.rounds.groupby("cell", sort=False).indices
        have_finished = raw.rounds.keys() - raw.failures.keys()
        self._places = {name: places[name] for name in raw.cells if name in have_finished}
        seconds = self.rounds["seconds"].to_numpy(float)
        self.times = {name: seconds[rows] for name, rows in self._places.items()}
        """Of each benchmark that finished: seconds, by round."""
        cells = raw.cells.values()
        self.instances = list(dict.fromkeys(cell.instance for cell in cells))
        self.schedulers = list(dict.fromkeys(cell.scheduler for cell in cells))
        self.worker_counts = sorted({cell.workers for cell in cells})

    @functools.cached_property
    def cells(self) -> pandas.DataFrame:
        """See the class."""
        table, raw = _named(self.raw), self.raw
        table["rounds"] = [raw.rounds.get(name, 0) for name in raw.cells]
        failures = dict.fromkeys(raw.cells, UNFINISHED) | raw.failures | dict.fromkeys(self.times)
        table["failure"] = pandas.Series(failures, dtype=object)
        _add(table, "seconds", self.estimates("seconds"))
        firsts = self.rounds.drop_duplicates("cell").set_index("cell")
        for count in COUNTS:
            table[count] = firsts[count].reindex(table.index)
        per_fork = table["worker_count"] / table["fork_count"].where(table["fork_count"] > 0)
        for suffix in ENDS:
            table["seconds_per_fork" + suffix] = table["seconds" + suffix] * per_fork
        waiting = self.rounds.get("waiting_threads", pandas.Series(dtype=float))
        is_lost = waiting > MOST_WAITING * self.rounds["worker_count"].reindex(waiting.index)
        lost = is_lost.groupby(self.rounds["cell"]).mean().reindex(table.index)
        table["is_disturbed"] = (lost >= LEAST_DISTURBED) & table["failure"].isna()
        return table

    @functools.cached_property
    def table(self) -> pandas.DataFrame:
        """See the class."""
        table, ranking = self.cells.copy(), self._ranking()
        speedups, overheads = self._over_baseline()
        _add(table, "speedup", self.ratios(speedups))
        _add(table, "overhead", self.ratios(overheads))
        table["rank"] = ranking["rank"].astype(float).reindex(table.index)
        for column in ("is_best", "is_behind"):
            table[column] = ranking[column].reindex(table.index, fill_value=False).astype(bool)
        slowdowns = {str(cell): (str(cell), best) for cell, best in ranking["best"].items()}
        _add(table, "slowdown", self.ratios(slowdowns))
        return table

    @property
    def fewest_rounds(self) -> int:
        """Of a benchmark that finished; 0 if none did."""
        return min(map(len, self.times.values()), default=0)

    @property
    def have_intervals(self) -> bool:
        """Whether each that finished has six rounds: below, an interval is a range."""
        return self.fewest_rounds == 0 or self.fewest_rounds >= FEWEST_ROUNDS

    def estimates(self, column: str) -> pandas.DataFrame:
        """Median, low and high of a value of processes: a row for each benchmark that has it."""
        values = self.rounds.reindex(columns=[column])[column].to_numpy(float)
        of_cells = {name: (values[rows],) for name, rows in self._places.items()}
        having = {name: row for name, row in of_cells.items() if not numpy.isnan(row).any()}
        return _by_size(having, estimate_medians)

    def ratios(self, pairs: Mapping[str, Pair]) -> pandas.DataFrame:
        """Median, low and high of the time of one benchmark over that of another, by key."""
        sides = {pair: [self.times[cell] for cell in pair] for pair in pairs.values()}
        sizes = {pair: min(map(len, both)) for pair, both in sides.items()}
        common = {pair: [row[: sizes[pair]] for row in both] for pair, both in sides.items()}
        table = _by_size(common, estimate_ratios).T.to_dict("list")
        rows = [table[pair] for pair in pairs.values()]
        return pandas.DataFrame(rows, list(pairs), list(ENDS.values()), dtype=float)

    def comparable(self, **parts: object) -> pandas.DataFrame:
        """The benchmarks of no build and no profile whose other parts are these."""
        table = self.cells
        for part, value in [("build", ""), ("machine", ""), *parts.items()]:
            table = table[table[part] == value]
        return table

    def _over_baseline(self) -> tuple[dict[str, Pair], dict[str, Pair]]:
        """Of speedups and of overheads: which benchmark is over which."""
        baseline = self.raw.header["baseline"]
        speedups: dict[str, Pair] = {}
        overheads: dict[str, Pair] = {}
        finished = self.comparable(varied="").dropna(subset=["seconds"])
        finished = finished.sort_values("workers", kind="stable")
        fewest: dict[Pair, str] = {}
        for cell, instance, name in finished[["instance", "scheduler"]].itertuples(name=None):
            fewest.setdefault((instance, name), cell)
        for row in finished.itertuples():
            cell, own = str(row.Index), fewest[row.instance, row.scheduler]
            base = fewest.get((row.instance, baseline))
            alone = own if self.cells.at[own, "workers"] == 1 else None
            if over := alone if baseline == OWN_BASELINE else base:
                speedups[cell] = (over, cell)
            if base and alone:
                overheads[cell] = (alone, base)
        return speedups, overheads

    def _ranking(self) -> pandas.DataFrame:
        place = {name: index for index, name in enumerate(self.schedulers)}
        ranking: dict[str, tuple[str, float | None, bool, bool]] = {}
        finished = self.comparable().dropna(subset=["seconds"])
        for _, rows in finished.groupby(["workers", "varied"]):
            rows = rows.sort_values("scheduler", key=lambda names: names.map(place), kind="stable")
            tables = [one["seconds"] for _, one in rows.groupby("instance", sort=False)]
            separation = Separation([[self.times[cell] for cell in one.index] for one in tables])
            for at, medians in enumerate(tables):
                best = int(medians.to_numpy().argmin())
                ranks = dict(enumerate(separation.ranks(at) or []))
                for row, cell in enumerate(medians.index):
                    is_behind = separation.is_slower(at, row, best)
                    ranking[cell] = (medians.index[best], ranks.get(row), row == best, is_behind)
        columns = ["best", "rank", "is_best", "is_behind"]
        return pandas.DataFrame.from_dict(ranking, orient="index", columns=columns)

    @functools.lru_cache(maxsize=256)
    def regret(
        self, workers: int, instances: tuple[str, ...] | None = None, varied: str = ""
    ) -> pandas.DataFrame:
        """What it costs to choose one scheduler for all instances: a row for each, by name.

        `mean` (geometric, None unless all finished), `low` and `high` of the time over the best;
        `worst`, the benchmark of the greatest slowdown (of those shown to be slower than the best;
        of all below six rounds); `failed`, how many did not finish; `leads`: it has a mean, and no
        other is shown to have a smaller one (over the geometric means of rounds; all pairs of
        schedulers are one family).
        """
        chosen = list(self.instances if instances is None else instances)
        table = self.table.loc[self.comparable(workers=workers, varied=varied).index]
        places = table["instance"].map({name: place for place, name in enumerate(chosen)}).dropna()
        table = table.loc[places.sort_values(kind="stable").index]
        best = list(table.index[table["is_best"]])
        rows: dict[str, dict[str, Any]] = {}
        complete: dict[str, list[str]] = {}
        for scheduler in self.schedulers:
            own = table[table["scheduler"] == scheduler]
            slowdowns = own["slowdown"].dropna()
            shown = slowdowns[own["is_behind"] | (not self.have_intervals)]
            row = rows[scheduler] = {"mean": None, "low": None, "high": None, "leads": False}
            row["worst"] = str(shown.idxmax()) if len(shown) else None
            row["failed"] = len(own) - len(slowdowns)
            if len(slowdowns) == len(chosen) > 0:
                complete[scheduler] = list(own.index)
                mean, around = geometric_mean(slowdowns), self.mean_ratio(own.index, best)
                row |= {"mean": mean, "low": min(around.low, mean), "high": max(around.high, mean)}
        if complete and (times := self._mean_times(*complete.values())).shape[1] >= FEWEST_ROUNDS:
            names, separation = list(complete), Separation([list(times)])
            leader = min(range(len(names)), key=lambda at: float(rows[names[at]]["mean"]))
            for at, name in enumerate(names):
                rows[name]["leads"] = not separation.is_slower(0, at, leader)
        return pandas.DataFrame.from_dict(rows, orient="index")

    def _mean_times(self, *groups: Sequence[str]) -> Floats:
        """A row for each group: geometric means of the rounds that all have."""
        size = min((len(self.times[cell]) for cells in groups for cell in cells), default=0)
        times = [[self.times[cell][:size] for cell in cells] for cells in groups]
        return numpy.array([numpy.exp(numpy.log(of_group).mean(axis=0)) for of_group in times])

    def mean_ratio(self, over: Sequence[str], under: Sequence[str]) -> Estimate:
        """Median over the rounds that all have: the geometric mean of ratios of benchmarks to those
        at the same places of `under`."""
        above, below = self._mean_times(over, under)
        return estimate_median(above / below)


def _add(table: pandas.DataFrame, name: str, estimates: pandas.DataFrame) -> None:
    for suffix, column in ENDS.items():
        table[name + suffix] = estimates[column].reindex(table.index)


def _by_size(rows: Mapping[Any, Sequence[Floats]], of: Callable[..., Floats]) -> pandas.DataFrame:
    """Estimates of rows of equal length together: a row with median, low and high for each key."""
    size = lambda key: len(rows[key][0])
    keys, estimates = list[Any](), [numpy.empty((0, 3))]
    for _, group in itertools.groupby(sorted(rows, key=size), size):
        keys += (same := list(group))
        estimates.append(of(*map(numpy.array, zip(*(rows[key] for key in same)))))
    index = pandas.Index(keys, tupleize_cols=False)
    return pandas.DataFrame(numpy.concatenate(estimates), index, list(ENDS.values()))


def export(figures: Figures) -> pandas.DataFrame:
    """What the CSV file of a report has: a row for each benchmark, units in the names.

    All figures with their intervals, the median of each value of a process, and the counters.
    """
    raw, table = figures.raw, figures.table
    is_mixed = "machines" in raw.header["about"]
    names = ["workload", "instance", "scheduler", "workers", "rounds", "failure", "rank"]
    names += ["build"] if (table["build"] != "").any() else []
    columns = {"cell": table.index.to_series(), **table[names].astype({"rank": "Int64"})}
    if raw.is_simulated or is_mixed:
        profile = "" if is_mixed else raw.header["about"]["profile"]["name"]
        columns["simulated_with"] = table["machine"] if is_mixed else profile
        columns["varied"] = table["varied"]
    for name in ("seconds_per_fork", "speedup", "overhead", "slowdown", "seconds"):
        columns |= {name + suffix: table[name + suffix] for suffix in ENDS}
    values = [*MEASURED, *COUNTS] if not raw.is_simulated or is_mixed else [*COUNTS]
    if raw.is_simulated or is_mixed:
        values += [f"{share}_share" for share in SHARES] + ["tasks_moved", "steal_attempts"]
    for name in dict.fromkeys(values):
        estimates = figures.estimates(name).reindex(table.index)
        ends = {"": "median"} if name in COUNTS else ENDS
        columns |= {name + suffix: estimates[column] for suffix, column in ends.items()}
    numbers = [
        {key: value for key, value in (counted or {}).items() if is_number(value)}
        for counted in raw.counters.values()
    ]
    counters = pandas.DataFrame(numbers, list(raw.counters)).reindex(table.index)
    return pandas.DataFrame({**columns, **counters}, index=table.index)
