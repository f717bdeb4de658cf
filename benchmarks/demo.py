"""``make demo``: train a small bot for two minutes, rate it in tournaments, and write a report and a replay.

``shogun-env demo --game shitenno`` does the same for Shitennō.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.page import page
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.benchmarks.arena.tables import Tables, markdown
from shogun_env.benchmarks.report import read_tournament, training_part
from shogun_env.benchmarks.tournament import run as tournament
from shogun_env.policies import make_agent, play_on
from shogun_env.records.record import record_name, write_record
from shogun_env.training.config import Config, changed, load_config, with_options

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

REPLAY_SEED = 7
"""Seed of the game that is shown as a replay."""
TOURNAMENT_SEED = 1_000_000
"""Seed of the first game of each tournament."""
CHAMPION = "champion"
"""The bot that also plays at the mixed tables, so that one sees how far training goes."""
MARK = "made-by-make-demo"
"""File that marks a folder as made by this command."""


def fresh(out: Path) -> None:
    """Make an empty folder; a folder that an earlier demo made is emptied.

    Raises: ValueError if the folder holds anything else.
    """
    if out.exists() and any(out.iterdir()):
        if not (out / MARK).exists():
            raise ValueError(f"{out} is not empty, and no earlier demo made it; give another --out")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).touch()


def players_of(config: Config) -> int:
    """Return the number of players of the games trained on."""
    players: int = cli.batch_class(config.game).spec.check_options(config.options)["num_players"]
    return players


def folder_of(out: Path, heading: str) -> Path:
    """Return the folder of the tournament with a heading."""
    return out / heading.lower().replace(" ", "-")


def rate(out: Path, bot: str, config: Config, games: int) -> dict[str, Tables]:
    """Play tournaments of a bot, mixed and alone against each bot of its evaluation; return tables by heading."""
    players = players_of(config)
    play = cli.option_arguments(cli.unusual_options(cli.batch_class(config.game).spec, config.options))
    line_ups = {"Mixed tables": [bot, *config.evaluate_against, CHAMPION]}
    line_ups |= {f"Alone against {name}": [bot, *[name] * (players - 1)] for name in config.evaluate_against}
    results = {}
    for heading, names in line_ups.items():
        settings = Settings(
            game=config.game, agents=tuple(names), games=games, seed=TOURNAMENT_SEED, variants=(config.options,)
        )
        arguments = ["--game", config.game, "--agents", ",".join(names), "--games", str(games)]
        arguments += ["--seed", str(TOURNAMENT_SEED), *play]
        results[heading] = tournament(
            folder_of(out, heading),
            settings,
            command=f"shogun-env tournament {shlex.join(arguments)}",
            title=heading.lower(),
        )
        if not results[heading].is_complete:
            raise KeyboardInterrupt
    return results


def replay(out: Path, batch_class: type[Batch], names: Sequence[str], options: Mapping[str, Any]) -> Path:
    """Play one game, and write its record and an HTML page of it; return the path of the page."""
    from shogun_env.records.view import html_page  # not above: --help needs no engine

    batch = batch_class(1, seed=REPLAY_SEED, record=True, **options)
    bots = [make_agent(name, batch.spec) for name in names]
    play_on(batch, bots, np.arange(batch.num_players, dtype=np.int8)[None])
    lines = batch.records(agents=list(names))[0]
    write_record(out / record_name(batch.spec, REPLAY_SEED), lines)
    path = out / "replay.html"
    path.write_text(html_page(batch_class, lines), "utf-8")
    return path


def play_command(bot: str, config: Config) -> str:
    """Return the command that opens a page to play against a bot, with the options it was trained on."""
    play = cli.option_arguments(cli.unusual_options(cli.batch_class(config.game).spec, config.options))
    script = Path(sys.executable).with_name(cli.SCRIPT)  # `make demo` activates no environment
    command = [str(script), "play", "--game", config.game, "--against", bot, *play]
    return shlex.join(command)


def demo(out: Path, config: Config, games: int, command: str) -> None:
    """Train, rate and report, and print where the results are.

    Raises: ValueError for bad settings, or a folder that holds anything but an earlier demo; nothing is written then.
    """
    from shogun_env.training.runs import Run, check_playable  # not above: --help needs neither engine nor torch
    from shogun_env.training.trainer import train

    begin = time.monotonic()
    batch_type = cli.batch_class(config.game)
    check_playable(config, batch_type)
    make_agent(CHAMPION, batch_type.spec)  # of a game without one nothing is trained
    fresh(out)
    print(f"1 of 3: training a bot for {config.seconds:.0f} s into {out / 'run'}", flush=True)
    run = Run.create(out / "run", config, batch_type, command)
    if not train(run):
        raise KeyboardInterrupt
    print("2 of 3: tournaments, every bot in every seat", flush=True)
    bot = f"ppo:{run.folder}"
    results = rate(out, bot, config, games)
    print("3 of 3: report and replay", flush=True)
    names = [bot, *islice(cycle(reversed(config.evaluate_against)), players_of(config) - 1)]
    replay_page = replay(out, batch_type, names, config.options)
    report = out / "report.html"
    link = f'<p>One game, step by step: <a href="{replay_page.name}">{replay_page.name}</a></p>'
    tournaments = [read_tournament(folder_of(out, heading), out) for heading in results]
    for told, heading in zip(tournaments, results, strict=True):
        told["heading"] = heading
    title = f"{batch_type.spec.title}: a bot trained in {config.seconds:.0f} seconds"
    report.write_text(page(title, tournaments, training_part(run.folder), link), "utf-8")
    for heading, tables in results.items():
        for table in tables.standings.values():
            print(f"\n{heading}\n{markdown(table)}", end="")
    print(f"\n{time.monotonic() - begin:.0f} s in all; open in a browser:")
    print(f"report   {report.resolve().as_uri()}\nreplay   {replay_page.resolve().as_uri()}")
    print(f"and to play against what you just trained, the address that this prints:\n  {play_command(bot, config)}")


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = cli.Parser(
        prog="shogun-env demo",
        description="Train a small bot for two minutes, rate it, and write a report and a replay.",
    )
    parser.add_argument(
        "--seconds", type=cli.seconds, metavar="S", help="seconds of training, more than 0 (those of the config quick)"
    )
    parser.add_games(400, "least number of games of each tournament")
    parser.add_out(None, "folder (demo/GAME)")
    parser.add_play(game)
    return parser


def config_of(args: argparse.Namespace) -> Config:
    """Return the settings of the training; ValueError for bad arguments."""
    config = load_config(cli.batch_class(args.game).spec, "quick")
    if args.seconds == 0:
        raise ValueError("--seconds 0: the training must end; give more than 0")
    if args.seconds is not None:
        config = changed(config, {"seconds": args.seconds})
    return with_options(config, cli.options_of(args))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    out = args.out or Path("demo") / args.game
    with parser.one_line_errors():
        try:
            demo(out, config_of(args), args.games, cli.command_line(parser, arguments))
        except KeyboardInterrupt:
            print(f"stopped; the results so far are in {out}", file=sys.stderr)
            return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
