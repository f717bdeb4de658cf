"""A seat-balanced tournament: ``shogun-env tournament --agents scripted,random,random,random --games 2000``.

Every line-up plays all rotations of its seats. The folder ``--out`` holds ``results.jsonl`` (one line per game),
``leaderboard.md``, ``leaderboard.csv``, ``summary.json`` and ``report.html``; the same command resumes the tournament
after any interruption, with the same tables unless bots remember games. ``--players 3,4,5`` plays several variants of a
game. ``--check DIR`` plays games of a folder again, and says whether its tables are true.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import shogun_env
from shogun_env import cli
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.blocks import Tournament, Workers
from shogun_env.benchmarks.arena.checking import Report, check_games, check_lines, check_records, check_tables, kind_of
from shogun_env.benchmarks.arena.folder import (
    RESULTS,
    SECRET_HASH,
    earlier_settings,
    fingerprints,
    named,
    results_in,
    secret_of,
    size_of_records,
    write_records,
)
from shogun_env.benchmarks.arena.luck import REPEATS, ROUNDS, Subtraction, check_replayable, subtraction
from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.programs import BUBBLEWRAP, Limits, check_limits
from shogun_env.benchmarks.arena.results import ResultsFile, ResultsReader, chain_start
from shogun_env.benchmarks.arena.seating import Result, Seating, about_copies
from shogun_env.benchmarks.arena.seeds import FILE, NO_SECRET, hash_of, kept_secret, publish
from shogun_env.benchmarks.arena.tables import Tables, as_markdown, tables_of, times_of, write_tables
from shogun_env.benchmarks.report import page
from shogun_env.files import write_whole
from shogun_env.policies import Agent, known_agents, specs_in
from shogun_env.signature import signature

SIGNATURE_GAMES = 8
"""The rules' signature in the results is one over this many games, which takes a moment only."""
MOST_ROUNDS = 12
"""A tournament that is played until its intervals are narrow doubles its games at most this often."""
ALL, DRAWN = "all", "drawn"
"""Line-ups: all on every seed, or drawn anew for each."""
USUAL = Limits()
"""Limits of isolated bots unless others are given."""
MAY_CHANGE = ("games", "until_interval", "record", SECRET_HASH)
"""Settings in which a command may differ from the one that made a folder."""


@cache
def made_by(game: str) -> dict[str, Any]:
    """Return what every result says about who made it."""
    batch_type = cli.batch_class(game)
    rules = batch_type.spec.rules_version
    return {"shogun-env": shogun_env.__version__, "rules": rules, "signature": signature(batch_type, SIGNATURE_GAMES)}


def tournament_of(settings: Mapping[str, Any], secret: bytes = NO_SECRET) -> Tournament:
    """Return the tournament that settings describe, with the secret of its seeds if they have one; see ``run``."""
    limits, luck = settings.get("limits"), settings.get("luck")
    return Tournament(
        game=settings["game"],
        agents=tuple(settings["agents"]),
        variants=tuple(settings["variants"]),
        seed=settings["seed"] or 0,
        limits=None if limits is None else Limits(**limits),
        made_by=made_by(settings["game"]),
        luck=None if luck is None else Subtraction(**luck),
        secret=secret,
        records=settings.get("record", False),
        drawn=settings.get("line_ups") == DRAWN,
    )


