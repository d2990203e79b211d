"""stealbench: which strategy of fork-join scheduling to use, and why.

In a notebook: `runs = stealbench.read("build/compare/comparison")` reads what an experiment wrote,
or all experiments of a folder; see `Runs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from stealbench.runs import Runs

__all__ = ["read"]


def read(where: str | Path) -> Runs:
    """Reads a raw file, or every raw file of a folder. Raises errors.BadInput.

    pandas is imported here and not before: `import stealbench` takes milliseconds.
    """
    from pathlib import Path

    from stealbench import runs

    return runs.read(Path(where))
