"""Measure how well a network knows whether it will win: ``shogun-env calibration --agent champion``.

The network plays one seat of each game, in all rotations, and copies of another bot the others. At the beginning of
each round, the share of the win that it expects is compared with what comes out, and with the same position played out
several times by the same bots, with the same hidden cards and other chance: nobody could expect anything better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.experiment import Experiment, Played, Watch, first_seed, number, setting, threads
from shogun_env.benchmarks.markdown import markdown_table
from shogun_env.policies import compiled_policy
from shogun_env.shares import shares_of_win

if TYPE_CHECKING:
    from shogun_env.batch.batch import Batch
    from shogun_env.training.fit_value import Bot

AS_IT_IS = np.array([1.0, 0.0])
"""The mix of a chance's logit and 1 that changes nothing."""


@dataclass(frozen=True)
class Settings(Played):
    """Which network is measured, and how long."""

    agent: str = setting("champion", "the network")
    against: str = setting("scripted", "bot of the other seats")
    games: int = number(1000, "least number of games")
    playouts: int = number(32, "how often each position is played on")
    seed: int = first_seed("seed of the first game")
    threads: int = threads()


class Round(NamedTuple):
    """What a network expected at the beginning of a round; losses are mean negative logarithms, of its own win."""

    games: int
    wins: float
    """Share of the win that it has in all games of these."""
    expects: float
    """Mean of the share that it expected: below ``wins``, if it takes the others for stronger than they are."""
    network: float
    """Log loss of the share that it expected."""
    knowing_nothing: float
    """Log loss of the share that it wins in all games of these."""
    slope: float
    """Factor by which the logit of what it expected fits best: above 1 it was not sure enough."""
    played_out: float
    """Log loss of the share that it wins in games played on from there."""


def measure(settings: Settings, watch: Watch) -> Iterator[Round]:
    """Yield for each round what a network expects at its beginning; all of them are known at the end.

    Each seed is played in all rotations of the seats.

    Raises: ValueError for a bot that is no network or not compiled, and for a game without planning.
    """
    from shogun_env.batch.rollouts import ROUND  # not above: --help needs no engine
    from shogun_env.training.fit_value import expected_shares, network_of

    batch_type, options, num_threads = cli.batch_class(settings.game), settings.options, settings.threads
    network = network_of(settings.agent, batch_type.spec)
    bots = [network.compiled, compiled_policy(settings.against, batch_type.spec, "bot")]
    n = batch_type.spec.check_options(options)["num_players"]
    own = np.tile(np.arange(n), -(-settings.games // n))
    seats = np.where(np.arange(n) == own[:, None], 0, 1).astype(np.int8)
    batch = batch_type(len(own), num_threads=num_threads, **{**options, "reward": "win"})
    batch.reset(seeds=settings.seed + np.arange(len(own)) // n)
    rng, begun = np.random.default_rng(settings.seed), []
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        here = batch.take(rows)
        known = _played_out(here, bots, seats[rows], own[rows], settings.playouts, rng, num_threads)
        begun.append((rows, expected_shares(here, own[rows], network), known))
        batch.play(bots, seats, until=ROUND)
    won = shares_of_win(batch)[np.arange(len(own)), own]
    for rows, expected, known in begun:
        yield _round(expected, known, won[rows])


def _played_out(
    here: Batch, bots: Sequence[Bot], seats: np.ndarray, own: np.ndarray, playouts: int, rng: np.random.Generator,
    num_threads: int,
) -> np.ndarray:  # fmt: skip
    """Return the share of the win in games played on from positions, never quite 0 or 1: float64[B]."""
    again = np.repeat(np.arange(here.num_games), playouts)
    batch = here.take(again, num_threads=num_threads)
    for keys in (batch.rngs, batch.policy_rngs):  # of each game and of each bot: other chance to come
        keys[..., 0] = rng.integers(0, 2**64, keys.shape[:-1], np.uint64)
    batch.play(bots, seats[again])
    won = shares_of_win(batch)[np.arange(len(again)), own[again]].reshape(-1, playouts).sum(1)
    shares: np.ndarray = (won + 0.5) / (playouts + 1)
    return shares


def _round(expected: np.ndarray, known: np.ndarray, won: np.ndarray) -> Round:
    """Return what the expected shares of a round, and those played out, say about those that came: float64[n] each."""
    from shogun_env.training.fit_value import fit_mix, logit, mix_loss  # not above: --help needs no engine

    def with_one(chances: np.ndarray) -> np.ndarray:
        return np.stack([logit(chances), np.ones(len(chances))], 1)

    mean = np.full(len(won), won.mean())
    losses = [mix_loss(with_one(chances), won, AS_IT_IS) for chances in (expected, mean, known)]
    network, nothing, played_out = losses
    slope = float(fit_mix(with_one(expected), won)[0])
    return Round(
        games=len(won), wins=float(won.mean()), expects=float(expected.mean()), network=network,
        knowing_nothing=nothing, slope=slope, played_out=played_out,
    )  # fmt: skip


def table(run: Tree) -> str:
    """Return a row for each round."""
    head = ["round", "games", "wins", "expects", "knowing nothing", "network", "played out", "slope"]
    rows = [
        [
            str(at),
            str(each["games"]),
            *(f"{each[name]:.1%}" for name in ("wins", "expects")),
            *(f"{each[name]:.3f}" for name in ("knowing_nothing", "network", "played_out")),
            f"{each['slope']:.2f}",
        ]
        for at, each in enumerate(run["rounds"], start=1)
    ]
    return markdown_table(head, rows)


EXPERIMENT = Experiment(
    name="calibration",
    settings=Settings,
    measure=measure,
    figures=lambda settings, rounds: {"rounds": [each._asdict() for each in rounds]},
    table=table,
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
