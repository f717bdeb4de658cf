"""The command ``shogun-env review``."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from shogun_env import cli
from shogun_env.files import check_other_file, write_out
from shogun_env.policies import make_agent
from shogun_env.records.record import game_of, read_record
from shogun_env.records.story import player_names
from shogun_env.records.view import html_page
from shogun_env.review.analysis import Effort, Review, Turn, expectations, review, turning_points
from shogun_env.spec.forms import blaming
from shogun_env.spec.game_spec import GameSpec

TEXTS = 3
"""Things that happened at a turning point that are printed at most."""


def review_record(args: argparse.Namespace) -> None:
    """Print what the choices in a record cost, and where the game turned.

    Raises: ValueError naming the file and what is wrong.
    """
    batch_type = cli.batch_class(game_of(args.file, args.game))
    if args.out:
        check_other_file(args.out, args.file)
    effort = Effort(first=max(4, args.rollouts // 8), again=max(4, args.rollouts), costliest=args.top + 3)
    with blaming(f"{args.file}, as a record of {batch_type.spec.name}"):
        lines = read_record(args.file, batch_type.spec)
        turns = turning_points(batch_type, lines, champion=args.champion, count=args.top)
        with cli.progress("rollouts", 1.0) as show:
            players = None if args.player is None else [args.player]
            reviews = review(batch_type, lines, players, champion=args.champion, effort=effort, show=show)
        thoughts = [one for each in reviews for one in each.others]
        chances = list(expectations(batch_type, lines, make_agent(args.champion, batch_type.spec))) if args.out else []
        page = html_page(batch_type, lines, thoughts, chances=chances) if args.out else ""
    for text in review_lines(batch_type.spec, reviews, turns, args.top):
        sys.stdout.write(f"{text}\n")
    if args.out:
        write_out(args.out, page)
        sys.stdout.write(f"{args.out} written; open it in a browser\n")


def review_lines(spec: GameSpec, reviews: Sequence[Review], turns: Sequence[Turn], top: int) -> Iterator[str]:
    """Yield reviews and turning points as lines of text."""
    names = player_names(spec)
    for each in reviews:
        yield f"{names[each.player]}: {each.choices} choices, {each.alike} of them the champion's"
        for number, one in enumerate([one for one in each.others if one.cost > 0][:top], 1):
            yield f"  {number}. {one.when}, line {one.line}: {one.text}"
            differing = [row for row in one.rows if row[1] != row[2]]
            for who, column in (("played:      ", 1), ("the champion:", 2)):
                parts = (f"{row[0]}: {row[column]}" if row[0] else row[column] for row in differing)
                yield f"     {who} {'; '.join(filter(None, parts))}"
    yield "Turning points, by what the champion expects:"
    for turn in turns:
        yield f"  {turn.when}, lines {turn.first} to {turn.last}: {turn.change}"
        yield from (f"     {text}" for text in turn.texts[:TEXTS])
    if reviews:
        yield "± is the 95 % interval over the cards dealt; where the champion's network errs, so does the cost."
