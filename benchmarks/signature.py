"""Print the signatures of a game for the last line of a commit message: ``python -m benchmarks.signature``.

Two hashes: ``rules`` of games of random legal actions, and ``bots`` of games among the scripted bots. The rules'
signature changes if anything in play changes, the bots' also if a bot plays differently.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from shogun_env.agents.scripted import STYLES
from shogun_env.batch.batch import Batch
from shogun_env.cli import Parser, batch_class
from shogun_env.policies import make_agent, play_on
from shogun_env.signature import GAMES, combinations_of, signature


def bots_signature(batch_class: type[Batch], games: int = GAMES) -> str:
    """Return the signature of the bots of a game: 16 hexadecimal digits.

    ``random`` and the scripted bot in every style play seeded games in all combinations of options, in seats that
    rotate from game to game.

    Args:
        batch_class: the game's ``Batch``.
        games: number of games, divided evenly among the combinations of options.
    """
    spec = batch_class.spec
    agents = [
        make_agent(text, spec) for text in ("random", *(f"scripted:style={style}" for style in STYLES[spec.name]))
    ]
    tables = combinations_of(batch_class)
    digest = hashlib.sha256()
    for index, options in enumerate(tables):
        count = games * (index + 1) // len(tables) - games * index // len(tables)
        if count:
            batch = batch_class(count, seed=index * games, **options)
            seats = np.add.outer(np.arange(count), np.arange(batch.num_players)) % len(agents)
            play_on(batch, agents, seats.astype(np.int8))
            digest.update(batch.points.tobytes() + batch.returns.tobytes() + batch.games.tobytes())
    return digest.hexdigest()[:16]


def make_parser() -> Parser:
    """Return the parser of the command; it has no options of play, as the games are of all combinations of them."""
    parser = Parser(prog="python -m benchmarks.signature", description=(__doc__ or "").split(":")[0])
    parser.add_games(GAMES, "number of games, over all options of play; the signatures depend on it")
    parser.add_game()
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        game = batch_class(args.game)
        print(f"rules={signature(game, args.games)} bots={bots_signature(game, args.games)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
