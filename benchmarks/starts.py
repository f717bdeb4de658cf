"""Measure how much a start position is worth among equal bots: ``shogun-env starts --players 3,4,5``.

All players are copies of one bot. Each set-up is dealt once and played on several times with other chance, so that
besides the share of wins of each player the command tells how far the players' chances lie apart when play begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.experiment import Experiment, Seed, Watch, WithOptions
from shogun_env.benchmarks.markdown import markdown_table
from shogun_env.policies import Bot, ask, make_agent, play_on, specs_in, tell_begun
from shogun_env.shares import FEWEST, half_width, shares_of_win
from shogun_env.spec.bots import different

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

AGAIN = 5
"""How often each set-up is played on."""


@dataclass(frozen=True)
class Settings(WithOptions):
    """Whose starts are measured, and how long; options of play may be lists."""

    agents: Annotated[str, different] = "scripted"
    """Bots that play among themselves, separated by commas."""
    games: int = 5000
    """Least number of games of each bot with each set of options."""
    seed: Seed = 0
    """Seed of the first set-up."""
    threads: int = cli.cores()
    """Threads of the engine."""


def starts_of(settings: Settings, agent: str, options: Mapping[str, Any]) -> Tree:
    """Play copies of a bot against each other and return what the starts are worth.

    At least ``FEWEST`` set-ups are dealt, each with the next seed, and ``AGAIN`` games begin with each.

    Returns: ``games``, how many; shares of wins, each with half the width of its 95 % interval: ``by_player``;
        ``by_position``, by start position in words, empty with options that have none; and as ``spread`` how far the
        players' chances to win lie from equality after the set-up, the root of the mean square.
    Raises: ValueError for an unknown bot, or options that the game does not allow.
    """
    batch_type, seed, num_threads = cli.batch_class(settings.game), settings.seed, settings.threads
    spec = batch_type.spec
    bot, dealt = make_agent(agent, spec), max(FEWEST, -(-settings.games // AGAIN))
    batch = batch_type(dealt, seed=seed, num_threads=num_threads, **{**options, "reward": "win"})
    _set_up(batch, bot)
    players = range(batch.num_players)
    positions = np.array([[spec.start_position(g, player) for player in players] for g in batch.games])
    again = batch.take(np.repeat(np.arange(dealt), AGAIN), num_threads=num_threads)
    rng = np.random.default_rng(seed)
    for keys in (again.rngs, again.policy_rngs):  # of each game and of each bot: other chance to come
        keys[..., 0] = rng.integers(0, 2**64, keys.shape[:-1], np.uint64)
    every = np.arange(again.num_games)
    tell_begun([bot], every)  # its memory is of the set-ups, which were in other rows
    play_on(again, [bot], np.zeros((again.num_games, batch.num_players), np.int8), rows=every)
    won = shares_of_win(again).reshape(dealt, AGAIN, batch.num_players)
    chances = won.mean(1)
    return {
        "games": again.num_games,
        "by_player": [_share(chances[:, player]) for player in players],
        "by_position": {
            words: _share(chances[positions == index])
            for index, words in enumerate(spec.start_positions)
            if (positions == index).any()
        },
        "spread": _apart(chances, won.var(1, ddof=1) / AGAIN),
    }


def _set_up(batch: Batch, bot: Bot) -> None:
    """Let copies of a bot make the decisions of the set-up, which come before the first plan in games with plans."""
    plan = batch.spec.plan_phase
    tell_begun([bot], np.arange(batch.num_games))
    while plan >= 0 and (rows := np.flatnonzero(batch.phase != plan)).size:
        batch.step(ask(bot, batch, rows), rows)


def _share(chances: np.ndarray) -> list[float]:
    """Return the mean of one chance of each set-up, float64[n], which are independent; one alone tells nothing."""
    return [float(chances.mean()), min(half_width(chances, AGAIN * len(chances)), 1.0)]


def _apart(chances: np.ndarray, errors: np.ndarray) -> list[float]:
    """Return how far true chances lie from equality, without what comes from the few games of each set-up.

    Args: chances, measured, float64[D, P] by set-up and player; errors, the variance of each, float64[D, P].
    """
    squares = ((chances - 1 / chances.shape[1]) ** 2 - errors).mean(1)
    spread = max(float(squares.mean()), 0.0) ** 0.5
    error = half_width(squares)
    return [spread, error / (2 * spread) if spread > error**0.5 else error**0.5]


def measure(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Yield what the starts of each bot with each set of options are worth."""
    spec = cli.batch_class(settings.game).spec
    variants = [cli.unusual_options(spec, options) for options in cli.combinations_of(settings.options)]
    if any(variants.count(each) > 1 for each in variants):
        raise ValueError(f"{settings.options}: two variants are the same; give each set of options of play once")
    cells = [(agent, options) for options in variants for agent in specs_in(settings.agents)]
    for agent, options in watch.each(cells, lambda cell: f"{cell[0]}, {cell[1]}"):
        yield {"agent": agent, "options": options, **starts_of(settings, agent, options)}


def table(run: Tree) -> str:
    """Return two tables of what starts are worth among equal bots: shares of wins, and how far chances lie apart."""
    spec = cli.batch_class(run["game"]).spec
    agents = list(dict.fromkeys(cell["agent"] for cell in run["starts"]))
    rows: dict[tuple[str, int], dict[str, Mapping[str, Any]]] = {}
    for cell in run["starts"]:
        options = {name: value for name, value in cell["options"].items() if name != "num_players"}
        players = int(spec.check_options(cell["options"])["num_players"])
        rows.setdefault((" ".join(cli.option_arguments(options)), players), {})[cell["agent"]] = cell
    won, apart = [], []
    for (arguments, players), cells in rows.items():
        start = f"`{arguments}`" if arguments else "as usual"
        numbers = "/".join(map(str, range(players)))
        measured_here = [cells.get(agent, {}) for agent in agents]
        won.append([start, f"player {numbers}", *(_shares(cell.get("by_player")) for cell in measured_here)])
        some = next(iter(cells.values()))
        if some["by_position"] and list(some["by_position"].values()) != list(some["by_player"]):
            names = "/".join(some["by_position"])
            by_position = [cell["by_position"].values() if cell else None for cell in measured_here]
            won.append([start, f"{players} players, {names}", *map(_shares, by_position)])
        apart.append([start, str(players), *(_spread(cell.get("spread")) for cell in measured_here)])
    head = [f"`{agent}`" for agent in agents]
    wins = markdown_table([f"{spec.title}, start", "share of wins in % of", *head], won)
    return f"{wins}\n{markdown_table(['start', 'players', *head], apart)}"


def _shares(shares: Iterable[Sequence[float]] | None) -> str:
    """Return shares of wins with half the width of the widest interval, such as ``12.9/6.2/31.1/49.8 (± 1.3)``."""
    if shares is None:
        return "–"
    values = list(shares)
    widest = max(half for _, half in values)
    return f"{'/'.join(f'{100 * share:.1f}' for share, _ in values)} (± {100 * widest:.1f})"


def _spread(spread: Sequence[float] | None) -> str:
    """Return how far chances lie apart, in percentage points with half the width of the interval."""
    return "–" if spread is None else f"{100 * spread[0]:.1f} (± {100 * spread[1]:.1f})"


EXPERIMENT = Experiment(
    name="starts",
    settings=Settings,
    measure=measure,
    figures=lambda settings, rows: {"game": settings.game, "starts": rows},
    table=table,
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
