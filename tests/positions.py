"""Positions for tests: a game of one row set up by hand in words, with chance to come on a tape.

A position is given by items such as ``Shinano 0 5 castle revolts 2`` (owner, armies, what stands there), ``chests 1
4``,
``supply farmers 3``, ``event two_farmers``, ``special 0 six_armies``; ``GIVEN`` lists them all. Whatever is not said:
nobody
owns anything, all cubes are in the supplies, chests as at the start, no event has an effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shogun_env.kernel.log import ERRORS, set_tape
from shogun_env.shogun import Batch, action_name, board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.planning import take_hands
from shogun_env.shogun.rules.setup import hand_out

Pairs = list[tuple[int, int]]

SPACES = ("bid", *board.ACTION_NAMES)
ACTION_IDS = {action_name(action): action for action in range(c.N_ACTIONS)}
IDLE_SPECIALS = (c.SIX_ARMIES, c.PLUS_1_CHEST, c.PLUS_1_RICE, c.PLUS_1_DEFENCE, c.PLUS_1_ATTACK)
"""In which order specials go to players for whom none is named: those that change least come first."""


def province(name: str) -> int:
    return board.PROVINCE_NAMES.index(name)


def colour(name: str) -> int:
    return c.FARMERS if name == "farmers" else int(name)


def card(name: str) -> int:
    """Return the card of a name: a province, ``chest_0`` … ``chest_4``, or ``-`` for none."""
    if name == "-":
        return c.EMPTY
    return c.CHEST_0 + int(name[-1]) if name.startswith("chest_") else province(name)


def event_card(name: str, taken: Sequence[int] = ()) -> int:
    """Return the first event card of an effect, or of a rice loss given as a number, that is not among ``taken``."""
    for number, (effect, loss) in enumerate(board.EVENT_CARDS):
        if name in (effect, str(loss)) and number not in taken:
            return number
    raise ValueError(f"no event card {name!r} is left")


class Position:
    """A game of one row, set up by hand; then run on with ``start`` and ``choose``."""

    def __init__(self, **options: Any) -> None:
        self.batch = Batch(1, record=True, **options)
        self.g = self.batch.games[0]
        self.n: int = self.batch.num_players
        self.batch.games[:] = self.batch.spec.blank_state(self.batch.options)
        hand_out(self.g)
        self.g["groups"] = 0
        self.g["year"] = 1
        self.g["special_at"] = range(c.N_SPECIALS)
        self.g["space"] = c.N_SPACES
        self.supply: dict[int, int] = {}
        self.order: list[int] = []
        self.specials: dict[int, int] = {}
        self.event, self.rice_loss = "", ""
        self.acts: list[int] = []
        self.has_bids = False
        self.phase = c.ACTION

    # --- setting up --------------------------------------------------------------------------------------------------

    def give(self, item: str) -> None:
        """Set up one item."""
        name, *words = item.split()
        if name in board.PROVINCE_NAMES:
            self.give_province(province(name), words)
        elif name in GIVEN:
            GIVEN[name](self, *words)
        else:
            raise ValueError(f"{item!r}: neither a province nor one of {', '.join(GIVEN)}")

    def give_province(self, prov: int, words: list[str]) -> None:
        player, armies, *rest = words
        g = self.g
        g["owner"][prov], g["armies"][prov] = int(player), int(armies)
        g["supply"][int(player)] -= int(armies)
        g["n_owned"][int(player)] += 1
        while rest:
            word = rest.pop(0)
            if word == "revolts":
                g["revolts"][prov] = int(rest.pop(0))
            else:
                kind = board.KIND_NAMES.index(word)
                g["building"][kind, prov] = 1
                g["kinds_left"][kind] -= 1

    def give_track(self, name: str, player: str, number: str) -> None:
        self.g[name][int(player)] = int(number)

    def give_cubes(self, place: str, who: str, number: str) -> None:
        """Put cubes into the tower or the tray; a supply is made as small as said by hiding the others in the tower."""
        if place == "supply":
            self.supply[colour(who)] = int(number)
            return
        row = self.g["tower"][0] if place == "tower" else self.g["tray"]
        row[colour(who)] += int(number)
        self.g["supply"][colour(who)] -= int(number)

    def give_more(self, player: str, number: str, *words: str) -> None:
        """Let a player own so many provinces, one army and what else is said in each new one."""
        for prov in self.free_provinces():
            if self.g["n_owned"][int(player)] < int(number):
                self.give_province(prov, [player, "1", *words])

    def give_box(self, kind: str, left: str, player: str) -> None:
        """Leave so many buildings of a kind in the box; the others stand in provinces of ``player``."""
        for prov in self.free_provinces():
            if self.g["kinds_left"][board.KIND_NAMES.index(kind)] > int(left):
                self.give_province(prov, [player, "1", kind])

    def free_provinces(self) -> list[int]:
        """Provinces in play that nobody owns, the last ones first."""
        in_play = board.IN_PLAY[self.g["side"], self.n]
        return [prov for prov in reversed(range(c.N_PROVINCES)) if in_play[prov] and self.g["owner"][prov] == c.NONE]

    def give_plan(self, player: str, space: str, name: str) -> None:
        """Put a card on a space; actions are carried out in the order in which they are named first."""
        number = SPACES.index(space)
        self.g["plan"][int(player), number] = card(name)
        if number == c.BID_SPACE:
            self.has_bids = True
        elif number - 1 not in self.acts:
            self.acts.append(number - 1)
        if int(player) not in self.order:
            self.order.append(int(player))

    # --- running -----------------------------------------------------------------------------------------------------

    def start(self, chance: Pairs) -> None:
        """Finish the setting up and run on to the first decision; ``chance`` comes before that of a plain next
        round.
        """
        g = self.g
        for who, number in self.supply.items():
            g["tower"][0, who] += g["supply"][who] - number
            g["supply"][who] = number
        if self.has_bids:
            self.phase = c.SHOW_BIDS
        g["phase"] = self.phase
        self.lay_events()
        self.lay_actions()
        if self.phase == c.PLAN:
            take_hands(g)
        elif self.phase == c.ACTION:
            self.lay_specials()
        self.run(chance + self.next_round())

    def lay_events(self) -> None:
        """Lay out the event cards: used ones by time of year, one in force in mid-round, the others of the year
        open.
        """
        state, acting = self.g["event_card"], self.phase == c.ACTION
        last = [event_card(self.rice_loss)] if self.rice_loss else []
        force = [event_card(self.event, last)] if self.event else []
        spare = [number for number in range(c.N_EVENT_CARDS) if number not in last + force]
        if acting and force:
            self.g["event"] = board.EVENT_NAMES.index(self.event)
        elif acting:
            force = [spare.pop()]
        past = c.N_YEAR_EVENTS if self.phase == c.SCORE else int(self.g["season"])
        used = c.N_YEAR_EVENTS * (int(self.g["year"]) - 1) + past
        state[spare[:used]] = c.EVENT_USED
        rest = last + spare[used:] if acting else last + force + spare[used:]
        state[rest[: c.N_YEAR_EVENTS - past - acting]] = c.EVENT_OPEN
        state[force if acting else []] = c.EVENT_IN_FORCE

    def lay_actions(self) -> None:
        """Lay out the action cards: those under test come last, or the first five are open before the round's
        actions.
        """
        others = [act for act in range(c.N_ACTION_CARDS) if act not in self.acts]
        early = self.phase in (c.PLAN, c.SHOW_BIDS)
        order = self.acts + others if early else others + self.acts
        shown = c.N_OPEN_ACTIONS if early else c.N_ACTION_CARDS
        self.g["action_at"][:shown] = order[:shown]
        if not early:
            self.g["running"] = c.N_ACTION_CARDS - (max(1, len(self.acts)) if self.phase == c.ACTION else 0)
        self.hidden = order[shown:]

    def lay_specials(self) -> None:
        """Put the players who act in turn order, each with his special or one that changes little."""
        g = self.g
        order = self.order or list(range(self.n))
        spare = [special for special in IDLE_SPECIALS if special not in self.specials.values()]
        for position, player in enumerate(order):
            g["holder"][position], g["position_of"][player] = player, position
            g["special_at"][position] = self.specials[player] if player in self.specials else spare.pop(0)
        taken = set(g["special_at"][: len(order)].tolist())
        g["special_at"][len(order) :] = [special for special in range(c.N_SPECIALS) if special not in taken]

    def next_round(self) -> Pairs:
        """Chance that opens what is still hidden in this round, and the next one."""
        g = self.g
        pairs = [(c.LOG_OPEN, act) for act in self.hidden]
        if g["season"] == c.N_SEASONS - 1 or self.phase == c.SCORE:
            if g["year"] == c.N_YEARS:
                return pairs
            pairs += [(c.LOG_YEAR, int(number)) for number in np.flatnonzero(g["event_card"] == c.EVENT_IN_DECK)[:4]]
        return pairs + self.first_cards()

    def first_cards(self) -> Pairs:
        """Chance that opens a plain round: actions and specials in the order of the data."""
        pairs = [(c.LOG_OPEN, act) for act in range(c.N_OPEN_ACTIONS)]
        return pairs + [(c.LOG_SPECIALS, special) for special in range(c.N_SPECIALS)]

    def run(self, tape: Pairs) -> None:
        """Begin an empty log with this tape and let the engine run to the first decision."""
        batch = self.batch
        batch.logs[:] = 0
        set_tape(batch.logs[0], tape)
        batch.loops.advance(batch.games[0], batch.rngs[0], batch.logs[0], c.NONE, batch.legal[0])
        if error := int(self.g["error"]):
            raise ValueError(ERRORS[error])
        batch.refresh()

    def reset(self, tape: Pairs) -> None:
        """Play the set-up of the game's options with this chance, before that of a plain first round."""
        year = [(c.LOG_YEAR, number) for number in range(c.N_YEAR_EVENTS)]
        self.batch.reset(seeds=[0], tapes={0: tape + year + self.first_cards()})

    def legal(self) -> list[str]:
        """Names of the legal actions."""
        return [action_name(action) for action in np.flatnonzero(self.batch.legal[0])]

    def choose(self, player: int, name: str) -> None:
        """Play an action by name; the player must be the one who decides."""
        if self.batch.player[0] != player:
            raise AssertionError(f"player {int(self.batch.player[0])} decides among {self.legal()}, not {player}")
        self.batch.step(np.array([ACTION_IDS[name]]))

    def lines(self) -> list[dict[str, Any]]:
        """Lines of the record since the start of the position."""
        return self.batch.records()[0][1:]


