"""Print the signatures of a game for the last line of a commit message: ``shogun-env signature``.

Two hashes: ``rules`` of games of random legal actions, and ``bots`` of games among bots. The rules' signature changes
if anything in play changes, the bots' also if a scripted bot, the search or the network plays differently.
``signatures.json`` holds those of the version; ``--check`` compares, ``--write`` replaces them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env import FULL_GAMES
from shogun_env.batch.signature import GAMES, combinations_of, signature
from shogun_env.cli import Parser, batch_class, count
from shogun_env.files import only_in_a_checkout
from shogun_env.policies import make_agent, play_on

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

KEPT = Path(__file__).parent / "signatures.json"
"""The signatures of this version by game: ``{"shogun": {"rules": hex, "bots": hex}, ...}``."""
SEARCH = "search:base=champion:plan_rollouts=64:rollouts=24:gate=0"
"""A small search over the network that plays what looks best, so that a change of either shows."""


def bots_signature(batch_class: type[Batch], games: int = GAMES) -> str:
    """Return the signature of the bots of a game: 16 hexadecimal digits.

    ``random`` and the scripted bot in every style play seeded games in all combinations of options, in seats that
    rotate from game to game; the champion and a small search play a fiftieth as many with the usual options.
    """
    from shogun_env.agents.scripted import STYLES  # not above: it imports all games, and --help is quick

    spec = batch_class.spec
    styles = ["random", *(f"scripted:style={style}" for style in STYLES[spec.name])]
    digest = hashlib.sha256()
    tables = combinations_of(batch_class)
    for index, options in enumerate(tables):
        count = games * (index + 1) // len(tables) - games * index // len(tables)
        if count:
            _hash_games(digest, styles, batch_class(count, seed=index * games, **options))
    _hash_games(digest, [SEARCH, "champion", "scripted"], batch_class(-(-games // 50), seed=games))
    return digest.hexdigest()[:16]


def _hash_games(digest: Any, bots: Sequence[str], batch: Batch) -> None:
    """Play a batch to its end between bots whose seats rotate from game to game; add every result to the hash."""
    agents = [make_agent(text, batch.spec) for text in bots]
    seats = np.add.outer(np.arange(batch.num_games), np.arange(batch.num_players)) % len(agents)
    play_on(batch, agents, seats.astype(np.int8))
    digest.update(batch.points.tobytes() + batch.returns.tobytes() + batch.games.tobytes())


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command; it has no options of play, as the games are of all combinations of them."""
    parser.add_argument(
        "--games", type=count, metavar="N",
        help=f"number of games, over all options of play; the signatures depend on it ({GAMES})",
    )  # fmt: skip
    parser.add_game(default=None)
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--check", action="store_true", help="compare the signatures of both games with benchmarks/signatures.json"
    )
    action.add_argument(
        "--write", action="store_true", help="write the signatures of both games into benchmarks/signatures.json"
    )


def signatures(game: str, games: int = GAMES) -> dict[str, str]:
    """Return both signatures of a game by kind."""
    batch_type = batch_class(game)
    return {"rules": signature(batch_type, games), "bots": bots_signature(batch_type, games)}


def as_line(kinds: dict[str, str]) -> str:
    """Return signatures as the last line of a commit message has them."""
    return " ".join(f"{kind}={value}" for kind, value in kinds.items())


def main(args: argparse.Namespace) -> int:
    """Run the command; return its exit status, 1 if ``--check`` found a difference."""
    if args.write:
        only_in_a_checkout("--write is for the signatures of a checkout")
    if args.game not in (None, *FULL_GAMES):
        raise ValueError(f"--game {args.game}: must be one of {', '.join(FULL_GAMES)}, which have all the bots")
    if not args.check and not args.write:
        print(as_line(signatures(args.game or FULL_GAMES[0], args.games or GAMES)))
        return 0
    if args.game or args.games:
        raise ValueError("--check and --write are about both games, as they are kept: leave --game and --games out")
    now = {game: signatures(game) for game in FULL_GAMES}
    if args.write:
        KEPT.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
        return 0
    published = json.loads(KEPT.read_text("utf-8"))
    changed = [game for game in FULL_GAMES if now[game] != published[game]]
    for game in changed:
        print(f"{game}: {as_line(now[game])}, but signatures.json has {as_line(published[game])}", file=sys.stderr)
    return int(bool(changed))
