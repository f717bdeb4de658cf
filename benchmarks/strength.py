"""Measure how strong a bot is over a fixed panel: ``shogun-env strength --agent scripted --json out/s.json``.

The bot plays against copies of one member of the panel after the other, and then against different members at each
table: with every number of players, in every seat. Panel, seeds and options are fixed, so that figures of different
days and bots can be compared; a change of them is a new ``PANEL_VERSION``. A bot's strength is the mean of these shares
of wins, and the worst of them. ``make book ADD=FILE`` puts the file of ``--json`` into
``strength.json``, from which the tables of documents are made (``benchmarks.documents``).

``--against SPEC`` asks one question instead, and plays no longer than it takes to answer it: does the bot win more than
its part against copies of this one? One value of the test is one seed: the bot's mean share of the win in every seat,
with every number of players and every variant of the options. What is asked is fixed before: a bot that wins
``bounds.low`` or less is called better with a probability of at most ``bounds.error``, and one that wins
``bounds.high`` or more is called no better with at most the same. The exit status is the answer. ``--against panel``
asks the same of the mean over all rows of the panel, for the percentage of ``--better-than``. Each seed is played in
every row, in every seat, and its mean share is one value: in [0, 1], with the bot's strength as its expectation, and
independent of those of other seeds. The test asks no more of a value than that, so it holds for this mean as it does
for one row. It says nothing of the worst row, which the table of the panel shows.

``--runs DIR`` compares the finished training runs of a folder instead, and ``--task NAME`` bots of any learner
(``finished``).
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

import shogun_env
from shogun_env import FULL_GAMES
from shogun_env.agents.fingerprint import made_of
from shogun_env.batch.signature import signature
from shogun_env.benchmarks import finished
from shogun_env.benchmarks.arena.settings import made_by
from shogun_env.benchmarks.documents import BEST, PANEL_VERSION, Tree, mean_and_worst
from shogun_env.benchmarks.experiment import Experiment, GameSettings, Percent, Watch
from shogun_env.benchmarks.markdown import percent, percent_interval
from shogun_env.cli import batch_class, cores, option_arguments, plain_options
from shogun_env.policies import Bot, make_agent, specs_in
from shogun_env.shares import NO, UNDECIDED, YES, Bounds, interval, mean_shares, parity, run_test, share_of, wins
from shogun_env.spec.bots import different
from shogun_env.spec.forms import from_0_to_1
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.settings import Option

SEED = 1_000_000
"""The first seed."""
SEEDS = 500
"""Number of seeds for each number of players unless another is given; each is played in every seat."""
MOST_SEEDS = 5000
"""A test is undecided after this many seeds unless another number is given."""
ZONE = 0.02
"""By how much a bot has to be better for a test to be sure to say so, unless another zone is given."""
EXIT_STATUS = {YES: 0, NO: 1, UNDECIDED: 3}
"""Exit status of a test by verdict; 2 is that of every command that is called wrongly."""
OPPONENTS = ("random", "pool:2min", "pool:20min", "scripted", "pool:champion-0.2")
"""The opponents of finished runs, the weakest first as far as that is known. Networks of the pool never change."""
SEARCHES = {
    "shogun": "search:base=champion:model=scripted:plan_rollouts=100:rollouts=15",
    "shitenno": "search:base=champion:model=scripted:play_on=scripted:plan_rollouts=30:rollouts=10",
}
"""The search in the panel of each game, a quick one."""
MIXED = "mixed"
"""The row of the panel in which each table has different members."""
PANEL = "panel"
"""What ``--against`` calls the panel."""


@dataclass(frozen=True)
class Settings(GameSettings):
    """Who is measured against whom; there are no options of play, as the panel fixes them."""

    agent: Annotated[str | None, different, Option(default=BEST)] = None
    """The bot; of a task one for each run, separated by commas."""
    rungs: Annotated[str | None, different] = None
    """Other opponents than the panel, separated by commas."""
    players: str | None = None
    """Only these numbers of players, separated by commas."""
    seeds: Annotated[int | None, Option(default=f"{SEEDS}; of a test at most {MOST_SEEDS}")] = None
    """Seeds per number of players, in all seats."""
    threads: int = cores()
    """Threads of the engine."""
    against: str | None = None
    """Test whether the bot wins more than its share against copies of this one, or over the panel (``panel``) more than
    --better-than, and stop as soon as that is known; the exit status is 0 for yes, 1 for no, 3 for undecided; the same
    command resumes from the file of --json."""
    better_than: Annotated[Percent | None, Option(default="parity")] = None
    """Of a test: ask whether it wins more than this."""
    zone: Annotated[Percent | None, Option(default=f"{100 * ZONE:g}")] = None
    """Of a test: width of the zone above that, in percentage points, in which either answer is right."""
    task: Annotated[str | None, tuple(finished.TASKS)] = None
    """Instead of the panel, a row of a named task: a learner's bots, one for each run, their mean and its interval."""
    runs: Path | None = None
    """Instead of one bot, compare the finished runs in this folder, named ALGORITHM-SEED, against --rungs; each plays
    with the options it was trained with."""

    @property
    def bot(self) -> str:
        """The bot, or those of a task."""
        return self.agent or BEST

    def player_counts(self) -> list[int]:
        """Return the numbers of players that are played with; ValueError for what is no number, or is given twice."""
        if self.players is None:
            return [*batch_class(self.game).spec.players]
        counts: list[int] = []
        for text in self.players.split(","):
            if not text.isdecimal():
                raise ValueError(f"--players: {text!r} must be a whole number")
            if int(text) in counts:  # the same games would count twice
                raise ValueError(f"--players: {text} is given twice")
            counts.append(int(text))
        return counts


