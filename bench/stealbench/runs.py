"""What someone with a notebook asks of raw files: frames, ranks, regret, speedups, a plot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas

from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.figures import figures_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Run:
    """One raw file. `raw` is what it says, `figures` what is computed from it, a row for each
    benchmark, and `frame` has a row for each process; see `stealbench.figures`.
    """

    def __init__(self, raw: rawfile.RawFile) -> None:
        self.raw = raw
        self.figures = figures_of(raw)
        self.frame = self.figures.frame

    def ranks(self, workers: int | None = None) -> pandas.DataFrame:
        """The rank of each scheduler (rows) on each instance (columns), 1 is the best.

        With the greatest worker count, or the one given. Missing below six rounds, and where a
        benchmark did not finish.
        """
        table = self.figures.table
        table = table[(table["workers"] == self._workers(workers)) & (table["varied"] == "")]
        ranks = table.pivot(index="scheduler", columns="instance", values="rank").astype("Int64")
        return ranks.reindex(self.figures.schedulers, columns=self.figures.instances)

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

        table = self.figures.table.dropna(subset=[value]).sort_values("workers")
        instances = self.figures.instances
        drawing = NewFigure(figsize=(4 * len(instances), 4), layout="constrained")
        panels = drawing.subplots(1, len(instances), squeeze=False)[0]
        for panel, instance in zip(panels, instances):
            for scheduler, rows in table[table["instance"] == instance].groupby("scheduler"):
                ends = [rows[value] - rows[f"{value}_low"], rows[f"{value}_high"] - rows[value]]
                panel.errorbar(rows["workers"], rows[value], ends, marker="o", label=scheduler)
            panel.set(title=instance, xlabel="workers", ylabel=value.replace("_", " "))
            panel.set_xticks(table["workers"].unique())
        panels[-1].legend(fontsize="small")
        return drawing

    def _workers(self, workers: int | None) -> int:
        counts = self.figures.worker_counts
        if workers in (None, *counts):
            return counts[-1] if workers is None else workers
        valid = ", ".join(map(str, counts))
        raise BadInput(f"workers {workers}: was not measured; valid: {valid}")


class Runs(dict[str, Run]):
    """Raw files by the name of their experiment. It answers as `compare`, or its only run, does."""

    @property
    def frame(self) -> pandas.DataFrame:
        """A row for each process of all of them."""
        return pandas.concat([run.frame for run in self.values()], ignore_index=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # A notebook asks for ways to show it.
            raise AttributeError(name)
        if len(self) > 1 and "compare" not in self:
            raise BadInput("several experiments", f"runs[NAME], with {', '.join(self)}")
        return getattr(self.get("compare") or next(iter(self.values())), name)


def read(where: Path) -> Runs:
    """Reads a raw file, or every raw file of a folder; the plain one of NAME.jsonl and its .gz."""
    files = {where.name: where}
    if where.is_dir():
        packed, plain = (sorted(where.glob(f"*{end}")) for end in reversed(rawfile.ENDINGS))
        files = {file.name.split(".")[0]: file for file in [*packed, *plain]}
    if not files:
        valid = "the --output folder of an experiment, with a file such as compare.jsonl"
        raise BadInput(f"'{where}' has no raw file", valid)
    return Runs({raw.experiment: Run(raw) for raw in map(rawfile.read, files.values())})
