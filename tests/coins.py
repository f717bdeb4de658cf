"""Coins: a tiny game of the tests' own, so that shared code cannot know more about a game than its specification says.

In turn, two or three players take 1 to 3 coins from a pile of twelve. After each take a coin is flipped: heads give the
player a point more. Each player also has a hidden charm worth 0, 1 or 2 points at the end. A coin is a point; most
points win, and players level with each other share the win. ``CONTRIBUTING.md`` ("Add a game") follows this file.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch as _Batch
from shogun_env.envs.aec import AECGameEnv
from shogun_env.envs.gym import LearnerEnv
from shogun_env.envs.parallel import ParallelGameEnv
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.game import Game as _Game
from shogun_env.kernel.chance import draw_one
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import ERR_PHASE, OK, log_entry
from shogun_env.kernel.players import player_at
from shogun_env.kernel.rewards import margin_reward, rank_reward, win_reward
from shogun_env.kernel.rng import below
from shogun_env.kernel.types import Action, Float, Int, Log, Mask, Observation, Player, Rng, State
from shogun_env.spec.engine import Engine
from shogun_env.spec.game_spec import GameSpec, Line, PositionFormat, RecordFormat
from shogun_env.spec.layout import EACH_KIND, lay_out
from shogun_env.spec.options import check_names, number_of_players
from shogun_env.spec.record_kinds import LineKinds, LogReader
from shogun_env.spec.validity import Validity

# --- constants -------------------------------------------------------------------------------------------------------

NONE, PILE, MOST_TAKEN, MAX_PLAYERS, CHARMS, SIDES = -1, 12, 3, 3, 0b111, 0b11
"""``CHARMS`` and ``SIDES`` are sets: a charm is 0, 1 or 2, a flip 0 (tails) or 1 (heads)."""
TAKE, OVER, FLIP, SCORE = 0, 1, 2, 3
"""Phases: the one that is decided, the end, and those that the engine runs."""
N_ACTIONS = MOST_TAKEN + 1
WIN, RANK, MARGIN = 0, 1, 2
LOG_CHARM, LOG_TAKE, LOG_FLIP, LOG_RESULT = 2, 3, 4, 5
"""Log entries: charm, player; player, coins; heads, player; winners, bit by bit."""

# --- state and options -----------------------------------------------------------------------------------------------

STATE = np.dtype([
    ("points", "i2", (3,)), ("charm", "i1", (3,)), ("n_players", "i1"), ("phase", "i1"), ("player", "i1"),
    ("coins", "i1"), ("error", "i1"), ("pad", "u1", (2,)),
], align=True)  # fmt: skip


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options filled in and checked."""
    check_names(options, ("num_players",))
    return {"num_players": number_of_players(options.get("num_players", 2), range(2, 4))}


def blank_state(options: Mapping[str, Any]) -> np.ndarray:
    """Return a state that holds the options and is blank otherwise."""
    games = np.zeros(1, STATE)
    games["n_players"] = options["num_players"]
    return games


# --- rules -----------------------------------------------------------------------------------------------------------


@kernel
def start(g: State, rng: Rng, log: Log) -> None:
    """Deal the charms."""
    g["coins"] = PILE
    for player in range(np.int64(g["n_players"])):
        g["charm"][player] = draw_one(g, rng, log, LOG_CHARM, np.int64(CHARMS), player, 0)


@kernel
def decide(g: State, rng: Rng, log: Log, action: Action) -> None:
    """Take coins."""
    player = np.int64(g["player"])
    g["coins"] -= action
    g["points"][player] += action
    log_entry(log, LOG_TAKE, player, action, 0, 0, 0, 0, 0)
    g["phase"] = FLIP


