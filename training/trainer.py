"""A training run: imitation of a bot first, then PPO from whole games against bots, itself and its past.

``train`` makes the run that ``Run.create`` describes. Ctrl-C or SIGTERM saves it after the update under way.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import CSVOutputFormat, Logger, TensorBoardOutputFormat, configure

from shogun_env.agents.network.agent import Network
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Collector, collect
from shogun_env.cli import Progress, only_run, progress
from shogun_env.files import naming
from shogun_env.policies import Bot, make_agent, play_on, wants_records
from shogun_env.shares import Share, final_shares, mean_shares, parity, share_of, shares_of_win, wins
from shogun_env.training.config import EVALUATION_SEED, EVALUATIONS, GAMES_OF_RUN, RUN_SEEDS
from shogun_env.training.imitation import Imitation
from shogun_env.training.judging import judged
from shogun_env.training.learner import PPO, Samples, samples_of
from shogun_env.training.opponents import LEARNER, Opponents, extended, square
from shogun_env.training.runs import (
    CHECKPOINT,
    LOG,
    NO_CHECKPOINT,
    UNREADABLE,
    Run,
    read_progress,
    resuming,
    start_weights,
)

PARTLY = 4
"""Evaluations on the way play the games of the last one divided by this, unless the settings say when to evaluate."""


def win_share(
    agent: Bot, opponent: str | Bot, batch_class: type[Batch], options: dict[str, Any], games: int, threads: int = 1
) -> Share:
    """Return the share of wins of an agent when all other players are ``opponent``.

    Args:
        agent: the agent.
        opponent: a bot, or its spec.
        batch_class: the game's ``Batch``.
        options: options of play.
        games: number of games, rounded down to a multiple of the number of players; the agent plays every seat.
        threads: threads that play.
    """
    spec = batch_class.spec
    seeds = EVALUATION_SEED + np.arange(max(1, games // spec.check_options(options)["num_players"]))
    return share_of(wins(batch_class, agent, make_agent(opponent, spec), seeds, options, threads))


class Trainer:
    """A training run: learner, imitation, opponents, progress.

    Args:
        run: the run.
        show: shows progress, as a part of the whole.
        resume: whether to resume from the run's checkpoint; one that was stopped before the first begins again.

    When a run is resumed, the time that it has taken so far counts.

    Attributes:
        imitated: decisions learnt from by imitation.
        ahead: what there is to learn from games played while the learner learnt; a checkpoint does not hold it.
        games: games that have been begun.
        seconds_before: seconds spent up to the last start or checkpoint.
        part: the part of the run that it is in, of ``EVALUATIONS``.
        bots: the opponents of the settings, and who it is evaluated against, by name.
        average: the weights that are evaluated, saved and played, by name; the learner has those of its last update.
    """

    def __init__(self, run: Run, show: Progress, resume: bool = False) -> None:
        config = run.config
        self.run = run
        self.show = show
        torch.set_num_threads(config.threads)
        self.learner = PPO(run.shape, config)
        self.imitation = Imitation(self.learner.network, config)
        names = dict.fromkeys([*config.opponents, *config.evaluate_against])
        self.bots = {name: make_agent(name, run.shape.spec) for name in names}
        self.opponents = Opponents(run.shape, config, [self.bots[name] for name in config.opponents])
        games = max(1, config.games_per_update // len(config.variants))
        self.judged_batches = [
            run.batch_class(config.judged_games, num_threads=config.threads, **options)
            for options in (config.every_options if config.judged_games else ())
        ]
        record = wants_records([*self.opponents.bots, *self.imitation.teachers])
        self.batches = [
            run.batch_class(games, num_threads=config.threads, record=record, **options)
            for options in config.every_options
        ]
        self.rng = np.random.default_rng(config.seed)
        self.imitated = self.games = self.part = 0
        self.seconds_before = 0.0
        self.text = ""
        self.ahead: Samples | None = None
        self.next_snapshot, self.next_evaluation = config.snapshot_every, config.evaluate_every
        state = run.load_checkpoint() if resume else None
        if state is None and config.start:
            self.learner.network.load_weights(start_weights(config, run.batch_class))
            self.learner.move_magnet()
        self.average = self.learner.network.weights()
        if state is not None:
            try:
                self._restore(state)
            except UNREADABLE:
                raise ValueError(f"{run.folder / CHECKPOINT}: {NO_CHECKPOINT}") from None
        if config.imitation_hold and config.start:
            self.imitation.hold_to(start_weights(config, run.batch_class))
        if resume:
            run.keep_progress(0 if state is None else int(state.get("lines", sys.maxsize)))
            run.keep_snapshots(self.decisions)
        self.learner.logger = self._logger({} if state is None else state.get("logged", {}))
        self._began = time.monotonic()

    def _logger(self, figures: Mapping[str, float]) -> Logger:
        """Return what logs the run from where it is, with these figures next; what was logged later is taken back."""
        folder, kept = str(self.run.folder / LOG), self.run.kept_log(self.decisions)
        logger = configure(folder, ["csv", "tensorboard"] if self.run.config.tensorboard else ["csv"])
        for form in logger.output_formats:
            if isinstance(form, CSVOutputFormat) and kept:
                form.keys = kept[0].rstrip("\n").split(",")
                form.file.writelines(kept)
                form.file.flush()
            elif isinstance(form, TensorBoardOutputFormat):
                form.writer.close()
                form.writer = type(form.writer)(folder, purge_step=self.decisions)
        for name, figure in figures.items():
            logger.record(name, figure)
        return logger

    @property
    def decisions(self) -> int:
        """Decisions learnt from so far."""
        return self.imitated + self.learner.decisions

    @property
    def seconds(self) -> float:
        """Seconds spent so far."""
        return self.seconds_before + time.monotonic() - self._began

    @property
    def done(self) -> float:
        """How much of the run is done, from 0 to 1."""
        config = self.run.config
        by_time = self.seconds / config.seconds if config.seconds else 0.0
        return max(by_time, self.decisions / config.decisions)

    def train(self) -> None:
        """Train to the end of the run."""
        config = self.run.config
        self.part = min(self.part, int(EVALUATIONS * self.done))  # a run that is resumed for longer has less done
        saved = time.monotonic()
        self.keep_up()  # with what a stop left undone
        while (done := self.done) < 1.0:
            self.log()
            # A run that is resumed for longer does not go back to imitation.
            imitates = done < config.imitation_fraction and not self.learner.decisions
            with _stopped_after():
                if imitates:
                    self.imitate(done / config.imitation_fraction)
                else:
                    self.play()
            self.check_weights()
            self.keep_up()
            if time.monotonic() - saved > config.checkpoint_seconds:
                self.save()
                saved = time.monotonic()
            kind = f"imitates {config.imitate}, agrees {self.imitation.agreement:.0%}" if imitates else "plays"
            self.show(min(1.0, self.done), f"{self.decisions:,} decisions  {kind}  {self.text}")
        if not self.is_evaluated:
            self.evaluate()
        self.save()
        self.log()

    def log(self) -> None:
        """Write the figures of the last update, and of evaluations after it, as one row of the log."""
        logger = self.learner.logger
        if logger.name_to_value:
            logger.record("decisions", self.decisions)
            logger.record("seconds", round(self.seconds, 1))
            logger.dump(self.decisions)

    def check_weights(self) -> None:
        """Raise ValueError if a weight is not finite, so that nothing is saved any more."""
        if not all(np.isfinite(array).all() for array in self.average.values()):
            raise ValueError(
                f"{self.run.folder}: after {self.decisions:,} decisions weights are not finite; begin a new run with a "
                "lower learning_rate or imitation_rate"
            )

    def keep_up(self) -> None:
        """Add a snapshot, and evaluate, if it is time; only what is done is counted as done."""
        config = self.run.config
        if self.learner.decisions and self.decisions >= self.next_snapshot:
            self.add_snapshot()
        if not config.evaluate_every:
            part = int(EVALUATIONS * self.done)
            if self.part < part < EVALUATIONS:  # the last one is that of the end
                self.evaluate(max(1, config.evaluate_games // PARTLY))
            self.part = part
        elif self.decisions >= self.next_evaluation:
            if not self.is_evaluated:
                self.evaluate()
            self.next_evaluation = self.decisions + config.evaluate_every

    @property
    def is_evaluated(self) -> bool:
        """Whether the network as it is now has a line of progress; a run that was killed at its very end has one.

        Lines of evaluations on the way, over fewer games, do not count.
        """
        lines, games = read_progress(self.run.folder), self.run.config.evaluate_games
        last = lines[-1] if lines else {}
        return last.get("decisions") == self.decisions and last.get("games", games) == games

    def new_games(self, batches: list[Batch] | None = None) -> list[Batch]:
        """Return batches, or that of each variant, with games that were not played yet."""
        for batch in batches or self.batches:
            first = RUN_SEEDS + self.run.config.seed * GAMES_OF_RUN + self.games
            batch.reset(seeds=first + np.arange(batch.num_games))
            self.games += batch.num_games
        return batches or self.batches

    def games_to_play(self) -> Callable[[], Samples]:
        """Return what plays the games of an update, with the network as it is now; it may run in another thread."""
        opponents, gae_lambda = self.opponents, self.run.config.gae_lambda
        bots = opponents.everybody(self.learner.agent())
        games = [(batch, opponents.line_up(batch.num_games, batch.num_players, self.rng)) for batch in self.new_games()]

        def play() -> Samples:
            parts = []
            for batch, seats in games:
                collector = Collector(batch, [LEARNER])
                play_on(batch, bots, seats, collector=collector)
                decisions = collector.decisions()
                shares = final_shares(batch, decisions, opponents.shape.size.n_players)
                parts.append(samples_of(decisions, shares, opponents.shape, gae_lambda))
                opponents.count(seats, shares_of_win(batch))
            return Samples.joined(parts)

        return play

    def imitate(self, done: float) -> None:
        """Learn from games in which a bot is imitated; ``done`` of the imitation, from 0 to 1, is over."""
        with self.saved_if_it_fails():  # only its bots can: it learns after they have played
            self.imitated += self.imitation.learn_from(self.new_games(), done, self.rng)
        self.learner.logger.record("imitation/agreement", self.imitation.agreement)
        if self.imitation.is_best():
            self.average = self.learner.network.weights()

    def play(self) -> None:
        """Play games against opponents and update the network by PPO; or learn while the next games are played."""
        if not self.learner.decisions:  # imitation may have gone on after the network that it has kept
            self.learner.network.load_weights(self.average)
            self.learner.move_magnet()
        with self.saved_if_it_fails():
            samples = self.ahead or self.games_to_play()()
        if not self.run.config.collect_ahead:
            self.learn_from(samples)
            return
        with ThreadPoolExecutor(1) as thread:  # compiled loops leave the interpreter to the learner
            playing = thread.submit(self.games_to_play())
            self.learn_from(samples)
        with self.saved_if_it_fails():
            self.ahead = playing.result()

    @contextmanager
    def saved_if_it_fails(self) -> Iterator[None]:
        """Save what was learnt before the block if a bot fails in it."""
        try:
            yield
        except Exception:
            self.save()
            raise

    def learn_from(self, samples: Samples) -> None:
        """Update the network by PPO, and the average of its weights."""
        config, learner = self.run.config, self.learner
        done = (self.done - config.imitation_fraction) / max(1e-9, 1.0 - config.imitation_fraction)
        left = 1.0 - min(1.0, max(0.0, done))
        learner.learn_from(samples, left)
        if self.judged_batches:
            (batch,) = self.new_games([self.judged_batches[self.rng.integers(len(self.judged_batches))]])
            seats = self.opponents.line_up(batch.num_games, batch.num_players, self.rng)
            bots = self.opponents.everybody(learner.agent())
            learner.learn_judged(*judged(batch, bots, seats, learner.shape, self.rng), left)
        window = min(config.average, learner.decisions)
        if config.snapshot_draw != "score":  # what enters the population is the response, not a mean of earlier ones
            window = min(window, self.decisions - (self.next_snapshot - config.snapshot_every))
        rate = len(samples.actions) / window
        for name, array in learner.network.weights().items():
            self.average[name] += np.float32(min(1.0, rate)) * (array - self.average[name])

    def add_snapshot(self) -> None:
        """Add the averaged network as it is now to the opponents and to the folder."""
        weights, opponents = {name: array.copy() for name, array in self.average.items()}, self.opponents
        self.run.save_network(weights, self.decisions, f"snapshots/{self.decisions:012d}.npz")
        if self.run.config.snapshot_draw == "payoff":  # before it is added: a run that is stopped here adds it again
            networks = [*opponents.snapshots, Network(self.run.shape, weights, greedy=False)]
            opponents.payoffs = extended(opponents.payoffs, networks, self.payoff)
        self.next_snapshot = self.decisions + self.run.config.snapshot_every
        opponents.add_snapshot(weights)
        opponents.know_payoffs(opponents.payoffs)

    def payoff(self, one: Network, other: Network) -> float:
        """Return the share of the win of a network against copies of another, as a mean over the variants."""
        config, spec = self.run.config, self.run.shape.spec
        tables = config.every_options
        if one is other:
            return parity(spec, tables)
        seeds = EVALUATION_SEED + np.arange(max(1, round(config.payoff_games * parity(spec, tables))))
        return float(mean_shares(self.run.batch_class, one, other, seeds, tables, config.threads).mean())

    def evaluate(self, games: int | None = None) -> None:
        """Measure win shares of the averaged network, and append a line of progress.

        Args: games: against each bot, for each of the variants, greedy only; None for those of the settings, greedy and
            as many sampled.
        """
        config, run = self.run.config, self.run
        games = config.evaluate_games if games is None else games
        tables, whole = config.tables(), len(config.variants)
        line: dict[str, Any] = {"decisions": self.decisions, "seconds": round(self.seconds, 1), "games": games}
        ways = {"win_share": True, "win_share_sampled": False}
        for key, greedy in ways.items() if games == config.evaluate_games else [("win_share", True)]:
            agent = Network(run.shape, self.average, greedy)
            shares: dict[str, float] = {}
            spreads: dict[str, float] = {}
            for name in config.evaluate_against:
                with self.saved_if_it_fails():
                    results = [  # a table that counts twice is played on twice as many seeds
                        (
                            win_share(agent, self.bots[name], run.batch_class, options, count * games, config.threads),
                            count,
                        )
                        for options, count in tables
                    ]
                shares[name] = sum(count * result.share for result, count in results) / whole
                spreads[name] = sum((count * result.half_width) ** 2 for result, count in results) ** 0.5 / whole
                self.learner.logger.record(f"eval/{key}/{name}", shares[name])
            line |= {key: shares, f"{key}_95": spreads}
        run.add_progress(line)
        self.text = "  ".join(f"{share:.0%} against {name}" for name, share in line["win_share"].items())

    # --- checkpoints -------------------------------------------------------------------------------------------------

    def _parts(self) -> dict[str, Any]:
        """Return what a checkpoint holds by its own ``state_dict``."""
        learner = self.learner
        policy = torch.nn.ModuleDict({"network": learner.network})
        parts = {"policy": policy, "optimizer": learner.optimizer, "imitation": self.imitation.optimizer}
        return parts if learner.magnet is None else {**parts, "magnet": learner.magnet}

    def _counters(self) -> dict[str, tuple[Any, str]]:
        """Return the numbers of a checkpoint, by name: of which object each is which attribute."""
        own = ("imitated", "games", "seconds_before", "next_snapshot", "next_evaluation", "part")
        learner = {"num_timesteps": (self.learner, "decisions"), "_n_updates": (self.learner, "n_updates")}
        imitation = {name: (self.imitation, name) for name in ("agreement", "files_read", "lowest")}
        return {**{name: (self, name) for name in own}, **imitation, **learner}

    def save(self) -> None:
        """Write checkpoint and network, which is never without one; ValueError if a weight is not finite."""
        self.check_weights()
        self.seconds_before, self._began = self.seconds, time.monotonic()
        self.run.save_checkpoint(
            {
                **{name: part.state_dict() for name, part in self._parts().items()},
                "counters": {name: getattr(*where) for name, where in self._counters().items()},
                "generators": [rng.bit_generator.state for rng in (self.rng, self.learner.rng)],
                "logged": {name: float(value) for name, value in self.learner.logger.name_to_value.items()},
                "lines": len(read_progress(self.run.folder)),
                "average": _tensors(self.average),
                "snapshots": [_tensors(weights) for weights in self.opponents.weights],
                "scores": [float(score) for score in self.opponents.scores],
                "payoffs": self.opponents.payoffs.tolist(),
            }
        )
        self.run.save_network(self.average, self.decisions)

    def _restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        for name, part in self._parts().items():
            part.load_state_dict(state[name])
        for name, where in self._counters().items():
            setattr(*where, state["counters"].get(name, getattr(*where)))  # older checkpoints have fewer
        for rng, saved in zip((self.rng, self.learner.rng), state["generators"], strict=True):
            numbers = {name: int(value) for name, value in saved["state"].items()}  # older checkpoints have texts
            rng.bit_generator.state = {**saved, "state": numbers}
        self.average = _arrays(state["average"])
        for weights, score in zip(state["snapshots"], state["scores"], strict=True):
            self.opponents.add_snapshot(_arrays(weights), score)
        self.opponents.know_payoffs(square(state.get("payoffs", [])))


def _tensors(weights: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Return weights as a checkpoint holds them."""
    return {name: torch.as_tensor(array) for name, array in weights.items()}


