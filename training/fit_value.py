"""Fit what a position is worth, for ``search``: ``shogun-env fit-value --game shogun``.

Bots whose numbers vary play against each other. At the end of each round the features of all players are kept; in the
end it is known who won. For each number of players and each round, one weight per feature is fitted, so that a softmax
over the players' sums predicts the winner (multinomial logistic regression, by Newton's method). What is printed is the
log loss on games that were not fitted; without any knowledge it is the logarithm of the number of players.

With ``--critic`` it is then fitted how to mix this value with that of a network: after each round the logit of a
player's chance to win is a times that of the fitted value, plus b times that of the network's, plus c (logistic
regression).
"""

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.search.value import VALUE_FILES
from shogun_env.batch.batch import Batch
from shogun_env.batch.rollouts import ROUND, value_features
from shogun_env.cli import Parser, Progress, batch_class, new_file, no_progress, progress, write_json
from shogun_env.files import only_in_a_checkout
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.policies import compiled_policy, make_agent
from shogun_env.shares import shares_of_win
from shogun_env.spec.game_spec import GameSpec

Bot = tuple[Any, np.ndarray]
"""A compiled bot: function and params."""
BOTS = 64
"""How many different bots play."""
SPREAD = 0.35
"""Standard deviation of the logarithms of their numbers."""
HELD_OUT = 0.2
"""Part of the games on which the log loss is measured."""
RIDGE = 1.0
"""Weight of the squares of the weights, per feature of standard deviation 1."""
STEPS = 12
"""Steps of Newton's method."""
FINAL = {"shogun": {"points": 0.35, "chests": 0.02}, "shitenno": {"points": 0.2}}
"""Weights when the game is over, by game: a large lead almost always wins, so that it says more than who won."""
FEWEST = 0.05
"""A round has weights of its own if at least this part of the games goes on after it; later ones use the last."""
MIX_PART = 0.1
"""Part of the games with which a mix is fitted: it has three numbers, and a network takes its time."""
TOO_FEW = "games={games}: too few; some are needed to fit and some to test. Try 100"
LEAST_CHANCE = 1e-6
"""Chances to win are taken to be at least this far from 0 and 1, as in rollouts."""
KINDS: dict[str, tuple[dict[str, Any], ...]] = {"shogun": ({}, {"side": "moon", "start": "random"})}
"""Options of play of the games, which are mixed in equal parts."""


def play_games(
    batch: Batch, bot: str, rng: np.random.Generator
) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Play games of bots with varied numbers.

    Returns: for each number of complete rounds the features float64[n, P, F] of the games that are not over then, and
        their rows int64[n]; and the shares of the win float64[B, P].
    Raises: ValueError for a bot that is not compiled.
    """
    policies = varied(batch, bot, rng)
    seats = rng.integers(0, BOTS, (batch.num_games, batch.num_players))
    features, rows = [], []
    while not batch.over.all():
        rows.append(np.flatnonzero(~batch.over))
        features.append(value_features(batch)[rows[-1]])
        batch.play(policies, seats, until=ROUND)
    return features, rows, shares_of_win(batch)


def varied(batch: Batch, bot: str, rng: np.random.Generator) -> list[Bot]:
    """Return ``BOTS`` bots for a batch whose numbers vary; ValueError for a network, or a bot that is not compiled."""
    function, params = compiled_policy(bot, batch.spec, "bot")
    if isinstance(function, MemoryPolicy):
        raise ValueError(f"bot={bot!r}: a network's numbers cannot be varied; give a bot such as scripted")
    return [(function, params * np.exp(SPREAD * rng.standard_normal(len(params)))) for _ in range(BOTS)]


def probabilities(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the chances to win of positions with features ``x`` float64[n, P, F]: float64[n, P]."""
    scores = x @ weights
    odds = np.exp(scores - scores.max(1, keepdims=True))
    result: np.ndarray = odds / odds.sum(1, keepdims=True)
    return result


def log_loss(x: np.ndarray, shares: np.ndarray, weights: np.ndarray) -> float:
    """Return the mean negative logarithm of the chance given to the winner, with shares of wins float64[n, P]."""
    return float(-(shares * np.log(np.maximum(probabilities(x, weights), 1e-12))).sum(1).mean())


