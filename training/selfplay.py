"""Self-play training: ``python -m training.selfplay --game shitenno --config small --out runs/first``.

MaskablePPO learns from the decisions of one seat per game, which rotates; bots, the learner itself and its past play
the other seats. Ctrl-C saves the network as it is; ``--resume`` resumes the run.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

import shogun_env.agents as _bots  # noqa: F401 - registers the bots
from shogun_env import GAMES
from shogun_env.agents.network import Network
from shogun_env.batch.batch import Batch
from shogun_env.cli import (
    AS_SETTINGS_SAY,
    Parser,
    Progress,
    batch_class,
    chosen_game,
    command_line,
    count,
    options_of,
    progress,
    seconds,
    write_json,
)
from shogun_env.envs.sb3 import MaskedVecEnv
from shogun_env.policies import Agent, make_agent, play_on
from shogun_env.training.config import BASE, Config, changed, load_config, with_options
from shogun_env.training.imitation import GAMES as IMITATED_GAMES
from shogun_env.training.imitation import imitate
from shogun_env.training.nets import make_learner, prepare_torch
from shogun_env.training.opponents import OpponentPool, load_snapshots
from shogun_env.training.runs import Run, about_run, read_progress

EVALUATION_SEED = 2**40
"""First seed of the games of evaluations, which are not those of training."""
RECENT_GAMES = 400
"""Number of games whose mean reward is reported."""


def win_share(agent: Agent, opponent: str, batch_class: type[Batch], options: dict[str, Any], games: int) -> float:
    """Return the share of wins of an agent when all other players are ``opponent``.

    Args:
        agent: the agent.
        opponent: spec of a bot.
        batch_class: the game's ``Batch``.
        options: options of play.
        games: number of games, rounded down to a multiple of the number of players; the agent plays every seat on the
            same seeds.
    """
    players = batch_class.spec.check_options(options)["num_players"]
    seeds = max(1, games // players)
    batch = batch_class(seeds * players, reward="win", **options)
    rows = np.arange(batch.num_games)
    batch.reset(seeds=EVALUATION_SEED + rows // players)
    seats = np.ones((batch.num_games, players), np.int8)
    seats[rows, rows % players] = 0
    play_on(batch, [agent, make_agent(opponent, batch.spec)], seats)
    returns = batch.returns[rows, rows % players]
    return float((returns * (players - 1) + 1).mean() / players)


class Trainer(BaseCallback):
    """The callback of the learner: reports progress, evaluates, makes snapshots, and stops in time.

    Args:
        run: the run.
        learner: its learner.
        pool: the opponents, to which snapshots are added.
        report: shows progress, as a share of the whole.

    When a run is resumed, the time that it has taken so far counts.
    """

    def __init__(self, run: Run, learner: MaskablePPO, pool: OpponentPool, report: Progress) -> None:
        super().__init__()
        self.run = run
        self.learner = learner
        self.pool = pool
        self.report = report
        lines = read_progress(run.folder)
        self.begin = time.monotonic() - (lines[-1]["seconds"] if lines else 0.0)
        self.text = ""
        self._sums = np.zeros(run.config.n_envs)
        self._recent: deque[float] = deque(maxlen=RECENT_GAMES)
        self._next_snapshot = learner.num_timesteps + run.config.snapshot_every
        self._next_evaluation = learner.num_timesteps + run.config.evaluate_every

    def _on_step(self) -> bool:
        """Count rewards and report progress; return whether there is time left."""
        config = self.run.config
        self._sums += self.locals["rewards"]
        done = self.locals["dones"]
        self._recent.extend(self._sums[done].tolist())
        self._sums[done] = 0
        spent = time.monotonic() - self.begin
        if self.n_calls % config.n_steps == 0:
            share = spent / config.seconds if config.seconds else self.num_timesteps / config.decisions
            self.report(share, f"{self.num_timesteps:,} decisions  {self.text}")
        return not config.seconds or spent < config.seconds

    def _on_rollout_start(self) -> None:
        """Make a snapshot and evaluate if it is time."""
        if self.num_timesteps >= self._next_snapshot:
            self._next_snapshot += self.run.config.snapshot_every
            self.pool.add_snapshot(self.learner.policy)
            self.run.save_snapshot(self.learner)
        if self.num_timesteps >= self._next_evaluation:
            self._next_evaluation += self.run.config.evaluate_every
            self.evaluate()

    def evaluate(self) -> None:
        """Measure win shares, append a line of progress, and save the network."""
        config, run = self.run.config, self.run
        self.learner.policy.set_training_mode(False)
        agent = Network(self.learner.policy, run.batch_class.spec)
        shares = {
            name: win_share(agent, name, run.batch_class, config.options, config.evaluate_games)
            for name in config.evaluate_against
        }
        line = {
            "decisions": self.learner.num_timesteps,
            "seconds": round(time.monotonic() - self.begin, 1),
            "win_share": shares,
            "reward": float(np.mean(self._recent)) if self._recent else None,
        }
        run.add_progress(line)
        run.save(self.learner)
        self.text = "  ".join(f"{share:.0%} against {name}" for name, share in shares.items())


def make(run: Run, resume: bool = False) -> tuple[MaskablePPO, OpponentPool]:
    """Return the learner of a run, new or as it was saved, and its opponents."""
    config = run.config
    prepare_torch(config.threads)
    shares = (config.heuristic_share, config.current_share)
    pool = OpponentPool(run.batch_class.spec, config.heuristics, shares, config.snapshots)
    env = MaskedVecEnv(
        run.batch_class,
        config.n_envs,
        opponents=pool,
        learner_seat="rotate",
        reward=config.reward,
        illegal_action="raise",
        **config.options,
    )
    env.seed(config.seed)
    learner = MaskablePPO.load(run.model, env, device="cpu") if resume else make_learner(env, config)
    pool.play_with(learner.policy)
    if resume:
        load_snapshots(pool, learner, run.folder / "snapshots")
    learner.set_logger(configure(str(run.folder / "log"), ["csv", *(["tensorboard"] if config.tensorboard else [])]))
    return learner, pool


def train(run: Run, resume: bool = False) -> None:
    """Train to the end of a run, or until Ctrl-C, and save the network."""
    learner, pool = make(run, resume)
    for name in run.config.evaluate_against:  # compiles kernels before the time of training begins
        win_share(make_agent("random", run.batch_class.spec), name, run.batch_class, run.config.options, games=1)
    with progress("training", 1.0) as report:
        trainer = Trainer(run, learner, pool, report)
        try:
            if not resume:
                trainer.evaluate()
                if run.config.imitate_seconds:
                    start_by_imitation(run, learner, report)
                    trainer.evaluate()
            left = max(0, run.config.decisions - learner.num_timesteps)
            learner.learn(left, callback=trainer, reset_num_timesteps=not resume)
            trainer.evaluate()
            report(1.0, f"{learner.num_timesteps:,} decisions  {trainer.text}")
        except KeyboardInterrupt:
            run.save(learner)
            report(1.0, f"stopped after {learner.num_timesteps:,} decisions; the network is saved")
            trainer.evaluate()


def start_by_imitation(run: Run, learner: MaskablePPO, report: Progress) -> None:
    """Let the network imitate a bot before self-play."""
    config = run.config
    games = run.batch_class(IMITATED_GAMES, reward=config.reward, seed=config.seed, **config.options)
    total = max(config.seconds, config.imitate_seconds)

    def report_seconds(spent: float, text: str) -> None:
        report(spent / total, text)

    imitate(learner.policy, games, config.imitate, config.imitate_seconds, config.imitate_rate, report_seconds)


def make_parser(game: str) -> Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = Parser(
        prog="python -m training.selfplay",
        description=(__doc__ or "").split(":")[0],
        epilog="Settings come from the config; --set overrides them, and the other options override both.",
    )
    parser.add_argument("--config", default=BASE, help=f"name in training/configs/GAME, or a .toml file ({BASE})")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting; the value is TOML"
    )
    parser.add_argument(
        "--decisions", type=count, metavar="N", help=f"stop after so many decisions of the learner ({AS_SETTINGS_SAY})"
    )
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help=f"stop after so many seconds; 0: no limit ({AS_SETTINGS_SAY})"
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
    return parser


def config_of(args: argparse.Namespace) -> Config:
    """Return the settings that the arguments describe; ValueError for an unknown setting or a bad value."""
    changes: dict[str, Any] = {}
    for text in args.set:
        try:
            changes.update(tomllib.loads(text))
        except tomllib.TOMLDecodeError:
            raise ValueError(
                f"--set {text}: must be NAME=VALUE in TOML, such as n_envs=64 or 'reward=\"win\"'"
            ) from None
    config = load_config(batch_class(args.game or GAMES[0]).spec, args.config, {**changes, **settings_of(args)})
    return with_options(config, options_of(args))


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that are given by an argument of their own."""
    return {name: value for name in ("decisions", "seconds", "seed") if (value := getattr(args, name)) is not None}


