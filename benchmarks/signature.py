"""Print the signature of a game: ``python -m benchmarks.signature``; the last line of a commit message carries it."""

from __future__ import annotations

from collections.abc import Sequence

from shogun_env.cli import Parser, batch_class
from shogun_env.signature import GAMES, signature


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m benchmarks.signature", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--game", default="shogun", help="shogun or shitenno (shogun)")
    parser.add_argument(
        "--games", type=int, default=GAMES, help=f"how many games ({GAMES}); another number, another hash"
    )
    args = parser.parse_args(arguments)
    try:
        print(signature(batch_class(args.game), args.games))
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
