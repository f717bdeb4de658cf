"""A game of Shogun as text for people: the referee's view, or what one player may know (rules 8)."""

import textwrap
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.scoring import winners_of
from shogun_env.shogun.state import STATE
from shogun_env.shogun.text.kinds import card_name
from shogun_env.shogun.text.names import ACTIONS, actions_in_order, setup_of, title_of
from shogun_env.spec.voice import counted, table, view_of, words

_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")
_SEASONS = (*board.SEASON_NAMES, "winter")
_LEGEND = (
    "how to read a province",
    " P0     owner; . neutral; - out of play",
    " 5      armies",
    " CTN    castle, temple, Noh theatre",
    " !2     revolt markers",
    " 7/5/3  taxes / rice / building sites",
    "marks in front of a name",
    " >  armies leave, or card just taken",
    " <  armies arrive",
    " !  drawn to revolt",
    " +  taken in this round",
)
_GAP = "   "
_WIDTH = 120
START_POSITIONS = tuple(f"row {row} of the start table" for row in range(1, c.MAX_PLAYERS + 1))
"""What players may begin with in the preset start."""


def render(g: np.void, player: int | None) -> str:
    """Return the state of a game in words and tables.

    Args: g, a state at a decision or at the end; player, 0..n_players - 1 for what they may know, -1 for what everybody
        knows, None for everything but the floors of the tower, which nobody knows.
    """
    blocks = [_heading(g, player), *_seen_by_all(g.tobytes())]
    if g["phase"] > c.DRAFT_GROUP:
        blocks.append(_plans(g, player))
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks) + "\n"


@lru_cache(maxsize=1)
def _seen_by_all(state: bytes) -> list[list[str]]:
    """Return what is the same in all views; a replay writes each state for every viewer."""
    g = np.frombuffer(state, STATE)[0]
    return [_board(g), _players(g), _draft(g) if g["phase"] <= c.DRAFT_GROUP else _cards(g)]


def _provinces(numbers: np.ndarray) -> list[str]:
    return [board.PROVINCE_NAMES[number] for number in numbers if number != c.NONE]


def _listed(head: str, items: list[str]) -> list[str]:
    """Return a list of items after its head, on as many lines as it needs."""
    return textwrap.wrap("; ".join(items), _WIDTH, initial_indent=f"{head:<12}", subsequent_indent=" " * 12)


# --- heading ---------------------------------------------------------------------------------------------------------


def _heading(g: np.void, player: int | None) -> list[str]:
    """Return two lines: time and decision; options and view."""
    return [f"{title_of(g)}, {time_of(g)}: {decision(g, player)}", f"{setup_of(g)}; {view_of(player)}"]


def time_of(g: np.void) -> str:
    """Return the year and season."""
    return f"year {g['year']}, {_SEASONS[g['season']]}" if g["year"] else "set-up"


def decision(g: np.void, player: int | None) -> str:
    """Return who decides what; in planning a player does not learn how far the others are."""
    phase, who = int(g["phase"]), f"player {g['player']}"
    source, target = (board.PROVINCE_NAMES[g[name]] if g[name] != c.NONE else "" for name in ("source", "target"))
    if phase == c.OVER:
        return _outcome(g)
    if phase == c.PLAN and g["space"] == c.N_SPACES:  # ``plan_laid``: a plan of which any spaces are filled
        return "everybody plans the season"
    if phase == c.PLAN:
        space = "the bid" if g["space"] == c.BID_SPACE else ACTIONS[board.ACTION_NAMES[g["space"] - 1]]
        return f"{who if player is None else 'everybody'} puts a card on {space}"
    if phase == c.REVOLT_ORDER:
        waiting = [name for name in _provinces(g["drawn"]) if name not in _provinces(g["ordered"])]
        return f"{who} says which province revolts next: {', '.join(waiting)}"
    if phase in (c.TARGET, c.NUMBER):
        act = ACTIONS[board.ACTION_NAMES[g["action_at"][g["running"]]]]
        what = f"armies from {source}" if phase == c.TARGET else f"how many armies from {source} to {target}"
        return f"{act}: {who} sends {what}"
    if phase > c.OVER:
        return _under_way(g, phase)
    decision_of = {
        c.DRAFT_CARD: "takes a province card",
        c.DRAFT_GROUP: f"puts an army group on {source}",
        c.TAKE_SPECIAL: "takes a special card",
    }
    return f"{who} {decision_of[phase]}"


