"""A table of Shitennō set up by hand: hands, tiles, board and titles as said; then played on by names of actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from shogun_env.shitenno import Batch, action_name, board
from shogun_env.shitenno import constants as c

ACTIONS = {action_name(action): action for action in range(c.N_ACTIONS)}
ROUND = 3
"""A round in which nothing ends."""


def kinds(cards: Iterable[str]) -> np.ndarray:
    """Return how many cards of each kind there are."""
    return np.bincount([board.KIND_NAMES.index(card) for card in cards], minlength=c.N_KINDS)


class Table:
    """A game of as many players as ``seals`` of titles; cards and tiles needn't add up to the printed ones."""

    def __init__(self, *seals: int) -> None:
        self.batch = Batch(1, num_players=len(seals), record=True)
        self.g = self.batch.games[0]
        self.g["seals"][: len(seals)] = seals
        self.g["hand"] = self.g["known"] = self.g["pool"] = 0
        self.g["n_troops"] = 0
        self.g["round"] = ROUND

    # --- setting up --------------------------------------------------------------------------------------------------

    def give(self, player: int, *cards: str, **tiles: int) -> None:
        """Add cards to a hand, unknown to the others, and tiles in front of its player."""
        found = kinds(cards)
        self.g["hand"][player] += found.astype(np.uint8)
        self.g["n_troops"][player] += found[: c.N_TROOP_KINDS].sum()
        for bonus, number in tiles.items():
            self.g["tiles"][player, board.BONUS_NAMES.index(bonus)] += number

    def place(self, province: str, *kamon: str, top: str | None = None) -> None:
        """Fill a province from the left, such as ``"0", "2*"``; ``top`` shows on its stack."""
        prov = board.PROVINCE_NAMES.index(province)
        for position, who in enumerate(kamon):
            self.g["owner"][prov, position] = int(who[0])
            self.g["golden"][prov, position] = who.endswith("*")
        self.g["filled"][prov] = len(kamon)
        self.g["top"][prov] = c.NONE if top is None else board.TROOP_NAMES.index(top)

    def next_tiles(self, bonus: str | None = None, top: str | None = None) -> None:
        """Let every tile turned show this bonus, and every tile uncovered this troop."""
        if bonus is not None:
            self.g["unturned"] = 0
            self.g["unturned"][:, board.BONUS_NAMES.index(bonus)] = 9
        if top is not None:
            self.g["covered"] = 0
            self.g["covered"][board.TROOP_NAMES.index(top)] = 9

    def division(self, *pool: str, koku_pile: int = 24) -> None:
        """Begin an even year with this pool."""
        n = self.batch.num_players
        self.g["pool"] = kinds(pool)
        self.g["gained"], self.g["n_left"], self.g["tile_free"] = 0, n, 1
        self.g["tairo"] = self.g["player"] = int(np.argmax(self.g["seals"]))
        self.g["phase"] = c.FORM_LOT if n > c.TWO_LOTS else c.DIVIDE
        self.g["koku_pile"] = (koku_pile, 0, 0)
        self.show()

    def turn(self, player: int) -> None:
        """Begin a turn in the odd year."""
        self.g["gained"] = self.g["n_left"] = self.g["tile_free"] = 0
        self.g["tairo"] = c.NONE
        self.g["phase"], self.g["player"], self.g["rank"] = c.TURN, player, self.g["seals"][player]
        self.g["n_placed"] = self.g["joker_used"] = 0
        self.show()

    def show(self) -> None:
        """Make the batch look at the record again."""
        self.batch.loops.show(self.batch.games, np.zeros(1, np.int64), *self.batch._outputs(), 0, 1)

    # --- playing -----------------------------------------------------------------------------------------------------

    @property
    def legal(self) -> set[str]:
        """The names of the legal actions."""
        return {action_name(action) for action in np.flatnonzero(self.batch.legal[0])}

    @property
    def player(self) -> int:
        return int(self.batch.player[0])

    @property
    def phase(self) -> str:
        return self.batch.spec.phase_names[self.g["phase"]]

    def points(self, player: int) -> int:
        return int(self.g["points"][player])

    def tiles(self, player: int) -> dict[str, int]:
        numbers = zip(board.BONUS_NAMES, self.g["tiles"][player].tolist(), strict=True)
        return {bonus: number for bonus, number in numbers if number}

    def cards(self, player: int) -> list[str]:
        numbers = zip(board.KIND_NAMES, self.g["hand"][player].tolist(), strict=True)
        return [kind for kind, number in numbers for _ in range(number)]

    def act(self, *names: str) -> None:
        """Play actions one after the other."""
        for name in names:
            self.batch.step([ACTIONS[name]])

    def lot(self, *cards: str, seals: int) -> None:
        """Form a lot and offer it; of two lots, A."""
        for card in sorted(cards, key=board.KIND_NAMES.index):
            self.act(f"add_{card}")
        self.act(f"seals_{seals}")

    def pay(self, province: str, way: str, *items: str) -> dict[str, Any]:
        """Place a Kamon and pay with these items; those that are the only legal ones the engine commits by itself.

        Returns the line of the record, after checking that these were paid.
        """
        self.act(f"{province}_by_{way}")
        wanted = [items.count(name) for name in ("joker", "exchange", "plus_one", *board.KIND_NAMES)]
        while self.phase == "pay":
            item = int(np.flatnonzero(self.g["committed"] < wanted)[0])
            self.batch.step([c.A_PAY + item])
        line = next(line for line in reversed(self.lines) if line["t"] == "control")
        paid = [line["joker"], line["exchanges"], line["plus_ones"], *kinds(line["cards"]).tolist()]
        assert paid == wanted
        return line

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of the record from the last set-up on."""
        return self.batch.records()[0]
