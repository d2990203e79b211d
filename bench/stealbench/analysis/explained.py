"""What `stealbench explain` knows of a workload: what was recorded, and times with their bounds."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import pandas

from stealbench.analysis.budget import WAITED, budgets_of
from stealbench.figures import figures_of
from stealbench.rawfile import RawFile
from stealbench.report.format import ratio
from stealbench.report.parts import estimate_in
from stealbench.statistics import Estimate

SERIAL = ("serial", "sequential")

SAME_WORK = 1.1
"""Times of the same work by the recording and by serial are closer than this."""

FOREIGN = "simulated with another processor's profile, so without bounds"
"""No doubt of an order among simulated times."""


@dataclass
class Time:
    """A measured or a simulated time; `cell` unless it is simulated. Serial has one worker.

    `lower` and `upper`: between which every greedy schedule lies (Graham 1966; Brent 1974), in
    seconds: max(T1 / P, T∞) and T1 / P + T∞. None where serial ran on another processor than the
    one that is simulated. `doubt`: why nothing is concluded from it, with the likely cause.
    """

    scheduler: str
    workers: int
    seconds: Estimate | None
    speedup: Estimate | None = None
    cell: str | None = None
    lower: float | None = None
    upper: float | None = None
    doubt: str = ""


class Explained:
    """A run, and the times in it: measured, then simulated ones that were not measured."""

    def __init__(self, raw: RawFile) -> None:
        self.figures = figures_of(raw)
        self.about = raw.header["about"]
        self.recorded = self.about["recorded"]
        self.simulation = self.about.get("simulation") or {}
        self.is_foreign = bool(self.simulation.get("other_processor"))
        self.times = [self._measured(cell) for cell in self.figures.table.index]
        serials = [time for time in self.times if time.scheduler == "serial"]
        self.serial = serials[-1] if serials else None
        measured = {(time.scheduler, time.workers) for time in self.times}
        for known in self.simulation.get("times") or []:
            if (known["scheduler"], known["workers"]) not in measured:
                self.times.append(self._simulated(known))
        for time in self.times:
            if time.cell is not None or not self.is_foreign:
                even, span = self.recorded["work_ns"] / time.workers, self.recorded["span_ns"]
                time.lower, time.upper = 1e-9 * max(even, span), 1e-9 * (even + span)
            time.doubt = self._doubt_of(time)

    @property
    def workers(self) -> int:
        """The most that were measured."""
        return self.figures.worker_counts[-1]

    @functools.cached_property
    def budgets(self) -> pandas.DataFrame:
        """See `budgets_of`."""
        return budgets_of(self.figures)

    def _measured(self, cell: str) -> Time:
        row = self.figures.table.loc[cell]
        workers = 1 if row["scheduler"] in SERIAL else int(row["workers"])
        times = estimate_in(row, "seconds"), estimate_in(row, "speedup")
        return Time(row["scheduler"], workers, *times, cell=cell)

    def _simulated(self, known: dict[str, Any]) -> Time:
        time = known["time_ns"] * 1e-9
        simulated = Time(known["scheduler"], known["workers"], Estimate(time, time, time))
        if self.serial and self.serial.seconds and not self.is_foreign:
            speedup = self.serial.seconds.median / time
            simulated.speedup = Estimate(speedup, speedup, speedup)
        return simulated

    def _doubt_of(self, time: Time) -> str:
        if time.seconds is None:
            return ""
        if time.cell is None and self.is_foreign:
            return FOREIGN
        if time.cell is not None and self.figures.table.at[time.cell, "is_disturbed"]:
            return WAITED
        is_beaten = time.lower is not None and time.seconds.high < time.lower
        if is_beaten and time.cell is None:
            return "beats the lower bound: the profile has other prices than this machine"
        if is_beaten:
            return f"beats the lower bound: {self.doubt_of_recording() or 'T1 is of another run'}"
        if time.speedup is not None and time.speedup.low > time.workers:
            return f"above the ideal speedup: {self._doubt_of_serial()}"
        return ""

    def _doubt_of_serial(self) -> str:
        serial = self.serial.cell if self.serial else None
        if serial is not None and self.figures.table.at[serial, "is_disturbed"]:
            return f"serial {WAITED}"
        return "more processors have more cache, or something slowed serial"

    def doubt_of_recording(self) -> str:
        """`the recording took 2.00 × the time of serial`, beyond noise; else empty."""
        known = self.serial.seconds if self.serial else None
        if known is None:
            return ""
        work = self.recorded["work_ns"] * 1e-9
        is_same = known.low / SAME_WORK <= work <= known.high * SAME_WORK
        text = f"the recording took {ratio(work / known.median)} the time of serial"
        return "" if is_same else text