def _under_way(g: np.void, phase: int) -> str:
    """Return what comes next where nobody decides."""
    if phase in (c.ACTION, c.TURN):
        number = g["running"] + 1 - int(board.FIRST_ACTION[g["side"]])
        return f"action {number}, {ACTIONS[board.ACTION_NAMES[g['action_at'][g['running']]]]}"
    return {
        c.FILL_TOWER: "the tower is filled next",
        c.YEAR: "a year begins next",
        c.ROUND: "a season begins next",
        c.SHOW_PLANS: "all have planned",
        c.DRAW_EVENT: "the event is drawn next",
        c.SHOW_BIDS: "the bids are shown next",
        c.WINTER: "winter comes next",
        c.REVOLT: f"provinces of player {g['player']} revolt",
        c.SCORE: "points are scored next",
    }.get(phase, "winter")


def _outcome(g: np.void) -> str:
    """Return in words who has won (R5)."""
    won = winners_of(g)
    winners = [f"player {player}" for player in range(g["n_players"]) if (won >> player) & 1]
    return f"over; {' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


# --- the board -------------------------------------------------------------------------------------------------------


def _board(g: np.void) -> list[str]:
    """Return the provinces by region, three regions side by side; the legend takes the sixth place."""
    region_of = board.REGION[g["side"]]
    cells = [
        [f"{region} region", *(_province(g, int(prov)) for prov in np.flatnonzero(region_of == number))]
        for number, region in enumerate(board.REGION_NAMES)
    ]
    width = max(len(line) for line in chain(*cells))
    cells.append(list(_LEGEND))
    upper, lower = (
        [_GAP.join(line.ljust(width) for line in lines) for lines in zip_longest(*row, fillvalue="")]
        for row in (cells[:3], cells[3:])
    )
    return [*upper, "", *lower]


def _province(g: np.void, prov: int) -> str:
    """Return a province as one line: mark, name, owner, armies, buildings, markers, printed numbers."""
    in_play = board.IN_PLAY[g["side"], g["n_players"], prov]
    owner = "-" if not in_play else "." if g["owner"][prov] == c.NONE else f"P{g['owner'][prov]}"
    buildings = "".join(letter if g["building"][kind, prov] else "." for kind, letter in enumerate("CTN"))
    markers = f"!{g['revolts'][prov]}" if g["revolts"][prov] else ""
    armies = str(g["armies"][prov]) if g["armies"][prov] else ""
    printed = f"{board.TAX[prov]}/{board.RICE[prov]}/{board.SITES[prov]}"
    return (
        f"{_mark(g, prov)} {board.PROVINCE_NAMES[prov]:<11} {owner:<2} {armies:>2} {buildings} {markers:<2} {printed}"
    )


def _mark(g: np.void, prov: int) -> str:
    """Return the mark in front of a province's name."""
    if prov == g["source"]:
        return ">"
    if prov == g["target"]:
        return "<"
    if prov in g["drawn"]:
        return "!"
    return "+" if g["gained"][prov] and g["phase"] > c.DRAFT_GROUP else " "


# --- players and cubes -----------------------------------------------------------------------------------------------


