"""A state of Shitennō as a drawing: the referee's view, what one player may know, or what everybody knows."""

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.draw import provinces
from shogun_env.shitenno.text.names import TITLES_HELD
from shogun_env.shitenno.text.render import decision, seen_hand, seen_making
from shogun_env.spec.voice import view_of
from shogun_env.svg.markup import Drawing, label, line, rect
from shogun_env.svg.style import counter

ROW, TOP = 56, 488
"""Height of a player's row, and where the rows begin."""
ITEMS = ("joker", "exchange", "+1")


def draw(g: np.void, player: int | None) -> Drawing:
    """Return the drawing of a state.

    Args: g, a state at a decision or at the end; player, 0..n_players - 1 for what they may know, -1 for what everybody
        knows, None for everything.
    """
    parts = {"ground": provinces.ground()}
    parts |= {f"prov-{prov}": provinces.province(g, prov, player) for prov in range(c.N_PROVINCES)}
    view = label(1266, 30, f"{g['n_players']} players; {view_of(player)}", 10.5, class_="end f-dim")
    parts |= {
        "heading": _heading(g, player),
        "view": view,
        "making": _making(g, player),
        "piles": _piles(g),
        "table": _table_head(g),
    }
    for owner in range(int(g["n_players"])):
        parts[f"player-{owner}"] = _player(g, owner)
        parts[f"hand-{owner}"] = _hand(g, owner, player)
    return Drawing(
        width=1280,
        height=720,
        title=f"Shitennō: {decision(g, player)}",
        parts=parts,
        places=dict(zip(board.PROVINCE_NAMES, provinces.PLACES, strict=True)),
    )


def _heading(g: np.void, player: int | None) -> str:
    """Return the round and the decision."""
    text = decision(g, player)
    return label(14, 30, f"Shitennō · round {g['round']}", 18, class_="bold f-ink") + label(
        230, 30, text[0].upper() + text[1:], 14, class_="bold f-mark"
    )


def _making(g: np.void, player: int | None) -> str:
    """Return the lot, the pool or the payment in the middle of the board."""
    x, y, width = 332.0, 212.0, 412.0
    rows = seen_making(g, player)
    if not rows:
        return ""
    parts = [rect(x - 8, y - 22, width + 16, 108, rx=8, class_="f-panel s-rule", stroke_width=1.0)]
    for head, counts, seals in rows:
        titles = f", with {' and '.join(TITLES_HELD[number] for number in seals)}" if seals else ""
        parts.append(label(x, y - 6, head.capitalize() + titles, 10.5, class_="bold f-ink"))
        n_items = len(counts) - c.N_KINDS
        items = ", ".join(f"{counts[i]} {ITEMS[i]}" for i in range(n_items) if counts[i])
        if items:
            parts.append(label(x + 90, y - 6, items, 10.5, class_="f-ink"))
        chips, last = provinces.cards(x, y + 11, counts[n_items:].tolist(), width)
        parts.append(chips or label(x, y + 11, "no cards", 9.5, class_="f-dim"))
        y = last + 24
    return "".join(parts)


def _piles(g: np.void) -> str:
    """Return hierarchy tiles and piles in the right column."""
    x, y = 1036, 66
    parts = [label(x, y, "Hierarchy tiles to take", 10.5, class_="bold f-ink")]
    in_division = g["phase"] <= c.CHOOSE
    free = [TITLES_HELD[seals] for seals in range(4, 0, -1) if g["tile_free"][seals - 1] and in_division]
    parts += [label(x, y + 16 + 14 * row, name, 10.5, class_="f-ink") for row, name in enumerate(free or ["none"])]
    rows = [
        ("Troop pile", f"{int(g['pile'].sum())} cards"),
        ("Koku pile", f"{int(g['koku_pile'].sum())} cards"),
        ("Spent Koku", f"{int(g['spent'].sum())} cards"),
        ("Tiles used", ", ".join(f"{n} {name}" for n, name in zip(g["used"], ("Ex", "+1", "Draw"), strict=True))),
    ]
    for row, (head, text) in enumerate(rows):
        parts.append(label(x, 158 + 15 * row, head, 10, class_="f-dim"))
        parts.append(label(x + 74, 158 + 15 * row, text, 10, class_="f-ink"))
    parts.append(label(x, 228, "Troop discard", 10.5, class_="bold f-ink"))
    chips, _ = provinces.cards(x, 246, g["discard"].tolist(), 236)
    return "".join(parts) + (chips or label(x, 246, "empty", 10, class_="f-dim"))


def _table_head(g: np.void) -> str:
    """Return the frame of the table of players."""
    parts = [rect(0, 462, 1280, 258, class_="f-panel"), line(0, 462, 1280, 462, class_="s-rule", stroke_width=1.0)]
    heads = (
        ("title", 46),
        ("points", 150),
        ("Kamon", 192),
        ("Koku", 230),
        ("Exchange / +1 / Draw", 300),
        ("hand", 360),
    )
    parts += [label(x, TOP - 9, name, 9.5, class_="f-dim" if x in (46, 360) else "mid f-dim") for name, x in heads]
    for row in range(g["n_players"] + 1):
        parts.append(line(6, TOP + ROW * row, 1274, TOP + ROW * row, class_="s-rule", stroke_width=0.6))
    return "".join(parts)


def _player(g: np.void, owner: int) -> str:
    """Return what everybody sees of a player, but for the cards."""
    y = TOP + ROW * owner + 24
    koku = int((g["hand"][owner].astype(np.int64) * board.KOKU_VALUE).sum())
    tiles = " / ".join(str(number) for number in g["tiles"][owner])
    decides = g["phase"] != c.OVER and g["player"] == owner
    parts = [rect(2, y - 22, 4, 52, class_="f-mark")] if decides else []
    parts.append(counter(owner, 24, y - 3, f"P{owner}"))
    parts.append(label(46, y, TITLES_HELD[g["seals"][owner]], 12, class_="bold f-ink"))
    parts.append(label(150, y, str(g["points"][owner]), 13, class_="mid bold f-ink"))
    notes = ["Tairō"] if g["tairo"] == owner else []
    notes += [f"takes {TITLES_HELD[g['gained'][owner]]}"] if g["gained"][owner] else []
    parts.append(label(46, y + 17, ", ".join(notes), 9.5, class_="f-mark") if notes else "")
    values = ((g["kamon"][owner], 192), (koku, 230), (tiles, 300))
    parts += [label(x, y, str(value), 12, class_="mid f-ink") for value, x in values]
    return "".join(parts)


def _hand(g: np.void, owner: int, viewer: int | None) -> str:
    """Return the cards of a player, as far as the viewer may know them."""
    counts, unknown = seen_hand(g, owner, viewer)
    y = TOP + ROW * owner + 19
    chips, _ = provinces.cards(440 if unknown else 360, y, counts.tolist(), 830)
    if unknown:
        back = rect(360, y - 11, 72, 15, rx=3, class_="f-back-of-card")
        chips += back + label(396, y, f"{unknown} unknown", 9.5, class_="mid bold f-panel")
    return chips
