"""Measure how strong a bot is on a fixed ladder: ``python -m benchmarks.strength --agent scripted --json out/s.json``.

The bot plays against others that are all alike, one rung of the ladder after the other: with every number of players,
on the same seeds for everybody, in every seat. The ladder, the seeds and the options (the defaults) are fixed, so that
figures of different days and bots can be compared; a change of them is a new ``PROTOCOL``. ``--publish`` puts the files
of ``--json`` into ``strength.json`` and makes the tables of bots in the README from it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import shogun_env
from shogun_env import GAMES
from shogun_env.agents.scripted import STYLES
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.arena.shares import share_of, wins
from shogun_env.benchmarks.speed.command import machine, read_json
from shogun_env.benchmarks.speed.tables import table
from shogun_env.cli import Parser, Progress, batch_class, command_line, count, no_progress, progress, write_json
from shogun_env.policies import agent_names, make_agent
from shogun_env.signature import signature
from shogun_env.spec.game_spec import GameSpec

PROTOCOL = 1
"""Version of the ladder: figures of different versions cannot be compared."""
SEED = 1_000_000
"""The first seed."""
SEEDS = 500
"""Number of seeds for each number of players unless another is given; each is played in every seat."""
CLASSIC = "scripted:style=classic"
SEARCHES = (
    "search:plan_rollouts=50:rollouts=25",
    "search:plan_rollouts=200:rollouts=60",
    "search:plan_rollouts=800:rollouts=100",
)
"""The search bot at three budgets; rungs where it is registered."""
SHOWN = ("random", CLASSIC, "scripted")
"""Rungs that the README shows."""
FOLDER = Path(__file__).parent
BEGIN, END = "<!-- strength of {}: begin -->", "<!-- strength of {}: end -->"
"""Lines of the README between which the table of a game is; ``--publish`` replaces what is there."""


def ladder(spec: GameSpec) -> list[str]:
    """Return the rungs of a game, the weakest first as far as that is known: specs of bots."""
    usual, *others = [f"scripted:style={style}" for style in STYLES[spec.name] if style != "classic"]
    rungs = ["random", CLASSIC, *others, usual.partition(":")[0]]
    return rungs + [text for text in SEARCHES if "search" in agent_names() and _plays(text, spec)]


def _plays(text: str, spec: GameSpec) -> bool:
    try:
        make_agent(text, spec)
    except ValueError:
        return False
    return True


def player_counts(spec: GameSpec) -> list[int]:
    """Return the numbers of players of a game, in order."""
    return sorted(spec.option_choices["num_players"])


def climb(
    agent: str,
    batch_type: type[Batch],
    rungs: Sequence[str],
    players: Sequence[int],
    seeds: int,
    num_threads: int = 1,
    show: Callable[[dict[str, Any]], None] = lambda rung: None,
    report: Progress = no_progress,
) -> list[dict[str, Any]]:
    """Measure a bot against every rung with every number of players; after Ctrl-C return the rungs that are complete.

    Args:
        agent: spec of the bot.
        batch_type: the game's ``Batch``.
        rungs: specs of the opponents.
        players: numbers of players.
        seeds: number of seeds for each number of players.
        num_threads: threads of the engine; results do not depend on their number.
        show: is called with each rung that is complete.
        report: shows progress, in measurements.

    Returns: for each rung its spec, and by number of players the share with interval and seats, and the seconds.
    Raises: ValueError for an unknown bot, or options that the game does not allow; nothing is played in that case.
    """
    spec = batch_type.spec
    one, others = make_agent(agent, spec), [make_agent(text, spec) for text in rungs]
    tables = [spec.check_options({"num_players": number}) for number in players]
    results: list[dict[str, Any]] = []
    try:
        for text, other in zip(rungs, others, strict=True):
            by_players = {}
            for done, options in enumerate(tables, len(results) * len(tables)):
                report(done, f"against {text}, {options['num_players']} players")
                begin = time.perf_counter()
                won = wins(batch_type, one, other, np.arange(SEED, SEED + seeds), options, num_threads)
                figures = share_of(won)._asdict() | {"seconds": round(time.perf_counter() - begin, 2)}
                by_players[str(options["num_players"])] = figures
            results.append({"against": text, "players": by_players})
            show(results[-1])
        report(len(rungs) * len(tables), "done")
    except KeyboardInterrupt:
        print("stopped; complete rungs are kept", file=sys.stderr)
    return results


def rung_line(rung: Mapping[str, Any]) -> str:
    """Return a rung in one line: by number of players the share with its interval, and the shares by seat."""
    parts = [
        f"{players} players {share_text(figures)}, seats {seats_text(figures)}"
        for players, figures in rung["players"].items()
    ]
    return f"against {rung['against']}: {'; '.join(parts)}"


def share_text(figures: Mapping[str, Any] | None) -> str:
    """Return a share and its interval in per cent, such as ``36.0 % (35.4–36.6)``; nothing for None."""
    if figures is None:
        return ""
    return f"{100 * figures['share']:.1f} % ({100 * figures['low']:.1f}–{100 * figures['high']:.1f})"


def seats_text(figures: Mapping[str, Any]) -> str:
    """Return the shares by seat in per cent, such as ``31/7/35/27``."""
    return "/".join(f"{100 * share:.0f}" for share in figures["seats"])


# --- publishing ------------------------------------------------------------------------------------------------------


def publish(paths: Sequence[Path], results: Path, readme: Path) -> None:
    """Add files written by ``--json`` to the published results, and make the tables of the README from these.

    A bot that is published already is replaced.

    Raises: ValueError for a file that is not of this command or of another protocol, or a README without the place.
    """
    runs = read_json(results, "runs")["runs"] if results.exists() else []
    for path in paths:
        run = read_json(path, "protocol", "game", "agent", "rungs", "machine", "command")
        if run["protocol"] != PROTOCOL:
            raise ValueError(f"{path}: of protocol {run['protocol']}, not {PROTOCOL}; measure it again")
        same = [(old["game"], old["agent"]) == (run["game"], run["agent"]) for old in runs]
        runs = [old for old, is_same in zip(runs, same, strict=True) if not is_same] + [run]
    text = readme.read_text("utf-8")
    for game in GAMES:
        text = replace_part(text, game, bots_table(game, [run for run in runs if run["game"] == game]))
    readme.write_text(text, "utf-8")
    results.write_text(json.dumps({"runs": runs}, indent=1) + "\n", "utf-8")


def replace_part(text: str, game: str, part: str) -> str:
    """Return a text with the part of a game replaced; ValueError if there are no lines that bound it."""
    begin, end = BEGIN.format(game), END.format(game)
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"the README has no lines {begin!r} and {end!r}")
    return f"{before}{begin}\n{part}{end}{after}"


def bots_table(game: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of the bots of a game in Markdown: a row for each, the strongest last."""
    spec = batch_class(game).spec
    usual, counts = spec.check_options({})["num_players"], player_counts(spec)
    last = SHOWN[-1]
    columns = [(text, usual) for text in SHOWN] + [(last, number) for number in counts if number != usual]
    head = [f"{game.capitalize()}, one against others alike", *(f"`{text}`, {n} players" for text, n in columns)]
    head.append(f"seats, `{last}`, {usual} players")
    rows = []
    for run in sorted(runs, key=lambda run: _share(run, last, usual)):
        cells = [share_text(_figures(run, text, number)) for text, number in columns]
        against = _figures(run, last, usual)
        rows.append([f"`{run['agent']}`", *cells, "" if against is None else seats_text(against)])
    where = sorted({f"{run['machine']['cpu']}, commit {run['machine']['commit']}" for run in runs})
    command = f"python -m benchmarks.strength --game {game} --agent SPEC --json FILE"
    return f"{table(head, rows)}\n*`{command}`; {'; '.join(where) or 'nothing published yet'}.*\n"