def _players(g: np.void) -> list[str]:
    """Return a table with a row per player and one for the farmers, who only have cubes."""
    inside = g["tower"].sum(0)
    rows = [["", "points", "chests", "rice", "provinces", "bid", "turn", "short", "supply", "tower", "tray"]]
    for player in range(g["n_players"]):
        tracks = [str(g[name][player]) for name in ("points", "chests", "rice", "n_owned")]
        rows.append([f"P{player}", *tracks, _bid(g, player), _turn(g, player), str(g["short"][player] or "")])
    rows.append(["farmers", *[""] * 7])
    for row, colour in zip(rows[1:], [*range(g["n_players"]), c.FARMERS], strict=True):
        row += [str(g["supply"][colour]), str(inside[colour]), str(g["tray"][colour])]
    left = ", ".join(
        f"{count} {name}" for count, name in zip(g["kinds_left"], ("castles", "temples", "Noh theatres"), strict=True)
    )
    return [*table(rows), f"left in the box: {left}"]


def _bid(g: np.void, player: int) -> str:
    """Return the bid of a player and its place in the order, once it is shown."""
    card = int(g["shown"][player, c.BID_SPACE])
    if card == c.NOT_SHOWN:
        return ""
    place = g["bid_order"].tolist().index(player)
    return f"{card_name(card) or 'no card'} ({_ORDINALS[place]})"


def _turn(g: np.void, player: int) -> str:
    """Return the place of a player in the turn order."""
    return str(g["position_of"][player] + 1) if g["position_of"][player] != c.NONE else ""


# --- cards -----------------------------------------------------------------------------------------------------------


def _cards(g: np.void) -> list[str]:
    """Return the specials with their holders, and the events."""
    specials = []
    for position, special in enumerate(g["special_at"]):
        if special == c.NONE:
            continue
        holder = f" (P{g['holder'][position]})" if g["holder"][position] != c.NONE else ""
        specials.append(f"{position + 1} {words(board.SPECIAL_NAMES[special])}{holder}")
    places = ((c.EVENT_IN_FORCE, "event"), (c.EVENT_OPEN, "candidates"), (c.EVENT_USED, "used"))
    lists = [_listed(name, list(events(g, where)) or ["none"]) for where, name in places]
    return _listed("specials", specials) + [line for lines in lists for line in lines]


def events(g: np.void, where: int) -> Iterator[str]:
    """Yield the event cards in a place, each with its rice loss; those that are not in play on this board left out."""
    for card in np.flatnonzero((g["event_card"] == where) & (board.EVENTS_OUT[g["side"]] == 0)):
        name, loss = board.EVENT_CARDS[card]
        yield f"{words(name).replace('no theatre', 'Noh theatre')} (rice -{loss})"


def _plans(g: np.void, player: int | None) -> list[str]:
    """Return the planning boards: a row per space, actions in their order, and a column per player."""
    players, sheet = range(g["n_players"]), sheet_of(g)
    rows = [
        ["", "plans", *(f"P{p}" for p in players)],
        ["", "bid", *(_card(sheet, p, c.BID_SPACE, player) for p in players)],
    ]
    for act, position in actions_in_order(g):
        rows.append(
            [
                str(position or "?"),
                _running(g, position) + ACTIONS[board.ACTION_NAMES[act]],
                *(_card(sheet, p, act + 1, player) for p in players),
            ]
        )
    notes = ["x carried out by all, > running, ? face down or hidden, * shown, (lost) taken away with the province"]
    if player is not None and player >= 0 and g["phase"] == c.PLAN:
        notes += _listed(f"hand of P{player}", hand(g, player))
    return [*table(rows), *notes]


def _running(g: np.void, position: int | None) -> str:
    """Mark the actions that all have carried out, and the one that runs."""
    if position is None:
        return "  "
    done = g["running"] - int(board.FIRST_ACTION[g["side"]])
    if g["phase"] in (c.TURN, c.TARGET, c.NUMBER) and position == done + 1:
        return "> "
    return "x " if position <= done else "  "