def run(
    out: Path,
    settings: Mapping[str, Any],
    workers: Workers = Workers(),  # noqa: B008 - it cannot be changed
    command: str = "",
    title: str = "tournament",
) -> Tables:
    """Play a tournament, or the games of it that are missing, and write its tables into a folder.

    Args:
        out: the folder.
        settings: ``game``; ``agents`` (list of specs); ``games`` of each variant; ``seed``, the first one, or None for
            seeds made from a secret; ``variants`` (list of options of play); and if wanted ``limits`` (fields of
            ``Limits``: isolate bots of strangers), ``record`` (keep records), ``luck`` (fields of ``Subtraction``: find
            the luck), ``until_interval`` (play on until no interval of a win share is wider, in percent) and
            ``line_ups`` (``drawn``: each seed has its own).
        workers: where the games are played; the tables do not depend on it, unless bots remember games.
        command: the command line, for the summary.
        title: name of the tournament, for the progress shown.

    Raises: ValueError for bad settings, a folder that holds another tournament, or one in which another run is at work;
        nothing is written in that case. OSError if the disk is full; the games played are kept.
    """
    spec = cli.batch_class(settings["game"]).spec
    variants = [cli.plain_options(spec.check_options(options)) for options in settings["variants"]]
    settings = {**settings, "variants": variants}
    tournament = tournament_of(settings)
    tournament.blocks(settings["games"])
    texts, agents = _check_agents(tournament.hiding(out))
    settings |= {"read": fingerprints(agents)}
    _check_folder(out, settings)
    out.mkdir(parents=True, exist_ok=True)
    with cli.only_run(out):
        if settings["seed"] is None:
            secret = secret_of(out)
            settings, tournament = {**settings, SECRET_HASH: hash_of(secret)}, replace(tournament, secret=secret)
        identity = {**settings, "made_by": dict(tournament.made_by)}
        start = chain_start(identity)
        if earlier_settings(out) is None:
            check_belongs(out, start)
        cli.write_json(out / "settings.json", identity)
        games, goal = settings["games"], settings.get("until_interval")
        for last in range(MOST_ROUNDS, -1, -1):
            file = ResultsFile(out / RESULTS, start)
            complete = play_missing(file, tournament.hiding(out), games, workers, title, texts)
            reader = ResultsReader(file.path, start)
            outcomes = outcomes_in(reader, tournament, games)
            tables = tables_of(outcomes, settings, command)._replace(is_complete=complete)
            if goal is None or tables.widest <= goal / 100 or not complete or not last:
                break
            games *= 2
        times = times_of(outcomes)
        write_tables(out, tables, times)
        write_whole(out / "report.html", page(title, [(title, tables.summary, times, "")], None))
        sys.stderr.write(f"the hashes of the results end with {reader.last}\n")
        if set_aside := [*reader.set_aside, *file.foreign]:
            sys.stderr.write(f"{file.path}: {named(set_aside)}\n")
        if settings.get("record"):
            sys.stderr.write(f"{size_of_records(out)}\n")
        if complete and settings["seed"] is None:
            publish(out)
            sys.stderr.write(f"the secret of the seeds is published in {out / FILE}\n")
    _print_faults(texts)
    return tables


def play_missing(
    file: ResultsFile, tournament: Tournament, games: int, workers: Workers, title: str, texts: FaultTexts
) -> bool:
    """Play the games whose results are not in a file yet, append them, and close it; return whether all were played.

    Ctrl-C stops early; every finished block is kept.
    """
    every = {game for block in tournament.blocks(games) for game in block}
    done = file.done & every
    n_done = len(done)
    for variant, count in Counter(game.variant for game in every).items():
        if text := about_copies(tournament.agents, tournament.arenas()[variant].players, count):
            sys.stderr.write(f"{title}: {text}\n")
    try:
        with cli.progress(title, len(every)) as show:
            try:
                thinks = lambda name: show(n_done, f"{n_done} of {len(every)} games, {name} is thinking")  # noqa: E731
                for results, faults in workers.play(tournament, tournament.blocks(games, done), thinks):
                    new = [result for result in results if result.seating not in done]
                    write_records(file.path.parent, new)
                    file.append(new)
                    texts.update({each: text for each, text in faults.items() if each not in texts})
                    n_done += len(new)
                    show(n_done, f"{n_done} of {len(every)} games")
            except KeyboardInterrupt:
                show(len(every), f"stopped after {n_done} of {len(every)} games; they are kept")
                return False
    finally:
        file.close()
    return True


def outcomes_in(results: Iterable[Result], tournament: Tournament, games: int) -> Outcomes:
    """Return the outcomes of those of some results that belong to a tournament of this many games."""
    every = {game for block in tournament.blocks(games) for game in block}
    return Outcomes.of(result for result in results if result.seating in every)


def _check_agents(tournament: Tournament) -> tuple[FaultTexts, dict[str, Agent]]:
    """Make every agent once; return what was wrong with those whose process died, and the agents by name.

    Raises: ValueError for one that cannot be made.
    """
    check_limits(tournament.limits or Limits())
    arena = next(iter(tournament.arenas().values()))
    agents = {name: arena.agent(name) for name in dict.fromkeys(tournament.agents)}
    if tournament.luck is not None and tournament.luck.events == ROUNDS:
        check_replayable(agents)
    arena.close()
    return dict(arena.fault_texts), agents


def _check_folder(out: Path, settings: Mapping[str, Any]) -> None:
    """Check that a folder holds this tournament or none."""
    earlier = earlier_settings(out)
    if earlier is None:
        return
    if "read" not in earlier:
        raise ValueError(f"{out} was begun before results had hashes; give another --out")
    now = {**settings, "made_by": made_by(settings["game"])}
    for name in dict.fromkeys([*earlier, *now]):
        if name not in MAY_CHANGE and earlier.get(name) != now.get(name):
            raise ValueError(
                f"{out} holds another tournament ({name}: {earlier.get(name)}, not {now.get(name)}); give another --out"
            )