@kernel
def run(g: State, rng: Rng, log: Log) -> None:
    """Flip a coin and go on to the next player, or score."""
    player = np.int64(g["player"])
    if g["phase"] == FLIP:
        g["points"][player] += draw_one(g, rng, log, LOG_FLIP, np.int64(SIDES), player, 0)
        g["player"] = (player + 1) % np.int64(g["n_players"])
        g["phase"] = TAKE if g["coins"] > 0 else SCORE
    elif g["phase"] == SCORE:
        winners = np.int64(0)
        for other in range(np.int64(g["n_players"])):
            g["points"][other] += g["charm"][other]
        g["phase"], g["player"] = OVER, NONE
        for other in range(np.int64(g["n_players"])):
            winners |= np.int64(reward_so_far(g, other, WIN) >= 0.0) << other
        log_entry(log, LOG_RESULT, winners, 0, 0, 0, 0, 0, 0)
    else:
        g["error"] = ERR_PHASE


@kernel
def reward_so_far(g: State, player: Player, reward: Int) -> Float:
    """Return the reward of a number: win, rank or margin."""
    ahead, level, n = np.int64(0), np.int64(0), np.int64(g["n_players"])
    for other in range(n):
        ahead += 1 if g["points"][other] > g["points"][player] else 0
        level += 1 if g["points"][other] == g["points"][player] else 0
    if g["phase"] != OVER:
        return 0.0
    if reward == MARGIN:
        return margin_reward(n, g["points"], player)
    return rank_reward(n, ahead, level) if reward == RANK else win_reward(n, ahead, level)


# --- engine ----------------------------------------------------------------------------------------------------------


@kernel
def legal(g: State, mask: Mask) -> Int:
    """Write the mask; return how many actions are legal."""
    mask[0] = 1 if g["phase"] == OVER else 0
    for coins in range(1, N_ACTIONS):
        mask[coins] = 1 if g["phase"] == TAKE and coins <= g["coins"] else 0
    return max(np.int64(mask[0]), min(np.int64(MOST_TAKEN), np.int64(g["coins"])))


@kernel
def legal_for(g: State, player: Player, mask: Mask) -> None:
    """Write the mask of any player."""
    legal(g, mask)
    if g["player"] != player:
        for action in range(N_ACTIONS):
            mask[action] = 1 if action == 0 else 0


@kernel
def observe(g: State, player: Player, out: Observation) -> None:
    """Write what a player may know."""
    out[0] = g["coins"]
    out[1] = g["charm"][player]
    for offset in range(MAX_PLAYERS):
        other = player_at(g, player, np.int64(offset))
        out[2 + offset] = 0 if other == NONE else g["points"][other]


