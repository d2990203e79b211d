"""What a user may name: what is built, what it says of itself, and what a message says is valid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stealbench.build import Build, read_build
from stealbench.catalogue import Description, Installation, installation
from stealbench.errors import BadInput
from stealbench.settings import Setting, canonical_name, required_by
from stealbench.tests.planted import plant

MAKE = "cmake --preset compare && cmake --build build/compare"
KNOWN = ("serial", "work-stealing", "openmp", "rayon", "taskflow", "openmp-llvm")
BUILD = Build(KNOWN, ("work-stealing",), KNOWN[:2])


def setting(name: str, *words: str, needs: tuple[dict[str, object], ...] = ()) -> Setting:
    return Setting(name, "how", tuple({"word": word, "about": {}} for word in words), needs)


NEED: dict[str, object] = {
    "value": "half",
    "other": "deque",
    "values": ["locked", "abp"],
    "reason": "it must",
}
SETTINGS = (
    setting("deque", "split", "locked", "abp"),
    setting("idle", "park", "spin"),
    setting("amount", "one", "half", needs=(NEED,)),
)
TEXT = "deque=split|locked|abp, idle=park|spin, amount=one|half"


def describing(counters: str = "[]") -> str:
    settings = [
        {"name": e.name, "meaning": e.meaning, "values": e.values, "requirements": e.requirements}
        for e in SETTINGS
    ]
    said = {"scheduler": "work-stealing", "about": {"summary": "steals"}, "library": "in-house"}
    text = json.dumps(said | {"settings": settings, "counters": json.loads(counters)})
    return f"echo '{text}'; echo >> \"$0.calls\""


def message_of(call: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as raised:
        call()
    return str(raised.value)


def test_a_scheduler_is_built_if_its_executable_is_there(tmp_path: Path) -> None:
    installed = Installation(tmp_path, BUILD)
    assert (installed.built(), installed.known()) == ([], list(KNOWN))
    script = plant(tmp_path, "stealbench-openmp", "exit 0")
    (tmp_path / "stealbench-rayon").write_text("no program")
    assert installed.built() == ["openmp"]
    assert installed.executable_of("openmp") == script


def test_other_programs_have_names_of_small_letters_digits_and_hyphens(tmp_path: Path) -> None:
    names = "python Python a_b work-stealing.abp simulated-serial sequential java-2".split()
    for name in names:
        plant(tmp_path, f"stealbench-{name}", "exit 0")
    (tmp_path / "stealbench-folder").mkdir()
    installed = Installation(tmp_path, BUILD)
    assert installed.known() == [*KNOWN, "java-2", "python"]
    message = message_of(lambda: installed.executable_of("none"))
    assert (
        message
        == f"unknown scheduler 'none'; valid: {', '.join(KNOWN)}, java-2, python, sequential"
    )
    assert installed.executable_of("sequential").name == "stealbench-sequential"
    assert Installation(tmp_path / "gone", BUILD).known() == list(KNOWN)


def test_a_scheduler_is_chosen_with_its_settings_in_canonical_form(tmp_path: Path) -> None:
    installed = Installation(tmp_path, BUILD)
    script = plant(tmp_path, "stealbench-work-stealing", describing('["steals"]'))
    plant(tmp_path, "stealbench-serial", "exit 0")
    assert installed.choose("work-stealing:idle=spin:deque=locked") == (
        "work-stealing:deque=locked:idle=spin",
        script,
    )
    assert installed.choose("work-stealing:deque=split") == ("work-stealing", script)
    assert "unknown scheduler 'lottery'" in message_of(lambda: installed.choose("lottery:a=b"))
    assert "not built" in message_of(lambda: installed.choose("openmp:deque=locked"))
    assert message_of(lambda: installed.choose("serial:")) == (
        f"scheduler serial has no settings; valid: serial, or work-stealing with {TEXT}"
    )
    assert installed.counting() == ["work-stealing"]
    calls = (tmp_path / "stealbench-work-stealing.calls").read_text()
    assert calls == "\n", "it is asked once"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", f"a setting is empty; valid: {TEXT}"),
        ("deque=abp:", f"a setting is empty; valid: {TEXT}"),
        ("deque", f"setting 'deque': expected KEY=VALUE; valid: {TEXT}"),
        ("speed=high", f"unknown setting 'speed'; valid: {TEXT}"),
        ("idle=no", "idle=no: unknown value; valid: park, spin"),
        ("idle=park:idle=spin", "idle is set twice; valid: one of idle=park|spin"),
        (
            "amount=half",
            "amount=half does not go with deque=split, because it must; valid: deque=locked|abp",
        ),
    ],
)
def test_settings_that_cannot_be_say_what_is_valid(typed: str, message: str) -> None:
    assert message_of(lambda: canonical_name("work-stealing", SETTINGS, typed)) == message


def test_a_value_requires_others_where_their_defaults_are_not_enough() -> None:
    assert required_by(SETTINGS[2], "half", SETTINGS) == ["deque=locked"]
    assert required_by(SETTINGS[2], "one", SETTINGS) == []
    assert canonical_name("s", SETTINGS, "amount=half:deque=abp") == "s:deque=abp:amount=half"


@pytest.mark.parametrize("body", ["exit 0", "echo 5", "echo '{\"settings\": 5}'", "echo '{'"])
def test_what_does_not_describe_itself_has_no_settings(body: str, tmp_path: Path) -> None:
    installed = Installation(tmp_path, BUILD)
    plant(tmp_path, "stealbench-openmp", body)
    assert installed.description_of("openmp") == Description("openmp")
    assert installed.choose("openmp")[0] == "openmp"


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("kill -SEGV $$", "ended by signal 11"),
        ("echo 'no such library' >&2; exit 127", "exit status 127: no such library"),
    ],
)
def test_one_that_crashes_or_fails_is_not_one_without_settings(
    script: str, how: str, tmp_path: Path
) -> None:
    executable = plant(tmp_path, "stealbench-openmp", f"echo '{{}}'; {script}")
    with pytest.raises(RuntimeError) as raised:
        Installation(tmp_path, BUILD).choose("openmp:order=lifo")
    expected = f"openmp cannot describe itself: {executable} --describe: {how}"
    assert str(raised.value).startswith(expected)


def test_one_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    plant(tmp_path, "stealbench-serial", "exit 0")
    message = message_of(lambda: Installation(tmp_path, BUILD).executable_of("work-stealing"))
    assert message == (
        "scheduler work-stealing is not built (built: serial); build it with\n"
        f"  {MAKE} --target stealbench stealbench-work-stealing"
    )


def test_a_deque_whose_executable_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    build = Build(KNOWN, executables=("stealbench-work-stealing.locked",))
    installed = Installation(tmp_path, build)
    plant(tmp_path, "stealbench-work-stealing", describing())
    typed = "work-stealing:idle=spin:deque=locked"
    assert message_of(lambda: installed.choose(typed)) == (
        "work-stealing:deque=locked:idle=spin is not built; build it with\n"
        f"  {MAKE} --target stealbench stealbench-work-stealing.locked"
    )
    assert "stealbench-work-stealing.locked is not" in message_of(
        lambda: installed.expect_all_built(are_simulations=False)
    )
    installed.expect_all_built(are_simulations=True)
    plant(tmp_path, "stealbench-work-stealing.locked", "exit 0")
    assert installed.choose(typed)[0] == "work-stealing:deque=locked:idle=spin"
    installed.expect_all_built(are_simulations=False)


def test_a_simulation_is_an_executable_of_its_own(tmp_path: Path) -> None:
    installed = Installation(tmp_path, BUILD)
    plant(tmp_path, "stealbench-work-stealing", describing())
    plant(tmp_path, "stealbench-serial", "exit 0")
    for typed, reason in {
        "serial": "scheduler serial cannot be simulated, because it has one worker",
        "rayon": "scheduler rayon cannot be simulated, because it does not run on the in-house",
        "none": "unknown scheduler 'none'; valid: work-stealing",
        "work-stealing": "the simulation of work-stealing is not built; build it with",
    }.items():
        assert message_of(lambda: installed.choose_simulated(typed)).startswith(reason)
    script = plant(tmp_path, "stealbench-simulated-work-stealing.abp", "exit 0")
    name = "work-stealing:deque=abp"
    assert installed.choose_simulated("work-stealing:deque=abp") == (name, script)


def test_what_is_missing_is_added_by_a_build_or_behind_a_package_or_from_its_sources() -> None:
    build = Build(
        KNOWN,
        executables=("stealbench-openmp",),
        packaged=("openmp", "rayon", "openmp-llvm"),
        from_source=("taskflow",),
    )
    build_all = f"{MAKE} --target stealbench stealbench-"
    additions = build.additions_of(["rayon", "openmp", "serial", "openmp-llvm", "taskflow"])
    assert [(each.names, each.command) for each in additions] == [
        (["openmp", "serial"], f"{build_all}NAME"),
        (["rayon", "openmp-llvm"], f".ci/install NAME &&\n  {build_all}NAME"),
        (
            ["taskflow"],
            "export CMAKE_PREFIX_PATH=FOLDER  # see schedulers/taskflow/README.md\n"
            f"  {build_all}taskflow",
        ),
    ]
    assert build.compare_command(["openmp", "serial"]) == f"{MAKE} --target comparison"
    assert build.compare_command(["openmp", "rayon", "openmp-llvm"]) == (
        f".ci/install rayon openmp-llvm && {MAKE} --target comparison"
    )
    assert build.additions_of([]) == []


def test_the_build_says_what_it_knows_and_a_variable_names_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEALBENCH_BIN_DIR", raising=False)
    assert installation(tmp_path) == Installation(tmp_path)
    written = {"known": ["serial"], "executables": ["stealbench-serial"], "more": 1}
    (tmp_path / "stealbench-build.json").write_text(json.dumps(written))
    build = Build(("serial",), executables=("stealbench-serial",))
    assert installation(tmp_path) == Installation(tmp_path, build)
    monkeypatch.setenv("STEALBENCH_BIN_DIR", "/elsewhere")
    assert installation(tmp_path) == Installation(Path("/elsewhere"), Build(("serial",)))
    (tmp_path / "stealbench-build.json").write_text("[]")
    assert "valid" in message_of(lambda: read_build(tmp_path / "stealbench-build.json"))


def test_profiles_are_beside_the_executables(tmp_path: Path) -> None:
    assert Installation(tmp_path).profiles() == {}
    (tmp_path / "profiles").mkdir()
    for name in ("b.json", "a.json", "c.txt"):
        (tmp_path / "profiles" / name).touch()
    assert list(Installation(tmp_path).profiles()) == ["a", "b"]
