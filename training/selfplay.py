"""Self-play training: ``shogun-env selfplay --game shitenno --config quick --out runs/first``.

The network imitates a bot first; then PPO learns from whole games against bots, itself and its past. Ctrl-C or
SIGTERM saves the run as it is; ``--resume`` resumes it. What a run does is in ``trainer.py``.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from shogun_env import GAMES
from shogun_env.cli import AS_SETTINGS_SAY, Parser, batch_class, count, options_of, seconds, write_json
from shogun_env.training.config import Config, add_settings, changed, changes_of, load_config, with_options

if TYPE_CHECKING:
    from shogun_env.training.runs import Run


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.epilog = "Settings come from the config; --set overrides them, and the other options override both."
    add_settings(parser)
    parser.add_argument(
        "--decisions", type=count, metavar="N", help=f"stop after this many decisions ({AS_SETTINGS_SAY})"
    )
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help=f"stop after this many seconds; 0: no limit ({AS_SETTINGS_SAY})"
    )
    parser.add_seed("seed of the games, the network and the learner", default=None)
    parser.add_out("runs/selfplay", "folder of the run")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="resume the run in --out with its game and settings, not --config and --set",
    )
    parser.add_json("the last line of progress")
    parser.add_play(game)
    parser.set_defaults(game=None)


def config_of(args: argparse.Namespace) -> Config:
    """Return the settings that the arguments describe; ValueError for an unknown setting or a bad value."""
    changes = {**changes_of(args.set), **settings_of(args)}
    config = load_config(batch_class(args.game or GAMES[0]).spec, args.config, changes)
    return with_options(config, options_of(args))


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that are given by an argument of their own."""
    return {name: value for name in ("decisions", "seconds", "seed") if (value := getattr(args, name)) is not None}


def run_of(args: argparse.Namespace) -> Run:
    """Return the run to begin or to resume.

    Raises: ValueError for bad settings, or a run of another game, with other options of play or another seed.
    """
    from shogun_env.training.runs import Run, about_run  # not above: --help needs no engine

    if not args.resume:
        config = config_of(args)
        return Run.create(args.out, config, batch_class(config.game), args.command_line)
    game = about_run(args.out)["config"]["game"]
    if args.game not in (None, game):
        raise ValueError(f"{args.out} is a run of {game}, but --game {args.game}")
    run = Run.open(args.out, batch_class(game))
    check_options = run.batch_class.spec.check_options
    own = check_options(run.config.options)
    for name, value in check_options({**run.config.options, **options_of(args)}).items():
        if value != own[name]:
            raise ValueError(f"{args.out} is a run with {name}={own[name]!r}, which cannot become {value!r}")
    if args.seed not in (None, run.config.seed):
        raise ValueError(f"{args.out} is a run with --seed {run.config.seed}, which cannot become {args.seed}")
    run.config = changed(run.config, settings_of(args))
    return run


def main(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    from shogun_env.training.runs import read_progress  # not above: --help needs neither engine nor torch
    from shogun_env.training.trainer import train

    run = run_of(args)
    if args.resume:
        run.keep_limits(args.command_line)
    is_complete = train(run, args.resume)
    lines = read_progress(run.folder)
    if not lines:
        return 130  # stopped before the first evaluation
    last = lines[-1]
    for name, share in last["win_share"].items():
        sampled = last.get("win_share_sampled")  # not in evaluations on the way
        drawn = f"; {sampled[name]:.1%} when it draws its actions" if sampled else ""
        print(f"wins {share:.1%} ± {last['win_share_95'][name]:.1%} of games against {name}{drawn}")
    print(f"{last['decisions']:,} decisions in {last['seconds']:.0f} s; the bot is ppo:{run.folder}")
    write_json(args.json, last)
    return 0 if is_complete else 130