@kernel
def redeal(g: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Deal the others' charms again."""
    for other in range(np.int64(g["n_players"])):
        if other != player and g["phase"] != OVER:
            g["charm"][other] = below(rng, np.int64(MAX_PLAYERS))


def is_in_order(g: np.ndarray) -> np.ndarray:
    """Coins, phase and player fit."""
    over = g["phase"] == OVER
    decides = (g["phase"] == TAKE) & (g["player"] >= 0) & (g["player"] < g["n_players"]) & (g["coins"] > 1)
    return (over == (g["player"] == NONE)) & (over | decides)


VALIDITY = Validity(
    {"charm": (0, 2), "points": (0, 99), "coins": (0, PILE), "error": (OK, OK)},
    {"coins, phase and player do not fit": is_in_order},
)  # fmt: skip

ENGINE = Engine(
    name="coins",
    source=__file__, start=start, decide=decide, run=run, legal=legal, legal_for=legal_for,
    over=OVER, observe=observe, redeal=redeal, reward_so_far=reward_so_far,
)  # fmt: skip

ROW_NAMES = {"globals": ("table",), "players": ("self", "next_1", "next_2")}
OBS_LAYOUT = lay_out(
    [
        ("coins", "globals", 1, PILE, 6, "all", "coins in the pile"),
        ("own_charm", "globals", 1, 2, EACH_KIND, "owner", "the own charm"),
        ("points", "players", 1, 99, 10, "all", "points, the observer first"),
    ],
    ROW_NAMES,
)

# --- text ------------------------------------------------------------------------------------------------------------

ACTION_NAMES = ("nothing", "take_1", "take_2", "take_3")

PLAYER = range(MAX_PLAYERS)
KINDS = LineKinds("coins", range(2, 4))
KINDS.entry(
    "charm", LOG_CHARM, "value player", {"player": PLAYER, "value": range(3)},
    chance=lambda line: [(LOG_CHARM, line["value"])],
)  # fmt: skip
KINDS.entry("take", LOG_TAKE, "player coins", {"player": PLAYER, "coins": range(1, N_ACTIONS)})
KINDS.entry(
    "flip", LOG_FLIP, "heads player", {"player": PLAYER, "heads": range(2)},
    chance=lambda line: [(LOG_FLIP, line["heads"])],
)  # fmt: skip


@KINDS.line("result", LOG_RESULT, fields={"winners": [PLAYER]})
def read_result(log: LogReader) -> list[list[int]]:
    winners = log.next(LOG_RESULT)[0]
    return [[player for player in PLAYER if winners >> player & 1]]


class Script:
    """A record prepared for playing it."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.order = range(len(lines))
        self.lines = lines

    def tape(self) -> list[tuple[int, int]]:
        """Return the chance outcomes."""
        return [outcome for line in self.lines for outcome in KINDS.chance_of(line)]

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the coins taken from a pile, and the index of the line."""
        coins = PILE
        for index, line in enumerate(self.lines):
            if line["t"] == "take":
                if coins == g["coins"]:
                    return line["coins"], index
                coins -= line["coins"]
        return None, None


def render(g: np.void, player: int | None) -> str:
    """Return the state in words."""
    charms = [str(charm) if player in (None, p) else "?" for p, charm in enumerate(g["charm"][: g["n_players"]])]
    points = ", ".join(map(str, g["points"][: g["n_players"]]))
    return f"Coins: {g['coins']} in the pile\npoints {points}; charms {', '.join(charms)}"


WHOLE = ((), str, int)
PHASES = ("take", "over")
POSITION_FORMAT = PositionFormat(
    fields={
        **dict.fromkeys(("n_players", "player", "coins", "points", "charm"), WHOLE),
        "phase": ((), PHASES.__getitem__, PHASES.index),
    },
    options=("n_players",), options_of=lambda g: {"num_players": int(g["n_players"])}, derived=(),
    fill=lambda g: None, board=(), places=(), place_text=lambda g, place: "", set_place=lambda g, place, text: None,
)  # fmt: skip

COINS = GameSpec(
    name="coins", title="Coins", rules_version=1, obs_version=1, state_dtype=STATE, engine=ENGINE, players=range(2, 4),
    rewards=("win", "rank", "margin"), validity=VALIDITY, phase_names=PHASES,
    action_names=ACTION_NAMES, option_defaults={"num_players": 2}, option_choices={"num_players": (2, 3)},
    check_options=check_options, blank_state=blank_state, obs_layout=OBS_LAYOUT, row_names=ROW_NAMES,
    record_format=RecordFormat(kinds=KINDS, script=Script),
    position_format=POSITION_FORMAT, render=render,
)  # fmt: skip


class Batch(_Batch):
    """Games of Coins."""

    spec = COINS


class Game(_Game):
    """One game of Coins."""

    batch_class = Batch


class CoinsParallel(ParallelGameEnv):
    """Coins as a PettingZoo parallel environment."""

    batch_class = Batch


class CoinsAEC(AECGameEnv):
    """Coins as a PettingZoo AEC environment."""

    batch_class = Batch


class CoinsEnv(LearnerEnv):
    """Coins for one learner."""

    batch_class = Batch


class CoinsVectorEnv(LearnerVectorEnv):
    """Many games of Coins."""

    batch_class = Batch
