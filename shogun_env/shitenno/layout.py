"""The layout of an observation of Shitennō: every slice, and where each begins (``RULES.md``, "Observation")."""

from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import KIND_NAMES, PROVINCE_NAMES, TITLE_NAMES, TROOP_NAMES
from shogun_env.spec.layout import EACH_KIND, UNIT, Feature, lay_out

OFFSET_NAMES = ("self", "next_1", "next_2", "next_3")
"""The observer, and the players who come 1, 2 and 3 after them."""
ROW_NAMES = {"provinces": PROVINCE_NAMES, "players": OFFSET_NAMES, "cards": KIND_NAMES, "table": ("table",)}
"""Names of the rows of each block; ``entities`` shows a block as a box [rows, features], the table as [features]."""

_FEATURES: tuple[Feature, ...] = (
    # name, block, bytes per row, highest value, how float views show it, known to, meaning
    *(
        (f"position_{position}_{name}", "provinces", 1, 1, UNIT, "all", "a Kamon of that player is on that position")
        for position in range(1, c.N_POSITIONS + 1)
        for name in OFFSET_NAMES
    ),
    *(
        (f"golden_{position}", "provinces", 1, 1, UNIT, "all", "the Kamon on that position is golden")
        for position in range(1, c.N_POSITIONS + 1)
    ),
    ("filled", "provinces", 1, 4, 4, "all", "number of Kamon in the province"),
    ("number", "provinces", 1, 11, 6, "all", "points and price of the next position; 0 if none is free"),
    *(
        (f"need_{troop}", "provinces", 1, 4, 2, "all", "such troops that the next position costs")
        for troop in TROOP_NAMES
    ),
    *(
        (f"icons_{troop}", "provinces", 1, 3, 2, "all", "such icons printed and always in sight")
        for troop in TROOP_NAMES
    ),
    *((f"top_{troop}", "provinces", 1, 1, UNIT, "all", "the top tile shows this type") for troop in TROOP_NAMES),
    ("stack", "provinces", 1, 3, 3, "all", "bonus tiles on the province"),
    ("target", "provinces", 1, 2, EACH_KIND, "owner", "own placement being paid: 1 by troops, 2 by Koku"),
    ("present", "players", 1, 1, UNIT, "all", "the player takes part in this game"),
    ("points", "players", 1, 255, 40, "all", "points; more than 255 are shown as 255"),
    *((title, "players", 1, 1, UNIT, "all", "the player holds this title") for title in TITLE_NAMES),
    ("gained", "players", 1, 4, EACH_KIND, "all", "division: seals of the hierarchy tile taken; 0 for none yet"),
    ("tairo", "players", 1, 1, UNIT, "all", "division: the player is the Tairō"),
    ("to_act", "players", 1, 1, UNIT, "all", "the player decides now"),
    ("kamon", "players", 1, 12, 12, "all", "control Kamon left"),
    ("exchange", "players", 1, 8, 2, "all", "such tiles"),
    ("plus_one", "players", 1, 8, 2, "all", "such tiles"),
    ("draw", "players", 1, 8, 2, "all", "such tiles"),
    ("troop_cards", "players", 1, 34, 8, "all", "troop cards in hand"),
    ("unknown_cards", "players", 1, 34, 8, "all", "troop cards in hand of which the others do not know the kind"),
    ("koku", "players", 1, 40, 8, "all", "Koku in hand"),
    ("hand", "cards", 1, 12, 2, "owner", "cards in the own hand"),
    ("known_self", "cards", 1, 12, 2, "all", "what the others know of the own hand: troops at least, Koku exactly"),
    ("known_next_1", "cards", 1, 12, 2, "all", "what others know of that player's hand, likewise"),
    ("known_next_2", "cards", 1, 12, 2, "all", "what others know of that player's hand, likewise"),
    ("known_next_3", "cards", 1, 12, 2, "all", "what others know of that player's hand, likewise"),
    ("pool", "cards", 1, 12, 2, "all", "division: cards that nobody has taken, without those of the slice `lot`"),
    ("lot", "cards", 1, 12, 2, "all", "cards of the lot shown, of lot A (B is the pool), or of the own unfinished lot"),
    ("committed", "cards", 1, 12, 2, "owner", "cards committed to the own payment; they still count in `hand`"),
    ("gone", "cards", 1, 12, 6, "all", "troop cards in the discard; Koku cards out of the game"),
    ("unseen", "cards", 1, 12, 6, "owner", "troop cards in the pile or unknown in other hands; Koku cards in the pile"),
    ("phase", "table", 8, 1, UNIT, "all", "flags: phases in the order of section 8, over; others see pay as turn"),
    ("round", "table", 1, 12, 6, "all", "round"),
    ("players_in_game", "table", 3, 1, UNIT, "all", "one flag each for 2, 3 and 4 players"),
    ("troop_pile", "table", 1, 34, 34, "all", "cards in the troop pile"),
    ("koku_pile", "table", 1, 24, 24, "all", "cards in the Koku pile"),
    ("tile_free", "table", 4, 1, UNIT, "all", "division: 1 if nobody has taken the hierarchy tile, by seals 1 to 4"),
    ("lot_seals", "table", 2, 4, EACH_KIND, "all", "seals of the tile of the lot or A, and of B; 0: none or not shown"),
    ("placed", "table", 1, 2, 2, "all", "Kamon placed in this turn"),
    ("joker_used", "table", 1, 1, UNIT, "all", "the joker was used in this turn"),
    ("committed_joker", "table", 1, 1, UNIT, "owner", "own payment: the joker is committed"),
    ("committed_exchange", "table", 1, 8, 2, "owner", "own payment: Exchange tiles committed"),
    ("committed_plus_one", "table", 1, 8, 2, "owner", "own payment: +1 tiles committed"),
    ("last", "table", 1, 19, EACH_KIND, "owner", "last kind added to the own lot, or last item of the own payment"),
    ("unturned", "table", 12, 2, 2, "all", "tiles that nobody has turned yet, by troop and bonus"),
    ("used", "table", 3, 8, 4, "all", "tiles out of the game, by bonus"),
)