def run_of(args: argparse.Namespace, command: str) -> Run:
    """Return the run to begin or to resume.

    Raises: ValueError for bad settings, or a run of another game or with other options of play.
    """
    if not args.resume:
        config = config_of(args)
        return Run.create(args.out, config, batch_class(config.game), command)
    game = about_run(args.out)["config"]["game"]
    if args.game not in (None, game):
        raise ValueError(f"{args.out} is a run of {game}, but --game {args.game}")
    run = Run.open(args.out, batch_class(game))
    check_options = run.batch_class.spec.check_options
    own = check_options(run.config.options)
    for name, value in check_options({**run.config.options, **options_of(args)}).items():
        if value != own[name]:
            raise ValueError(f"{args.out} is a run with {name}={own[name]!r}, which cannot become {value!r}")
    run.config = changed(run.config, settings_of(args))
    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        run = run_of(args, command_line(parser, arguments))
        train(run, args.resume)
        lines = read_progress(run.folder)
        if not lines:
            return 130  # stopped before the first evaluation
        last = lines[-1]
        for name, share in last["win_share"].items():
            print(f"wins {share:.1%} of games against {name}")
        print(f"{last['decisions']:,} decisions in {last['seconds']:.0f} s; the bot is ppo:{run.folder}")
        write_json(args.json, last)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
