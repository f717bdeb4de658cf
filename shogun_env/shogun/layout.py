"""The slices of an observation of Shogun, and where each begins (``RULES.md``: Observation)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Observation
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.spec.layout import EACH_KIND, UNIT, Feature, Kinds, lay_out

ROW_NAMES = {
    "provinces": board.PROVINCE_NAMES,
    "players": ("self", "next_1", "next_2", "next_3", "next_4"),
    "spaces": board.SPACE_NAMES,
    "table": ("table",),
}
"""Names of the rows of each block; ``entities`` shows a block as a box [rows, features], the table as [features]."""

HIDDEN_CARD = Kinds(first=c.N_PROVINCES + 1, rows_of="provinces")
"""The code of a card: a province, or a kind: chest card 0-4, empty."""
SHOWN_CARD = Kinds(first=c.N_PROVINCES + 1, rows_of="provinces", seen_from="shown")
_GAINED = "taken since the round began, in the draft placed, so its card is in no plan; stays to the next planning"
_PENDING = "1 armies leave it (draft: its card is taken), 2 armies enter it, 3 drawn to revolt, 4 put in order"
_PHASES = "flags: draft card, draft group, plan, special, target, number, revolt order, over"
_CARD = "0 none seen, 1-45 province + 1, 46-50 chest card 0-4, 51 empty"
_FEATURES: tuple[Feature, ...] = (
    # name, block, bytes per row, highest value, how float views show it, known to, meaning
    ("owner_none", "provinces", 1, 1, UNIT, "all", "neutral, in play"),
    ("owner_self", "provinces", 1, 1, UNIT, "all", "owned by the observer"),
    ("owner_next_1", "provinces", 1, 1, UNIT, "all", "owned by the player 1 to 4 after the observer"),
    ("owner_next_2", "provinces", 1, 1, UNIT, "all", "owned by the player 1 to 4 after the observer"),
    ("owner_next_3", "provinces", 1, 1, UNIT, "all", "owned by the player 1 to 4 after the observer"),
    ("owner_next_4", "provinces", 1, 1, UNIT, "all", "owned by the player 1 to 4 after the observer"),
    ("armies", "provinces", 1, 62, 4, "all", "armies"),
    ("revolts", "provinces", 1, 3, 2, "all", "revolt markers; a card is played once per round, so at most 3 per year"),
    ("castle", "provinces", 1, 1, UNIT, "all", "this building stands there"),
    ("temple", "provinces", 1, 1, UNIT, "all", "this building stands there"),
    ("no_theatre", "provinces", 1, 1, UNIT, "all", "this building stands there"),
    ("tax", "provinces", 1, 7, 4, "all", "printed chests"),
    ("rice", "provinces", 1, 5, 3, "all", "printed rice"),
    ("sites", "provinces", 1, 3, 3, "all", "building sites"),
    ("region", "provinces", 1, 5, EACH_KIND, "all", "number of the region on this side of the board, from 1"),
    ("in_play", "provinces", 1, 1, UNIT, "all", "in play with this number of players"),
    ("gained", "provinces", 1, 1, UNIT, "all", _GAINED),
    ("pending", "provinces", 1, 4, EACH_KIND, "all", _PENDING),
    ("planned", "provinces", 1, 11, EACH_KIND, "owner", "number of the space with the observer's card of it, from 1"),
    ("open", "provinces", 1, 2, EACH_KIND, "all", "draft: 1 left open card, 2 right open card"),
    ("under", "provinces", 1, 45, 10, "all", "draft: place among the cards known under the deck, 1 is drawn first"),
    ("present", "players", 1, 1, UNIT, "all", "plays in this game"),
    ("chests", "players", 1, 66, 12, "all", "chests"),
    ("rice_track", "players", 1, 18, 8, "all", "rice"),
    ("points", "players", 1, 255, 40, "all", "points; more than 255 would be shown as 255"),
    ("supply", "players", 1, 62, 20, "all", "armies in supply"),
    ("provinces", "players", 1, 45, 12, "all", "provinces owned"),
    ("special_chest", "players", 1, 1, UNIT, "all", "has this special"),
    ("special_rice", "players", 1, 1, UNIT, "all", "has this special"),
    ("special_six", "players", 1, 1, UNIT, "all", "has this special"),
    ("special_attack", "players", 1, 1, UNIT, "all", "has this special"),
    ("special_defence", "players", 1, 1, UNIT, "all", "has this special"),
    ("turn_rank", "players", 1, 5, EACH_KIND, "all", "position in the turn order, 0 none yet"),
    ("bid", "players", 1, 7, EACH_KIND, "all", "bid once shown: 1 no card, 2 chest 0, 3 province, 4-7 chest 1-4"),
    ("bid_place", "players", 1, 5, EACH_KIND, "all", "place in the bid order, 0 not shown"),
    ("groups_2", "players", 1, 4, 2, "all", "draft: groups of this size left"),
    ("groups_3", "players", 1, 4, 2, "all", "draft: groups of this size left"),
    ("groups_4", "players", 1, 4, 2, "all", "draft: groups of this size left"),
    ("groups_5", "players", 1, 4, 2, "all", "draft: groups of this size left"),
    ("to_act", "players", 1, 1, UNIT, "all", "decides now; in planning all players"),
    ("short", "players", 1, 45, 4, "all", "winter: how much rice is short"),
    ("own_card", "spaces", 1, 51, HIDDEN_CARD, "owner", "the observer's card: " + _CARD),
    ("shown_self", "spaces", 1, 51, SHOWN_CARD, "all", "the observer's card once shown: " + _CARD),
    ("shown_next_1", "spaces", 1, 51, SHOWN_CARD, "all", "that player's card once shown"),
    ("shown_next_2", "spaces", 1, 51, SHOWN_CARD, "all", "that player's card once shown"),
    ("shown_next_3", "spaces", 1, 51, SHOWN_CARD, "all", "that player's card once shown"),
    ("shown_next_4", "spaces", 1, 51, SHOWN_CARD, "all", "that player's card once shown"),
    ("emptied_self", "spaces", 1, 1, UNIT, "all", "the observer's card was taken away with a lost province (R19)"),
    ("emptied_next_1", "spaces", 1, 1, UNIT, "all", "that player's card was taken away"),
    ("emptied_next_2", "spaces", 1, 1, UNIT, "all", "that player's card was taken away"),
    ("emptied_next_3", "spaces", 1, 1, UNIT, "all", "that player's card was taken away"),
    ("emptied_next_4", "spaces", 1, 1, UNIT, "all", "that player's card was taken away"),
    ("position", "spaces", 1, 10, 10, "all", "position of the action in the order, 0 face down"),
    ("running", "spaces", 1, 1, UNIT, "all", "the space is being filled, or its action is being carried out"),
    ("done", "spaces", 1, 1, UNIT, "all", "the action was carried out by all"),
    ("phase", "table", 8, 1, UNIT, "all", _PHASES),
    ("year", "table", 1, 2, 2, "all", "year"),
    ("season", "table", 4, 1, UNIT, "all", "flags: spring, summer, autumn, winter"),
    ("actions_done", "table", 1, 10, 10, "all", "number of actions carried out by all"),
    ("players_in_game", "table", 3, 1, UNIT, "all", "flags: 3, 4, 5"),
    ("moon", "table", 1, 1, UNIT, "all", "1 for the moon side of the board"),
    ("optional_moves", "table", 1, 1, UNIT, "all", "1 if a battle/move may be declined"),
    ("floors", "table", 1, 4, 4, "all", "tower: number of floors"),
    ("stick", "table", 1, 255, 255, "all", "tower: probability x 255, rounded"),
    ("dislodge", "table", 1, 255, 255, "all", "tower: probability x 255, rounded"),
    ("shake", "table", 1, 255, 255, "all", "tower: probability x 255, rounded"),
    ("tower", "table", 6, 62, 6, "all", "cubes inside the tower by colour"),
    ("tray", "table", 6, 62, 6, "all", "cubes in the tray by colour"),
    ("farmers", "table", 1, 20, 10, "all", "farmers in supply"),
    ("kinds_left", "table", 3, 28, 10, "all", "castles, temples, Noh theatres left in the box"),
    ("action_at", "table", 10, 10, EACH_KIND, "all", "number of the action on each position, from 1; 0 face down"),
    ("offer", "table", 5, 5, EACH_KIND, "all", "number of the special on each position, from 1; 0 taken"),
    ("event", "table", 9, 1, UNIT, "all", "flags: the effect in force"),
    ("event_card", "table", 12, 3, EACH_KIND, "all", "0 in the deck, 1 open this year, 2 in force, 3 used"),
    ("deck", "table", 1, 45, 30, "all", "draft: number of cards in the deck"),
    ("may_bury", "table", 1, 1, UNIT, "all", "draft: 1 if the decider may put both open cards under the deck (R3)"),
)


_STATIC = {
    "tax", "rice", "sites", "region", "in_play", "present", "players_in_game", "moon", "optional_moves", "floors",
    "stick", "dislodge", "shake",
}  # fmt: skip
OBS_LAYOUT = lay_out(_FEATURES, ROW_NAMES, _STATIC)
"""Every slice of an observation, in order."""
OBS_SIZE = OBS_LAYOUT[-1].stop
OBS_AT = {piece.name: piece.start for piece in OBS_LAYOUT}
"""Where each slice begins."""
if OBS_SIZE > 1280:
    raise AssertionError(f"an observation has {OBS_SIZE} bytes, more than 1280")

# Where the slices that observe.py writes begin; those between two of them follow from the order above.
OWNER, ARMIES, REVOLTS, BUILDING = OBS_AT["owner_none"], OBS_AT["armies"], OBS_AT["revolts"], OBS_AT["castle"]
STATIC, PENDING, PLANNED, GAINED = OBS_AT["tax"], OBS_AT["pending"], OBS_AT["planned"], OBS_AT["gained"]
OPEN, UNDER, PLAYERS, SPECIAL = OBS_AT["open"], OBS_AT["under"], OBS_AT["present"], OBS_AT["special_chest"]
TURN_RANK, BID, BID_PLACE, GROUPS = OBS_AT["turn_rank"], OBS_AT["bid"], OBS_AT["bid_place"], OBS_AT["groups_2"]
TO_ACT, SHORT, OWN_CARD, SHOWN = OBS_AT["to_act"], OBS_AT["short"], OBS_AT["own_card"], OBS_AT["shown_self"]
EMPTIED, POSITION, RUNNING, DONE = OBS_AT["emptied_self"], OBS_AT["position"], OBS_AT["running"], OBS_AT["done"]
PHASE, YEAR, SEASON, ACTIONS_DONE = OBS_AT["phase"], OBS_AT["year"], OBS_AT["season"], OBS_AT["actions_done"]
IN_GAME, MOON, OPTIONAL = OBS_AT["players_in_game"], OBS_AT["moon"], OBS_AT["optional_moves"]
FLOORS, STICK, DISLODGE, SHAKE = OBS_AT["floors"], OBS_AT["stick"], OBS_AT["dislodge"], OBS_AT["shake"]
TOWER, TRAY, FARMERS = OBS_AT["tower"], OBS_AT["tray"], OBS_AT["farmers"]
KINDS, ACTION, OFFER, EVENT = OBS_AT["kinds_left"], OBS_AT["action_at"], OBS_AT["offer"], OBS_AT["event"]
EVENT_CARD, DECK, MAY_BURY = OBS_AT["event_card"], OBS_AT["deck"], OBS_AT["may_bury"]

# Others that bots read.
SELF, TAX, RICE, SITES, REGION = OBS_AT["owner_self"], OBS_AT["tax"], OBS_AT["rice"], OBS_AT["sites"], OBS_AT["region"]
CHESTS, RICE_TRACK, SUPPLY, PROVINCES = OBS_AT["chests"], OBS_AT["rice_track"], OBS_AT["supply"], OBS_AT["provinces"]
SPECIAL_ATTACK, SPECIAL_DEFENCE = OBS_AT["special_attack"], OBS_AT["special_defence"]


@kernel
def count_players(o: Observation) -> Int:
    """Return the number of players in a game; two, in Shikoku, have no flag."""
    players = np.int64(c.MAX_PLAYERS)
    while players >= 3 and o[IN_GAME + players - 3] == 0:
        players -= 1
    return players
