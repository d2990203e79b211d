"""What is built: schedulers with their settings, workloads and metrics. Every function that is given a
name raises BadInput with a message that says what is valid."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from stealbench.errors import BadInput
from stealbench.invocation import has_shape
from stealbench.machine import Machine
from stealbench.process import Request, Runner, why_ended
from stealbench.shape import parse
from stealbench.workloads import Metric, Workload, read_catalogue

SEQUENTIAL = "sequential"  # The workloads' sequential versions.
RECORDER = "serial.work-span"  # What records work and span.
_PREFIX, _SIMULATED = "stealbench-", "simulated-"  # Of the names of executables.
_LONGEST_S = 10.0  # What describes itself.
_MAKE = "cmake --preset compare && cmake --build build/compare"

Row = dict[str, Any]  # What an executable says of itself, or a setting of it.


@dataclass(frozen=True)
class Build:
    """What CMake wrote beside the executables: names of schedulers, and commands that build."""

    known: Sequence[str] = ()  # Every scheduler of the suite, built or not.
    simulated: Sequence[str] = ()  # Those that run on the engine, and so in simulated time.
    compared: Sequence[str] = ()  # Those that are compared if none are named.
    executables: Sequence[str] = ()  # What a build in this folder makes.
    packaged: Sequence[str] = ()  # Those whose packages `.ci/install NAME` installs.
    from_source: Sequence[str] = ()  # Those whose library is built from its sources.
    folder: str = ""  # Of the sources, as a shell takes it, with a slash; empty: where a user is.
    configure: str = ""  # Goes before `build` where the build does not make what is missing.
    build: str = _MAKE
    build_all: str = _MAKE
    commit: str = "unknown"
    version: str = "unknown"

    def build_command(self, names: Sequence[str], target: str = "") -> str:
        """The command that builds these executables, or on one line what builds `target`."""
        missing = [name for name in names if _PREFIX + name not in self.executables]
        packages = [name for name in missing if name in self.packaged]
        install = [self.folder + ".ci/install", *packages, "&& "] if packages else [""]
        if not target and {*self.from_source} & {*missing} - {*packages}:
            where = f"see {self.folder}schedulers/taskflow/README.md"
            install.insert(0, f"export CMAKE_PREFIX_PATH=FOLDER  # {where}\n ")
        targets = target or " ".join(["stealbench", *(_PREFIX + name for name in names)])
        configure = self.configure if missing else ""
        return f"{' '.join(install)}{configure}{self.build} --target {targets}"


def _described(scheduler: str, printed: bytes) -> Row:
    """Without settings where it cannot be read."""
    said: Any = parse(printed)
    if not has_shape(said, "description"):
        said = {"about": {}, "library": "in-house", "settings": [], "counters": []}
    own: Row = {"scheduler": scheduler} | said
    return own | {"settings": [setting for setting in said["settings"] if setting["values"]]}


def words_of(setting: Row) -> list[str]:
    """Its values, the default first."""
    return [value["word"] for value in setting["values"]]


def required_by(owner: Row, value: str, settings: Sequence[Row]) -> list[str]:
    """`deque=chase-lev`: what a value requires of other settings beyond their defaults."""
    standard = {setting["name"]: words_of(setting)[0] for setting in settings}
    return [
        f"{need['other']}={need['values'][0]}"
        for need in owner["requirements"]
        if need["value"] == value and standard[need["other"]] not in need["values"]
    ]


def canonical_name(scheduler: str, settings: Sequence[Row], typed: str) -> str:
    """The name of a variant, `work-stealing:deque=locked`: the settings that differ from the
    defaults, in their order. `typed`: KEY=VALUE, joined by colons, in any order."""
    words = {setting["name"]: words_of(setting) for setting in settings}
    chosen = {name: own[0] for name, own in words.items()}
    pairs = [text.partition("=")[::2] for text in typed.split(":")]
    for key, value in pairs:
        if key not in words:
            every = [f"{name}={'|'.join(own)}" for name, own in words.items()]
            raise BadInput(f"unknown setting '{key}'", every)
        if value not in words[key]:
            raise BadInput(f"{key}={value}: unknown value", words[key])
        if [own for own, _ in pairs].count(key) > 1:
            raise BadInput(f"{key} is set twice", f"one of {key}={'|'.join(words[key])}")
        chosen[key] = value
    for name, need in ((own["name"], need) for own in settings for need in own["requirements"]):
        other, given = need["other"], chosen.get(need["other"], "")
        if need["value"] == chosen[name] and given not in need["values"]:
            both = f"{name}={need['value']} does not go with {other}={given}"
            valid = f"{other}={'|'.join(need['values'])}"
            raise BadInput(f"{both}, because {need['reason']}", valid)
    differing = [f"{key}={value}" for key, value in chosen.items() if value != words[key][0]]
    return ":".join([scheduler, *differing])


def _type_of(canonical: str) -> str:
    """`work-stealing.locked` of `work-stealing:deque=locked:idle=spin`: a scheduler with another
    deque is an executable of its own."""
    deque = re.search(":deque=([^:]*)", canonical)
    return canonical.partition(":")[0] + (f".{deque[1]}" if deque else "")


@dataclass(frozen=True)
class Installation:
    """The executables of a folder, `stealbench-NAME` each."""

    folder: Path
    build: Build = Build()
    _descriptions: dict[str, Row] = field(default_factory=dict)

    def path_of(self, name: str) -> Path:
        return self.folder / f"{_PREFIX}{name}"

    def is_built(self, name: str) -> bool:
        return os.access(self.path_of(name), os.X_OK)

    def _expect_built(self, name: str, title: str, more: str = "") -> Path:
        if self.is_built(name):
            return self.path_of(name)
        command = self.build.build_command([name])
        raise BadInput(f"{title} is not built{more}; build it with\n  {command}")

    def known(self) -> list[str]:
        """The schedulers of the suite, built or not, and then each other program in the folder that
        may keep to the protocol of bench/process.md: of lower-case letters, digits and hyphens."""
        files = sorted(self.folder.glob(f"{_PREFIX}*"))  # None where there is no such folder.
        names = [file.name.removeprefix(_PREFIX) for file in files if file.is_file()]
        names = [name for name in names if re.fullmatch(f"(?!{_SIMULATED})[a-z0-9-]+", name)]
        ours = (*self.build.known, SEQUENTIAL)
        return [*self.build.known, *(name for name in names if name not in ours)]

    def built(self) -> list[str]:
        return [name for name in self.known() if self.is_built(name)]

    def built_simulations(self) -> list[str]:
        return [name for name in self.build.simulated if self.is_built(_SIMULATED + name)]

    def expect_all_built(self, are_simulations: bool) -> None:
        """Raises unless all that a build in this folder makes are there, or their simulations."""
        for executable in self.build.executables:
            name = executable.removeprefix(_PREFIX)
            if name.startswith(_SIMULATED) == are_simulations and not self.is_built(name):
                command = self.build.build_all
                raise BadInput(f"{executable} is not built; build all schedulers with\n  {command}")

    def executable_of(self, scheduler: str) -> Path:
        """Raises if there is no such scheduler, or says how to build it."""
        names = [*self.known(), SEQUENTIAL]
        if scheduler not in names:
            raise BadInput(f"unknown scheduler '{scheduler}'", names)
        ready = ", ".join(filter(self.is_built, names)) or "none"
        return self._expect_built(scheduler, f"scheduler {scheduler}", f" (built: {ready})")

    def describe(self, schedulers: Iterable[str], is_strict: bool = True) -> list[Row]:
        """What they say of themselves, side by side, and once. Raises RuntimeError for one that
        crashes or fails, unless that is to be its summary."""
        names, asked = list(schedulers), dict[int, str]()
        with Runner() as runner:
            for name in dict.fromkeys(names):
                if name not in self._descriptions:
                    request = Request(self.executable_of(name), ["--describe"], _LONGEST_S)
                    asked[runner.start(request)] = name
            while asked:
                number, result = runner.wait()
                name = asked.pop(number)
                own = self._descriptions[name] = _described(name, result.output)
                if failure := why_ended(result, _LONGEST_S):
                    why = f"cannot describe itself: {self.path_of(name)} --describe: {failure}"
                    if is_strict:
                        raise RuntimeError(f"{name} {why}")
                    own["about"] = {"summary": why}
        return [self._descriptions[name] for name in names]

    def choose(self, typed: str) -> tuple[str, Path]:
        """The canonical name and the executable of a scheduler, with or without settings."""
        scheduler, colon, words = typed.partition(":")
        executable = self.executable_of(scheduler)
        if not colon:
            return scheduler, executable
        settings = self.describe([scheduler])[0]["settings"]
        if not settings:
            raise BadInput(f"scheduler {scheduler} has no settings", scheduler)
        name = canonical_name(scheduler, settings, words)
        if _PREFIX + _type_of(name) in self.build.executables:
            self._expect_built(_type_of(name), name)  # It is started by the scheduler's.
        return name, executable

    def choose_simulated(self, typed: str) -> tuple[str, Path]:
        """The same with the executable that simulates it."""
        scheduler, colon, _ = typed.partition(":")
        if scheduler not in self.build.simulated:
            why = "because it has one worker or does not run on the in-house engine"
            raise BadInput(f"{scheduler} cannot be simulated, {why}", self.build.simulated)
        name = self.choose(typed)[0] if colon else scheduler
        return name, self._expect_built(_SIMULATED + _type_of(name), f"the simulation of {typed}")

    def recorder(self) -> Path:
        """The executable that records work and span."""
        return self._expect_built(RECORDER, "what records work and span")

    def profiles(self) -> dict[str, Path]:
        """The profiles of machines beside the executables, by name."""
        return {file.stem: file for file in sorted((self.folder / "profiles").glob("*.json"))}


@dataclass(frozen=True)
class Suite:
    """Of the build whose folder is `home`. Nothing is looked at, and no process is started, before
    it is asked for. `program`: as the user called it, for the commands in messages."""

    home: Path
    program: str = "stealbench"

    @cached_property
    def installation(self) -> Installation:
        """What `home` has, unless STEALBENCH_BIN_DIR names another folder of executables."""
        file, build = self.home / "stealbench-build.json", Build()
        if file.exists():
            written: Any = parse(file.read_bytes())
            if not isinstance(written, dict):
                raise BadInput(f"'{file}': it is not JSON", "the file that a build writes")
            keys = Build.__dataclass_fields__.keys() & written
            build = Build(**{key: written[key] for key in keys})
        if elsewhere := os.environ.get("STEALBENCH_BIN_DIR", ""):
            return Installation(Path(elsewhere).absolute(), replace(build, executables=()))
        return Installation(self.home, build)

    @cached_property
    def processors(self) -> int:
        """That this process may use, at least 1."""
        return Machine().usable_processors()

    @cached_property
    def _catalogue(self) -> tuple[dict[str, Workload], list[Metric]]:
        built = self.installation
        simulations = [_SIMULATED + name for name in built.build.simulated]
        # What a comparison builds comes first: it is up to date.
        for name in [*built.build.known, SEQUENTIAL, *built.known(), *simulations]:
            if built.is_built(name):
                return read_catalogue(built.path_of(name))
        command = built.build.build_command(["serial"])
        raise BadInput(f"no scheduler is built in '{built.folder}'; build one with\n  {command}")

    @property
    def workloads(self) -> list[Workload]:
        return [*self._catalogue[0].values()]

    @property
    def workload_names(self) -> list[str]:
        return [*self._catalogue[0]]

    @property
    def metrics(self) -> list[Metric]:
        return self._catalogue[1]

    def workload(self, name: str) -> Workload:
        if name not in self._catalogue[0]:
            raise BadInput(f"unknown workload '{name}'", self.workload_names)
        return self._catalogue[0][name]

    def simulated_names(self) -> list[str]:
        """Of the workloads that can be simulated."""
        return [workload.name for workload in self.workloads if not workload.why_not_simulated]