_STATIC = {"present", "players_in_game", *(f"icons_{troop}" for troop in TROOP_NAMES)}
OBS_LAYOUT = lay_out(_FEATURES, ROW_NAMES, _STATIC)
"""Every slice of an observation, in order."""
OBS_SIZE = OBS_LAYOUT[-1].stop
OBS_AT = {piece.name: piece.start for piece in OBS_LAYOUT}
"""First byte of each slice, by name."""

# First bytes of the slices that observe.py writes; those in between follow from the order.
OWNER, GOLDEN, FILLED, NUMBER = OBS_AT["position_1_self"], OBS_AT["golden_1"], OBS_AT["filled"], OBS_AT["number"]
NEED, ICONS, TOP, STACK = OBS_AT["need_bushi"], OBS_AT["icons_bushi"], OBS_AT["top_bushi"], OBS_AT["stack"]
TARGET, PRESENT, POINTS, TITLE = OBS_AT["target"], OBS_AT["present"], OBS_AT["points"], OBS_AT["hatamoto"]
GAINED, TAIRO, TO_ACT, KAMON = OBS_AT["gained"], OBS_AT["tairo"], OBS_AT["to_act"], OBS_AT["kamon"]
TILES, TROOPS, UNKNOWN, KOKU = OBS_AT["exchange"], OBS_AT["troop_cards"], OBS_AT["unknown_cards"], OBS_AT["koku"]
HAND, KNOWN, POOL, LOT = OBS_AT["hand"], OBS_AT["known_self"], OBS_AT["pool"], OBS_AT["lot"]
COMMITTED, GONE, UNSEEN, PHASE = OBS_AT["committed"], OBS_AT["gone"], OBS_AT["unseen"], OBS_AT["phase"]
ROUND, IN_GAME, PILE = OBS_AT["round"], OBS_AT["players_in_game"], OBS_AT["troop_pile"]
KOKU_PILE, FREE, LOT_SEALS, PLACED = OBS_AT["koku_pile"], OBS_AT["tile_free"], OBS_AT["lot_seals"], OBS_AT["placed"]
JOKER_USED, PAID, LAST, UNTURNED = OBS_AT["joker_used"], OBS_AT["committed_joker"], OBS_AT["last"], OBS_AT["unturned"]
USED = OBS_AT["used"]
EXCHANGE, PLUS_ONE = OBS_AT["exchange"], OBS_AT["plus_one"]
