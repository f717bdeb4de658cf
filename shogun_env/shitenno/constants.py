"""Counts, phases, actions and log kinds of Shitennō as plain ints; the printed numbers are in ``data.json``."""

NONE = -1

# Counts; arrays have room for the largest number of players
MIN_PLAYERS = 2
MAX_PLAYERS = 4
N_PROVINCES = 8
N_POSITIONS = 4
N_TROOPS = 4
N_TROOP_KINDS = 14
N_KOKU_KINDS = 3
N_KINDS = N_TROOP_KINDS + N_KOKU_KINDS
N_BONUSES = 3
N_TITLES = 4

TWO_LOTS = 2
"""With this many players left, the Tairō divides everything into two lots (4.4)."""

# Bonuses, in the order of the data
EXCHANGE, PLUS_ONE, DRAW = 0, 1, 2

# Titles by their seals
HATAMOTO, SENSEI, SHOMYO, DAIMYO = 1, 2, 3, 4

# Items of a payment in the order in which they are committed: joker, Exchanges, +1s, then the card kinds (8)
JOKER, FIRST_TILE, FIRST_CARD = 0, 1, 3
N_ITEMS = FIRST_CARD + N_KINDS
FIRST_KOKU = FIRST_CARD + N_TROOP_KINDS

# Ways of paying
BY_TROOPS, BY_KOKU = 0, 1

# Phases: first those in which a player decides, then the end of the game, then those that the engine runs
FORM_LOT, ANSWER, DIVIDE, CHOOSE, TURN, PAY, SENSEI_TURN = 0, 1, 2, 3, 4, 5, 6
OVER = 7
SET_UP, ROUND, DIVISION, CONTROL, SCORE, END = 8, 9, 10, 11, 12, 13

# Action numbers, Discrete(73)
A_NOTHING = 0
A_LOT_ADD = 1
A_LOT_TILE = 17  # plus seals 1..4
A_ACCEPT = 22
A_REFUSE = 23
A_PICK_A = 24
A_PICK_B = 25
A_TROOPS = 26
A_KOKU = 34
A_DRAW = 42
A_END_TURN = 43
A_PAY = 44  # plus item 0..19
A_FLIP = 64
A_NO_FLIP = 72
N_ACTIONS = 73

# Rewards
WIN, RANK, MARGIN = 0, 1, 2
REWARDS = ("win", "rank", "margin")

# Kinds of log entries; the fields are named next to each. Those of CHANCE begin with the outcome that a tape holds
LOG_TOP = 2  # troop, province
LOG_DEAL = 3  # card kind, player
LOG_TITLE = 4  # seals less 1, player: dealt in the set-up
LOG_POOL_TROOP = 5  # card kind
LOG_POOL_KOKU = 6  # card kind less FIRST_KOKU's
LOG_DRAW = 7  # card kind, player
LOG_BONUS = 8  # bonus, player, province
CHANCE = (LOG_TOP, LOG_DEAL, LOG_TITLE, LOG_POOL_TROOP, LOG_POOL_KOKU, LOG_DRAW, LOG_BONUS)
LOG_RESHUFFLE = 9  # no fields; the card drawn next follows
LOG_TITLES = 10  # seals of player 0..3
LOG_ROUND = 11  # round
LOG_LOT = 12  # player, seals; then its cards
LOG_ANSWER = 13  # player, 1 accepts
LOG_DIVIDE = 14  # player, seals of A, seals of B; then the cards of A and of B
LOG_PICK = 15  # player, 0 A, 1 B
LOG_TAKE = 16  # player, seals; then the cards
LOG_TURN = 17  # player
LOG_CONTROL = 18  # player, province, position 0..3, way, points, title points; then the items paid
LOG_END_TURN = 19  # player
LOG_SENSEI = 20  # player, province or NONE
LOG_SCORE = 21  # player, points for Koku, points for majorities
LOG_HOLDERS = 22  # holder of four provinces, first province
LOG_STATE_PLAYER = 23  # player, points, seals, Kamon left, tiles by bonus; then the hand and what is known of it
LOG_STATE_PROVINCE = 24  # province, troop on top, for each position 2 x owner + golden or NONE
LOG_STATE_PILES = 25  # troop pile, Koku pile, tiles used by bonus; then the discard and spent Koku
LOG_RESULT = 26  # winner
LOG_ROW = 27  # first index, six numbers of a longer row
