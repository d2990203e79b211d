"""What CMake says of the build: the schedulers that it knows, and the commands that build them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stealbench.errors import BadInput
from stealbench.shape import parse

BUILD_FILE = "stealbench-build.json"
PREFIX = "stealbench-"  # Of the names of executables.


@dataclass(frozen=True)
class Addition:
    """Executables that one command adds, which has NAME for the name of each if they are more than
    one."""

    names: list[str]
    command: str  # May have several lines, indented but for the first.


@dataclass(frozen=True)
class Build:
    """What CMake wrote beside the executables: names of schedulers, and commands that build."""

    known: tuple[str, ...] = ()  # Every scheduler of the suite, built or not.
    simulated: tuple[str, ...] = ()  # Those that run on the engine, and so in simulated time.
    compared: tuple[str, ...] = ()  # Those that are compared if none are named.
    executables: tuple[str, ...] = ()  # What a build in this folder makes.
    packaged: tuple[str, ...] = ()  # Those whose packages `.ci/install NAME` installs.
    from_source: tuple[str, ...] = ()  # Those whose library is built from its sources.
    folder: str = ""  # Of the sources, as a shell takes it, with a slash; empty: where a user is.
    configure: str = ""  # Goes before `build` where the build does not make what is missing.
    build: str = "cmake --preset compare && cmake --build build/compare"
    build_all: str = "cmake --preset compare && cmake --build build/compare"
    commit: str = "unknown"
    version: str = "unknown"

    def additions_of(self, names: Sequence[str]) -> list[Addition]:
        """How those come about that are not built: by a build alone, behind the installation of a
        package, or behind that of a library from its sources."""
        ways: dict[str, list[str]] = {"build": [], "install": [], "from source": []}
        for name in names:
            is_target = PREFIX + name in self.executables
            is_packaged = not is_target and name in self.packaged
            is_from_source = not is_target and name in self.from_source
            way = "install" if is_packaged else "from source" if is_from_source else "build"
            ways[way].append(name)
        return [Addition(own, self._command(way, own)) for way, own in ways.items() if own]

    def _command(self, way: str, names: Sequence[str]) -> str:
        name = names[0] if len(names) == 1 else "NAME"
        folder = self.folder
        before = {
            "build": "",
            "install": f"{folder}.ci/install {name} &&\n  ",
            "from source": "export CMAKE_PREFIX_PATH=FOLDER  "
            f"# see {folder}schedulers/taskflow/README.md\n  ",
        }[way]
        target = f"--target stealbench {PREFIX}{name}"
        return f"{before}{self._configure(names)}{self.build} {target}"

    def _configure(self, names: Iterable[str]) -> str:
        is_made = all(PREFIX + name in self.executables for name in names)
        return "" if is_made else self.configure

    def build_command(self, name: str) -> str:
        """The command that builds an executable."""
        return self.additions_of([name])[0].command

    def compare_command(self, missing: Sequence[str]) -> str:
        """The command, on one line, that builds all that are compared if none are named."""
        groups = [
            name
            for name in missing
            if PREFIX + name not in self.executables and name in self.packaged
        ]
        install = f"{self.folder}.ci/install {' '.join(groups)} && " if groups else ""
        return f"{install}{self._configure(missing)}{self.build} --target comparison"


def read_build(file: Path) -> Build:
    """The defaults where there is no such file. Raises BadInput if it is damaged."""
    try:
        written = parse(file.read_bytes())
    except OSError:
        return Build()
    if not isinstance(written, dict):
        raise BadInput(f"'{file}': it is not JSON; valid: the file that a build writes")
    members = {key: written[key] for key in Build.__dataclass_fields__ if key in written}
    return Build(**{k: tuple(v) if isinstance(v, list) else v for k, v in members.items()})
