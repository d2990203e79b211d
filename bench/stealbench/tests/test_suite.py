"""What a user may name: what is built, what it says of itself, and what a message says is valid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stealbench.suite import Build, Installation, Row, Suite, canonical_name, required_by
from stealbench.tests.planted import message_of, plant, rows

MAKE = "cmake --preset compare && cmake --build build/compare"
TARGET = f"{MAKE} --target stealbench stealbench-"
KNOWN = ["serial", "work-stealing", "openmp", "rayon", "taskflow", "openmp-llvm"]
LOCKED = "stealbench-work-stealing.locked"
BUILD = Build(KNOWN, ["work-stealing"], KNOWN[:2], executables=[LOCKED])
NEED = {"value": "half", "other": "deque", "values": ["locked", "abp"], "reason": "it must"}
WORDS = {"deque": ("split", "locked", "abp"), "idle": ("park", "spin"), "amount": ("one", "half")}
SETTINGS: list[Row] = [
    {"name": name, "meaning": "how", "values": [{"word": e, "about": {}} for e in words]}
    | {"requirements": [NEED][: name == "amount"]}
    for name, words in WORDS.items()
]
DESCRIBED: dict[str, Any] = {
    **{"scheduler": "work-stealing", "about": {"summary": "steals"}, "library": "in-house"},
    **{"settings": SETTINGS, "counters": ["steals"]},
}
DESCRIBING = f"echo '{json.dumps(DESCRIBED)}'; echo >> \"$0.calls\""


@pytest.fixture
def installed(tmp_path: Path) -> Installation:
    """With work-stealing and serial."""
    plant(tmp_path, "stealbench-work-stealing", DESCRIBING)
    plant(tmp_path, "stealbench-serial", "exit 0")
    return Installation(tmp_path, BUILD)


def test_a_scheduler_is_built_if_its_executable_is_there(tmp_path: Path) -> None:
    own = Installation(tmp_path, BUILD)
    assert (own.built(), own.known()) == ([], KNOWN)
    script = plant(tmp_path, "stealbench-openmp", "exit 0")
    (tmp_path / "stealbench-rayon").write_text("no program")
    assert (own.built(), own.executable_of("openmp")) == (["openmp"], script)
    # Other programs have names of small letters, digits and hyphens.
    for name in "python Python a_b work-stealing.abp simulated-serial sequential java-2".split():
        plant(tmp_path, f"stealbench-{name}", "exit 0")
    (tmp_path / "stealbench-folder").mkdir()
    assert own.known() == [*KNOWN, "java-2", "python"]
    assert own.executable_of("sequential").name == "stealbench-sequential"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("work-stealing:deque=split", "work-stealing"),
        ("work-stealing:amount=half:deque=abp", "work-stealing:deque=abp:amount=half"),
    ],
)
def test_a_scheduler_is_chosen_with_its_settings_in_canonical_form(
    typed: str, name: str, installed: Installation
) -> None:
    for _ in range(2):
        assert installed.choose(typed) == (name, installed.path_of("work-stealing"))
    assert Path(f"{installed.path_of('work-stealing')}.calls").read_text() == "\n", "asked once"


MISSING = f"""
lottery:a=b | unknown scheduler 'lottery'; valid: {', '.join(KNOWN)}, sequential
openmp:deque=abp | scheduler openmp is not built (built: serial, work-stealing); build it with
openmp:deque=abp | {TARGET}openmp
serial: | scheduler serial has no settings; valid: serial
work-stealing:idle=spin:deque=locked | work-stealing:deque=locked:idle=spin is not built; build it
work-stealing:idle=spin:deque=locked | {TARGET}work-stealing.locked
"""


@pytest.mark.parametrize(("typed", "message"), rows(MISSING))
def test_a_scheduler_that_is_not_there_says_what_is_and_how_to_build_it(
    typed: str, message: str, installed: Installation
) -> None:
    assert message in message_of(lambda: installed.choose(typed))


REFUSED = """
            | unknown setting ''; valid: deque=split/locked/abp, idle=park/spin, amount=one/half
