"""What someone with a notebook asks of raw files: frames, ranks, regret, speedups, a plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pandas

from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.figures import Figures, figures_of, frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Run:
    """One raw file. `raw` is what it says, `figures` what is computed from it."""

    def __init__(self, raw: rawfile.RawFile) -> None:
        self.raw = raw

    @property
    def figures(self) -> Figures:
        """A row for each benchmark; see `stealbench.figures`."""
        return figures_of(self.raw)

    @property
    def frame(self) -> pandas.DataFrame:
        """A row for each process; see `stealbench.figures.frame`."""
        return frame(self.raw)

    def ranks(self, workers: int | None = None) -> pandas.DataFrame:
        """The rank of each scheduler (rows) on each instance (columns), 1 is the best.

        With the greatest worker count, or the one given. Missing below six rounds, and where a
        benchmark did not finish.
        """
        return self._pivot("rank", workers).astype("Int64")

    def speedup(self) -> pandas.DataFrame:
        """Time of the baseline over that of each scheduler: by instance, scheduler and workers.

        Columns: `speedup`, and the ends of its 95 % interval.
        """
        table = self.figures.table.dropna(subset=["speedup"])
        index = ["instance", "scheduler", "workers"]
        return table.set_index(index)[["speedup", "speedup_low", "speedup_high"]]

    def regret(self, workers: int | None = None) -> pandas.DataFrame:
        """What it costs to choose one scheduler for all instances; see `Figures.regret`."""
        return self.figures.regret(self._workers(workers)).sort_values("mean")

    def plot(self, value: str = "speedup") -> Figure:
        """A value of `figures.table` over the worker counts: a panel for each instance."""
        from matplotlib.figure import Figure as NewFigure

        table = self.figures.table.dropna(subset=[value])
        instances = self.figures.instances
        drawing = NewFigure(figsize=(4 * len(instances), 4), layout="constrained")
        panels = drawing.subplots(1, len(instances), squeeze=False)[0]
        for panel, instance in zip(panels, instances):
            for scheduler, rows in table[table["instance"] == instance].groupby("scheduler"):
                rows = rows.sort_values("workers")
                ends = [rows[value] - rows[f"{value}_low"], rows[f"{value}_high"] - rows[value]]
                panel.errorbar(rows["workers"], rows[value], ends, marker="o", label=scheduler)
            panel.set(title=instance, xlabel="workers", ylabel=value.replace("_", " "))
            panel.set_xticks(sorted(set(table["workers"])))
        panels[-1].legend(fontsize="small")
        return drawing

    def _workers(self, workers: int | None) -> int:
        counts = self.figures.worker_counts
        if workers is None:
            return counts[-1]
        if workers not in counts:
            valid = ", ".join(map(str, counts))
            raise BadInput(f"workers {workers}: was not measured; valid: {valid}")
        return workers

    def _pivot(self, column: str, workers: int | None) -> pandas.DataFrame:
        table = self.figures.table
        table = table[(table["workers"] == self._workers(workers)) & (table["varied"] == "")]
        values = table.pivot_table(column, "scheduler", "instance", dropna=False, sort=False)
        return values.reindex(self.figures.schedulers, columns=self.figures.instances)


class Runs(Mapping[str, Run]):
    """Raw files by the name of their experiment. One alone answers as if it were the run."""

    def __init__(self, runs: dict[str, Run]) -> None:
        self._runs = runs

    def __getitem__(self, experiment: str) -> Run:
        if experiment not in self._runs:
            raise KeyError(f"{experiment}; there are: {', '.join(self._runs)}")
        return self._runs[experiment]

    def __iter__(self) -> Iterator[str]:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __repr__(self) -> str:
        return f"<stealbench runs: {', '.join(self._runs)}>"

    @property
    def frame(self) -> pandas.DataFrame:
        """A row for each process of all of them."""
        return pandas.concat([run.frame for run in self._runs.values()], ignore_index=True)

    def ranks(self, workers: int | None = None) -> pandas.DataFrame:
        """See `Run.ranks`."""
        return self._comparison().ranks(workers)

    def speedup(self) -> pandas.DataFrame:
        """See `Run.speedup`."""
        return self._comparison().speedup()

    def regret(self, workers: int | None = None) -> pandas.DataFrame:
        """See `Run.regret`."""
        return self._comparison().regret(workers)

    def plot(self, value: str = "speedup") -> Figure:
        """See `Run.plot`."""
        return self._comparison().plot(value)

    def _comparison(self) -> Run:
        if len(self._runs) == 1:
            return next(iter(self._runs.values()))
        if "compare" in self._runs:
            return self._runs["compare"]
        raise BadInput(f"several experiments; valid: runs[NAME], with {', '.join(self._runs)}")


def read(where: Path) -> Runs:
    """Reads a raw file, or every raw file of a folder; the plain one of NAME.jsonl and its .gz."""
    if not where.is_dir():
        run = Run(rawfile.read(where))
        return Runs({run.raw.experiment: run})
    files = {
        file.name.split(".")[0]: file
        for ending in reversed(rawfile.ENDINGS)
        for file in sorted(where.glob(f"*{ending}"))
    }
    if not files:
        raise BadInput(
            f"'{where}' has no raw file; valid: the --output folder of an experiment, with a file"
            " such as compare.jsonl"
        )
    runs = [Run(rawfile.read(file)) for file in files.values()]
    return Runs({run.raw.experiment: run for run in runs})
