"""Counts, phases, actions and kinds of log entries of Shogun as plain ints; printed numbers are in ``data.json``."""

NONE = -1

# Sizes; for players the largest number
MAX_PLAYERS = 5
N_PROVINCES = 45
N_REGIONS = 5
PROVINCES_IN_REGION = 9
N_SIDES = 2
N_BOARDS = 4
N_KINDS = 3
N_ACTION_CARDS = 10
N_SPACES = 11
N_SPECIALS = 5
N_EVENT_CARDS = 12
N_EVENTS = 9
N_CHEST_CARDS = 5
N_CARDS = N_PROVINCES + N_CHEST_CARDS
N_COLOURS = 6
MAX_FLOORS = 4
MAX_NEIGHBOURS = 10
N_OPEN_ACTIONS = 5
N_YEARS = 2
N_SEASONS = 3
N_YEAR_EVENTS = 4
MAX_FAMINE = 3
MAX_GROUP = 5

SIX = 6
"""Armies that deploy 5 brings with the six-armies special."""

FARMERS = 5
"""Colour of the farmers; the colours before it are the players."""

SUN, MOON = 0, 1
SMALL, LARGE = 2, 3
"""The boards of Shikoku, the small game on the same rules; tables by board have a row for each, after the sides."""
PRESET, DRAFT, RANDOM = 0, 1, 2

# Buildings, in the order of the actions that build them
CASTLE, TEMPLE, NO_THEATRE = 0, 1, 2

# Action cards, in the order of the data; the space of an action is 1 + action, the bid is space 0
BUILD_CASTLE, BUILD_TEMPLE, BUILD_NO_THEATRE, CONFISCATE_RICE, COLLECT_TAXES = 0, 1, 2, 3, 4
DEPLOY_5_ARMIES, DEPLOY_3_ARMIES, DEPLOY_MOVE_1_ARMY, BATTLE_MOVE_A, BATTLE_MOVE_B = 5, 6, 7, 8, 9
BID_SPACE = 0

# Specials, in the order of the data
PLUS_1_CHEST, PLUS_1_RICE, SIX_ARMIES, PLUS_1_ATTACK, PLUS_1_DEFENCE = 0, 1, 2, 3, 4

# Effects of events, in the order of the data
NO_THEATRE_CALMS, TWO_FARMERS, CASTLE_DEFENCE, TEMPLE_PEACE, TAXES_AT_MOST_5 = 0, 1, 2, 3, 4
TAXES_AT_LEAST_6, RICE_AT_LEAST_4, RICE_AT_MOST_3, FEWER_RECRUITS = 5, 6, 7, 8

# Where an event card is
EVENT_IN_DECK, EVENT_OPEN, EVENT_IN_FORCE, EVENT_USED = 0, 1, 2, 3

# Where a province card is during the draft
CARD_OUT, CARD_IN_DECK, CARD_OPEN, CARD_TAKEN, CARD_UNDER_DECK = 0, 1, 2, 3, 4

# Cards on a space: 0..44 a province, 45..49 a chest card
CHEST_0 = N_PROVINCES
EMPTY = -1
NOT_SHOWN = -2

# Phases: first those in which a player decides, then the end, then those that the engine runs
DRAFT_CARD, DRAFT_GROUP, PLAN, TAKE_SPECIAL, TARGET, NUMBER, REVOLT_ORDER = 0, 1, 2, 3, 4, 5, 6
OVER = 7
N_DECISIONS = 7
FILL_TOWER, YEAR, ROUND, SHOW_PLANS, DRAW_EVENT, SHOW_BIDS, ACTION, TURN = 8, 9, 10, 11, 12, 13, 14, 15
WINTER, FAMINE, REVOLT, SCORE, END_YEAR = 16, 17, 18, 19, 20