def fit(x: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the weights float64[F] of features ``x`` float64[n, P, F] that predict shares of the win float64[n, P]."""
    scale = np.maximum(x.std((0, 1)), 1e-9)
    z = (x - x.mean(1, keepdims=True)) / scale  # what all players have alike changes nothing
    result: np.ndarray = _newton(z, shares) / scale
    return result


def _newton(z: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the weights float64[F] of features that are used as they are."""
    weights = np.zeros(z.shape[2])
    for _ in range(STEPS):
        p = probabilities(z, weights)
        mean = np.einsum("np,npf->nf", p, z)
        gradient = np.einsum("np,npf->f", p - shares, z) + RIDGE * weights
        hessian = np.einsum("np,npf,npg->fg", p, z, z, optimize=True) - mean.T @ mean
        weights -= np.linalg.solve(hessian + RIDGE * np.eye(len(weights)), gradient)
    return weights


def _apart(part: Sequence[tuple[np.ndarray, np.ndarray]], seed: int) -> tuple[np.ndarray, ...]:
    """Return features and shares of games to be fitted, then those of the games that are held out."""
    x, shares = (np.concatenate(arrays) for arrays in zip(*part, strict=True))
    held_out = np.random.default_rng(seed).random(len(x)) < HELD_OUT
    return x[~held_out], shares[~held_out], x[held_out], shares[held_out]


def fit_players(
    batch_type: type[Batch], players: int, games: int, bot: str, seed: int
) -> tuple[list[list[float]], list[float]]:
    """Return the weights after each number of complete rounds, and the log losses, for a number of players."""
    spec = batch_type.spec
    parts: list[list[tuple[np.ndarray, np.ndarray]]] = []  # by round, for each kind of game: features and shares
    for number, options in enumerate(KINDS.get(spec.name, ({},))):
        batch = batch_type(games, num_players=players, seed=seed + number * games, num_threads=2, **options)
        features, rows, shares = play_games(batch, bot, np.random.default_rng((seed, players, number)))
        parts += [[] for _ in range(len(features) - len(parts))]
        for part, x, row in zip(parts, features, rows, strict=False):
            part.append((x, shares[row]))
    weights: list[list[float]] = []
    losses = []
    for part in parts:
        if sum(len(x) for x, _ in part) < FEWEST * games:
            break
        x, won, others, won_there = _apart(part, seed)
        if not len(x) or not len(others):
            break
        fitted = fit(x, won)
        weights.append([float(f"{weight:.5g}") for weight in fitted])
        losses.append(log_loss(others, won_there, fitted))
    if not weights:
        raise ValueError(TOO_FEW.format(games=games))
    final = FINAL.get(spec.name, {})
    weights.append([final.get(name, 0.0) for name in spec.engine.value_names])
    return weights, losses


def play_critic(
    batch: Batch, bot: str, critic: Network, weights: list[list[float]], rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Let a network play one seat of each game, and bots with varied numbers the others.

    Returns: for each number of complete rounds, as far as there are weights, of the n games that are not over then:
        what a mix is made of, float64[n, 3], and the network's share of the win in the end, float64[n].
    """
    n, players = batch.num_players, np.arange(batch.num_games) % batch.num_players
    seats = rng.integers(1, BOTS + 1, (batch.num_games, n))
    seats[np.arange(batch.num_games), players] = 0
    policies, parts = [critic.compiled, *varied(batch, bot, rng)], []
    for row in weights:
        rows = np.flatnonzero(~batch.over)
        fitted = probabilities(value_features(batch)[rows], np.array(row))[np.arange(len(rows)), players[rows]]
        expected = expected_shares(batch.take(rows), players[rows], critic)
        parts.append((np.stack([logit(fitted), logit(expected), np.ones(len(rows))], 1), rows))
        batch.play(policies, seats, until=ROUND)
    if not batch.over.all():
        batch.play(policies, seats)
    shares = shares_of_win(batch)[np.arange(batch.num_games), players]
    return [(x, shares[rows]) for x, rows in parts]


def network_of(critic: str, spec: GameSpec) -> Network:
    """Return a network as a critic; ValueError for another bot, and in a game without planning."""
    if not spec.engine.plan_size:
        raise ValueError(f"critic: {spec.name} has no planning, at whose beginning a critic is asked")
    network = make_agent(critic, spec)
    if not isinstance(network, Network):
        raise ValueError(f"critic {critic!r}: must be a network, such as champion")
    return network


def expected_shares(batch: Batch, players: np.ndarray, critic: Network) -> np.ndarray:
    """Return the share of the win that a network expects for a player of each game: float64[B]."""
    return np.array([each.share for each in critic.weigh_shown(batch.observe_for(players), batch.legal_for(players))])


def logit(chances: np.ndarray) -> np.ndarray:
    """Return the logarithm of the odds of chances to win."""
    bounded = np.clip(chances, LEAST_CHANCE, 1 - LEAST_CHANCE)
    result: np.ndarray = np.log(bounded / (1 - bounded))
    return result


def _two(x: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances of one player as those of two, of whom the other one has no features."""
    return np.stack([x, np.zeros_like(x)], 1), np.stack([shares, 1 - shares], 1)


def mix_loss(x: np.ndarray, shares: np.ndarray, mix: np.ndarray) -> float:
    """Return the mean negative logarithm of the chance that a mix of ``x`` gave to what came out, shares float64[n]."""
    return log_loss(*_two(x, shares), mix)


def fit_mix(x: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the mix float64[F] of ``x`` float64[n, F] that predicts shares of the win float64[n]."""
    return _newton(*_two(x, shares))


def mix_players(
    batch_type: type[Batch], players: int, games: int, bot: str, critic: Network, weights: list[list[float]], seed: int
) -> tuple[list[list[float]], list[list[float]]]:
    """Return the mixes after each number of complete rounds, and log losses of the fitted value and of the mix."""
    parts = []
    for number, options in enumerate(KINDS.get(batch_type.spec.name, ({},))):
        batch = batch_type(games, num_players=players, seed=seed + number * games, **options)
        parts.append(play_critic(batch, bot, critic, weights, np.random.default_rng((seed, players, number))))
    mixes, losses = [], []
    for part in zip(*parts, strict=True):
        x, won, others, won_there = _apart(part, seed)
        if not len(x) or not len(others):
            raise ValueError(TOO_FEW.format(games=games))
        mix = fit_mix(x, won)
        mixes.append([float(f"{number:.4g}") for number in mix])
        losses.append([round(mix_loss(others, won_there, each), 4) for each in (np.array([1.0, 0.0, 0.0]), mix)])
    return mixes, losses


def fit_value(
    batch_type: type[Batch], games: int, bot: str = "scripted", seed: int = 0, show: Progress = no_progress,
    critic: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return the fitted value of a game as JSON holds it.

    Args:
        batch_type: the game's ``Batch``.
        games: games per number of players and kind of game.
        bot: the bot that plays, with varied numbers.
        seed: seed of the first game.
        show: shows progress, in numbers of players.
        critic: the network with whose value the fitted one is mixed; none without.

    Raises: ValueError for a game without features of a value, or without planning but with a critic; for a bot that is
        not compiled, or a critic that is no network.
    """
    spec: GameSpec = batch_type.spec
    if not spec.engine.value_names:
        raise ValueError(f"{spec.name} has no features of a value")
    network = network_of(critic, spec) if critic else None
    value: dict[str, Any] = {"game": spec.name, "bot": bot, "games": games, "features": list(spec.engine.value_names)}
    value |= {"weights": {}, "log_loss": {}}
    if critic:
        value |= {"critic": critic, "mix": {}, "mix_log_loss": {}}
    for number, players in enumerate(spec.players):
        weights, losses = fit_players(batch_type, players, games, bot, seed)
        value["weights"][str(players)] = weights
        value["log_loss"][str(players)] = [round(loss, 4) for loss in losses]
        if network is not None:
            first = seed + len(KINDS.get(spec.name, ({},))) * games  # no seed of the games before
            count = max(1, round(MIX_PART * games))
            mixes, compared = mix_players(batch_type, players, count, bot, network, weights[:-1], first)
            value["mix"][str(players)], value["mix_log_loss"][str(players)] = mixes, compared
        show(number + 1, f"{players} players")
    return value


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_game()
    parser.add_games(3000, "games per number of players and kind of game")
    parser.add_seed()
    parser.add_argument("--bot", default="scripted", help="the bot that plays, with varied numbers (scripted)")
    parser.add_argument(
        "--critic", default="", metavar="BOT", help="the network with whose value the fitted one is mixed (none)"
    )
    parser.add_argument(
        "--out", type=new_file, metavar="FILE", help="file to write (in a checkout: the one that search reads)"
    )


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.out is None:
        only_in_a_checkout("without --out FILE fit_value writes the file that search reads")
    batch_type = batch_class(args.game)
    with progress("fitting", len(batch_type.spec.players)) as show:
        value = fit_value(batch_type, args.games, args.bot, args.seed, show, args.critic)
    for players, losses in value["log_loss"].items():
        text = " ".join(f"{loss:.3f}" for loss in losses)
        print(f"{players} players: log loss {text} after 0, 1, … rounds; knowing nothing {math.log(int(players)):.3f}")
    for players, compared in value.get("mix_log_loss", {}).items():
        text = " ".join(f"{fitted:.3f}/{mixed:.3f}" for fitted, mixed in compared)
        print(f"{players} players: log loss of one player's chance, fitted value alone and mixed, {text}")
    write_json(args.out or VALUE_FILES[args.game], {"command": args.command_line, **value})