def _arrays(weights: Mapping[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """Return the weights of a checkpoint."""
    return {name: tensor.numpy() for name, tensor in weights.items()}


@contextmanager
def _signalled(handler: Callable[[int, Any], None], *signals: signal.Signals) -> Iterator[None]:
    """Let a handler have these signals in the block; only the main thread is told of signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in signals}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def _stopped_after() -> Iterator[None]:
    """Let Ctrl-C or SIGTERM wait for the end of the block, whose changes belong together; the second one does not."""
    came: list[int] = []

    def wait(number: int, frame: object) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt

    with _signalled(wait, signal.SIGINT, signal.SIGTERM):
        yield
    if came:
        raise KeyboardInterrupt


def train(run: Run, resume: bool = False, command: str = "", limits_by: str = "") -> bool:
    """Train to the end of a run, or until Ctrl-C or SIGTERM, and save it; return whether it came to its end.

    Args:
        run: the run.
        resume: whether to resume from the run's checkpoint.
        command: the one that resumes the run if it is stopped; without it, that which resumes this run alone.
        limits_by: the command by which a resumed run may have other limits; without it, it has the same.

    Raises: ValueError if it is being trained already.
    """
    trainer: Trainer | None = None
    with only_run(run.folder), naming(run.folder), _signalled(signal.default_int_handler, signal.SIGTERM):
        try:
            if resume and (warning := run.elsewhere()):
                print(warning, file=sys.stderr)
            if resume and limits_by:
                run.keep_limits(limits_by)
            compile_kernels(run)
            with progress("training", 1.0) as show:
                trainer = Trainer(run, show, resume)
                trainer.train()
                show(1.0, f"{trainer.decisions:,} decisions  {trainer.text}")
            return True
        except KeyboardInterrupt:
            if trainer is not None:
                trainer.save()
                trainer.log()
        finally:
            for bot in () if trainer is None else (*trainer.bots.values(), *trainer.imitation.teachers):
                bot.close()
    again = command or resuming(run.folder)
    when = "before it began" if trainer is None else f"after {trainer.decisions:,} decisions"
    print(f"stopped {when}; the run is saved, {again} resumes it", file=sys.stderr)
    return False


def compile_kernels(run: Run) -> None:
    """Play a game with every compiled bot of a run, so that this is not done in the time of training."""
    config = run.config
    names = {*config.evaluate_against, *config.opponents, *config.teachers}
    network = Network(run.shape, run.shape.random_weights(0))
    for bot in [make_agent(name, run.shape.spec) for name in sorted(names)]:
        if bot.compiled is not None:
            win_share(network, bot, run.batch_class, config.options, games=1)
        bot.close()
    collect(run.batch_class(1, **config.every_options[0]), [network.compiled], seats=0)
