"""`stealbench micro`: the cost of single operations: fork, spawn, steal, wake-up and others."""

from __future__ import annotations

import functools
import itertools
from argparse import Namespace
from typing import Any

from stealbench import choices
from stealbench.analysis.tabulate import Text, name, number, tabulate, time_in
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.figures import figures_of
from stealbench.measuring import Design, Experiment
from stealbench.options import Settings, items
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, Paragraph, Prominence, Section
from stealbench.report.format import MISSING, bytes_
from stealbench.report.parts import DNF, headed, say, workers_in_words
from stealbench.report.verdict import WAITED_MEANS
from stealbench.suite import SEQUENTIAL, Suite


def sections(raw: RawFile) -> list[Section]:
    """A row for each scheduler, a column for each metric; and what each of them means."""
    figures, about = figures_of(raw), raw.header["about"]
    measured = figures.cells.reset_index().drop_duplicates(["scheduler", "workload"])
    rows = measured.set_index(["scheduler", "workload"]).to_dict("index")
    memory = figures.estimates("bytes_per_worker")["median"]

    def text_of(metric: dict[str, Any], scheduler: str) -> Text:
        row = rows.get((scheduler, metric["name"]))
        if row is None or row["failure"]:
            return (DNF, Emphasis.FAILED) if row else MISSING
        return bytes_(memory.get(row["cell"])) if metric["unit"] == "bytes" else time_in(row)

    metrics = about["figures"]
    title = headed("Cost of one operation, median", figures)
    columns = [number(one["name"], functools.partial(text_of, one)) for one in metrics]
    table = tabulate(title, [name("scheduler", str), *columns], figures.schedulers)
    costs = Section("Costs of single operations", [table], Prominence.SUMMARY)
    say(costs, WAITED_MEANS if figures.cells["is_disturbed"].any() else "")
    means = Section("What the costs mean", shown=Prominence.TABLES)
    for one in metrics:
        meaning = f"{one['meaning']}. Raw cost, without a scheduler: {one['raw']}."
        term = f"{one['name']} ({workers_in_words(raw, one['workers'])})"
        means.blocks.append(Paragraph(meaning, term=term))
    for gap in about["gaps"]:
        of = f"{gap['figure']} of {gap['scheduler']}"
        say(means, f"{MISSING} {of}: not applicable, {gap['reason']}.")
    return [costs, means]


def _declare(settings: Settings) -> None:
    choices.add_schedulers(settings, "all that are built, and sequential")
    kind: dict[str, Any] = {"default": [], "type": items(), "metavar": "METRIC,...", "shown": "all"}
    settings.add("--metrics", help="metrics to measure; the report explains each", **kind)


def _design(values: Namespace, suite: Suite) -> Design:
    built, metrics = suite.installation, {metric.name: metric for metric in suite.metrics}
    # Below the raw cost of each operation, where that is built too.
    everything = [SEQUENTIAL, *built.built()] if built.is_built(SEQUENTIAL) else []
    values.schedulers = choices.schedulers_named(suite, values.schedulers or everything)
    values.metrics = list(dict.fromkeys(values.metrics or metrics))
    if unknown := [name for name in values.metrics if name not in metrics]:
        raise BadInput(f"--metrics {unknown[0]}: unknown", metrics)
    cells, gaps = [], []
    for scheduler, name in itertools.product(values.schedulers, values.metrics):
        if reason := metrics[name].why_not_applicable(scheduler.partition(":")[0]):
            gaps.append({"figure": name, "scheduler": scheduler, "reason": reason})
        else:
            cells.append(Cell(name, (), scheduler, metrics[name].workers))
    if not cells:
        both = f"{','.join(values.metrics)}: not applicable to {', '.join(values.schedulers)}"
        reason = gaps[0]["reason"]
        raise BadInput(f"--metrics {both}: {reason}", "other --schedulers or other --metrics")
    shown = ("name", "meaning", "raw", "workers", "unit")
    figures = [{key: getattr(metrics[name], key) for key in shown} for name in values.metrics]
    return Design(cells, {"figures": figures, "gaps": gaps})


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("", "--metrics fork,steal --schedulers work-stealing,onetbb,openmp"),
    method="A benchmark is one scheduler, one metric and one worker count. A round runs every"
    " benchmark once, in random order, each in its own process.",
    is_metric=True,
)
