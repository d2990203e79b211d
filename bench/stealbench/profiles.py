"""What a simulated machine charges for: a profile, the JSON object that `stealbench calibrate` writes.
schedulers/virtual_machine/calibration.md defines each cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stealbench.errors import BadInput
from stealbench.machine import Machine
from stealbench.options import nanoseconds
from stealbench.shape import expect, parse, shapes
from stealbench.suite import Suite

Profile = dict[str, Any]

FORMAT = 1
OWN_FILE = "stealbench-profile.json"  # What `calibrate` writes unless it is told otherwise.
REFERENCE = "reference"
_MEMBERS = "format name processor date measured source costs schedulers work accuracy doubt".split()
_VALID = "a file that `stealbench calibrate` has written"


def read_profile(file: Path) -> Profile:
    """Without members that none has. One that is `based_on` another one in its folder takes from it
    what it lacks, but the accuracy, which holds for one machine. Raises BadInput."""
    try:
        profile: Any = parse(file.read_bytes())
        if "based_on" in profile:
            base: Any = parse(file.with_name(f"{profile['based_on']}.json").read_bytes())
            costs = base["costs"] | profile.get("costs", {})
            profile = base | {"accuracy": None} | profile | {"costs": costs}
        expect(profile, shapes()["profile"])
        expect(profile, shapes()["costs of a machine"])
        if profile["format"] != FORMAT:
            raise BadInput(f"'format' is {profile['format']}; valid: {FORMAT}")
        return {key: profile[key] for key in _MEMBERS if key in profile}
    except (BadInput, KeyError, TypeError, ValueError, OSError) as problem:
        raise BadInput(f"{file} is not a profile: {problem}; valid: {_VALID}") from None


def machine_of(suite: Suite, named: str = "", **times: str) -> dict[str, Any]:
    """What a raw file says of a simulated machine: `profile`, `changes` of it for a reader, and
    `other_processor`, this machine's, if the profile is of another one. `times`: of `transfer` and
    `wake`, as users write them; empty: the profile's. Raises BadInput."""
    named = named or (OWN_FILE if Path(OWN_FILE).exists() else REFERENCE)
    profiles, file = suite.installation.profiles(), Path(named)
    if named not in profiles and not file.is_file():
        valid = ", ".join([*profiles, f"or {_VALID}"])
        raise BadInput(f"--profile {named}: no such profile and no such file; valid: {valid}")
    profile = read_profile(profiles.get(named, file))
    changed = {name: time for name, time in times.items() if time}
    for name, time in changed.items():
        own = [f"{name}_ns"] + (["remote_transfer_ns"] if name == "transfer" else [])
        profile["costs"] |= dict.fromkeys(own, nanoseconds(time))
        profile["accuracy"] = None  # Another machine was validated.
    about: dict[str, Any] = {"profile": profile, "changes": list(map(" ".join, changed.items()))}
    processor = Machine().processor()
    is_own = f"{profile['processor']},".startswith(f"{processor},")  # It may say how many, too.
    return about if is_own else about | {"other_processor": processor}
