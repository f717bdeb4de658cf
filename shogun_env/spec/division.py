"""What a person sees who divides things into lots, or is offered one: the lots, and what each brings to whom."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Division", "Lot"]


@dataclass(frozen=True)
class Lot:
    """A lot as it is now.

    Attributes:
        title: what it is called.
        cards: how many cards of each kind are in it, by the action that adds one.
        tile: the action that gives it its tile, 0 for none yet.
    """

    title: str
    cards: dict[int, int]
    tile: int = 0


@dataclass(frozen=True)
class Division:
    """Lots that are made, offered, or to be chosen from.

    Attributes:
        is_made: whether the player who decides makes them now; a card that is in no other lot is in the last one.
        lots: the lots.
        card_names: what the cards are called, by the action that adds one to the first lot.
        tile_names: the tiles that may be given, and those that are given, by action.
        chosen_tiles: how many tiles are chosen, in the order of the lots; others follow from these.
        brings: for each player who may get one, and for each lot, what it brings them.
    """

    is_made: bool
    lots: list[Lot]
    card_names: dict[int, str]
    tile_names: dict[int, str]
    chosen_tiles: int
    brings: dict[int, list[str]] = field(default_factory=dict)