class Rung(NamedTuple):
    """An opponent, and the options with which it is met."""

    against: str
    """Spec of the bot that all opponents are copies of."""
    options: dict[str, Any]
    """Options of play that are not the usual ones, without the number of players."""

    @property
    def title(self) -> str:
        """The rung in words, such as ``scripted --start random``."""
        return " ".join([self.against, *option_arguments(self.options)])


def variants(spec: GameSpec) -> list[dict[str, Any]]:
    """Return the options of play with which opponents are met, besides the number of players: fair ones, usual ones.

    Shogun's printed start positions are not equally good, so figures of fair ones come first.
    """
    return [dict(spec.fair), {}] if spec.fair else [{}]


def panel(spec: GameSpec) -> list[str]:
    """Return the members of the panel of a game: ``scripted`` in its styles, the pool, the champion, a search.

    Raises: ValueError for a game without a panel.
    """
    from shogun_env.agents.pool import POOL  # here, so that --help is quick
    from shogun_env.agents.scripted import STYLES

    if spec.name not in FULL_GAMES:
        raise ValueError(f"--game {spec.name}: has no panel of its own; name opponents with --rungs or --against")
    styles = [f"scripted:style={style}" for style in STYLES[spec.name][1:]]
    return [BEST, *styles, *(f"pool:{name}" for name in POOL[spec.name]), "champion", SEARCHES[spec.name]]


def rows_of(spec: GameSpec, opponents: Sequence[str] = ()) -> list[Rung]:
    """Return whom a bot meets: every opponent with every variant of the options, or the panel from fair starts."""
    if opponents:
        return [Rung(against, options) for against in opponents for options in variants(spec)]
    return [Rung(against, dict(spec.fair)) for against in (*panel(spec), MIXED)]


def opponents_in(rows: Sequence[Rung], spec: GameSpec) -> list[Bot | list[Bot]]:
    """Return whom each row is played against, for ``wins``; a bot of several rows is made once."""
    mixed = panel(spec) if MIXED in [row.against for row in rows] else []
    names = dict.fromkeys([*(row.against for row in rows if row.against != MIXED), *mixed])
    made = {name: make_agent(name, spec) for name in names}
    return [[made[name] for name in mixed] if row.against == MIXED else made[row.against] for row in rows]


def rung_line(rung: Mapping[str, Any]) -> str:
    """Return a rung in one line: by number of players the share with its interval, and the shares by seat."""
    parts = [
        f"{players} players {percent_interval(figures['share'], figures['low'], figures['high'])}, "
        f"seats {'/'.join(f'{100 * share:.0f}' for share in figures['seats'])}"
        for players, figures in rung["players"].items()
    ]
    return f"against {Rung(rung['against'], rung['options']).title}: {'; '.join(parts)}"


# --- the panel -------------------------------------------------------------------------------------------------------


