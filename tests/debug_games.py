"""Play whole games without compilation, where every index is checked: ``make debug``.

Games of random moves check every field after each decision; games of bots find one that reads past an array. Compiled
kernels do not notice, and with ``NUMBA_BOUNDSCHECK`` a policy's error is printed and the action 0 is played.
"""

import sys
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from shogun_env.agents.network.agent import save_network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.agents.scripted import STYLES
from shogun_env.kernel.jit import JIT
from shogun_env.policies import make_agent, play_on
from tests.games import KINDS, NAMES, Options, advance, batch_class, rare_action, some_action
from tests.games import play_on as play_randomly

GAMES = (*NAMES, "shikoku")
SHIKOKU = [{"num_players": players, "size": size} for players, size in product((2, 3), ("small", "large"))]
SIZES = Sizes(6, 16, 8)
"""Layers of the network that plays: the code is that of larger ones, which take minutes here."""
SLOW = 3
"""How many bots, the last ones of ``bots_of``, take seconds in a game of full size: each kind has a game of
one of them."""
SEARCH = "search:plan_rollouts=4:rollouts=4"


class Table(np.ndarray):
    """An array that refuses an index below 0, which numpy and numba count from the end."""

    def __getitem__(self, key: Any) -> Any:
        """Return an element or a part; IndexError for a number below 0."""
        for index in key if isinstance(key, tuple) else (key,):
            if isinstance(index, np.integer | int) and index < 0:
                raise IndexError(f"index {key} of a table is below 0")
        return super().__getitem__(key)


def guard_tables() -> None:
    """Make each table of the modules that are loaded refuse an index below 0."""
    for name, module in list(sys.modules.items()):
        if name.startswith("shogun_env."):
            tables = {key: value for key, value in vars(module).items() if type(value) is np.ndarray}
            vars(module).update({key: value.view(Table) for key, value in tables.items()})


def kinds_of(name: str) -> list[Options]:
    """Return options of play that lead through all of a game."""
    return SHIKOKU if name == "shikoku" else KINDS[name]


def write_network(name: str, folder: Path) -> str:
    """Write a network with weights drawn at random to a file; return the spec of the bot."""
    shape, rng = Shape(batch_class(name).spec, SIZES), np.random.default_rng(1)
    weights = {key: rng.standard_normal(size).astype(np.float32) / 4 for key, size in shape.weights().items()}
    path = folder / f"{name}.npz"
    save_network(path, batch_class(name).spec, SIZES, weights)
    return f"ppo:{path}"


def bots_of(name: str, network: str) -> list[str]:
    """Return every bot that reads observations in kernels: all styles, networks, and searches with either."""
    styles = STYLES["shogun" if name == "shikoku" else name]
    searches = [SEARCH, f"{SEARCH}:base={network.replace(':', ';')}:model=scripted"]
    return [
        *(f"scripted:style={style}" for style in styles),
        network,
        *searches,
        *(["pool:2min"] if name in NAMES else []),
    ]


def fault_of_random(name: str, number: int, options: Options) -> str | None:
    """Play a game of random moves and print how it came out; return what is wrong in it, or None."""
    batch = batch_class(name)(1, seed=number, record=True, **options)
    for step, _ in enumerate(play_randomly(batch, number, pick=rare_action if name in NAMES else some_action)):
        code = int(batch.check()[0])
        if code:
            return f"{name}, {options}, seed {number}, decision {step}: {batch.spec.check_messages[code]}"
        batch.observe()
    points = " ".join(map(str, batch.points[0]))
    print(f"{name}, seed {number:2}, {options}: {batch.decisions[0]} decisions, points {points}")
    return None


def fault_of_bot(name: str, number: int, options: Options, bot: str, begin: int) -> str | None:
    """Play a game that a bot takes up after some random moves, against more of them; return what is wrong, or None."""
    batch = batch_class(name)(1, seed=number, **options)
    advance(batch, number, begin)
    seats = np.ones((1, batch.num_players), np.int8)
    seats[0, number % batch.num_players] = 0
    where = f"{name}, {options}, seed {number}, {bot} from decision {begin} on"
    try:
        play_on(batch, [make_agent(bot, batch.spec), make_agent("random", batch.spec)], seats)
    except (IndexError, ValueError) as error:
        return f"{where}: {error!r}"
    print(f"{where}: {batch.decisions[0]} decisions")
    return None


def faults(folder: Path) -> list[str]:
    """Play games of all kinds; return what is wrong in them."""
    found: list[str | None] = []
    for name in GAMES:
        kinds = list(enumerate(kinds_of(name)))
        found += [fault_of_random(name, number, options) for number, options in kinds]
        bots = bots_of(name, write_network(name, folder))
        for number, options in kinds:
            if name == "shikoku":
                games = [(bot, begin) for bot in bots for begin in (0, 3)]
            else:
                games = [(bot, begin) for bot in bots[:-SLOW] for begin in (0, 40)]
                games.append((bots[number % SLOW - SLOW], 0))
            found += [fault_of_bot(name, number, options, bot, begin) for bot, begin in games]
    return [fault for fault in found if fault]


def main() -> int:
    """Play games of all kinds; return the exit status."""
    if JIT:
        print(
            "NUMBA_DISABLE_JIT is not set: the kernels are compiled, their array bounds are not checked",
            file=sys.stderr,
        )
    begin = time.perf_counter()
    for name in GAMES:
        make_agent("scripted", batch_class(name).spec)  # loads its modules
    guard_tables()
    with np.errstate(over="ignore"), TemporaryDirectory() as folder:  # products of the random stream wrap
        found = faults(Path(folder))
    print("\n".join(found), file=sys.stderr)
    print(f"{len(found)} games with a fault, {time.perf_counter() - begin:.0f} s")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
