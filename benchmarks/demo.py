"""``make demo``: train a small bot for two minutes, rate it in tournaments, write a report and a replay.

``python -m benchmarks.demo --game shitenno`` does it for the other game.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.arena.standings import Standing, markdown
from shogun_env.benchmarks.report import page
from shogun_env.benchmarks.tournament import run as tournament
from shogun_env.cli import Parser, batch_class, command_line
from shogun_env.policies import make_agent, play_on
from shogun_env.records.record import record_name, write_record
from shogun_env.records.view import html_page
from shogun_env.training.config import Config, changed, load_config
from shogun_env.training.runs import Run
from shogun_env.training.selfplay import train

REPLAY_SEED = 7
MARK = "made-by-make-demo"


def fresh(out: Path) -> None:
    """Make an empty folder; one that an earlier demo made is cleared.

    Raises: ValueError if it holds anything else.
    """
    if out.exists() and any(out.iterdir()):
        if not (out / MARK).exists():
            raise ValueError(f"{out} is not empty and no earlier demo; give another --out")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).touch()


def players_of(config: Config) -> int:
    """Return the number of players of the games trained on."""
    players: int = batch_class(config.game).spec.check_options(config.options)["num_players"]
    return players


def rate(out: Path, bot: str, config: Config, games: int) -> dict[str, tuple[list[Standing], dict[str, Any]]]:
    """Play the bot against a table of each heuristic, and in a mixed field; return the results by heading."""
    players = players_of(config)
    line_ups = {"Mixed tables": [bot, *config.heuristics]}
    line_ups |= {f"Alone against {name}": [bot, *[name] * (players - 1)] for name in config.heuristics}
    found = {}
    for heading, names in line_ups.items():
        settings = {"game": config.game, "agents": names, "games": games, "seed": 1_000_000, "options": config.options}
        folder = out / heading.lower().replace(" ", "-")
        command = (
            f"python -m benchmarks.tournament --game {config.game} --agents {','.join(names)} --players {players} "
            f"--games {games} --seed 1000000"
        )
        found[heading] = tournament(folder, settings, command=command, title=heading.lower())
    return found


def replay(out: Path, batch_class: type[Batch], names: Sequence[str]) -> Path:
    """Record one game and write it as a page to look through; return the page."""
    batch = batch_class(1, num_players=len(names), seed=REPLAY_SEED, record=True)
    bots = [make_agent(name, batch.spec) for name in names]
    play_on(batch, bots, np.arange(batch.num_players, dtype=np.int8)[None])
    lines = batch.records(agents=list(names))[0]
    write_record(out / record_name(batch.spec, REPLAY_SEED), lines)
    path = out / "replay.html"
    path.write_text(html_page(batch_class, lines), "utf-8")
    return path


def demo(out: Path, config: Config, games: int, command: str) -> None:
    """Do everything, and say where it is."""
    begin = time.monotonic()
    engine = batch_class(config.game)
    fresh(out)
    print(f"1 of 3: training a bot for {config.seconds:.0f} s into {out / 'run'}", flush=True)
    run = Run.create(out / "run", config, engine, command)
    train(run)
    print("2 of 3: tournaments, every seat on the same seeds", flush=True)
    bot = f"ppo:{run.folder}"
    found = rate(out, bot, config, games)
    print("3 of 3: report and replay", flush=True)
    seen = replay(out, engine, [bot, *islice(cycle(reversed(config.heuristics)), players_of(config) - 1)])
    report = out / "report.html"
    link = f'<p>One game to look through: <a href="{seen.name}">{seen.name}</a></p>'
    tables = [(heading, summary) for heading, (_, summary) in found.items()]
    title = f"{engine.spec.title}: a bot trained in {config.seconds:.0f} seconds"
    report.write_text(page(title, tables, run.folder, link), "utf-8")
    for heading, (table, _) in found.items():
        print(f"\n{heading}\n{markdown(table)}", end="")
    print(f"\nreport   {report}\nreplay   {seen}\nthe bot  {bot}\n{time.monotonic() - begin:.0f} s in all")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = Parser(
        prog="python -m benchmarks.demo",
        description="Train a small bot for two minutes, rate it, write a report and a replay.",
    )
    parser.add_argument("--game", default="shogun", help="shogun or shitenno (shogun)")
    parser.add_argument("--out", type=Path, help="folder (demo/GAME)")
    parser.add_argument("--seconds", type=float, help="of training (those of the config demo)")
    parser.add_argument("--games", type=int, default=400, help="of each tournament (400)")
    args = parser.parse_args(arguments)
    out = args.out or Path("demo") / args.game
    try:
        config = load_config(batch_class(args.game).spec, "demo")
        if args.seconds is not None:
            imitate = args.seconds * config.imitate_seconds / config.seconds
            config = changed(config, {"seconds": args.seconds, "imitate_seconds": imitate})
        demo(out, config, args.games, command_line(parser, arguments))
    except ValueError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print(f"stopped; what there is lies in {out}", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
