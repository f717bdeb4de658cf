"""A training run: ``shogun-env selfplay --game shitenno --config quick --out runs/first``.

The network imitates a bot first; then PPO learns from whole games against bots, itself and its past. Ctrl-C or
SIGTERM saves the run as it is; ``--resume`` resumes it. What a run does is in ``trainer.py``.
"""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from shogun_env import GAMES
from shogun_env.cli import Parser, batch_class, options_of, write_json
from shogun_env.training.config import BASE, Config, add_config, changed, changes_in, load_config, with_options

if TYPE_CHECKING:
    from shogun_env.training.runs import Run

LIMITS = ("decisions", "seconds")
"""Settings that a resumed run may change."""


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.epilog = "Settings come from the config; --set overrides them, and the other options override both."
    parser.add_out("runs/selfplay", "folder of the run")
    parser.add_argument(
        "--resume", action="store_true", help=f"resume the run in --out, where only {' and '.join(LIMITS)} may be new"
    )
    parser.add_json("the last line of progress")
    add_config(parser)
    parser.add_play(game)
    parser.set_defaults(game=None)


def config_of(args: Namespace) -> Config:
    """Return the settings that the arguments describe.

    Raises: ValueError for an unknown setting, a bad value, or opponents where the learner plays all seats.
    """
    changes = changes_in(args)
    config = load_config(batch_class(args.game or GAMES[0]).spec, args.config, changes)
    if "opponents" in changes and config.self_fraction == 1.0 and not config.judged_games:
        raise ValueError(f"opponents={','.join(config.opponents)} play in no game: self_fraction is 1, give it less")
    return with_options(config, options_of(args))


def run_of(args: Namespace) -> Run:
    """Return the run to begin or to resume.

    Raises: ValueError for bad settings, a run of another game, with other options of play or other settings, or new
        limits of which one is reached.
    """
    from shogun_env.training.runs import Run, about_run, read_progress  # not above: --help needs no engine

    if not args.resume:
        config = config_of(args)
        return Run.create(args.out, config, batch_class(config.game), args.command_line)
    game = about_run(args.out)["config"]["game"]
    if args.config != BASE:
        raise ValueError(f"--config {args.config}: {args.out} is resumed with the settings that it has")
    if args.game not in (None, game):
        raise ValueError(f"{args.out} is a run of {game}, but --game {args.game}")
    run = Run.open(args.out, batch_class(game))
    config, check = changed(run.config, changes_in(args)), run.batch_class.spec.check_options
    of_play = (check(run.config.options), check({**run.config.options, **options_of(args)}))
    for own, new in ((vars(run.config), vars(config)), of_play):
        for name, value in new.items():
            if name not in LIMITS and value != own[name]:
                raise ValueError(f"{args.out} is a run with {name}={own[name]!r}, which cannot become {value!r}")
    last: dict[str, Any] = [{}, *read_progress(run.folder)][-1]
    for name in LIMITS:
        if config != run.config and 0 < getattr(config, name) <= last.get(name, 0):
            raise ValueError(
                f"{args.out}: {name}={getattr(config, name)} is reached, at {last[name]}; give --{name} more"
            )
    run.config = config
    return run


def main(args: Namespace) -> int:
    """Run the command; return its exit status."""
    from shogun_env.training.runs import read_progress  # not above: --help needs neither engine nor torch
    from shogun_env.training.trainer import train

    run = run_of(args)
    is_complete = train(run, args.resume, limits_by=args.command_line)
    lines = read_progress(run.folder)
    if not lines:
        return 130  # stopped before the first evaluation
    last = lines[-1]
    for name, share in last["win_share"].items():
        sampled = last.get("win_share_sampled")  # not in evaluations on the way
        drawn = f"; {sampled[name]:.1%} when it draws its actions" if sampled else ""
        print(f"wins {share:.1%} ± {last['win_share_95'][name]:.1%} of games against {name}{drawn}")
    when = "" if is_complete else "this was measured after "  # a run that is stopped is not measured once more
    print(f"{when}{last['decisions']:,} decisions in {last['seconds']:.0f} s; the bot is ppo:{run.folder}")
    write_json(args.json, last)
    return 0 if is_complete else 130
