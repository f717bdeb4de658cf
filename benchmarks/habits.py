"""Say what bots play like, by what they do in games: ``shogun-env habits --agents champion,scripted``.

Each bot plays one seat against copies of another, seats rotated, and what it does is counted from the records. The
first bot is compared with the second, and differences beyond chance are marked. A network that wins more often than its
predecessor may still have unlearnt what pays late or rarely, and no share of wins shows that: look at this table before
it takes the place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.experiment import Experiment, Seed, Watch, WithOptions
from shogun_env.benchmarks.markdown import markdown_table, printed
from shogun_env.policies import make_agent, specs_in
from shogun_env.shares import FEWEST, half_width, rotated
from shogun_env.spec.bots import different

SEEDS_AT_ONCE = 50
"""Seeds whose games are in memory at the same time; the log of a game takes 64 kB."""
OPPONENT = "opponents"
"""Name of the column of those that the first bot plays against."""

Sums = dict[str, list[np.ndarray]]
"""By habit for each game, the rotations of a seed one after the other: how often, out of how many, float64[2]."""
Means = dict[str, list[float]]
"""By habit the mean with half the width of its 95 % interval."""


@dataclass(frozen=True)
class Settings(WithOptions):
    """Whose habits are counted, and how long."""

    agents: Annotated[str, different] = "champion,scripted"
    """Bots, separated by commas; the first is compared with the second."""
    against: str = "scripted"
    """Who plays all other seats."""
    games: int = 400
    """Games of each bot."""
    seed: Seed = 0
    """Seed of the first game."""
    threads: int = cli.cores()
    """Threads of the engine."""


def habits_of(settings: Settings, agent: str) -> tuple[Means, Means, int]:
    """Return what a bot does, what its opponents do, and in how many games; what had no occasion is left out.

    Games are rounded down to a multiple of the number of players, and there are ``FEWEST`` of each rotation at least.

    Raises: ValueError for an unknown bot, or options that the game does not allow.
    """
    batch_type, options, seed = cli.batch_class(settings.game), dict(settings.options), settings.seed
    spec = batch_type.spec
    bot, opponent = (make_agent(each, spec) for each in (agent, settings.against))
    n_players = int(spec.check_options(options)["num_players"])
    count = max(FEWEST, settings.games // n_players)
    own_sums: Sums = {}
    other_sums: Sums = {}
    for first in range(seed, seed + count, SEEDS_AT_ONCE):
        seeds = np.arange(first, min(first + SEEDS_AT_ONCE, seed + count))
        batch, own = rotated(batch_type, bot, opponent, seeds, options, settings.threads, record=True)
        for row, lines in enumerate(batch.records()):
            is_own = np.arange(n_players) == own[row]
            for words, counts in spec.record_format.habits(lines).items():
                for sums, players in ((own_sums, is_own), (other_sums, ~is_own)):
                    sums.setdefault(words, []).append(np.array(counts)[:, players].sum(1))
    return _means(own_sums, n_players), _means(other_sums, n_players), count * n_players


def _means(sums: Sums, n_players: int) -> Means:
    """Return the ratios of the sums with their intervals, from how seeds scatter around the ratio of all."""
    means = {}
    for words, of_game in sums.items():
        count, of = np.array(of_game).reshape(-1, n_players, 2).sum(1).T
        if of.sum() > 0:
            mean = count.sum() / of.sum()
            half = half_width(count - mean * of) * len(of) / of.sum()
            means[words] = [float(mean), float(half)]
    return means


def measure(settings: Settings, watch: Watch) -> Iterator[tuple[str, Means, Means, int]]:
    """Yield what each bot does, what its opponents do, and in how many games."""
    for agent in watch.each(specs_in(settings.agents)):
        yield agent, *habits_of(settings, agent)


def figures(settings: Settings, rows: list[tuple[str, Means, Means, int]]) -> Tree:
    """Return what every bot does, and last what those do that the first bot plays against."""
    habits = {agent: own for agent, own, *_ in rows} | {OPPONENT: rows[0][2]}
    return {"game": settings.game, "against": settings.against, "games": rows[0][3], "habits": habits}


def habits_table(run: Tree) -> str:
    """Return what bots do: a row for each habit, a column for each bot, and where it was measured.

    The last column compares the first bot with the second.
    """
    columns: Mapping[str, Mapping[str, Sequence[float]]] = run["habits"]
    first, second, *_ = columns.values()
    rows = []
    for words in dict.fromkeys(words for column in columns.values() for words in column):
        cells = [_habit(column.get(words)) for column in columns.values()]
        rows.append([words, *cells, _mark(first.get(words), second.get(words))])
    names = [f"`{name}`" for name in columns]
    title = cli.batch_class(run["game"]).spec.title
    head = [f"{title}, a player's mean", *names, "first compared with second"]
    command = f"{run['games']} games of each bot; `{printed(run['command'])}`"
    measured = f"*{command}; {run['machine']['cpu']}; commit {run['machine']['commit']}.*\n"
    return f"{markdown_table(head, rows)}\n{measured}"


def _habit(mean: Sequence[float] | None) -> str:
    """Return a mean with half the width of its interval, such as ``2.31 ± 0.05``."""
    return "–" if mean is None else f"{mean[0]:.2f} ± {mean[1]:.2f}"


def _mark(first: Sequence[float] | None, second: Sequence[float] | None) -> str:
    """Say how the first of two means compares with the second; they are alike if the intervals meet."""
    if first is None or second is None:
        return "–"
    if abs(first[0] - second[0]) <= first[1] + second[1]:
        return "alike"
    return "more" if first[0] > second[0] else "less"


EXPERIMENT = Experiment(name="habits", settings=Settings, measure=measure, figures=figures, table=habits_table)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