idle        | idle=: unknown value; valid: park, spin
idle=park:idle=spin | idle is set twice; valid: one of idle=park/spin
amount=half | amount=half does not go with deque=split, because it must; valid: deque=locked/abp
"""


@pytest.mark.parametrize(("typed", "message"), rows(REFUSED))
def test_settings_that_cannot_be_say_what_is_valid(typed: str, message: str) -> None:
    refused = message_of(lambda: canonical_name("work-stealing", SETTINGS, typed))
    assert refused.replace("|", "/") == message


def test_a_value_requires_others_where_their_defaults_are_not_enough() -> None:
    assert required_by(SETTINGS[2], "half", SETTINGS) == ["deque=locked"]
    assert required_by(SETTINGS[2], "one", SETTINGS) == []


def test_what_does_not_describe_itself_has_no_settings_unless_it_crashes(
    installed: Installation,
) -> None:
    for printed in ("5", "{", json.dumps(DESCRIBED | {"settings": [1]})):
        plant(installed.folder, "stealbench-openmp", f"echo '{printed}'")
        own = Installation(installed.folder, BUILD)
        assert "openmp has no settings" in message_of(lambda: own.choose("openmp:a=b"))
    executable = plant(installed.folder, "stealbench-openmp", "echo '{}'; kill -SEGV $$")
    message = message_of(lambda: installed.choose("openmp:order=lifo"), RuntimeError)
    assert f"openmp cannot describe itself: {executable} --describe: ended by signal" in message


def test_all_are_built_when_every_executable_is(installed: Installation) -> None:
    message = message_of(lambda: installed.expect_all_built(are_simulations=False))
    assert message == f"{LOCKED} is not built; build all schedulers with\n  {MAKE}"
    installed.expect_all_built(are_simulations=True)
    plant(installed.folder, LOCKED, "exit 0")
    installed.expect_all_built(are_simulations=False)
    assert installed.choose("work-stealing:deque=locked")[0] == "work-stealing:deque=locked"


NOT_SIMULATED = """
serial | serial cannot be simulated, because it has one worker or does not run on the in-house
work-stealing | the simulation of work-stealing is not built; build it with
"""


@pytest.mark.parametrize(("typed", "message"), rows(NOT_SIMULATED))
def test_a_simulation_is_an_executable_of_its_own(
    typed: str, message: str, installed: Installation
) -> None:
    assert message_of(lambda: installed.choose_simulated(typed)).startswith(message)
    script = plant(installed.folder, "stealbench-simulated-work-stealing.abp", "exit 0")
    name = "work-stealing:deque=abp"
    assert installed.choose_simulated(name) == (name, script)


def test_what_is_missing_is_added_by_one_command() -> None:
    build = Build(
        KNOWN, executables=["stealbench-openmp"], packaged=["rayon"], from_source=["taskflow"]
    )
    assert build.build_command(["openmp", "serial"]) == f"{TARGET}openmp stealbench-serial"
    assert build.build_command(["rayon"]) == f".ci/install rayon && {TARGET}rayon"
    first, second = build.build_command(["taskflow"]).split("\n")
    assert "CMAKE_PREFIX_PATH=FOLDER  # see schedulers/taskflow/README.md" in first
    assert second.strip() == f"{TARGET}taskflow"
    other = Build(packaged=["rayon"], configure="cmake . && ", build="make", folder="/src/")
    assert other.build_command(["rayon"], "comparison") == (
        "/src/.ci/install rayon && cmake . && make --target comparison"
    )


def test_the_build_says_what_it_knows_and_a_variable_names_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEALBENCH_BIN_DIR", raising=False)
    assert Suite(tmp_path).installation == Installation(tmp_path)
    file = tmp_path / "stealbench-build.json"
    file.write_text(json.dumps({"known": ["serial"], "executables": ["stealbench-serial"], "x": 1}))
    build = Build(["serial"], executables=["stealbench-serial"])
    assert Suite(tmp_path).installation == Installation(tmp_path, build)
    monkeypatch.setenv("STEALBENCH_BIN_DIR", "/elsewhere")
    assert Suite(tmp_path).installation == Installation(
        Path("/elsewhere"), Build(["serial"], executables=())
    )
    file.write_text("[]")
    assert "valid" in message_of(lambda: Suite(tmp_path).installation)
