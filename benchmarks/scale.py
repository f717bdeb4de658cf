"""How cost grows: ``shogun-env scale --json out/scale.json``, and ``--publish`` for the table and the picture.

Each figure is measured in a process of its own, in CPU time but for threads. Games of tournaments and leagues are not
played: bots have strengths that are known, and results are drawn (``benchmarks.simulation``). Everything else is done
as the commands do it, in the formats that they write.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena import settings as arena
from shogun_env.benchmarks.arena.check import check
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE, VERSION, Journal
from shogun_env.benchmarks.arena.likelihood import SCALE
from shogun_env.benchmarks.arena.page import write_arena
from shogun_env.benchmarks.arena.schedule import choose_any, next_round
from shogun_env.benchmarks.documents import Tree, source_line
from shogun_env.benchmarks.experiment import Experiment, OfGame, Published, Watch, same, setting
from shogun_env.benchmarks.markdown import markdown_table, number
from shogun_env.benchmarks.simulation import PLAYERS, SPREAD, drawn

if TYPE_CHECKING:
    from shogun_env.benchmarks.work import Work

SECONDS = 0.3
"""Seconds for which play is repeated."""
GAMES = 1024
"""Games in a batch where their number is not what grows."""
TOURNAMENT_BOTS = 20
GAMES_PER_BOT = 40
"""Games of each bot of a league, before the next round is chosen."""


@dataclass(frozen=True)
class Settings(OfGame):
    """What is measured."""

    largest: int = setting(1_000_000, "leave out larger sizes", cli.count, "N")


# --- work ------------------------------------------------------------------------------------------------------------


def play(settings: Settings, observed: bool, games: int = GAMES, **more: Any) -> Work:
    """Return work that plays at random: decisions."""
    from shogun_env.benchmarks.work import looking  # not above: --help needs no engine

    batch, bot = cli.batch_class(settings.game)(games, seed=0, **more), looking if observed else "random"

    def work() -> float:
        done, end = 0.0, time.perf_counter() + SECONDS
        while not done or time.perf_counter() < end:
            batch.reset()
            batch.play([bot], 0)
            done += batch.decisions.sum()
        return done

    batch.play([bot], 0)  # what is compiled or loaded is not measured
    return work


def vector_steps(settings: Settings, observation: str, num_threads: int) -> Work:
    """Return work that steps a vector environment of ``make_vec``: decisions of learners."""
    import gymnasium  # not above: --help needs no engine

    from shogun_env.benchmarks.work import learner_games

    env_id = f"shogun_env/{settings.game.capitalize()}-v0"
    envs = gymnasium.make_vec(env_id, num_envs=GAMES, observation=observation, num_threads=num_threads)
    work = learner_games(envs, seed=0)
    work()  # what is compiled or loaded is not measured
    return work


def write(folder: Path, bots: int, games: int, schedule: str = arena.TELLING, spec: str = "random") -> None:
    """Write the journal of an arena with results that are drawn: a tournament, or a league that meets at random."""
    rng, journal, history = np.random.default_rng(0), Journal(folder / FILE), History()
    truth, names = rng.normal(size=bots) * SPREAD / SCALE, [f"bot {bot}" for bot in range(bots)]
    is_league = schedule == arena.TELLING
    settings = arena.Settings(
        game=Settings().game, variants=({"num_players": PLAYERS},), schedule=schedule, seed=0,
        agents=() if is_league else tuple(names),
    )  # fmt: skip
    start = {"kind": "start", "version": VERSION, "settings": settings.in_journal(), "secret_sha256": None}
    history.take(journal.append({**start, "made_by": arena.made_by(settings.game)}))
    for bot, name in enumerate(names):
        entry = {"kind": "entry", "bot": bot, "name": name, "spec": spec, "sha256": "", "rating": None}
        history.take(journal.append(entry))
    tables = choose_any(rng, bots, games // PLAYERS, PLAYERS).tolist() if is_league else ()
    event = {"kind": "round", "number": 0, "variant": 0, "tables": tables}
    history.take(journal.append(event if is_league else next_round(history, games) or {}))
    now = history.rounds[0]
    for block in range(now.n_blocks):
        numbers = now.games(block)
        place = drawn(rng, truth, now.bots(numbers)).astype(int)
        event = {
            "kind": "games", "round": 0, "block": block, "seeds": numbers.tolist(), "place": place.tolist(),
            "points": (60 - 8 * place).tolist(), "faults": [], "seconds": {}, "records": [],
        }  # fmt: skip
        history.take(journal.append(event))
    journal.close()


def check_tables(folder: Path) -> None:
    """Check an arena without playing games again: read it, choose its rounds again, and make its tables again."""
    if differences := check(folder, 1.0, None, run_bots=False).differences:
        raise ValueError(f"{folder}: {'; '.join(differences)}")


def once(size: int, does: Callable[..., Any], *arguments: Any) -> Work:
    """Return work that does something once for ``size`` things."""

    def work() -> float:
        does(*arguments)
        return size

    return work


def in_journal(does: Callable[[Path, History], Any]) -> Step:
    """Return the step that does something once with a folder and the history in it, which was read before."""
    return lambda settings, size, folder: once(size, does, folder, History.at(folder / FILE))


Step = Callable[[Settings, int, Path], "Work"]
"""What a process does: it prepares work for settings, a size and a folder that the steps of a size share."""


class Part(NamedTuple):
    """Something that grows."""

    steps: dict[str, Step]
    """What is measured, by the heading of its column."""
    sizes: Callable[[Settings], Sequence[int]]
    clock: str = "cpu"
    """``cpu`` or ``elapsed``."""
    is_play: bool = True
    """Whether the table shows nanoseconds per decision, rather than seconds."""


def powers(low: int, high: int) -> Callable[[Settings], Sequence[int]]:
    """Return the powers of ten from 10^low to 10^high as sizes."""
    return lambda settings: [10**power for power in range(low, high + 1)]


def playing(name: str) -> dict[str, Step]:
    """Return the steps of random play, where ``name`` is the argument of ``play`` that grows."""
    return {
        "random": lambda settings, size, folder: play(settings, False, **{name: size}),
        "observed": lambda settings, size, folder: play(settings, True, **{name: size}),
    }


TABLES = in_journal(lambda folder, history: write_arena(folder, "scale", history, "", {}))
PARTS: dict[str, Part] = {
    "games in a batch": Part(playing("games"), powers(0, 5)),
    "players": Part(playing("num_players"), lambda settings: sorted(cli.batch_class(settings.game).spec.players)),
    "threads": Part(
        {
            **playing("num_threads"),
            "make_vec": lambda settings, size, folder: vector_steps(settings, "flat", size),
            "make_vec, bytes": lambda settings, size, folder: vector_steps(settings, "bytes", size),
        },
        lambda settings: range(1, cli.cores() + 1),
        clock="elapsed",
    ),
    "games of a tournament": Part(
        {
            # of bots that are not the package's own, so that none is asked again
            "written": lambda _, size, folder: once(
                size, write, folder, TOURNAMENT_BOTS, size, arena.DRAWN, "bots.py:make"
            ),
            "read": lambda settings, size, folder: once(size, History.at, folder / FILE),
            "fit, tables, page": TABLES,
            "checked": lambda settings, size, folder: once(size, check_tables, folder),
        },
        powers(3, 6),
        is_play=False,
    ),
    "bots in a league": Part(
        {
            "written": lambda settings, size, folder: once(size, write, folder, size, GAMES_PER_BOT // 4 * size),
            "next round": in_journal(lambda folder, history: next_round(history, 1 << 40)),
            "fit, tables, page": TABLES,
        },
        powers(1, 4),
        is_play=False,
    ),
}


# --- measuring -------------------------------------------------------------------------------------------------------


def measured(settings: Settings, part: str, step: str, size: int, folder: Path) -> Tree:
    """Return what a step costs; the peak of memory is that of this process."""
    work = PARTS[part].steps[step](settings, size, folder)
    begin, cpu = time.perf_counter(), time.process_time()
    done = work()
    row = {"part": part, "step": step, "size": size, "done": float(done), "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**row, "elapsed": time.perf_counter() - begin, "peak_mb": peak}


def measure(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Yield what each step costs at each size."""
    sizes = [(name, size) for name, part in PARTS.items() for size in part.sizes(settings) if size <= settings.largest]
    context = multiprocessing.get_context("spawn")
    for name, size in watch.each(sizes, lambda each: f"{each[0]}: {each[1]:,}"):
        with tempfile.TemporaryDirectory() as folder:
            for step in PARTS[name].steps:
                with ProcessPoolExecutor(1, context) as process:
                    yield process.submit(measured, settings, name, step, size, Path(folder)).result()


