"""One experiment: settings from a command line, rows that are measured with them, and a file of what came out.

A new measure is a short file: a frozen dataclass of settings, whose fields are the options; a generator of rows; the
figures that a file keeps of the rows; and their table. All else is here: the parser, progress, Ctrl-C, command and
machine next to the figures, ``--json``, and resuming from that file.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar

from shogun_env import GAMES, cli
from shogun_env.benchmarks.documents import Tree, read_json
from shogun_env.spec.forms import COUNT, fault_of, one_line
from shogun_env.spec.settings import Option, add_options, given

Item = TypeVar("Item")
S = TypeVar("S", bound="GameSettings")

# --- settings --------------------------------------------------------------------------------------------------------


Seed = Annotated[int, COUNT]
Percent = Annotated[float, Option(metavar="PERCENT", read=cli.percentage)]
"""A share, 0..1, that is given in per cent."""


@dataclass(frozen=True)
class GameSettings:
    """What all settings have."""

    game: Annotated[str, Option(None)] = GAMES[0]


@dataclass(frozen=True)
class WithOptions(GameSettings):
    """Settings of an experiment whose games may have any options of play."""

    options: Annotated[Mapping[str, Any], Option(None)] = field(default_factory=dict)
    """Those that are given, not yet checked; a value may be a list, where the experiment says so."""


def settings_in(args: Namespace, settings: type[S]) -> S:
    """Return the settings that a command line gives."""
    of_play = {"options": cli.options_of(args)} if issubclass(settings, WithOptions) else {}
    return settings(game=args.game, **of_play, **given(args, settings))


# --- what came out ---------------------------------------------------------------------------------------------------


class Watch(NamedTuple):
    """What a measure is given besides its settings."""

    show: cli.Progress = cli.no_progress
    """Shows how far it is, 0..1."""
    question: Mapping[str, Any] = MappingProxyType({})
    """That of the experiment, for these settings."""
    earlier: Sequence[Any] = ()
    """What an earlier run of the same question kept, to be resumed from."""

    def each(self, items: Collection[Item], title: Callable[[Item], str] = str) -> Iterator[Item]:
        """Yield items, and show how many of them are done, and which is next."""
        for done, item in enumerate(items):
            self.show(done / len(items), title(item))
            yield item


def earlier(
    path: Path | None, question: Mapping[str, Any], name: str, form: list[Any], option: str = "--json"
) -> list[Any]:
    """Return what an earlier run of the same question kept in a file, nothing without a file.

    Args: path; question, values that the file must hold; name and form of the list that is returned; option by which
        another file is given, for the error.
    Raises: ValueError for the file of another question, naming what differs, one that is not of this command, or is
        damaged.
    """
    if path is None or not path.exists():
        return []
    content = read_json(path, *question, name)
    values: list[Any] = content[name]
    if other := _difference(content, json.loads(json.dumps(question))):
        raise ValueError(f"{path}: of another run ({other}); give another {option}")
    if fault := fault_of({name: values}, {name: form}):
        raise ValueError(f"{path}: damaged; {fault}")
    return values


def _difference(old: Any, new: Any, name: str = "") -> str:
    """Return in words the first value of ``new`` that ``old`` does not share; empty if there is none."""
    if isinstance(old, dict) and isinstance(new, dict):
        parts = (_difference(old.get(key), new[key], f"{name} {key}".strip()) for key in new)
        return next(filter(None, parts), "")
    return "" if old == new else f"{name}: {one_line(str(old), 100)}, not {one_line(str(new), 100)}"


# --- the experiment --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Experiment:
    """A command that measures something."""

    name: str
    """Of the command."""
    settings: type[Any]
    """The dataclass of its settings."""
    measure: Callable[[Any, Watch], Iterator[Any]]
    """``measure(settings, watch)`` yields rows. After Ctrl-C those so far are kept."""
    figures: Callable[[Any, list[Any]], Tree]
    """``figures(settings, rows)``: what a file holds besides command and machine."""
    table: Callable[[Tree], str] = lambda run: ""
    """What a file says, as a text that is printed at the end."""
    question: Callable[[Any, Path | None], Mapping[str, Any]] = lambda settings, path: {}
    """``question(settings, path)``: what the file of that path also holds, and must share to be resumed from; empty
    where a run is not resumed."""
    resumed_from: tuple[str, list[Any]] | None = None
    """Name and form of what a run is resumed from in the file, which is written after every row then."""
    line: Callable[[Any], str] | None = None
    """What is printed of a row as soon as it is measured."""
    status: Callable[[Tree], int] = lambda run: 0
    """The exit status that a file stands for."""
    instead: Callable[[Any], Experiment | None] = lambda settings: None
    """Another experiment that settings ask for."""

    def add_arguments(self, parser: cli.Parser, game: str) -> None:
        """Add the arguments of the command, with the options of play of ``game`` if its settings have any."""
        add_options(parser, self.settings)
        parser.add_json("the figures")
        if issubclass(self.settings, WithOptions):
            parser.add_play(game)
        else:
            parser.add_game()

    def main(self, args: Namespace) -> int:
        """Run the command; return its exit status."""
        settings = settings_in(args, self.settings)
        return (self.instead(settings) or self).run(settings, args.json, args.command_line)

    def run(self, settings: Any, path: Path | None, command: str) -> int:
        """Measure, print and write the figures; return the exit status, 130 after Ctrl-C.

        Args: settings; path of the file, or None; command, which the file names.
        """
        question = self.question(settings, path)
        about = {"command": command, "machine": cli.origin(), **question}
        before = earlier(path, question, *self.resumed_from) if self.resumed_from else []
        rows, is_stopped = [], False
        with cli.progress(self.name, 1.0) as show:
            try:
                for row in self.measure(settings, Watch(show=show, question=question, earlier=before)):
                    rows.append(row)
                    if self.line:
                        print(self.line(row), flush=True)
                    if self.resumed_from:
                        cli.write_json(path, about | self.figures(settings, rows))
                show(1.0, "done")
            except KeyboardInterrupt:
                if not rows:
                    raise
                is_stopped = True
        if is_stopped:
            print("stopped; what is complete is kept", file=sys.stderr)
        run = about | self.figures(settings, rows)
        print(self.table(run), end="")
        cli.write_json(path, run)
        return 130 if is_stopped else self.status(run)
