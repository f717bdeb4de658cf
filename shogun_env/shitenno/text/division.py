"""The lots of the even year as a person sees them, and what each brings by the rules (``RULES.md``: 4, 5.2, 6)."""

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.control import can_control
from shogun_env.shitenno.rules.payment import worth_of_all
from shogun_env.shitenno.rules.scoring import holder_of
from shogun_env.shitenno.text.names import PROVINCES_IN_ORDER, TITLES, kind_name
from shogun_env.spec.pages import Division, Lot
from shogun_env.spec.voice import counted

_MADE = (c.FORM_LOT, c.DIVIDE)
_IN_TWO = (c.DIVIDE, c.CHOOSE)
_BEST = 3
"""Placements that are named; of more only the number is said."""


def division(g: np.void, held: int = 0) -> Division | None:
    """Return the lots that are made, offered, or to be chosen from; None in other phases.

    Args: g; held, the last action that its player has chosen and not confirmed, 0 for none.

    Example:
        >>> from shogun_env.shitenno import Batch
        >>> [lot.title for lot in division(Batch(1, num_players=2).games[0]).lots]
        ['lot A', 'lot B']
    """
    phase = int(g["phase"])
    if phase not in (*_MADE, c.ANSWER, c.CHOOSE):
        return None
    tiles = _tiles(g, held)
    first = g["lot"].astype(np.int64)
    counts, titles = [first, g["pool"] - first], ("lot A", "lot B") if phase in _IN_TWO else ("the lot", "the rest")
    lots = [
        Lot(
            title=title,
            cards={c.A_LOT_ADD + kind: int(count[kind]) for kind in np.flatnonzero(count).tolist()},
            tile=tile,
        )
        for title, count, tile in zip(titles, counts, tiles, strict=True)
    ]
    free = [seals for seals in TITLES if g["tile_free"][seals - 1]]
    n_lots = 2 if phase in _IN_TWO else 1
    return Division(
        is_made=phase in _MADE,
        lots=lots,
        card_names={
            c.A_LOT_ADD + kind: kind_name(board.KIND_NAMES[kind]) for kind in np.flatnonzero(g["pool"]).tolist()
        },
        tile_names={c.A_LOT_TILE + seals: f"{TITLES[seals]} ({counted(seals, 'seal')})" for seals in sorted(free)},
        chosen_tiles=min(n_lots, len(free) - 1),
        brings={
            player: [brings(g, player, count, tile) for count, tile in list(zip(counts, tiles, strict=True))[:n_lots]]
            for player in range(int(g["n_players"]))
            if may_get(g, player)
        },
    )


def may_get(g: np.void, player: int) -> bool:
    """Say whether a player may still get the lots: one without a lot, who has not refused this one (4.3)."""
    asked = g["phase"] != c.ANSWER or player == g["tairo"] or g["seals"][player] <= g["seals"][g["player"]]
    return bool(asked and not g["gained"][player])


def _tiles(g: np.void, held: int) -> tuple[int, int]:
    """Return the actions of the tiles of both lots, 0 where there is none yet."""
    given = [c.A_LOT_TILE + int(seals) for seals in g["lot_seals"] if seals]
    if c.A_LOT_TILE < held <= c.A_LOT_TILE + c.N_TITLES:
        given.append(held)
    left = [c.A_LOT_TILE + seals for seals in TITLES if g["tile_free"][seals - 1]]
    if g["phase"] == c.DIVIDE and len(given) == 1 and len(left) == c.TWO_LOTS:
        given.append(sum(left) - given[0])
    first, second = [*given, 0, 0][:2]
    return first, second


def brings(g: np.void, player: int, cards: np.ndarray, tile: int) -> str:
    """Return where a player could place a Kamon with a lot in hand, as far as the player who decides knows the hand.

    Args: g; player; cards int[17], the lot; tile, the action of its tile, 0 for none.
    """
    seals = max(0, tile - c.A_LOT_TILE)
    with_it, is_known = g.copy(), player == g["player"]
    if not is_known:
        with_it["hand"][player, : c.N_TROOP_KINDS] = g["known"][player]
    with_it["hand"][player] += cards.astype(np.uint8)
    with_it["seals"][player], with_it["joker_used"] = seals, 0
    places = sorted(_places(with_it, player), key=lambda place: -place[0])
    named = ", ".join(text for _, text in places[:_BEST])
    more = f"; {len(places) - _BEST} more" if len(places) > _BEST else ""
    least = "" if is_known else "at least " if places else "as far as known, "
    return f"{least}{_hand(with_it, player)}; can pay {named or 'no province'}{more}"


def _hand(g: np.void, player: int) -> str:
    """Return the units in a hand."""
    worth = int(g["hand"][player].astype(np.int64) @ board.WORTH[c.FIRST_CARD :])
    troops = sum((worth >> (8 * troop)) & 255 for troop in range(c.N_TROOPS))
    return f"{counted(troops, 'troop')} and {worth >> board.KOKU_AT} Koku in hand"


def _places(g: np.void, player: int) -> list[tuple[int, str]]:
    """Return for each province in which a player can place a Kamon its points, and these in words."""
    worth, places = worth_of_all(g, player), []
    for prov in range(c.N_PROVINCES) if g["kamon"][player] else ():
        if can_control(g, prov, c.BY_TROOPS, worth) or can_control(g, prov, c.BY_KOKU, worth):
            position = int(g["filled"][prov])
            points = int(board.NUMBER[prov, position] + board.TITLE_POINTS[g["seals"][player]])
            after = g.copy()
            after["owner"][prov, position], after["filled"][prov] = player, position + 1
            gained = holder_of(after, prov) == player != holder_of(g, prov)
            places.append((points, f"{PROVINCES_IN_ORDER[prov]} for {points}{' and its majority' if gained else ''}"))
    return places