def table(run: Tree) -> str:
    """Return a table for each part: what each step costs, and the peak of memory in MB."""
    tables = []
    for name, part in PARTS.items():
        cells: dict[int, list[str]] = {}
        for row in (row for row in run["rows"] if row["part"] == name):
            cost = 1e9 * row[part.clock] / row["done"] if part.is_play else row[part.clock]
            cells.setdefault(row["size"], [f"{row['size']:,}"]).extend([number(cost), number(row["peak_mb"])])
        unit = "ns" if part.is_play else "s"
        head = [name, *(text for step in part.steps for text in (f"{step}, {unit}", "MB"))]
        tables.append(markdown_table(head, [line for line in cells.values() if len(line) == len(head)]))
    return "\n".join([*tables, source_line(run)])


def curves(run: Tree) -> dict[str, dict[str, tuple[list[int], list[float]]]]:
    """Return for each part and step the sizes, and microseconds per game, bot or decision."""
    found: dict[str, dict[str, tuple[list[int], list[float]]]] = {}
    for row in run["rows"]:
        if row["part"] not in ("players", "threads"):
            sizes, costs = found.setdefault(row["part"], {}).setdefault(row["step"], ([], []))
            sizes.append(row["size"])
            costs.append(1e6 * row["cpu"] / row["done"])
    return found


EXPERIMENT = Experiment(
    name="scale",
    settings=Settings,
    measure=measure,
    figures=lambda settings, rows: {"game": settings.game, "rows": rows},
    table=table,
    published=Published(
        "scale.json",
        ("game", "rows", "machine"),
        same("game"),
        lambda runs: [run | {"table": table(run)} for _, run in runs],
    ),
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
