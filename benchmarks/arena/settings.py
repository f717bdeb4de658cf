"""What an arena plays, and how: ``Settings`` is its command line, the first line of its journal, and what plays takes.

A tournament and a league differ in these values only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

import shogun_env
from shogun_env import cli
from shogun_env.benchmarks.arena.journal import hex_64
from shogun_env.benchmarks.arena.programs import BUBBLEWRAP, Limits
from shogun_env.spec.forms import COUNT, anything, fault_of
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.settings import Option, as_json, changed

ALL, DRAWN, NEWCOMERS = "all", "drawn", "newcomers"
"""Who meets (``schedule``): every line-up; line-ups drawn anew for each lap; newcomers first, the rest drawn."""
IN_JOURNAL = (
    "game", "variants", "agents", "schedule", "seed", "conditions", "game_seconds", "start_seconds", "memory_mb",
)  # fmt: skip
"""Fields of ``Settings`` that stand in the journal and never change; others may differ between runs."""
LIMITS = {name: getattr(Limits(), name) for name in ("game_seconds", "start_seconds", "memory_mb")}
"""What an isolated bot may use unless other limits are given."""


@dataclass(frozen=True)
class Settings:
    """What an arena plays, and how it is played in this run."""

    game: Annotated[str, tuple(shogun_env.GAMES), Option(None)]
    variants: Annotated[tuple[dict[str, Any], ...], Option(None)] = ()
    """Options of play of each variant."""
    agents: Annotated[tuple[str, ...], Option(None)] = ()
    """Specs of the bots of a tournament; those of a league enter later."""
    schedule: Annotated[str, (ALL, DRAWN), Option("--line-ups")] = ALL
    """Who plays whom: every selection of bots in turn (all), or random ones, for many bots (drawn)."""
    seed: Annotated[int | None, COUNT] = None
    """Seed of the first game, for the same games in every run, which anybody can foresee; without it seeds follow from
    a secret."""
    secret: Annotated[str | None, hex_64, Option("", "HEX")] = None
    """The published secret of an earlier tournament, to play its games again."""
    conditions: Annotated[str, Option(None)] = ""
    """Name of the fixed conditions (``presets``) that these settings keep; empty: none."""
    game_seconds: Annotated[float | None, Option("", "S", default=f"{LIMITS['game_seconds']:g}")] = None
    """What each isolated bot has by the clock for each game and player."""
    start_seconds: Annotated[float | None, Option("", "S", default=f"{LIMITS['start_seconds']:g}")] = None
    """What each has to start."""
    memory_mb: Annotated[int | None, Option("", "MB", default=str(LIMITS["memory_mb"]))] = None
    """Memory of each of its processes."""
    games: int = 1000
    """Least number of games of each variant."""
    until_interval: Annotated[float | None, Option("", "PERCENT", cli.percentage)] = None
    """Double the games until no 95 % interval of a win share is wider than this."""
    record: bool = False
    """Keep the record of each game, in the folder records."""
    isolate: Annotated[str | None, Option("", "COMMAND", const=BUBBLEWRAP)] = None
    """Start each program and each bot of a Python file in a sandbox of its own made by bubblewrap, or by the command of
    a container engine."""
    threads: Annotated[int, Option(default="one per core")] = 1
    """Threads of the engine."""
    processes: int = 1
    """Processes, for slow bots."""
    ray: Annotated[str | None, Option("", "ADDRESS")] = None
    """A Ray cluster, or local to start one here."""

    def __post_init__(self) -> None:
        """Fill in the options of play of each variant; ValueError for one that the game does not allow, or twice."""
        full = tuple(cli.plain_options(self.spec.check_options(options)) for options in self.variants)
        object.__setattr__(self, "variants", full)
        for number, name in enumerate(names := self.names):
            if name in names[:number]:  # tables are kept by it
                raise ValueError(f"{name!r}: two variants are the same; give each set of options of play once")
        object.__setattr__(self, "agents", tuple(self.agents))

    @property
    def spec(self) -> GameSpec:
        """The specification of the game."""
        return cli.batch_class(self.game).spec

    @property
    def players(self) -> list[int]:
        """Number of players of each variant."""
        return [int(options["num_players"]) for options in self.variants]

    @property
    def names(self) -> list[str]:
        """Name of each variant; see ``variant_name``."""
        return [variant_name(self.spec, options) for options in self.variants]

    @property
    def limits(self) -> dict[str, Any]:
        """The limits that isolated bots have to keep; empty if there are none."""
        return {name: value for name in LIMITS if (value := getattr(self, name)) is not None}

    def in_journal(self) -> dict[str, Any]:
        """Return what stands in the journal, as JSON values."""
        values = as_json(self)
        return {name: values[name] for name in IN_JOURNAL}

    @classmethod
    def of_json(cls, values: Any) -> Self:
        """Return the settings that the first line of a journal holds; ValueError naming the first that is wrong."""
        if fault := fault_of(values, dict.fromkeys(IN_JOURNAL, anything), "the settings"):
            raise ValueError(fault)
        given = {name: value for name, value in values.items() if (name, value) != ("schedule", NEWCOMERS)}
        settings = changed(cls(values["game"], schedule=NEWCOMERS), given)
        if as_json(settings)["variants"] != values["variants"]:
            raise ValueError("variants: options of play are missing")
        return settings


def variant_name(spec: GameSpec, options: Mapping[str, Any]) -> str:
    """Return the name of a set of options of play: the number of players, and the options that are unusual.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> variant_name(SHOGUN, {"num_players": 3, "side": "moon", "start": "draft"})
        '3 players --side moon --start draft'
    """
    players = spec.check_options(options)["num_players"]
    unusual = {name: value for name, value in cli.unusual_options(spec, options).items() if name != "num_players"}
    return " ".join([f"{players} players", *cli.option_arguments(unusual)])


def made_by(game: str) -> dict[str, Any]:
    """Return what a journal says about who made it: versions of the package and of the rules."""
    return {"shogun-env": shogun_env.__version__, "rules": cli.batch_class(game).spec.rules_version}