def check_belongs(out: Path, start: str) -> None:
    """Check that the results in a folder without readable settings, if there are any, follow from these settings."""
    reader = ResultsReader(out / RESULTS, start)
    if not list(reader) and reader.set_aside:
        raise ValueError(f"{out} has no readable settings.json, and other results; give another --out")


def check(out: Path, share: float = 1.0, workers: Workers = Workers()) -> Report:  # noqa: B008 - it cannot be changed
    """Check the results and the tables in the folder of a tournament, and play games of it again.

    Args:
        out: the folder.
        share: the share of the games to play again, more than 0, at most 1; they are chosen by chance.
        workers: where they are played.

    Raises: ValueError if the folder holds no tournament, or one that another version made.
    """
    reader, settings = results_in(out), earlier_settings(out) or {}
    try:
        secret = kept_secret(out, settings[SECRET_HASH]) if settings["seed"] is None else NO_SECRET
        tournament = tournament_of(settings, secret).hiding(out)
        made = settings["made_by"]
        tournament.blocks(settings["games"])
    except (KeyError, TypeError, AttributeError):
        raise ValueError(f"{out}: its settings.json is not that of a tournament") from None
    if made != tournament.made_by:
        raise ValueError(f"{out} was made by {made}; check it with that version, not {dict(tournament.made_by)}")
    report = Report()
    _, agents = _check_agents(tournament)
    if changed := [name for name, now in fingerprints(agents).items() if settings.get("read", {}).get(name) != now]:
        report.differences.append(f"other files or parameters than those that were played: {', '.join(changed)}")
    found = {result.seating: result for result in reader}
    if not found:
        raise ValueError(f"{reader.path} has no results that follow from the settings")
    tournament = replace(tournament, records=any(result.record is not None for result in found.values()))
    tables, games = _tables_again(settings, tournament, found)
    blocks = tournament.blocks(games)
    results = check_lines(reader, found, [game for block in blocks for game in block], report)
    check_tables(out, tables, report)
    check_records(out, results, report)
    kinds = {name: kind_of(agent) for name, agent in agents.items()}
    check_games(tournament, blocks, results, kinds, share, workers, report)
    return report


def _tables_again(
    settings: Mapping[str, Any], tournament: Tournament, found: Mapping[Seating, Result]
) -> tuple[Tables, int]:
    """Return the tables that a run with these results ended with, and the number of games of each variant."""
    plain = {name: value for name, value in settings.items() if name != "made_by"}
    games, goal = settings["games"], settings.get("until_interval")
    while True:
        tables = tables_of(outcomes_in(found.values(), tournament, games), plain)
        before = {game for block in tournament.blocks(games) for game in block}
        after = {game for block in tournament.blocks(2 * games) for game in block}
        if goal is None or tables.widest <= goal / 100 or not (after - before) & found.keys():
            return tables, games
        games *= 2


def _print_faults(texts: FaultTexts) -> None:
    """Print what was wrong with agents."""
    for (agent, kind), text in sorted(texts.items()):
        sys.stderr.write(f"{agent}: {kind}: {text}\n")


# --- the command -----------------------------------------------------------------------------------------------------


