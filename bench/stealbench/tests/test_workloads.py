"""What can be set on a workload, of a program that prints what one of the suite is to print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stealbench.errors import BadInput
from stealbench.tests.planted import plant
from stealbench.workloads import (
    Value,
    Workload,
    find_workload,
    instances_of,
    parse_assignment,
    parse_integer,
    range_of_grain,
    read_workloads,
    text_of,
    values_of,
)

UTS: dict[str, Any] = {
    "name": "uts",
    "family": "recursive",
    "summary": "counts a tree",
    "shape": "a spawn for each child",
    "tasks": "the nodes",
    "work": "Θ(nodes)",
    "span": "Θ(depth)",
    "bound_by": "memory traffic",
    "answer": "nodes",
    "source": "Olivier et al.",
    "unit": None,
    "parameters": [
        {"name": "tree", "meaning": "a published tree", "type": "choice", "default": "custom"}
        | {"choices": ["custom", "T1", "T3"]}
        | {"means": {"T1": {"b": "4", "q": "0.25"}, "T3": {"b": "2000", "q": "0.124875"}}},
        {"name": "b", "meaning": "children", "type": "integer", "min": 1, "max": 10000}
        | {"default": 4},
        {"name": "q", "meaning": "probability", "type": "real", "min": 0, "max": 1, "default": 0.5},
        {"name": "cut", "meaning": "levels", "type": "integer", "min": 0, "max": 2**64 - 1}
        | {"default": 9},
    ],
    "grain": {"parameter": "cut", "counts": "levels_of_forks", "least": 4, "bounded_by": "b"},
    "sizes": {
        "test": [{"b": "2^3", "cut": "3"}],
        "small": [{"tree": "T1"}],
        "standard": [{"tree": "T1"}, {"tree": "T3"}],
        "large": [{"q": "0.75"}, {"q": "0.750"}, {"q": "0.75", "cut": "9"}],
    },
}


@pytest.fixture
def uts(tmp_path: Path) -> Workload:
    printed = json.dumps({"workloads": [UTS]})
    program = plant(tmp_path, "stealbench-serial", f"[ $1 = --catalogue ] && echo '{printed}'")
    return find_workload(read_workloads(program), "uts")


def message_of(call: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as raised:
        call()
    return str(raised.value)


def test_it_is_what_the_program_printed(uts: Workload) -> None:
    assert (uts.family, uts.about["bound_by"]) == ("recursive", "memory traffic")
    assert uts.sizes["test"] == [[("b", "2^3"), ("cut", "3")]]
    assert "is bound by memory traffic" in uts.why_not_simulated
    assert message_of(lambda: find_workload([uts], "fib")) == "unknown workload 'fib'; valid: uts"


@pytest.mark.parametrize("body", ["exit 3", "echo 5", "echo '{}'", "echo '{\"workloads\":[{}]}'"])
def test_a_program_without_a_catalogue_is_an_error(body: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stealbench-serial --catalogue: "):
        read_workloads(plant(tmp_path, "stealbench-serial", body))


def test_a_size_is_the_parameters_that_it_sets_in_their_order(uts: Workload) -> None:
    assert instances_of(uts, "test", []) == [(("b", "8"), ("cut", "3"))]
    assert instances_of(uts, "standard", []) == [(("tree", "T1"),), (("tree", "T3"),)]
    assert instances_of(uts, "large", []) == [(("q", "0.75"),)], "equal ones are one"
    valid = "uts has no such size; valid: test, small, standard, large"
    assert message_of(lambda: instances_of(uts, "huge", [])) == f"--size huge: {valid}"


def test_the_users_assignments_win_over_the_size(uts: Workload) -> None:
    assert instances_of(uts, "standard", [("tree", "T1")]) == [(("tree", "T1"),)]
    assert instances_of(uts, "small", [("b", "7")]) == [(("b", "7"),)], "which T1 means"
    assert instances_of(uts, "test", [("tree", "T3")]) == [(("tree", "T3"), ("cut", "3"))]
    assert instances_of(uts, "small", [("cut", "1"), ("cut", "2")]) == [
        (("tree", "T1"), ("cut", "2"))
    ]


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        (("x", "1"), "--set x=1: uts has no parameter 'x'; valid: tree, b, q, cut"),
        (("b", "0"), "--set b=0: expected an integer between 1 and 10000"),
        (("b", "+1"), "--set b=+1: expected an integer between 1 and 10000"),
        (("q", "nan"), "--set q=nan: expected a number between 0 and 1"),
        (("q", "2^0"), "--set q=2^0: expected a number between 0 and 1"),
        (("tree", "T9"), "--set tree=T9: expected one of custom, T1, T3"),
    ],
)
def test_what_is_not_valid_says_what_is(
    assignment: tuple[str, str], message: str, uts: Workload
) -> None:
    assert message_of(lambda: values_of(uts, [assignment])) == message


def test_a_word_fills_in_what_it_means_and_allows_nothing_beside_it(uts: Workload) -> None:
    values, is_set = values_of(uts, [("tree", "T3")])
    assert (values["b"], values["q"], is_set) == (2000, 0.124875, ["tree"])
    assert message_of(lambda: values_of(uts, [("b", "7"), ("tree", "T1")])) == (
        "--set tree=T1: it means b=4, so --set b cannot be used with it"
    )


def test_numbers_are_read_and_written_as_users_type_them() -> None:
    for text, value in {
        "8": 8,
        "2^23": 2**23,
        "2^63": 2**63,
        str(2**64 - 1): 2**64 - 1,
    }.items():
        assert parse_integer(text) == value
    for text in ("", "-1", "2^64", "2^", "2^-1", " 1", "1 ", "1_0", "٣", str(2**64), "9" * 5000):
        assert parse_integer(text) is None
    texts: dict[str, Value] = {"7": 7, "4": 4.0, "0.25": 0.25, "5e-09": 5e-9, "T1": "T1"}
    for text, number in texts.items():
        assert text_of(number) == text
    assert parse_assignment("a=b=c") == ("a", "b=c")
    for text in ("", "a", "=b"):
        assert "expected KEY=VALUE" in message_of(lambda: parse_assignment(text))


def test_the_range_of_the_grain_ends_where_it_makes_one_piece(uts: Workload) -> None:
    assert range_of_grain(uts, values_of(uts, [("b", "20")])[0]) == (4, 20)
    assert range_of_grain(uts, values_of(uts, [("b", "2")])[0]) == (2, 2)
