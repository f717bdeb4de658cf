"""A seat-balanced tournament: ``python -m benchmarks.tournament --agents scripted,random,random,random --games 2000``.

Every line-up plays all rotations of its seats on the same seeds. The folder ``--out`` holds ``results.jsonl`` (one line
per game), ``leaderboard.md``, ``leaderboard.csv`` and ``summary.json``; the same command resumes the tournament.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena.arena import Arena, Result, matches, play_to_file
from shogun_env.benchmarks.arena.standings import (
    Standing,
    ahead,
    as_json,
    comma_separated,
    markdown,
    standings,
)
from shogun_env.cli import (
    Parser,
    batch_class,
    chosen_game,
    command_line,
    commit,
    count,
    options_of,
    plain_options,
    progress,
    versions,
    write_json,
)


def summary(
    settings: dict[str, Any], results: Sequence[Result], table: Sequence[Standing], command: str
) -> dict[str, Any]:
    """Return the results of a tournament and where they come from, as JSON values."""
    names = [standing.agent for standing in table]
    return {
        "command": command,
        "commit": commit(),
        "versions": versions(),
        "settings": settings,
        "games": len(results),
        "interval": "95 %, bootstrap over seeds (Wilson where all seeds agree)",
        "leaderboard": as_json(table),
        "ahead": {"agents": names, "share": ahead(results, names)},
    }


def run(
    out: Path, settings: dict[str, Any], num_threads: int = 1, command: str = "", title: str = "tournament"
) -> tuple[list[Standing], dict[str, Any]]:
    """Play a tournament, or the games of it that are missing, and write its tables into a folder.

    Args:
        out: the folder.
        settings: ``game``, ``agents`` (list of specs), ``games``, ``seed``, and ``options`` (of play).
        num_threads: threads of the engine.
        command: the command line, for the summary.
        title: name of the tournament, for the progress shown.

    Returns: the leaderboard and the summary.
    Raises: ValueError for bad settings, or a folder that holds another tournament; nothing is written in that case.
    """
    arena = Arena(batch_class(settings["game"]), settings["options"], num_threads)
    settings = {**settings, "options": plain_options(arena.options)}
    planned = matches(settings["agents"], arena.players, settings["games"], settings["seed"])
    for name in settings["agents"]:
        arena.agent(name)
    _claim(out, settings)
    with progress(title, len(planned) * arena.players) as report:
        results = play_to_file(arena, planned, out / "results.jsonl", report)
    if not results:
        raise ValueError("no game was finished, so there are no results")
    table = standings(results, settings["seed"])
    result = summary(settings, results, table, command)
    (out / "leaderboard.md").write_text(markdown(table), "utf-8")
    (out / "leaderboard.csv").write_text(comma_separated(table), "utf-8")
    (out / "summary.json").write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    return table, result


def _claim(out: Path, settings: dict[str, Any]) -> None:
    """Make the folder that of this tournament, or check that it is; the number of games may differ."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "settings.json"
    earlier = json.loads(path.read_text("utf-8")) if path.exists() else settings
    for name, value in settings.items():
        if name != "games" and earlier.get(name) != value:
            raise ValueError(
                f"{out} holds another tournament ({name}: {earlier.get(name)}, not {value}); give another --out"
            )
    path.write_text(json.dumps(settings, indent=2) + "\n", "utf-8")


def make_parser(game: str) -> Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = Parser(prog="python -m benchmarks.tournament", description="Play a seat-balanced tournament.")
    parser.add_argument(
        "--agents", required=True, help="bots, separated by commas, such as scripted:style=builder,random"
    )
    parser.add_games(1000, "least number of games")
    parser.add_seed()
    parser.add_argument("--threads", type=count, default=1, metavar="N", help="threads of the engine (1)")
    parser.add_out("out/tournament")
    parser.add_json("the summary")
    parser.add_play(game)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(chosen_game(arguments))
    args = parser.parse_args(arguments)
    settings = {
        "game": args.game,
        "agents": args.agents.split(","),
        "games": args.games,
        "seed": args.seed,
        "options": options_of(args),
    }
    with parser.one_line_errors():
        table, result = run(args.out, settings, args.threads, command_line(parser, arguments))
        print(markdown(table), end="")
        print(f"\n{result['games']} games; intervals: {result['interval']}; written to {args.out}")
        write_json(args.json, result)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
