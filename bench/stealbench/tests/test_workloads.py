"""What can be set on a workload, of a program that prints what one of the suite is to print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stealbench.tests.planted import message_of, plant, rows
from stealbench.options import parse_assignment
from stealbench.suite import Suite
from stealbench.workloads import Value, Workload, instances_of, parse_integer, range_of_grain
from stealbench.workloads import read_catalogue, text_of, values_of

UTS: dict[str, Any] = {
    **{"name": "uts", "family": "recursive", "summary": "counts a tree", "shape": "a spawn"},
    **{"tasks": "the nodes", "work": "Θ(nodes)", "span": "Θ(depth)", "answer": "nodes"},
    **{"bound_by": "memory traffic", "source": "Olivier et al.", "unit": None},
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
    printed = json.dumps({"workloads": [UTS], "metrics": []})
    plant(tmp_path, "stealbench-serial", f"[ $1 = --catalogue ] && echo '{printed}'")
    return Suite(tmp_path).workload("uts")


def test_it_is_what_the_program_printed(uts: Workload, tmp_path: Path) -> None:
    assert (uts.family, uts.bound_by) == ("recursive", "memory traffic")
    assert "is bound by memory traffic" in uts.why_not_simulated
    unknown = "unknown workload 'fib'; valid: uts"
    assert message_of(lambda: Suite(tmp_path).workload("fib")) == unknown


@pytest.mark.parametrize("body", ["exit 3", "echo 5", "echo '{}'", "echo '{\"workloads\":[{}]}'"])
def test_a_program_without_a_catalogue_is_an_error(body: str, tmp_path: Path) -> None:
    program = plant(tmp_path, "stealbench-serial", body)
    assert "stealbench-serial --catalogue: " in message_of(
        lambda: read_catalogue(program), RuntimeError
    )


INSTANCES = """
test     |             | b=8 cut=3
standard |             | tree=T1, tree=T3
large    |             | q=0.75
standard | tree=T1     | tree=T1
small    | b=7         | b=7
small    | q=-0        | q=0
test     | tree=T3     | tree=T3 cut=3
small    | cut=1 cut=2 | tree=T1 cut=2
"""


@pytest.mark.parametrize(("size", "by_user", "instances"), rows(INSTANCES))
def test_a_size_is_what_it_sets_unless_the_user_sets_that(
    size: str, by_user: str, instances: str, uts: Workload
) -> None:
    assignments = list(map(parse_assignment, by_user.split()))
    texts = [" ".join(map("=".join, own)) for own in instances_of(uts, size, assignments)]
    assert ", ".join(texts) == instances


REFUSED = """
x=1    | --set x=1: uts has no parameter 'x'; valid: tree, b, q, cut
b=0    | --set b=0: expected an integer between 1 and 10000
q=2^0  | --set q=2^0: expected a number between 0 and 1
tree=T9 | --set tree=T9: expected one of custom, T1, T3
b=7,tree=T1 | --set tree=T1: it means b=4, so --set b cannot be used with it
"""


@pytest.mark.parametrize(("typed", "message"), rows(REFUSED))
def test_what_is_not_valid_says_what_is(typed: str, message: str, uts: Workload) -> None:
    assignments = list(map(parse_assignment, typed.split(",")))
    assert message_of(lambda: values_of(uts, assignments)) == message


def test_a_word_fills_in_what_it_means(uts: Workload) -> None:
    values, is_set = values_of(uts, [("tree", "T1"), ("tree", "T3")])
    assert (values["b"], values["q"], is_set) == (2000, 0.124875, ["tree"])


def test_a_whole_number_is_read_as_users_type_it() -> None:
    valid = {"8": 8, "2^23": 2**23, "2^63": 2**63, str(2**64 - 1): 2**64 - 1}
    assert list(map(parse_integer, valid)) == list(valid.values())
    for text in ("", "-1", "2^64", "2^", " 1", "1_0", "٣", "9" * 5000, "2^" + "9" * 40):
        assert parse_integer(text) is None


def test_values_are_written_as_users_type_them() -> None:
    texts: dict[str, Value] = {"7": 7, "4": 4.0, "0.25": 0.25, "5e-09": 5e-9, "T1": "T1"}
    assert list(map(text_of, texts.values())) == list(texts)
    assert parse_assignment("a=b=c") == ("a", "b=c")
    for text in ("", "a", "=b"):
        assert "expected KEY=VALUE" in message_of(lambda: parse_assignment(text))


@pytest.mark.parametrize(("b", "expected"), [("20", (4, 20)), ("2", (2, 2))])
def test_the_range_of_the_grain_ends_where_it_makes_one_piece(
    b: str, expected: tuple[int, int], uts: Workload
) -> None:
    assert range_of_grain(uts, values_of(uts, [("b", b)])[0]) == expected
