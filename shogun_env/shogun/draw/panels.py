"""What is next to the map of Shogun: the round, events, specials, and a table of players and their plans."""

import textwrap
from functools import lru_cache

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.draw.provinces import COIN_AND_EAR, FLAME, ICONS, sign
from shogun_env.shogun.text.kinds import card_name
from shogun_env.shogun.text.names import ACTIONS, SPECIALS, setup_of, title_of
from shogun_env.shogun.text.render import decision, draft_of, events, hand, seen_card, sheet_of, time_of
from shogun_env.spec.voice import view_of, words
from shogun_env.svg.markup import group, label, line, rect
from shogun_env.svg.style import counter

COLUMNS = ("points", "chests", "rice", "prov.", "turn", "short", "supply", "tower", "tray")
"""Columns of the table of players, before their plans."""
TOP, ROW = 586, 19
"""Where the rows of the table begin, and their height."""
FIRST, NUMBER_WIDTH = 60, 32
BID, CARD_WIDTH = 342, 85
"""Where the bids begin; width of a column of cards."""

# --- round, events, specials -----------------------------------------------------------------------------------------


def heading(g: np.void, player: int | None) -> str:
    """Return the round and the decision."""
    text = decision(g, player)
    return label(14, 27, f"{title_of(g)} · {time_of(g)}", 18, class_="bold f-ink") + label(
        14, 47, text[0].upper() + text[1:], 13 if len(text) < 76 else 11, class_="bold f-mark"
    )


def view(g: np.void, player: int | None) -> str:
    """Return the options of play and whose view this is."""
    return label(14, 63, f"{setup_of(g)}; {view_of(player)}", 10.5, class_="f-dim")


