"""What players of Shitennō do, counted from the lines of a record: how they divide, place, pay and score."""

from collections.abc import Sequence

from shogun_env.spec.game_spec import Line
from shogun_env.spec.pages import Habits, Tally

PER_GAME = (
    "lots offered or divided as Tairō",
    "placements",
    "cards paid",
    "jokers",
    "tiles used: exchange",
    "tiles used: +1",
    "tiles used: draw",
    "points for placements",
    "points for titles",
    "points for Koku",
    "points for majorities",
    "majorities",
    "cards in hand at the end",
)
PER_OCCASION = ("lots offered that are accepted", "placements paid with Koku", "placements on position 1")


def habits(lines: Sequence[Line]) -> Habits:
    """Return what each player did in a game.

    Args: lines: the record of a game that is over, header first.
    """
    tally = Tally(lines[0]["players"], PER_GAME, PER_OCCASION)
    hands: list[dict[str, int]] = []
    for line in lines:
        kind = line["t"]
        if kind in ("lot", "divide"):
            tally.add("lots offered or divided as Tairō", line["player"])
        elif kind == "answer":
            tally.occasion("lots offered that are accepted", line["player"], line["accepts"])
        elif kind == "draw":
            tally.add("tiles used: draw", line["player"])
        elif kind == "control":
            _count_placement(tally, line)
        elif kind == "state":
            hands = line["hands"]
        elif kind == "score":
            tally.add_all("points for Koku", line["koku"])
            tally.add_all("points for majorities", line["majorities"])
            for holder in line["holders"].values():
                if holder is not None:
                    tally.add("majorities", holder)
        elif kind == "result":
            tally.add_all("cards in hand at the end", (sum(hand.values()) for hand in hands))
    return tally.habits


def _count_placement(tally: Tally, line: Line) -> None:
    player = line["player"]
    for words, times in (
        ("placements", 1),
        ("cards paid", len(line["cards"])),
        ("jokers", line["joker"]),
        ("tiles used: exchange", line["exchanges"]),
        ("tiles used: +1", line["plus_ones"]),
        ("points for placements", line["points"]),
        ("points for titles", line["title_points"]),
    ):
        tally.add(words, player, times)
    tally.occasion("placements paid with Koku", player, line["by"] == "koku")
    tally.occasion("placements on position 1", player, line["position"] == 1)