def _figures(run: Mapping[str, Any], against: str, players: int) -> Mapping[str, Any] | None:
    """Return the figures of a run against a rung, None if it was not measured."""
    for rung in run["rungs"]:
        if rung["against"] == against and str(players) in rung["players"]:
            figures: Mapping[str, Any] = rung["players"][str(players)]
            return figures
    return None


def _share(run: Mapping[str, Any], against: str, players: int) -> float:
    figures = _figures(run, against, players)
    return 0.0 if figures is None else float(figures["share"])


# --- the command -----------------------------------------------------------------------------------------------------


def make_parser() -> Parser:
    """Return the parser of the command; it has no options of play, as the protocol fixes them."""
    parser = Parser(prog="python -m benchmarks.strength", description="Measure how strong a bot is on a fixed ladder.")
    parser.add_argument("--agent", default="scripted", metavar="SPEC", help="the bot (scripted)")
    parser.add_argument("--rungs", metavar="SPECS", help="only these rungs, separated by commas")
    parser.add_argument("--players", metavar="N", help="only these numbers of players, separated by commas")
    parser.add_argument(
        "--seeds", type=count, default=SEEDS, metavar="N", help=f"seeds per number of players, in all seats ({SEEDS})"
    )
    parser.add_argument("--threads", type=count, default=2, metavar="N", help="threads of the engine (2)")
    parser.add_argument(
        "--publish",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing; put these files into benchmarks/strength.json and the README",
    )
    parser.add_game()
    parser.add_json("the figures")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        if args.publish:
            publish(args.publish, FOLDER / "strength.json", FOLDER.resolve().parent / "README.md")
            return 0
        batch_type: type[Batch] = batch_class(args.game)
        spec = batch_type.spec
        rungs = args.rungs.split(",") if args.rungs else ladder(spec)
        players = [_number(text) for text in args.players.split(",")] if args.players else player_counts(spec)
        where = machine()
        with progress(f"strength of {args.agent}", len(rungs) * len(players)) as report:
            results = climb(
                args.agent, batch_type, rungs, players, args.seeds, args.threads, lambda r: print(rung_line(r)), report
            )
        figures = {
            "protocol": PROTOCOL,
            "version": shogun_env.__version__,
            "signature": signature(batch_type),
            "machine": where,
            "command": command_line(parser, arguments),
            "game": args.game,
            "agent": args.agent,
            "seed": SEED,
            "seeds": args.seeds,
            "rungs": results,
        }
        write_json(args.json, figures)
    return 0


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"--players: {text!r} must be a whole number")
    return int(text)


if __name__ == "__main__":
    raise SystemExit(main())