def event_list(g: np.void) -> str:
    """Return the event in force and those that may come beneath the heading, the used ones in the corner of the map."""
    in_force, to_come = _event(next(events(g, c.EVENT_IN_FORCE), "none")), list(events(g, c.EVENT_OPEN))
    more = ". May still come:" if to_come else ""
    parts = [label(14, 84, f"Event: {in_force}{more}", 11.5, class_="bold f-ink")]
    for index, text in enumerate(to_come):
        x, y = 14 + 205 * (index // 2), 102 + 15 * (index % 2)
        parts.append(label(x, y, _event(text), 10, class_="f-ink"))
    used = list(events(g, c.EVENT_USED))
    if used:
        parts.append(label(10, 432, "Events used", 10, class_="bold f-dim"))
        parts += [label(10, 446 + 12.5 * row, _event(text), 9, class_="f-dim") for row, text in enumerate(used)]
    return "".join(parts)


def _event(text: str) -> str:
    """Return an event with its loss of rice as a drawing shows it."""
    return text.replace("(rice ", "(winter rice ")


def specials(g: np.void) -> str:
    """Return the special cards in the order of the turns, with those who took them; nothing before the first round."""
    if (g["special_at"] == c.NONE).all():
        return ""
    parts = [rect(764, 431, 160, 112, rx=6, class_="f-panel s-rule", stroke_width=1.0)]
    parts.append(label(772, 447, "Turn order and specials", 10.5, class_="bold f-ink"))
    for position in range(board.N_SPECIALS[g["side"], g["n_players"]]):
        y, holder, special = 465 + 17.5 * position, int(g["holder"][position]), int(g["special_at"][position])
        parts.append(label(772, y, f"{position + 1}", 10.5, class_="bold f-dim"))
        parts.append(label(786, y, SPECIALS[board.SPECIAL_NAMES[special]], 10.5, class_="f-ink"))
        if holder != c.NONE:
            parts.append(counter(holder, 890, y - 4, f"P{holder}", 0.72))
    return "".join(parts)


def legend(g: np.void) -> str:
    """Return what the signs mean and how many buildings are left in the box."""
    names = ("castles", "temples", "Noh theatres")
    parts = [
        sign(ICONS[kind], 778, 10 + 15 * kind, "ink")
        + label(794, 19 + 15 * kind, f"{names[kind]}: {g['kinds_left'][kind]} left", 9.5, class_="f-dim")
        for kind in range(c.N_KINDS)
    ]
    coin, ear = COIN_AND_EAR
    signs = ((coin, "gold", "taxes"), (ear, "grain", "rice"), (FLAME, "alarm", "revolt"))
    for row, (d, colour, text) in enumerate(signs):
        parts += [sign(d, 912, 15 + 15 * row, colour, 0.9), label(922, 19 + 15 * row, text, 9.5, class_="f-dim")]
    return "".join(parts)


# --- the table -------------------------------------------------------------------------------------------------------


def table_head(g: np.void) -> str:
    """Return the frame of the table and the names of its columns."""
    parts = [rect(0, 548, 1280, 172, class_="f-panel"), line(0, 548, 1280, 548, class_="s-rule", stroke_width=1.0)]
    parts += [label(_number_x(i), TOP - 6, name, 8.5, class_="mid f-dim") for i, name in enumerate(COLUMNS)]
    lines = [TOP + ROW * row for row in range(g["n_players"] + 2)]
    parts += [line(6, y, 1274, y, class_="s-rule", stroke_width=0.6) for y in lines]
    return "".join(parts)


def _number_x(index: int) -> float:
    return FIRST + NUMBER_WIDTH * index


def _row_y(row: int) -> float:
    """Return the baseline of a row of the table."""
    return TOP + ROW * row + 13.5


def player_row(g: np.void, player: int) -> str:
    """Return what everybody sees of a player, or of the farmers after the last player."""
    farmers = player == int(g["n_players"])
    colour, y = (c.FARMERS if farmers else player), _row_y(player)
    values: list[int | str] = [""] * 6
    if not farmers:
        turn = int(g["position_of"][player])
        values = [int(g[name][player]) for name in ("points", "chests", "rice", "n_owned")]
        values += ["" if turn == c.NONE else turn + 1, int(g["short"][player]) or ""]
    values += [int(g["supply"][colour]), int(g["tower"].sum(0)[colour]), int(g["tray"][colour])]
    decides = not farmers and g["phase"] < c.OVER and g["phase"] != c.PLAN and player == g["player"]
    parts = [rect(2, y - 13, 4, 18, class_="f-mark")] if decides else []
    parts.append(counter(colour, 20, y - 4, "" if farmers else f"P{player}", 0.72))
    if farmers:
        parts.append(label(32, y, "farmers", 9.5, class_="f-dim"))
    for index, value in enumerate(values):
        parts.append(label(_number_x(index), y, str(value), 11, class_="mid bold f-ink" if index == 0 else "mid f-ink"))
    return "".join(parts)


def action_order(g: np.void) -> list[int]:
    """Return the actions in the order of the columns: open ones by position, then the others."""
    opened = [int(act) for act in g["action_at"] if act != c.NONE]
    return opened + [act for act in range(c.N_ACTION_CARDS) if act not in opened]


def action_head(g: np.void) -> str:
    """Return the cards of the action row: open or face down, carried out or running."""
    n_open, first = int((g["action_at"] != c.NONE).sum()), int(board.FIRST_ACTION[g["side"]])
    running = int(g["running"]) if g["phase"] in (c.TURN, c.TARGET, c.NUMBER) else -1
    parts = [label(BID + CARD_WIDTH / 2 - 4, TOP - 13, "bid", 9.5, class_="mid bold f-ink")]
    for column, act in enumerate(action_order(g)):
        x, is_open = _card_x(column + 1), column < n_open
        done = column < g["running"]
        frame = "s-mark" if column == running else "s-rule"
        kind = "f-none" if done else "f-panel" if is_open else "f-back-of-card"
        parts.append(rect(x + 1, 551, CARD_WIDTH - 6, 33, rx=3, class_=f"{kind} {frame}", stroke_width=1.5))
        ink = "f-dim" if done else "f-ink" if is_open else "f-panel"
        mark = "not in play" if column < first else "done" if done else f"{column + 1 - first}" if is_open else "?"
        parts.append(label(x + 5, 561, mark, 8, class_=f"bold {ink}"))
        rows = textwrap.wrap(ACTIONS[board.ACTION_NAMES[act]], 13)
        middle = x + CARD_WIDTH / 2 - 2
        head = [
            label(middle, (573 if len(rows) == 1 else 570.5) + 10 * i, row, 8.5, class_=f"mid bold {ink}")
            for i, row in enumerate(rows)
        ]
        parts.append(group(*head, data_word=ACTIONS[board.ACTION_NAMES[act]]))
    return "".join(parts)


def _card_x(column: int) -> float:
    """Return the left edge of a column of cards, the bid being column 0."""
    return BID + CARD_WIDTH * column - (3 if column == 0 else 0)


def plan_cells(g: np.void, viewer: int | None) -> dict[str, str]:
    """Return the cards of all players, by name of their part, as far as the viewer may know them."""
    sheet, side = sheet_of(g), int(g["side"])
    spaces = [0, *(act + 1 for act in action_order(g))]
    return {
        f"card-{owner}-{column}": _plan_cell(side, owner, column, *seen_card(sheet, owner, space, viewer))
        for owner in range(g["n_players"])
        for column, space in enumerate(spaces)
    }


@lru_cache(maxsize=1 << 13)
def _plan_cell(side: int, owner: int, column: int, state: str, card: int) -> str:
    """Return a card of a player in a column of the table; state and card as ``seen_card`` returns them."""
    x, y = _card_x(column), _row_y(owner)
    middle = x + CARD_WIDTH / 2 - 2
    if state == "blank":
        return ""
    if state == "hidden":
        return rect(middle - 9, y - 10.5, 18, 13, rx=2, class_="f-back-of-card") + label(
            middle, y - 0.5, "?", 9, class_="mid bold f-panel"
        )
    if state == "lost":
        return label(middle, y, "lost", 9, class_="mid f-dim")
    if card == c.EMPTY:
        return label(middle, y, "empty", 9, class_="mid f-dim" if state == "shown" else "mid secret f-dim")
    ground = f"region-{board.REGION_NAMES[board.REGION[side, card]]}" if card < c.CHEST_0 else "gold"
    name = words(str(card_name(card)))
    ink = "f-ink" if card < c.CHEST_0 else "f-on-p4"
    return rect(x + 4, y - 11.5, CARD_WIDTH - 12, 15, rx=3, class_=f"f-{ground}") + label(
        middle, y, name, 9.8, class_=f"mid {'bold' if state == 'shown' else 'secret'} {ink}"
    )


def notes(g: np.void, player: int | None) -> str:
    """Return the line beneath the table: the hand of the viewer who plans, or how to read the cards."""
    text = "card bold: shown to all; italic: known to this view only; ? hidden; ringed counter: taken in this round"
    if player is not None and player >= 0 and g["phase"] == c.PLAN:
        text = f"hand of P{player}: {', '.join(words(card) for card in hand(g, player))}"
    size = 9.5 if len(text) < 250 else 8
    return label(8, 716.5, text[:320], size, class_="f-dim")


def draft(g: np.void) -> str:
    """Return open cards, deck and army groups, in the place of the plans."""
    opened, deck, groups = draft_of(g)
    text = f"Open cards: {opened}.   Deck: {deck}"
    parts = [label(BID, 568, text, 12 if len(text) < 120 else 9, class_="bold f-ink")]
    for player, sizes in enumerate(groups):
        y = _row_y(player)
        parts.append(label(BID, y, "army groups left", 9.5, class_="f-dim"))
        parts += [counter(player, BID + 108 + 26 * i, y - 4, str(size), 0.72) for i, size in enumerate(sizes)]
    return "".join(parts)