# Action numbers: A_CARD, A_CHEST and A_SPECIAL are the first of their kind, A_NUMBER + n means n armies
A_NOTHING = 0
A_CARD = 1
A_CHEST = 46
A_SPECIAL = 51
A_NUMBER = 55
A_DECK = 117
A_BURY = 118
A_NO_CARD = 119
N_ACTIONS = 120
HAND = 56
"""Bytes of a hand: one per action number up to that of the last card, 50, rounded up to a multiple of 8."""

# Rewards
WIN, RANK, MARGIN, POINTS = 0, 1, 2, 3
REWARDS = ("win", "rank", "margin", "points")

# Kinds of log entries, each with its fields. The first field of those in CHANCE is the outcome that a tape holds
LOG_START_POSITION = 2  # row of the start table, player
LOG_PLACE = 3  # province, player, armies
LOG_STARTER = 4  # player
LOG_CARD = 5  # province that comes off the deck
LOG_DRAFT = 6  # player, 1 from the deck, province, armies, open left, open right
LOG_BURY = 7  # player, left, right
LOG_THROWN = 8  # cubes thrown by colour, why
LOG_TRAY = 9  # cubes in the tray by colour
LOG_YEAR = 10  # event card, year; four of them
LOG_ROUND = 11  # year, season
LOG_OPEN = 12  # action, position 0..9
LOG_SPECIALS = 13  # special, position 0..4; five of them
LOG_PLAN = 14  # player + 8 x first space, cards on six spaces (five in the second half)
LOG_EVENT = 15  # event card
LOG_BIDS = 16  # player, place 0.. in the order of bids; one for each player
LOG_PAID = 17  # chests paid by player
LOG_SPECIAL = 18  # player, special, position 0..4
LOG_ACTION = 19  # action
LOG_DO = 20  # player, action, province, result, and three numbers by result
LOG_BONUS = 21  # of an attack: attacker, defender, farmers
LOG_FIGHT = 22  # province, attacker, defender, tray attacker, tray defender, farmers in, tray farmers
LOG_OUTCOME = 23  # outcome, armies that remain
LOG_WINTER = 24  # year, rice loss
LOG_SHORT = 25  # by player
LOG_DRAWN = 26  # province, player, index; one for each province drawn
LOG_ORDER = 27  # player, provinces in the order resolved
LOG_SCORE = 28  # player, provinces, buildings, castles, temples, theatres, year
LOG_STATE_PROVINCE = 29  # province, owner, armies, revolts, castle, temple, theatre
LOG_STATE_PLAYER = 30  # player, chests, rice, points, supply
LOG_STATE_TOWER = 31  # cubes inside by colour
LOG_STATE_TRAY = 32  # cubes in the tray by colour, supply of farmers
LOG_RESULT = 33  # winners: bit i for player i
CHANCE = (
    LOG_START_POSITION, LOG_PLACE, LOG_STARTER, LOG_CARD, LOG_YEAR, LOG_OPEN, LOG_SPECIALS, LOG_EVENT, LOG_BIDS,
    LOG_DRAWN,
)  # fmt: skip
"""Kinds of which each entry is one outcome; the tray after a throw (LOG_TRAY) is six outcomes in one entry."""

# Why cubes are thrown
WHY_FILL, WHY_BATTLE, WHY_REVOLT, WHY_WINTER_REVOLT = 0, 1, 2, 3

# Results of a player's turn in an action; up to three numbers follow
BUILT = 0  # paid
COLLECTED = 1  # amount, 1 if there was a revolt
DEPLOYED = 2  # paid, armies
MOVED = 3  # to, armies
ATTACKED = 4  # to, armies, defender
SKIPPED = 5  # reason
LOG_MOVED = 34  # a log entry that may follow DEPLOYED: to, armies moved

# Reasons to skip; the first that holds is given
(NO_CARD, CANNOT_PAY, NO_SITE, KIND_PRESENT, NONE_LEFT, SUPPLY_SHORT, TOO_FEW_ARMIES, NO_TARGET, DECLINED) = range(9)

# Outcomes of a fight
ATTACKER_WINS, DEFENDER_HOLDS, DRAW = 0, 1, 2
