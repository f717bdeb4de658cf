"""The tables of an arena: standings with intervals, ratings, and who finished ahead of whom.

They follow from the games and settings of a journal alone, not from the order or the time in which games were played.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.fit import Ratings, rate
from shogun_env.benchmarks.arena.games import Games, History, Result, games_of
from shogun_env.benchmarks.arena.presets import POOL
from shogun_env.benchmarks.arena.schedule import about_copies
from shogun_env.benchmarks.markdown import markdown_table, number, percent, percent_interval, rating_text
from shogun_env.cli import commit, cores, processor, versions
from shogun_env.shares import wilson
from shogun_env.spec.bots import FAULTS

ANCHORS = (*POOL[1:], "scripted", "random")
"""Bots from which ratings may be measured, those first that never change; ``arena.fit`` tells which one is taken."""
RATINGS_ARE = (
    "Ratings: Plackett–Luce; 400 points are odds of ten to one against the anchor, which has 0, or else against the"
    " mean of the bots. Those of another tournament, with other bots, or of another group are on another scale."
)
INTERVAL = "95 %; of wins: Wilson's for independent games; of ratings: from the likelihood and the spread between games"
EVERYTHING = "all variants"
"""Heading of the ratings over all games of an arena with several variants."""
MOST_MET = 100
"""The table of who finished ahead of whom has this many of the best bots."""
MOST_RECORDS = 100
"""Games of a variant whose records a summary names."""

Cells = tuple[list[str], list[list[str]]]
"""The headings of a table and the cells of its rows."""


class Standing(NamedTuple):
    """The results of a bot in the games of a variant."""

    agent: str
    """Its name."""
    games: int
    """Number of seats that it played; a game in which it played two counts twice."""
    win_share: float
    """Mean share of the win, 0..1; 1 / players if all are equally strong."""
    low: float
    """Lower end of the 95 % interval of the win share (Wilson's): games are independent, seats of one game are not."""
    high: float
    mean_place: float
    """Mean place; 1 is best."""
    mean_points: float
    seat_shares: tuple[float | None, ...]
    """Win share as player 0, 1, …; None for a seat that it never played."""
    faults: dict[str, int]
    """Number of faults by kind in all its games."""
    places: tuple[float, ...]
    """Share of the games in which it came in first, second, …; tied players share their places evenly."""


class Rating(NamedTuple):
    """The rating of a bot."""

    agent: str
    rating: float | None
    """None where nothing is known of it; where only a bound is, ``fit.LEVEL_OF_PLACE`` says what it is."""
    low: float | None
    """Lower end of the 95 % interval; None where no game says so."""
    high: float | None
    kind: str
    """``interval``, ``anchor``, ``at least``, ``at most`` or ``unknown``; see ``fit.Ratings``."""
    group: int
    """Ratings of different groups cannot be compared."""
    games: int
    expected: float
    """Share of the win that ratings expect in the games that were played."""
    observed: float
    """Share of the win that the bot had."""
    faultless: str = ""
    """In words its rating from the games in which nobody had a fault; empty if nobody ever had one."""
    remark: str = ""
    """Whether it was withdrawn or blamed, and why."""


# --- standings -------------------------------------------------------------------------------------------------------


def board_of(
    games: Games, names: Sequence[str], faults: Mapping[int, Mapping[str, int]] | None = None
) -> list[Standing]:
    """Return the standing of every bot that played, best share of the win first.

    Args: games of one variant; names of the bots by number; faults by kind of each bot that had some.
    """
    if not len(games.bots):
        return []
    size, players = len(names), int((games.bots >= 0).any(axis=0).sum())

    def sums(values: np.ndarray) -> np.ndarray:
        return np.stack([_sums(*each, size) for each in zip(games.bots.T, values.T[:players], strict=False)], axis=1)

    seat_played, seat_won = sums(games.bots >= 0), sums(games.wins)
    played, won, place, points, sat = (
        each.sum(1) for each in (seat_played, seat_won, *map(sums, (games.place, games.points, games.part)))
    )
    places = _places(games, size, players)
    table = []
    for bot in np.flatnonzero(played).tolist():
        n = int(played[bot])
        low, high = (end * sat[bot] / n for end in wilson(float(won[bot]), round(sat[bot])))
        by_kind = (faults or {}).get(bot, {})
        shares = [float(w / p) if p else None for w, p in zip(seat_won[bot], seat_played[bot], strict=True)]
        table.append(
            Standing(
                agent=names[bot], games=n, win_share=float(won[bot] / n), low=low, high=high,
                mean_place=float(place[bot] / n), mean_points=float(points[bot] / n), seat_shares=tuple(shares),
                faults={kind: by_kind[kind] for kind in FAULTS if by_kind.get(kind)},
                places=tuple((places[bot] / n).tolist()),
            )
        )  # fmt: skip
    return sorted(table, key=lambda row: (-row.win_share, row.agent))


def standings(results: Sequence[Result]) -> list[Standing]:
    """Return the standing of every bot in results of ``Arena.play``, best share of the win first."""
    games, names = games_of(results)
    faults: dict[int, Counter[str]] = {}
    for result in results:
        for name, kinds in zip(result.agents, result.faults, strict=True):
            faults.setdefault(names.index(name), Counter()).update(kinds)
    return board_of(games, names, faults)


def _sums(index: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """Return the sum of values by index, float64[size]; index -1 does not count."""
    return np.bincount(index + 1, values, size + 1)[1:]


def _places(games: Games, size: int, players: int) -> np.ndarray:
    """Return float64[size, players], how often each bot had each place; k tied players have 1/k of each of k."""
    counts = np.zeros((size, players))
    place = np.where(games.bots < 0, np.inf, games.place)[:, :players]
    for mine in range(players):
        better = (place < place[:, mine, None]).sum(1)
        tied = (place == place[:, mine, None]).sum(1)
        for at in range(players):
            share = np.where((better <= at) & (at < better + tied), 1 / tied, 0.0)
            counts[:, at] += _sums(games.bots[:, mine], share, size)
    return counts


def met(games: Games, bots: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return in how many games bots met, and in how many the one of the row was ahead: int64[n, n] and float64[n, n].

    A tie counts half, and copies of a bot in one game count together as one.
    """
    size = len(bots)
    number = np.full(max(int(games.bots.max(initial=0)), *bots) + 2, -1)
    number[list(bots)] = np.arange(size)
    count, ahead = np.zeros(size**2), np.zeros(size**2)
    seats = list(zip(number[games.bots].T, games.place.T, games.part.T, strict=True))
    for (one, at, mine), (other, there, theirs) in permutations(seats, 2):
        pair = np.where((one >= 0) & (other >= 0) & (one != other), one * size + other, -1)
        count += _sums(pair, mine * theirs, size**2)
        ahead += _sums(pair, mine * theirs * (0.5 + 0.5 * np.sign(there - at)), size**2)
    return count.reshape(size, size).round().astype(np.int64), ahead.reshape(size, size)


def widest(history: History, which: np.ndarray) -> float:
    """Return the width of the widest interval of a win share in some games, bool[N], of any variant: 0..1."""
    games = history.games.some(which)
    tables = [board_of(games.some(games.variant == each), history.names) for each in np.unique(games.variant)]
    return max((row.high - row.low for table in tables for row in table), default=1.0)


# --- ratings ---------------------------------------------------------------------------------------------------------


def ratings(games: Games, history: History) -> list[Rating]:
    """Return the rating of every bot from some games, best first; bots without a game come last."""
    size = len(history.entries)
    if not len(games.bots):
        return []
    found = _rate(games, history)
    clean = games.some(np.logical_not(games.faulty.any(axis=1)))
    faultless = None if len(clean.bots) == len(games.bots) else _rate(clean, history) if len(clean.bots) else found
    on = games.bots >= 0
    played = np.bincount(games.bots[on], minlength=size)
    won = np.bincount(games.bots[on], games.wins[on], size)
    without = np.bincount(clean.bots[clean.bots >= 0], minlength=size)
    expects = np.bincount(games.bots[on], _expected(games, found.strength)[on], size)
    rows = []
    order = np.lexsort((np.array(history.names), -found.rating, np.isnan(found.rating), found.group, played == 0))
    for bot in order.tolist():
        entry = history.entries[bot]
        if not played[bot] and history.settings.schedule in ("all", "drawn"):
            continue
        remark = "" if entry.plays else ": ".join(filter(None, (entry.mark, entry.why)))
        words = ""
        if faultless is not None:
            words = f"{rating_text(*_ends(faultless, bot))}, {without[bot]} games" if without[bot] else "–"
        rating, low, high, kind = _ends(found, bot) if played[bot] else (None, None, None, "unknown")
        n = max(int(played[bot]), 1)
        rows.append(
            Rating(
                agent=entry.name, rating=rating, low=low, high=high, kind=kind, group=int(found.group[bot]) + 1,
                games=int(played[bot]), expected=float(expects[bot] / n), observed=float(won[bot] / n),
                faultless=words, remark=remark,
            )
        )  # fmt: skip
    return rows


def _rate(games: Games, history: History) -> Ratings:
    specs = [entry.spec for entry in history.entries]
    return rate(games.bots, games.place, len(specs), [specs.index(spec) for spec in ANCHORS if spec in specs])


def _ends(found: Ratings, bot: int) -> tuple[float | None, float | None, float | None, str]:
    """Return rating, both ends of its interval, and its kind, as JSON holds them."""
    values = (float(column[bot]) for column in (found.rating, found.low, found.high))
    rating, low, high = (round(each, 3) if np.isfinite(each) else None for each in values)
    return rating, low, high, str(found.kind[bot])


def _expected(games: Games, strength: np.ndarray) -> np.ndarray:
    """Return the share of the win that strengths expect for each player, float64[N, P]."""
    there = np.where(games.bots < 0, -np.inf, np.append(strength, 0.0)[games.bots])
    weights = np.exp(there - there.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True))


# --- all together ----------------------------------------------------------------------------------------------------


def tables_of(history: History, command: str = "") -> dict[str, Any]:
    """Return the tables of an arena, a summary: everything, and where it comes from, as JSON values.

    Args: history: what was played; command, the command line.
    """
    settings, games = history.settings, history.games
    parts = {name: games.some(games.variant == at) for at, name in enumerate(settings.names)}
    parts = {name: part for name, part in parts.items() if len(part.bots)}
    faults: dict[str, dict[int, Counter[str]]] = {name: {} for name in settings.names}
    for (variant, bot), by_kind in history.faults.items():
        faults[settings.names[variant]][bot] = by_kind
    boards = {name: board_of(part, history.names, faults[name]) for name, part in parts.items()}
    rated = {EVERYTHING: ratings(games, history)} if len(parts) > 1 else {}
    rated |= {name: ratings(part, history) for name, part in parts.items()}
    return {
        "command": command,
        "commit": commit(),
        "machine": f"{processor()}, {cores()} cores",
        "versions": versions(),
        "settings": settings.in_journal(),
        "made_by": history.made_by,
        "secret_sha256": history.secret_sha256,
        "journal": history.chain,
        "bots": [{"name": each.name, "spec": each.spec, "sha256": each.sha256} for each in history.entries],
        "games": history.n_games,
        "interval": INTERVAL,
        "variants": [
            {
                "name": name,
                "games": len(parts[name].bots),
                "copies": about_copies(
                    settings.agents, settings.players[settings.names.index(name)], len(parts[name].bots)
                ),
                "leaderboard": [row._asdict() for row in board],
                "ahead": _ahead(parts[name], history, [row.agent for row in rated[name] if row.games][:MOST_MET]),
                "records": _records(parts[name], history),
            }
            for name, board in boards.items()
        ],
        "ratings": {name: [row._asdict() for row in rows] for name, rows in rated.items()},
    }


def _ahead(games: Games, history: History, names: list[str]) -> dict[str, Any]:
    """Return who finished ahead of whom as JSON values."""
    counts, ahead = (table.tolist() for table in met(games, [history.number_of(name) for name in names]))
    rows = (zip(*pair, strict=True) for pair in zip(ahead, counts, strict=True))
    shares = [[won / count if count else None for won, count in row] for row in rows]
    return {"agents": names, "share": shares, "games": counts}


def _records(games: Games, history: History) -> list[dict[str, Any]]:
    """Return the first games of a variant whose records are kept: names and points of players, and the file."""
    found: list[dict[str, Any]] = []
    for at in np.flatnonzero(np.isin(games.number, list(history.records)))[:MOST_RECORDS] if history.records else ():
        who = [history.entries[bot].name for bot in games.bots[at] if bot >= 0]
        file = history.record_name(int(games.number[at]))
        found.append({"agents": who, "points": games.points[at, : len(who)].tolist(), "file": file})
    return found


# --- in words --------------------------------------------------------------------------------------------------------


def games_for(rated: Sequence[Mapping[str, Any]]) -> str:
    """Return in a sentence how many games intervals of 15 points either way take; empty without intervals."""
    needs = [row["games"] * ((row["high"] - row["low"]) / (2 * 15)) ** 2 for row in rated if row["kind"] == "interval"]
    return f"A rating of ± 15 points takes about {number(median(needs))} games of a bot." if needs else ""


def leaderboard(board: Sequence[Mapping[str, Any]], rated: Sequence[Mapping[str, Any]] = ()) -> Cells:
    """Return the leaderboard of a variant as a table: place, bot, rating, wins, and what there is to say besides.

    Args: board and rated, rows of ``Standing`` and ``Rating`` as in a summary.
    """
    row_of = {row["agent"]: row for row in board}
    order = [row["agent"] for row in rated] or list(row_of)
    rating_of = {row["agent"]: row for row in rated}
    players = len(board[0]["seat_shares"]) if board else 0
    places = [str(place) if name in row_of else "–" for place, name in enumerate(order, 1)]
    columns: dict[str, list[str]] = {"place": places, "bot": order}
    if rated:
        columns["rating (95 %)"] = [
            rating_text(*(rating_of[name][key] for key in ("rating", "low", "high", "kind"))) for name in order
        ]

    def of_row(tell: Any) -> list[str]:
        return [tell(row_of[name]) if name in row_of else "–" for name in order]

    columns["games"] = of_row(lambda row: str(row["games"]))
    columns["wins (95 %)"] = of_row(lambda row: percent_interval(row["win_share"], row["low"], row["high"]))
    columns["mean place"] = of_row(lambda row: f"{row['mean_place']:.2f}")
    columns["mean points"] = of_row(lambda row: f"{row['mean_points']:.1f}")
    if any(row["faults"] for row in board):
        columns["faults"] = of_row(lambda row: ", ".join(f"{n} {kind}" for kind, n in row["faults"].items()) or "none")
    if any(row["faultless"] for row in rated):
        columns["rating without games with faults"] = [rating_of[name]["faultless"] or "–" for name in order]
    for player in range(players):
        columns[f"player {player}"] = of_row(lambda row, player=player: percent_or_dash(row["seat_shares"][player]))
    remarks = [remark_on(rating_of.get(name), row_of.get(name)) for name in order]
    if any(remarks):
        columns["remarks"] = [remark or "–" for remark in remarks]
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def remark_on(rating: Mapping[str, Any] | None, row: Mapping[str, Any] | None) -> str:
    """Return what there is to say about a bot: a mark, a group apart, or wins that its rating does not explain."""
    if rating is None:
        return ""
    remarks = [rating["remark"]] if rating["remark"] else []
    if rating["group"] > 1:
        remarks.append(f"group {rating['group']}: no chain of games joins it to those above")
    if row is not None and not row["low"] <= rating["expected"] <= row["high"]:
        remarks.append(f"ratings expect {percent(rating['expected'])} wins")
    return "; ".join(remarks)


def ratings_only(rated: Sequence[Mapping[str, Any]]) -> Cells:
    """Return ratings over all variants as a table."""
    lines = [
        [str(place), row["agent"], rating_text(row["rating"], row["low"], row["high"], row["kind"]), str(row["games"])]
        for place, row in enumerate(rated, 1)
    ]
    return ["place", "bot", "rating (95 %)", "games"], lines


def ahead_table(ahead: Mapping[str, Any]) -> Cells:
    """Return who finished ahead of whom, ``ahead`` of a variant in a summary, as a table."""
    rows = zip(ahead["agents"], ahead["share"], strict=True)
    return ["", *ahead["agents"]], [[agent, *map(percent_or_dash, shares)] for agent, shares in rows]


def percent_or_dash(share: float | None) -> str:
    """Return a share in per cent, a dash for None."""
    return "–" if share is None else percent(share)


def markdown(table: Sequence[Standing]) -> str:
    """Return a leaderboard as a Markdown table."""
    return _as_markdown(leaderboard([row._asdict() for row in table]))


def _as_markdown(cells: Cells) -> str:
    head, rows = cells
    return markdown_table(list(map(plain, head)), [list(map(plain, row)) for row in rows])


def plain(text: str) -> str:
    """Return a text in which Markdown sees no mark-up: names of bots may hold anything that can be printed."""
    return "".join("\\" + letter if letter in "\\|<>[]*`&~" else letter for letter in text)


def as_markdown(summary: Mapping[str, Any]) -> str:
    """Return the tables of a summary as Markdown: leaderboards, ratings, and who finished ahead of whom."""
    parts = []
    if EVERYTHING in summary["ratings"]:
        parts.append(f"## {EVERYTHING}\n\n{_as_markdown(ratings_only(summary['ratings'][EVERYTHING]))}")
    for variant in summary["variants"]:
        name = variant["name"]
        rated = summary["ratings"].get(name, [])
        words = " ".join(filter(None, (f"{variant['games']} games.", games_for(rated), variant["copies"])))
        parts.append(f"## {name}\n\n{words}\n\n{_as_markdown(leaderboard(variant['leaderboard'], rated))}")
        parts.append(f"Finished ahead of:\n\n{_as_markdown(ahead_table(variant['ahead']))}")
    return "\n".join(parts) + f"\n{RATINGS_ARE} Intervals: {INTERVAL}.\n"


def times_of(history: History) -> dict[str, float]:
    """Return the milliseconds per decision of each bot that is not compiled."""
    timed = sorted((history.names[bot], pair) for bot, pair in history.seconds.items() if pair[1])
    return {name: round(1000 * float(used / asked), 4) for name, (used, asked) in timed}
