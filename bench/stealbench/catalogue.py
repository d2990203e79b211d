"""What a user may name: the schedulers that are built here, and their settings. Every function that
is given a name raises BadInput with a message that says what is valid."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from stealbench.build import BUILD_FILE, PREFIX, Build, read_build
from stealbench.cells import why_ended
from stealbench.errors import BadInput
from stealbench.process import Request, Result, Runner
from stealbench.settings import Setting, canonical_name, text_of
from stealbench.shape import parse

SEQUENTIAL = "sequential"  # The workloads' sequential versions.
RECORDER = "serial.work-span"  # What records work and span.
_SIMULATED = "simulated-"
_LONGEST_S = 10.0  # What describes itself.


@dataclass(frozen=True)
class Description:
    """What an executable says of itself to --describe; nothing where that cannot be read."""

    scheduler: str
    about: dict[str, str] = field(default_factory=dict)
    library: str = "in-house"
    settings: tuple[Setting, ...] = ()
    counters: tuple[str, ...] = ()  # Empty: it counts nothing, so it has no trace.


def _described(scheduler: str, printed: bytes) -> Description:
    said = parse(printed)
    try:
        settings = tuple(
            Setting(e["name"], e["meaning"], tuple(e["values"]), tuple(e["requirements"]))
            for e in said["settings"]
        )
        if not all(isinstance(word, str) for each in settings for word in [each.name, *each.words]):
            return Description(scheduler)
        about, library = dict(said["about"]), str(said["library"])
        return Description(said["scheduler"], about, library, settings, tuple(said["counters"]))
    except (KeyError, TypeError, ValueError):  # Then it has no settings.
        return Description(scheduler)


def _type_of(canonical: str) -> str:
    """`work-stealing.locked` of `work-stealing:deque=locked:idle=spin`: a scheduler with another
    deque is an executable of its own."""
    scheduler, *settings = canonical.split(":")
    deques = [each.removeprefix("deque=") for each in settings if each.startswith("deque=")]
    return ".".join([scheduler, *deques])


@dataclass(frozen=True)
class Installation:
    """The executables of a folder, `stealbench-NAME` each."""

    folder: Path
    build: Build = Build()
    _descriptions: dict[str, Description] = field(default_factory=dict)

    def path_of(self, name: str) -> Path:
        return self.folder / f"{PREFIX}{name}"

    def is_built(self, name: str) -> bool:
        return os.access(self.path_of(name), os.X_OK)

    def known(self) -> list[str]:
        """The schedulers of the suite, built or not, and then each other program in the folder that
        may keep to the protocol of bench/process.md: of lower-case letters, digits and hyphens."""
        ours = {*self.build.known, SEQUENTIAL}
        others = set()
        try:
            for entry in os.scandir(self.folder):
                name = entry.name.removeprefix(PREFIX)
                is_name = name != entry.name and re.fullmatch("[a-z0-9-]+", name) is not None
                if (
                    is_name
                    and name not in ours
                    and not name.startswith(_SIMULATED)
                    and entry.is_file()
                ):
                    others.add(name)
        except OSError:
            pass
        return [*self.build.known, *sorted(others)]

    def built(self) -> list[str]:
        return [name for name in self.known() if self.is_built(name)]

    def built_simulations(self) -> list[str]:
        return [name for name in self.build.simulated if self.is_built(_SIMULATED + name)]

    def counting(self) -> list[str]:
        """Those that are built and count, and so can be traced."""
        self.describe(self.built())
        return [name for name in self.built() if self.description_of(name).counters]

    def expect_all_built(self, are_simulations: bool) -> None:
        """Raises unless all that a build in this folder makes are there, or their simulations."""
        for executable in self.build.executables:
            name = executable.removeprefix(PREFIX)
            if name.startswith(_SIMULATED) == are_simulations and not self.is_built(name):
                raise BadInput(
                    f"{executable} is not built; build all schedulers with\n  {self.build.build_all}"
                )

    def executable_of(self, scheduler: str) -> Path:
        """Raises if there is no such scheduler, or says how to build it."""
        known = [*self.known(), SEQUENTIAL]
        if scheduler not in known:
            raise BadInput(f"unknown scheduler '{scheduler}'; valid: {', '.join(known)}")
        if self.is_built(scheduler):
            return self.path_of(scheduler)
        ready = ", ".join(name for name in known if self.is_built(name)) or "none"
        raise BadInput(
            f"scheduler {scheduler} is not built (built: {ready}); build it with\n"
            f"  {self.build.build_command(scheduler)}"
        )

    def describe(self, schedulers: Iterable[str]) -> None:
        """Asks those that were not asked before, side by side. Raises RuntimeError for one that
        crashes or fails."""
        asked: dict[int, str] = {}
        with Runner() as runner:
            for name in schedulers:
                if name not in self._descriptions and name not in asked.values():
                    request = Request(self.executable_of(name), ["--describe"], _LONGEST_S)
                    asked[runner.start(request)] = name
            while asked:
                number, result = runner.wait()
                name = asked.pop(number)
                self._descriptions[name] = self._read(name, result)

    def _read(self, name: str, result: Result) -> Description:
        if failure := why_ended(result, _LONGEST_S):
            executable = self.path_of(name)
            raise RuntimeError(f"{name} cannot describe itself: {executable} --describe: {failure}")
        return _described(name, result.output)

    def description_of(self, scheduler: str) -> Description:
        """Raises as executable_of, and as describe."""
        self.describe([scheduler])
        return self._descriptions[scheduler]

    def choose(self, typed: str) -> tuple[str, Path]:
        """The canonical name and the executable of a scheduler, with or without settings. Raises as
        executable_of, and for settings that it does not have."""
        scheduler, colon, words = typed.partition(":")
        executable = self.executable_of(scheduler)
        if not colon:
            return scheduler, executable
        settings = self.description_of(scheduler).settings
        if not settings:
            self.describe(self.built())
            with_settings = [
                f"{name} with {text_of(self._descriptions[name].settings)}"
                for name in self.built()
                if self._descriptions[name].settings
            ]
            valid = ", or ".join([scheduler, *with_settings])
            raise BadInput(f"scheduler {scheduler} has no settings; valid: {valid}")
        name = canonical_name(scheduler, settings, words)
        kind = _type_of(name)  # Its executable is started by the scheduler's.
        if self.is_built(kind) or PREFIX + kind not in self.build.executables:
            return name, executable
        raise BadInput(f"{name} is not built; build it with\n  {self.build.build_command(kind)}")

    def choose_simulated(self, typed: str) -> tuple[str, Path]:
        """The same with the executable that simulates it. Raises also for a scheduler that cannot be
        simulated."""
        scheduler, colon, _ = typed.partition(":")
        if scheduler not in self.build.simulated:
            is_sequential = scheduler in ("serial", SEQUENTIAL)
            reason = f"unknown scheduler '{scheduler}'"
            if is_sequential or scheduler in self.known():
                why = "has one worker" if is_sequential else "does not run on the in-house engine"
                reason = f"scheduler {scheduler} cannot be simulated, because it {why}"
            raise BadInput(f"{reason}; valid: {', '.join(self.build.simulated)}")
        name = self.choose(typed)[0] if colon else scheduler
        kind = _SIMULATED + _type_of(name)
        if self.is_built(kind):
            return name, self.path_of(kind)
        raise BadInput(
            f"the simulation of {typed} is not built; build it with\n  {self.build.build_command(kind)}"
        )

    def recorder(self) -> Path:
        """The executable that records work and span."""
        if self.is_built(RECORDER):
            return self.path_of(RECORDER)
        raise BadInput(
            "what records work and span is not built; build it with\n"
            f"  {self.build.build_command(RECORDER)}"
        )

    def profiles(self) -> dict[str, Path]:
        """The profiles of machines beside the executables, by name."""
        files = sorted((self.folder / "profiles").glob("*.json"))
        return {file.stem: file for file in files}


def installation(home: Path) -> Installation:
    """Of the build or installation whose folder is `home`, unless STEALBENCH_BIN_DIR names another
    folder of executables."""
    build = read_build(home / BUILD_FILE)
    elsewhere = os.environ.get("STEALBENCH_BIN_DIR", "")
    if not elsewhere:
        return Installation(home, build)
    return Installation(Path(elsewhere).absolute(), replace(build, executables=()))