def _track(name: str) -> Callable[..., None]:
    return lambda position, player, number: position.give_track(name, player, number)


def _cubes(name: str) -> Callable[..., None]:
    return lambda position, who, number: position.give_cubes(name, who, number)


def _set_special(position: Position, player: str, name: str) -> None:
    position.specials[int(player)] = board.SPECIAL_NAMES.index(name)
    if int(player) not in position.order:
        position.order.append(int(player))


def _set_order(position: Position, *players: str) -> None:
    position.order = [int(player) for player in players]


def _set_season(position: Position, name: str) -> None:
    position.g["season"] = board.SEASON_NAMES.index(name)


def _set_phase(position: Position, name: str) -> None:
    position.phase = {"planning": c.PLAN, "scoring": c.SCORE}[name]


GIVEN: dict[str, Callable[..., None]] = {
    "chests": _track("chests"),  # player, number
    "rice": _track("rice"),
    "points": _track("points"),
    "supply": _cubes("supply"),  # colour, number: the others are inside the tower
    "tower": _cubes("tower"),
    "tray": _cubes("tray"),
    "provinces": Position.give_more,  # player, number of provinces in all, what stands in the new ones
    "box": Position.give_box,  # kind, number left, player who has built the others
    "special": _set_special,  # player, special
    "order": _set_order,  # players in turn order; without it those who act, as they are named
    "season": _set_season,
    "phase": _set_phase,  # planning or scoring
    "year": lambda position, number: position.g.__setitem__("year", int(number)),
    "event": lambda position, name: setattr(position, "event", name),
    "rice_loss": lambda position, number: setattr(position, "rice_loss", number),
}
"""The items that describe a position, beside provinces: how each is set up."""