def variants_of(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the options of play of each variant: every combination of listed values, for every ``--variant``."""
    combinations = cli.combinations_of(cli.options_of(args))
    return [{**options, **more} for more in args.variant or [{}] for options in combinations]


def _variant(text: str) -> dict[str, Any]:
    """Return the options of play in ``NAME=VALUE,NAME=VALUE``; ArgumentTypeError for another text."""
    return dict(cli.name_and_value(part) for part in text.split(","))


def list_agents() -> str:
    """Return the registered bots, one line each: name, parameters, games."""
    lines = [f"{':'.join([agent.name, *agent.parameters])}  ({agent.game or 'every game'})" for agent in known_agents()]
    return "\n".join([*lines, "path/to/file.py:make  (the function of a file of your own)\n"])


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = cli.Parser(prog="shogun-env tournament", description="Play a seat-balanced tournament.")
    parser.add_argument(
        "--agents", default="", help="bots, separated by commas, such as scripted:style=builder,random,my_bot.py:make"
    )
    parser.add_argument("--list", action="store_true", help="print the names of bots with their parameters, and stop")
    parser.add_argument(
        "--check", type=Path, metavar="DIR",
        help="check the results and tables of a tournament, play its games again, and say what differs (status 1)",
    )  # fmt: skip
    parser.add_argument(
        "--share", type=cli.percentage, metavar="PERCENT", help="with --check: the share of games to play again (all)"
    )
    parser.add_games(1000, "least number of games of each variant")
    parser.add_argument(
        "--until-interval", type=cli.seconds, metavar="PERCENT",
        help="double the games until no 95 %% interval of a win share is wider than this",
    )  # fmt: skip
    parser.add_argument(
        "--subtract-luck", choices=tuple(REPEATS),
        help="also tell shares with luck subtracted, for bots that take seconds per game: by rounds that all bots play "
        "again, or by draws that are repeated without asking them",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=cli.seed_number, metavar="N",
        help="first seed: the same games in every run, which everybody can foresee; without it: from a secret",
    )  # fmt: skip
    parser.add_argument(
        "--variant", type=_variant, action="append", metavar="NAME=VALUE,…",
        help="options of play of one variant; repeat it for several (options of play take lists too: --players 3,4)",
    )  # fmt: skip
    parser.add_argument(
        "--line-ups", choices=(ALL, DRAWN), default=ALL,
        help="who plays whom: every selection of bots on every seed (all), or each seed some of its own, for many bots",
    )  # fmt: skip
    parser.add_argument("--record", action="store_true", help="keep the record of each game, in the folder records")
    parser.add_out("out/tournament")
    parser.add_json("the summary")
    where = parser.add_argument_group(
        "where the games are played (the tables do not depend on it, unless bots remember games)"
    )
    where.add_argument(
        "--threads", type=cli.count, default=cli.cores(), metavar="N", help=f"threads of the engine ({cli.cores()})"
    )
    where.add_argument("--processes", type=cli.count, default=1, metavar="N", help="processes, for slow agents (1)")
    where.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster, or local to start one here")
    isolation = parser.add_argument_group("bots of strangers: programs (exec:COMMAND) and bots of Python files")
    isolation.add_argument(
        "--isolate", nargs="?", const=BUBBLEWRAP, metavar="COMMAND",
        help="start each in a sandbox of its own made by bubblewrap, or by the command of a container engine",
    )  # fmt: skip
    isolation.add_argument(
        "--game-seconds", type=cli.seconds, metavar="S",
        help=f"what each has by the clock for each game and player ({USUAL.game_seconds:g})",
    )  # fmt: skip
    isolation.add_argument(
        "--start-seconds", type=cli.seconds, metavar="S", help=f"what each has to start ({USUAL.start_seconds:g})"
    )
    isolation.add_argument(
        "--memory-mb", type=cli.count, metavar="MB", help=f"memory of each of its processes ({USUAL.memory_mb})"
    )
    parser.add_play(game)
    return parser


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that a command line gives; see ``run``."""
    settings: dict[str, Any] = {
        "game": args.game,
        "agents": specs_in(args.agents),
        "games": args.games,
        "seed": args.seed,
        "variants": variants_of(args),
    }
    if args.until_interval is not None:
        settings["until_interval"] = args.until_interval
    if args.line_ups == DRAWN:
        settings["line_ups"] = DRAWN
    if args.subtract_luck is not None:
        settings["luck"] = subtraction(cli.batch_class(args.game).spec, args.subtract_luck)
    if args.record:
        settings["record"] = True
    names = ("game_seconds", "start_seconds", "memory_mb")
    limits = {name: value for name in names if (value := getattr(args, name)) is not None}
    if args.isolate is not None:
        settings["limits"] = {**{name: getattr(USUAL, name) for name in names}, **limits, "isolate": args.isolate}
    elif limits:
        (name, value), *_ = limits.items()
        raise ValueError(f"--{name.replace('_', '-')} {value:g}: nothing is limited without --isolate")
    return settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    if args.list:
        print(list_agents(), end="")
        return 0
    if args.check is not None:
        with parser.one_line_errors():
            workers = Workers(threads=args.threads, processes=args.processes, ray=args.ray)
            report = check(args.check, args.share or 1.0, workers)
        print("\n".join([*report.checked, *(f"DIFFERS: {text}" for text in report.differences)]))
        return 1 if report.differences else 0
    if args.share is not None:
        parser.error("--share: goes with --check DIR only")
    if not args.agents:
        parser.error("give --agents, or --list to see their names")
    with parser.one_line_errors():
        workers = Workers(threads=args.threads, processes=args.processes, ray=args.ray)
        tables = run(args.out, settings_of(args), workers, cli.command_line(parser, arguments))
        print(as_markdown(tables), end="")
        print(f"\n{tables.summary['games']} games; written to {args.out}")
        cli.write_json(args.json, tables.summary)
    return 0 if tables.is_complete else 130


if __name__ == "__main__":
    raise SystemExit(main())