def sheet_of(g: np.void) -> dict[str, Any]:
    """Return all that ``seen_card`` reads as Python values: it is asked for every space."""
    return {name: g[name].tolist() for name in ("shown", "emptied", "plan", "space", "phase", "player")}


def _card(sheet: Mapping[str, Any], owner: int, space: int, viewer: int | None) -> str:
    """Return in words what the viewer may know of the card on a player's space."""
    state, card = seen_card(sheet, owner, space, viewer)
    instead = {"lost": "(lost)", "hidden": "?", "blank": ""}
    name = instead.get(state, card_name(card) or "empty")
    return f"{name} *" if state == "shown" else name


def seen_card(sheet: Mapping[str, Any], owner: int, space: int, viewer: int | None) -> tuple[str, int]:
    """Return what the viewer may know of the card on a player's space: its state, and the card.

    Args: what ``sheet_of`` returns; owner; number of the space; viewer, None for the referee.

    The state is ``shown`` to all, ``lost`` with its province, ``hidden``, not filled yet (``blank``), or ``planned``.
    The card is EMPTY unless shown or planned.
    """
    shown = sheet["shown"][owner][space]
    if shown != c.NOT_SHOWN:
        return "shown", shown
    if sheet["emptied"][owner][space]:
        return "lost", c.EMPTY
    if viewer not in (None, owner):
        return "hidden", c.EMPTY
    ahead = viewer is None and sheet["phase"] == c.PLAN and owner < sheet["player"]  # which only the referee sees
    if space >= sheet["space"] + ahead or sheet["plan"][owner][space] == c.NOT_SHOWN:
        return "blank", c.EMPTY
    return "planned", sheet["plan"][owner][space]


def hand(g: np.void, player: int) -> list[str]:
    """Return the cards that are not on a filled space, and how many spaces must still stay empty."""
    on_spaces = {int(card) for card in g["plan"][player, : g["space"]]}
    chests = int(board.CHEST_CARDS[g["side"]])
    cards = [*np.flatnonzero(g["owner"] == player), *range(c.CHEST_0, c.CHEST_0 + chests)]
    names = [str(card_name(int(card))) for card in cards if card not in on_spaces]
    filled = np.flatnonzero(board.SPACE_IN_PLAY[g["side"], : g["space"]])
    blanks = int(board.SPACES[g["side"]]) - len(cards) - int((g["plan"][player, filled] == c.EMPTY).sum())
    return [*names, f"and {counted(blanks, 'space')} to stay empty"] if blanks > 0 else names


def draft_of(g: np.void) -> tuple[str, str, list[list[int]]]:
    """Return the open cards of the draft, what is known of the deck, and the army groups that each player has left."""
    under = sorted(np.flatnonzero(g["under"]), key=lambda prov: int(g["under"][prov]))
    known = f", then {', '.join(_provinces(np.array(under)))}" if under else ""
    deck = f"{int((g['card'] == c.CARD_IN_DECK).sum())} unseen{known}"
    sizes = range(c.MAX_GROUP, 0, -1)
    groups = [[size for size in sizes for _ in range(left[size])] for left in g["groups"][: g["n_players"]]]
    return ", ".join(_provinces(g["open_card"])) or "none", deck, groups


def _draft(g: np.void) -> list[str]:
    """Return the cards of the draft and the army groups left."""
    opened, deck, groups = draft_of(g)
    rows = [[f"P{player}", " ".join(map(str, sizes))] for player, sizes in enumerate(groups)]
    return [f"open cards  {opened}", f"deck        {deck}", "army groups left", *table(rows)]


def start_position(g: np.void, player: int) -> int:
    """Return the start position of a player in a state just set up: a row of the start table from 0, -1 without preset.

    Args: g, in which nobody has lost or won a province yet; player.
    """
    if g["start"] != c.PRESET:
        return -1
    rows = board.START_ARMIES[g["side"], g["n_players"]] > 0
    return int((rows == (g["owner"] == player)).all(1).argmax())
