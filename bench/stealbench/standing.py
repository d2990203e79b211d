"""How far an experiment has come: its raw file so far, as far as measuring it needs that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stealbench import rawfile
from stealbench.cell import Cell
from stealbench.cells import lost_processor
from stealbench.rawfile import LEAST_DISTURBED, RawFile


@dataclass(frozen=True)
class CellStanding:
    """What was measured of a cell so far, by the raw file."""

    cell: Cell
    raw: RawFile
    samples: list[dict[str, Any]] = field(default_factory=list)  # One for each round.

    @property
    def counters(self) -> Any:
        """Of a separate run, or of the first simulation; None if it has none."""
        return self.raw.counters.get(self.cell.name)

    @property
    def was_counted(self) -> bool:
        return self.cell.name in self.raw.counters

    @property
    def failure(self) -> str:
        """Why it did not finish; empty if it has not failed."""
        return self.raw.failures.get(self.cell.name, "")

    @property
    def has_finished(self) -> bool:
        return not self.failure and bool(self.samples)

    @property
    def seconds(self) -> list[float]:
        """Wall time of each round."""
        return [each["seconds"] for each in self.samples]

    @property
    def has_lost_processor(self) -> bool:
        """Whether so many of its processes waited for a processor that it is disturbed."""
        lost = sum(map(lost_processor, self.samples))
        return lost > 0 and lost / len(self.samples) >= LEAST_DISTURBED


class Standing:
    """Of one experiment. `apply` takes its lines in the order of the file."""

    def __init__(self, raw: RawFile | None = None) -> None:
        self._raw = raw
        self._by_name: dict[str, CellStanding] = {}
        if raw is not None:
            self._begin(raw)

    @property
    def raw(self) -> RawFile:
        """What its lines say. There is a first one."""
        assert self._raw is not None
        return self._raw

    @property
    def cells(self) -> list[CellStanding]:
        """In the order of the first line; none before it."""
        return list(self._by_name.values())

    def without_processor(self) -> list[str] | None:
        """The names of the benchmarks that waited for a processor; None where no process says."""
        if not any("waiting_threads" in sample for e in self.cells for sample in e.samples):
            return None
        return [e.cell.name for e in self.cells if e.has_finished and e.has_lost_processor]

    def apply(self, line: Any) -> None:
        """Takes over what one line says. Raises BadInput, which says what is wrong with it."""
        is_first = self._raw is None
        self._raw = rawfile.apply(self._raw, line)
        if is_first:
            self._begin(self._raw)
        elif line["type"] == "process":
            self._take(self._raw.processes[-1])

    def _begin(self, raw: RawFile) -> None:
        self._by_name = {name: CellStanding(cell, raw) for name, cell in raw.cells.items()}
        for row in raw.processes:
            self._take(row)

    def _take(self, row: dict[str, Any]) -> None:
        if row["kind"] != "counted" and "failure" not in row:
            self._by_name[row["cell"]].samples.append(row)
