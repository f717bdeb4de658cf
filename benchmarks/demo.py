"""``make demo``: train a small bot for two minutes, rate it in tournaments, and write a report and a replay.

``shogun-env demo --game shitenno`` does the same for Shitennō. It prints and runs other commands of the package, each
in a process of its own, so whatever it does can be done again by hand.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path

from shogun_env import cli
from shogun_env.policies import make_agent
from shogun_env.training.config import Config, changed, load_config, with_options

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


def commands_of(out: Path, config: Config, games: int) -> dict[str, list[list[str]]]:
    """Return the commands that the demo runs, without the name of the script, by what they do."""
    spec = cli.batch_class(config.game).spec
    players = int(spec.check_options(config.options)["num_players"])
    play = ["--game", config.game, *cli.option_arguments(cli.unusual_options(spec, config.options))]
    bot, others = f"ppo:{out / 'run'}", config.evaluate_against
    line_ups = {"mixed-tables": [bot, *others, CHAMPION]}
    line_ups |= {f"alone-against-{name}": [bot, *[name] * (players - 1)] for name in others}
    folders = {out / name: ",".join(bots) for name, bots in line_ups.items()}
    at_table = ",".join([bot, *islice(cycle(reversed(others)), players - 1)])
    tournament = ["tournament", *play, "--games", str(games), "--seed", str(TOURNAMENT_SEED)]
    record = ["record", *play, "--agents", at_table, "--seed", str(REPLAY_SEED), "--out", str(out)]
    view = ["view", str(out / f"{REPLAY_SEED}.{config.game}.jsonl"), "--out", str(out / "replay.html")]
    report = [word for folder in folders for word in ("--tournament", str(folder))]
    train = ["selfplay", "--config", "quick", "--seconds", f"{config.seconds:g}", *play, "--out", str(out / "run")]
    return {
        f"training a bot for {config.seconds:g} s": [train],
        "tournaments, every bot in every seat": [
            [*tournament, "--agents", bots, "--out", str(folder)] for folder, bots in folders.items()
        ],
        "report and replay": [
            ["report", *report, "--run", str(out / "run"), "--out", str(out / "report.html")], record, view,
        ],
    }  # fmt: skip


def play_command(bot: str, config: Config) -> str:
    """Return the command that opens a page to play against a bot, with the options it was trained on."""
    play = cli.option_arguments(cli.unusual_options(cli.batch_class(config.game).spec, config.options))
    script = Path(sys.executable).with_name(cli.SCRIPT)  # `make demo` activates no environment
    return shlex.join([str(script), "play", "--game", config.game, "--against", bot, *play])


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--seconds", type=cli.seconds, metavar="S", help="seconds of training, more than 0 (those of the config quick)"
    )
    parser.add_games(400, "least number of games of each tournament")
    parser.add_out(None, "folder (demo/GAME)")
    parser.add_play(game)


def config_of(args: argparse.Namespace) -> Config:
    """Return the settings of the training; ValueError for bad arguments, or a game without a champion."""
    from shogun_env.training.runs import check_playable  # not above: --help needs neither engine nor torch

    batch_type = cli.batch_class(args.game)
    config = load_config(batch_type.spec, "quick")
    if args.seconds == 0:
        raise ValueError("--seconds 0: the training must end; give more than 0")
    if args.seconds is not None:
        config = changed(config, {"seconds": args.seconds})
    config = with_options(config, cli.options_of(args))
    check_playable(config, batch_type)
    make_agent(CHAMPION, batch_type.spec)
    return config


def status_of(command: list[str]) -> int:
    """Run a command and return its exit status; Ctrl-C reaches it, too, and it saves what it has."""
    with subprocess.Popen(command) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            return process.wait() or 130


def main(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    out, begin = args.out or Path("demo") / args.game, time.monotonic()
    import shogun_env.training.trainer  # noqa: F401  (what is not installed is said before a folder is made)

    config = config_of(args)
    fresh(out)
    steps = commands_of(out, config, args.games)
    for number, (words, commands) in enumerate(steps.items(), 1):
        print(f"{number} of {len(steps)}: {words}", flush=True)
        for command in commands:
            print(f"\n{cli.SCRIPT} {shlex.join(command)}", flush=True)
            if status := status_of([sys.executable, "-m", "shogun_env", *command]):
                print(f"stopped; the results so far are in {out}", file=sys.stderr)
                return status
    print(f"\n{time.monotonic() - begin:.0f} s in all; open in a browser:")
    for name in ("report", "replay"):
        print(f"{name}   {(out / name).resolve().as_uri()}.html")
    bot = f"ppo:{out / 'run'}"
    print(f"and to play against what you just trained, the address that this prints:\n  {play_command(bot, config)}")
    return 0
