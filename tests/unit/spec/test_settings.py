"""A dataclass of settings as options of a command, as TOML and as JSON."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest

from shogun_env.cli import Parser
from shogun_env.spec.forms import from_0_to_1
from shogun_env.spec.settings import Option, add_options, as_json, changed, given, settings_of
from tests.refusals import refusal


@dataclass(frozen=True)
class Base:
    games: int = 100
    """Games of each bot. They begin with one seed."""


@dataclass(frozen=True)
class Run(Base):
    share: Annotated[float, from_0_to_1] = 0.5
    """Part that is kept, 50 % at first."""
    bots: tuple[str, ...] = ("random", "scripted")
    """Who plays."""
    tables: tuple[dict[str, Any], ...] = ({},)
    """What is played."""
    way: Annotated[str, ("short", "long")] = "short"
    """Which way."""
    limit: int | None = None
    """No more than this."""
    is_loud: bool = False
    """Whether it says so."""
    sandbox: Annotated[str | None, Option("--isolate", "COMMAND", const="bwrap")] = None
    """Where they play."""
    folder: Path = Path("runs/a")
    """Where it is kept."""
    hidden: Annotated[dict[str, Any], Option(None)] = field(default_factory=dict)
    """No option."""


def parsed(words: list[str], **more: Any) -> Run:
    parser = Parser(prog="prog")
    add_options(parser, Run, **more)
    return Run(**given(parser.parse_args(words), Run))


GIVEN = {
    "--games 7": Run(games=7),
    "--share .25 --limit 3": Run(share=0.25, limit=3),
    "--bots a,b:c=1": Run(bots=("a", "b:c=1")),
    "--tables [{},{x=3}]": Run(tables=({}, {"x": 3})),
    "--way long --is-loud": Run(way="long", is_loud=True),
    "--isolate": Run(sandbox="bwrap"),
    "--isolate podman --folder /x": Run(sandbox="podman", folder=Path("/x")),
}


@pytest.mark.parametrize("words", GIVEN)
def test_options__of_every_type__are_the_settings_and_so_is_their_json(words):
    assert parsed(words.split()) == GIVEN[words]
    assert changed(Run(), json.loads(json.dumps(as_json(GIVEN[words])))) == GIVEN[words]


def test_options__not_given_where_a_file_holds_the_defaults__are_left_out():
    parser = Parser(prog="prog")
    add_options(parser, Run, given_only=True)
    assert given(parser.parse_args([]), Run) == {}
    assert given(parser.parse_args(["--no-is-loud", "--games", "100"]), Run) == {"is_loud": False, "games": 100}


def test_options__help__is_the_first_sentence_with_the_default():
    parser = Parser(prog="prog")
    add_options(parser, Run, ["games", "share", "bots", "limit"])
    text = parser.format_help()
    for line in ("games of each bot (100)", "part that is kept, 50 % at first (0.5)", "who plays (random,scripted)"):
        assert line in text
    assert "no more than this\n" in text and "folder" not in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--games 0", "argument --games: '0' must be a whole number, at least 1"),
        ("--limit 0", "argument --limit: '0' must be a whole number, at least 1"),
        ("--games 1_0", "argument --games: '1_0' must be a whole number, at least 1"),
        ("--share nan", "argument --share: 'nan' must be a number from 0 to 1"),
        ("--tables {", "argument --tables: '{' must be a list of a table of values by name"),
        ("--way far", "argument --way: invalid choice: 'far'"),
        ("--hidden x", "unrecognized arguments: --hidden x"),
    ],
)
def test_options__wrong__are_refused_in_one_line_with_what_would_be_right(words, says, capsys):
    assert refusal(capsys, parsed, *words.split()).startswith(f"prog: {says}")


def test_settings_of__class_without_a_source__has_no_help():
    made: dict[str, Any] = {"dataclass": dataclass}
    exec("@dataclass\nclass Made:\n    x: int = 1", made)
    assert settings_of(made["Made"])["x"].help == ""