def measure(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Measure a bot against every rung with every number of players; yield the rungs.

    Yields: for each rung its opponent, its options, and by number of players the share with interval and seats, and
        the seconds.
    Raises: ValueError for an unknown bot, or options that the game does not allow; nothing is played in that case.
    """
    batch_type = batch_class(settings.game)
    spec, players, seeds = batch_type.spec, settings.player_counts(), settings.seeds or SEEDS
    rungs = rows_of(spec, specs_in(settings.rungs) if settings.rungs else ())
    one, others = make_agent(settings.bot, spec), opponents_in(rungs, spec)
    tables = [[spec.check_options({"num_players": count, **rung.options}) for count in players] for rung in rungs]
    for climbed, (rung, other, options_of_rung) in enumerate(zip(rungs, others, tables, strict=True)):
        by_players = {}
        for done, options in enumerate(options_of_rung, climbed * len(players)):
            text = f"against {rung.title}, {options['num_players']} players"
            watch.show(done / len(rungs) / len(players), text)
            begin = time.perf_counter()
            won = wins(batch_type, one, other, np.arange(SEED, SEED + seeds), options, settings.threads)
            of_players = share_of(won)._asdict() | {"seconds": round(time.perf_counter() - begin, 2)}
            by_players[str(options["num_players"])] = of_players
        yield {**rung._asdict(), "players": by_players}


def figures(settings: Settings, rungs: list[Tree]) -> Tree:
    """Return what a file says of the rungs."""
    about = {
        "protocol": PANEL_VERSION.get(settings.game, 0),
        "version": shogun_env.__version__,
        "signature": signature(batch_class(settings.game)),
    }
    about |= {"game": settings.game, "agent": settings.bot, "seed": SEED, "seeds": settings.seeds or SEEDS}
    return {**about, "rungs": rungs}


def table_of(run: Mapping[str, Any]) -> str:
    """Return mean and worst of the panel in a line for each number of players; nothing for other opponents."""
    whole = [*panel(batch_class(run["game"]).spec), MIXED] if run["game"] in FULL_GAMES else []
    if [rung["against"] for rung in run["rungs"]] != whole:
        return ""
    return "".join(f"{players} players: {mean_and_worst(run, players)}\n" for players in run["rungs"][0]["players"])


# --- a test that stops as soon as it knows ---------------------------------------------------------------------------


def question(settings: Settings, path: Path | None) -> Tree:
    """Return what a test asks, whose answer is written to ``path``; ValueError for bounds above 1."""
    spec, against = batch_class(settings.game).spec, settings.against or ""
    is_panel = against == PANEL
    played = [
        plain_options(spec.check_options({"num_players": count, **options}))
        for options in variants(spec)[: 1 if is_panel else None]
        for count in settings.player_counts()
    ]
    least = parity(spec, played) if settings.better_than is None else settings.better_than
    bounds = Bounds(low=least, high=least + (ZONE if settings.zone is None else settings.zone))
    if bounds.high >= 1.0:
        zone = 100 * (bounds.high - least)
        raise ValueError(f"--better-than {100 * least:g}, --zone {zone:g}: must add up to less than 100")
    asked = {
        "game": settings.game,
        "protocol": PANEL_VERSION.get(settings.game, 0),
        "agent": settings.bot,
        "against": against,
        "seed": SEED,
        "made_by": made_by(settings.game),
        "variants": played,
        "bounds": bounds._asdict(),
        "numbers": [made_of(bot, spec, path)[:16] for bot in (settings.bot, *(panel(spec) if is_panel else [against]))],
    }
    return {"settings": asked}


def compare(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Test whether a bot is better than another; yield what the test says after every call of the engine."""
    batch_type, asked, most = batch_class(settings.game), watch.question["settings"], settings.seeds or MOST_SEEDS
    one, spec = make_agent(asked["agent"], batch_type.spec), batch_type.spec
    others = opponents_in(rows_of(spec) if asked["against"] == PANEL else [Rung(asked["against"], {})], spec)
    bounds, values = Bounds(**asked["bounds"]), [float(value) for value in watch.earlier]
    games = len(others) * sum(options["num_players"] for options in asked["variants"])

    def play(first: int, count: int) -> np.ndarray:
        seeds = SEED + np.arange(first, first + count)
        rows = [mean_shares(batch_type, one, other, seeds, asked["variants"], settings.threads) for other in others]
        return np.asarray(np.mean(rows, axis=0))

    for verdict, used, mean in run_test(play, bounds, most, values):
        watch.show(used / most, f"{used} seeds, {percent(mean)}")
        low, high = interval(np.array(values[:used]), bounds.error)
        figures = {"verdict": verdict, "share": mean, "low": low, "high": high}
        yield figures | {"seeds": used, "games": used * games, "values": values[:used]}


def sentence(result: Mapping[str, Any]) -> str:
    """Return in one line what a test says."""
    settings = result["settings"]
    low, high, error = (settings["bounds"][name] for name in Bounds._fields)
    words = {
        YES: f"yes: {settings['agent']} wins more than {percent(low)}",
        NO: f"no: {settings['agent']} wins less than {percent(high)}",
        UNDECIDED: f"undecided whether {settings['agent']} wins more than {percent(low)} or less than {percent(high)}",
    }[result["verdict"]]
    share = percent_interval(result["share"], result["low"], result["high"])
    whom = "over the panel" if settings["against"] == PANEL else f"against {settings['against']}"
    return (
        f"{words} {whom}; {share} of {result['games']} games, {result['seeds']} seeds "
        f"(wrong at most {percent(error, 0)} of the time, the interval as well)\n"
    )


# --- finished runs ---------------------------------------------------------------------------------------------------


def compare_runs(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Yield the share of wins of each finished run, and of its mixture, against each opponent."""
    batch_type = batch_class(settings.game)
    names = specs_in(settings.rungs) if settings.rungs else OPPONENTS
    others = {name: make_agent(name, batch_type.spec) for name in names}
    seeds = np.arange(SEED, SEED + (settings.seeds or SEEDS))
    for run in watch.each(finished.finished(settings.runs or Path(), batch_type), lambda run: run.folder.name):
        yield from finished.rows_of(run, others, seeds, settings.threads)


def measure_task(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Yield the share of wins of each bot of a learner against each opponent of a task."""
    batch_type, names = batch_class(settings.game), specs_in(settings.bot)
    for name in names:
        make_agent(name, batch_type.spec)  # one that cannot be made is named before anything is played
    seeds = np.arange(SEED, SEED + (settings.seeds or SEEDS))
    for name in watch.each(names):
        yield from finished.rows_of_task(str(settings.task), name, batch_type, seeds, settings.threads)


# --- what is asked ---------------------------------------------------------------------------------------------------


def asked(settings: Settings) -> Experiment | None:
    """Return what settings ask for instead of the panel, if so. ValueError for settings that do not go together."""
    if settings.runs is not None and (settings.against or settings.players or settings.agent):
        raise ValueError(
            "--runs: not with --agent, --against or --players; runs play as they were trained, against --rungs"
        )
    if settings.task is not None and (settings.runs or settings.against or settings.rungs or settings.players):
        raise ValueError("--task: not with --runs, --against, --rungs or --players, which a task has fixed")
    if settings.against is not None and settings.rungs:
        raise ValueError("--rungs: not with --against, which asks about one opponent")
    if settings.against == PANEL and settings.better_than is None:
        raise ValueError("--better-than: must be given with --against panel, over which parity says nothing")
    for name, value in (("better-than", settings.better_than), ("zone", settings.zone)):
        if value is not None and settings.against is None:
            raise ValueError(f"--{name}: name the opponent with --against")
    if settings.runs is not None or settings.task is not None:
        return RUNS if settings.task is None else replace(RUNS, measure=measure_task)
    return None if settings.against is None else TEST


TEST = Experiment(
    name="strength",
    settings=Settings,
    measure=compare,
    question=question,
    resumed_from=("values", [from_0_to_1]),
    figures=lambda settings, rows: rows[-1],
    table=sentence,
    status=lambda run: EXIT_STATUS[run["verdict"]],
)
RUNS = Experiment(
    name="strength",
    settings=Settings,
    measure=compare_runs,
    figures=lambda settings, rows: {"game": settings.game, "seeds": settings.seeds or SEEDS, "rows": rows},
    line=lambda row: f"{row['run']:<14} {row['algorithm']:<22} {row['share']:.1%} against {row['against']}",
    table=finished.table,
)
EXPERIMENT = Experiment(
    name="strength",
    settings=Settings,
    measure=measure,
    figures=figures,
    line=rung_line,
    table=table_of,
    instead=asked,
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
