"""Self-play training: ``python -m training.selfplay --game shitenno --config small --out runs/first``.

MaskablePPO learns from the decisions of one seat a game, which rotates; the other seats are heuristics, the learner
itself, and its past. Ctrl-C saves what there is; ``--resume`` goes on.
"""

from __future__ import annotations

import argparse
import json
import time
import tomllib
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.agents.network import Network
from shogun_env.batch.batch import Batch
from shogun_env.cli import Parser, Progress, batch_class, command_line, progress
from shogun_env.envs.sb3 import MaskedVecEnv
from shogun_env.policies import Agent, make_agent, play_on
from shogun_env.training.config import BASE, Config, changed, load_config
from shogun_env.training.imitation import GAMES, imitate
from shogun_env.training.nets import make_learner, prepare_torch
from shogun_env.training.opponents import OpponentPool, load_snapshots
from shogun_env.training.runs import Run, about_run, read_progress

EVALUATION_SEED = 2**40
"""Games of evaluations are none of training."""
RECENT_GAMES = 400


def win_share(agent: Agent, opponent: str, batch_class: type[Batch], options: dict[str, Any], games: int) -> float:
    """Return an agent's share of wins against a table of ``opponent``: every seat on the same seeds."""
    players = batch_class.spec.check_options(options)["num_players"]
    seeds = max(1, games // players)
    batch = batch_class(seeds * players, reward="win", **options)
    rows = np.arange(batch.num_games)
    batch.reset(seeds=EVALUATION_SEED + rows // players)
    seats = np.ones((batch.num_games, players), np.int8)
    seats[rows, rows % players] = 0
    play_on(batch, [agent, make_agent(opponent, batch.spec)], seats)
    won = batch.returns[rows, rows % players]
    return float((won * (players - 1) + 1).mean() / players)


class Trainer(BaseCallback):
    """Watches over learning: progress, evaluations, snapshots, and when to stop.

    The clock that ``seconds`` of the settings limits goes on where the run's progress ends.
    """

    def __init__(self, run: Run, learner: MaskablePPO, pool: OpponentPool, report: Progress) -> None:
        super().__init__()
        self.run = run
        self.learner = learner
        self.pool = pool
        self.report = report
        known = read_progress(run.folder)
        self.begin = time.monotonic() - (known[-1]["seconds"] if known else 0.0)
        self.text = ""
        self._sums = np.zeros(run.config.n_envs)
        self._recent: deque[float] = deque(maxlen=RECENT_GAMES)
        self._next_snapshot = learner.num_timesteps + run.config.snapshot_every
        self._next_evaluation = learner.num_timesteps + run.config.evaluate_every

    def _on_step(self) -> bool:
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
        if self.num_timesteps >= self._next_snapshot:
            self._next_snapshot += self.run.config.snapshot_every
            self.pool.add_snapshot(self.learner.policy)
            self.run.save_snapshot(self.learner)
        if self.num_timesteps >= self._next_evaluation:
            self._next_evaluation += self.run.config.evaluate_every
            self.evaluate()

    def evaluate(self) -> None:
        """Measure win shares, write a line of progress, save."""
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
        run.note(line)
        run.save(self.learner)
        self.text = "  ".join(f"{share:.0%} against {name}" for name, share in shares.items())


def make(run: Run, resume: bool = False) -> tuple[MaskablePPO, OpponentPool]:
    """Return the learner of a run, fresh or as it was saved, and who it plays against."""
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
    """Train a run to its end, or until Ctrl-C, and save it."""
    learner, pool = make(run, resume)
    for name in run.config.evaluate_against:  # compiles what is not yet: the time to train is not for that
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
            report(1.0, f"stopped after {learner.num_timesteps:,} decisions; the network is kept")
            trainer.evaluate()


def start_by_imitation(run: Run, learner: MaskablePPO, report: Progress) -> None:
    """Give the network its head start."""
    config = run.config
    games = run.batch_class(GAMES, reward=config.reward, seed=config.seed, **config.options)
    whole = max(config.seconds, config.imitate_seconds)
    told: Progress = lambda spent, text: report(spent / whole, text)  # noqa: E731
    imitate(learner.policy, games, config.imitate, config.imitate_seconds, config.imitate_rate, told)


def parser() -> argparse.ArgumentParser:
    """Return the command's arguments."""
    made = Parser(prog="python -m training.selfplay", description=(__doc__ or "").split(":")[0])
    made.add_argument("--game", help="shogun or shitenno (shogun)")
    made.add_argument("--config", default=BASE, help=f"name in training/configs/GAME, or a .toml file ({BASE})")
    made.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting (TOML value)")
    made.add_argument("--decisions", type=int, help="learner decisions to train for")
    made.add_argument("--seconds", type=float, help="stop after so many seconds")
    made.add_argument("--seed", type=int, help="seed of everything (0)")
    made.add_argument("--out", type=Path, default=Path("runs/selfplay"), help="folder of the run (runs/selfplay)")
    made.add_argument("--resume", action="store_true", help="go on with the run in --out, as it was set")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the last line of progress there too")
    return made


def config_of(args: argparse.Namespace) -> Config:
    """Return the settings that the arguments ask for; ValueError for an unknown one or a bad value."""
    changes: dict[str, Any] = {}
    for text in args.set:
        try:
            changes.update(tomllib.loads(text))
        except tomllib.TOMLDecodeError:
            raise ValueError(
                f"--set {text}: must be NAME=VALUE in TOML, such as n_envs=64 or 'reward=\"win\"'"
            ) from None
    game = batch_class(args.game or "shogun").spec
    return load_config(game, args.config, {**changes, **given_of(args)})


def given_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that have an argument of their own and were given."""
    return {name: value for name in ("decisions", "seconds", "seed") if (value := getattr(args, name)) is not None}


def run_of(args: argparse.Namespace, command: str) -> Run:
    """Return the run to begin or to go on with; ValueError for bad settings, or one that is of another game."""
    if not args.resume:
        config = config_of(args)
        return Run.create(args.out, config, batch_class(config.game), command)
    game = about_run(args.out)["config"]["game"]
    if args.game not in (None, game):
        raise ValueError(f"{args.out} is a run of {game}, but --game {args.game}")
    run = Run.open(args.out, batch_class(game))
    run.config = changed(run.config, given_of(args))
    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    args = parser().parse_args(arguments)
    try:
        run = run_of(args, command_line(parser(), arguments))
        train(run, args.resume)
    except ValueError as error:
        parser().error(str(error))
    lines = read_progress(run.folder)
    if not lines:
        return 130  # stopped before there was anything to say
    last = lines[-1]
    for name, share in last["win_share"].items():
        print(f"wins {share:.1%} of games against {name}")
    print(f"{last['decisions']:,} decisions in {last['seconds']:.0f} s; the bot is ppo:{run.folder}")
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(last, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
