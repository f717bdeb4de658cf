"""Make the annotated games in docs/gallery: ``python docs/gallery.py``, or ``make gallery``; takes some minutes.

Each is a record with a review: what the champion would have done, and what the difference cost. A list of them says who
won and where the games turned. ``make docs`` makes a replay page of each, in seconds.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.cli import game_class, progress
from shogun_env.files import write_whole
from shogun_env.policies import make_agent
from shogun_env.records.frames import frames_of
from shogun_env.records.record import game_of, read_record, record_text
from shogun_env.records.story import player_names, sentences
from shogun_env.records.thoughts import Thought
from shogun_env.records.view import html_page
from shogun_env.review.analysis import Effort, Turn, review, turning_points

FOLDER = Path(__file__).parent / "gallery"
USUAL = Effort(first=32, again=256, costliest=8)


class Shown(NamedTuple):
    """A game of the gallery."""

    name: str
    """Name of its page."""
    title: str
    game: str
    seed: int
    bots: tuple[str, ...]
    options: dict[str, Any]


GAMES = (
    Shown(
        "shogun_four", "Shogun, four players: the champion among bots of three styles", "shogun", 16,
        ("scripted", "champion", "scripted:style=warrior", "scripted:style=builder"), {"start": "random"},
    ),
    Shown(
        "shogun_five", "Shogun, five players on the moon side, from a draft", "shogun", 3,
        ("champion", "scripted", "scripted", "champion", "scripted:style=turtle"), {"side": "moon", "start": "draft"},
    ),
    Shown(
        "shitenno_four", "Shitennō, four players: the champion among bots of three styles", "shitenno", 5,
        ("champion", "scripted", "scripted:style=lord", "scripted:style=rival"), {},
    ),
)  # fmt: skip


def make_gallery(folder: Path, games: Sequence[Shown], effort: Effort) -> None:
    """Play games, write record and review of each to a folder, and a list of them to its README.md."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [HEAD]
    for shown in games:
        batch_type = game_class(shown.game).batch_class
        batch = batch_type(1, seed=shown.seed, num_players=len(shown.bots), record=True, **shown.options)
        batch.play([make_agent(bot, batch.spec).compiled for bot in shown.bots])
        lines = batch.records(agents=list(shown.bots))[0]
        with progress(shown.name, 1.0) as show:
            thoughts = [one for each in review(batch_type, lines, effort=effort, show=show) for one in each.others]
        write_whole(folder / f"{shown.name}.jsonl", record_text(lines))  # in place of the game before
        rows = [json.dumps(one._asdict(), ensure_ascii=False) for one in thoughts]
        (folder / f"{shown.name}.review").write_text("".join(f"{row}\n" for row in rows), "utf-8")
        turns = turning_points(batch_type, lines, count=1)
        steps = [frame["first"] for frame in frames_of(batch_type, lines)["frames"]]
        story = sentences(batch.spec, lines, None, player_names(batch.spec))
        texts += [f"## [{shown.title}]({shown.name}.jsonl)", story[0].text, story[-1].text, "Where it turned most:"]
        texts.append("\n".join(turn_text(turn, shown.name, steps) for turn in turns))
    (folder / "README.md").write_text("\n\n".join(texts) + "\n", "utf-8")


HEAD = f"""# Annotated games

Games in which the champion says what it would have done, and by how much the difference lowered the chance to win
([how](../see_and_play.md#after-a-game)). On the site (`make docs`) each plays in this page: press *film* or arrow keys.
`make gallery` plays and reviews them again, with {USUAL.again} rollouts for each of the costliest mistakes."""


def write_pages(folder: Path, out: Path) -> None:
    """Write a replay page of each game of a gallery to a folder that exists."""
    for path in sorted(folder.glob("*.jsonl")):
        batch_type = game_class(game_of(path, None)).batch_class
        rows = path.with_suffix(".review").read_text("utf-8").splitlines()
        page = html_page(batch_type, read_record(path, batch_type.spec), [Thought(**json.loads(row)) for row in rows])
        (out / f"{path.stem}.html").write_text(page, "utf-8")


def turn_text(turn: Turn, name: str, steps: Sequence[int]) -> str:
    """Return a turning point as an item of a list, with a link to the step at which it begins."""
    step = max(number for number, first in enumerate(steps, 1) if first <= turn.first or number == 1)
    return f"- [{turn.when}]({name}.jsonl#{step}): {turn.change}. {''.join(turn.texts[:1])}".rstrip()


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the gallery."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--out", type=Path, default=FOLDER, help="folder (docs/gallery)")
    args = parser.parse_args(arguments)
    make_gallery(args.out, GAMES, USUAL)


if __name__ == "__main__":
    main()
