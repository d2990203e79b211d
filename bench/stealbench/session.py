"""How an experiment begins, and how one goes on that was interrupted: the first line of its raw file,
and what must be as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from stealbench import rawfile
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.host import Check, checks_before
from stealbench.inherited import drop_variables_that_bind
from stealbench.journal import Journal
from stealbench.progress import say
from stealbench.ranks import Member
from stealbench.rawfile import FORMAT, OWN_BASELINE, RawFile


def now() -> str:
    """`2026-11-24T18:50:49Z`."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_shell(text: str | Path) -> str:
    """A word as a shell takes it."""
    word = str(text)
    if re.fullmatch(r"[A-Za-z0-9_./+,=@%-]+", word):
        return word
    return "'" + word.replace("'", r"'\''") + "'"


def check_host(measured: Sequence[Cell], is_pinned: bool) -> list[Check]:
    """Before these cells are measured; none are, where all are simulated: then there is no check."""
    if not measured:
        return []
    if is_pinned:
        for name in drop_variables_that_bind():
            say(f"{name} is not passed on to benchmarks, because of --pin")
    return checks_before(max(cell.workers for cell in measured))


def begin(
    journal: Journal,
    command: Sequence[str],
    settings: Mapping[str, Any],
    about: Mapping[str, Any],
    cells: Sequence[Cell],
    host_checks: Sequence[Check],
    share: Mapping[str, int] | None = None,
) -> None:
    """Adds the first line. `command`: the arguments that the user typed; `settings`: the options by
    their names without dashes, defaults resolved. Without host checks all cells are simulated."""
    line: dict[str, Any] = {
        "type": "experiment",
        "format": FORMAT,
        "experiment": journal.file.stem,
        "command": " ".join(["stealbench", *command]),
        "date": now(),
        "settings": dict(settings),
        "about": dict(about),
        "baseline": "serial" if host_checks else OWN_BASELINE,
        "host_checks": list(host_checks),
    }
    if share is not None:
        line["share"] = dict(share)
    journal.add(line | {"cells": [cell.to_json() for cell in cells]})


def go_on(journal: Journal, settings: Mapping[str, Any], host_checks: Sequence[Check]) -> None:
    """Adds the line of a resumption. `settings`: those that were recorded, but for what the user
    has typed now. Raises BadInput if they are not the same."""
    recorded, name = journal.standing.raw.header["settings"], journal.file.stem
    if recorded.keys() != settings.keys():
        raise BadInput(
            f"--resume: this stealbench cannot continue the interrupted {name}: the settings in the "
            f"first line of {journal.file} are not those that it has; valid: the build that started "
            "it, or --overwrite to start again"
        )
    differences = [
        f"--{key} was {_compact(recorded[key])}, not {_compact(settings[key])}"
        for key in settings
        if settings[key] != recorded[key]
    ]
    if differences:
        raise BadInput(
            f"--resume: the {name} started with other settings: {'; '.join(differences)}; valid: the "
            "same settings, or --overwrite to start again"
        )
    journal.add({"type": "resumed", "date": now(), "host_checks": list(host_checks)})


def expect_same_share(raw: RawFile, member: Member) -> None:
    """Raises BadInput unless the raw file is of this rank, of so many."""
    share = raw.header.get("share")
    if share is not None and (share["rank"], share["ranks"]) == (member.rank, member.ranks):
        return
    holds = f"what is of rank {share['rank']} of {share['ranks']}" if share else "no share"
    raise BadInput(
        f"--resume: the folder of rank {member.rank} of {member.ranks} holds {holds}; valid: as many "
        "ranks as the sweep started with"
    )


def has_more_to_do(output: Path, experiment: str, member: Member, is_shared: bool) -> bool:
    """Of a rank that resumes: not where its part is finished, or it has none, which the file of any
    other says. `is_shared`: each rank has a share, and not the whole. Raises BadInput if it has
    saved nothing."""
    ranks = [Member(rank, member.ranks) for rank in range(member.ranks)]
    files = [each.folder(output) / f"{experiment}.jsonl" for each in ranks]
    if files[member.rank].exists():
        return not rawfile.read(files[member.rank], may_be_packed=False).is_finished
    other = next((rawfile.read(file, may_be_packed=False) for file in files if file.exists()), None)
    share = (other.header.get("share") if other else None) or {}
    if is_shared and share.get("benchmarks", member.ranks) <= member.rank:
        return False
    raise BadInput(
        f"--resume: rank {member.rank} of {member.ranks} saved nothing in "
        f"'{member.folder(output)}' before it was stopped; valid: on all ranks the options that the "
        f"{experiment} started with, and --overwrite, to start again"
    )


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
