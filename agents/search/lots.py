"""Whole lots of Shitennō as search handles them: the actions that form a lot or divide the pool, lots to try, mutants.

A lot is int64[L]: the actions that add its cards, kind after kind, then those that give it its tile, or both lots of a
division theirs.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.agents.search.others import DRAWN, Note, versions
from shogun_env.agents.search.whole import Drafter, More, drafted, drawing, varied, with_mutants
from shogun_env.batch.arrays import ASK
from shogun_env.batch.batch import Batch
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.layout import OBS_AT
from shogun_env.views import View

PHASE, POOL, LOT, LOT_SEALS, LAST, TILE_FREE = (
    OBS_AT[name] for name in ("phase", "pool", "lot", "lot_seals", "last", "tile_free")
)
CHANGING = (slice(POOL, POOL + c.N_KINDS), slice(LOT, LOT + c.N_KINDS), slice(LOT_SEALS, LOT_SEALS + 2), LAST)
"""The bytes of an observation that change while the observer forms a lot."""
SPREAD = 0.4
"""Standard deviation of the logarithms of a scripted bot's numbers for the lots to try."""
TILE_CHANGES = 0.3
"""Probability that a mutant has another tile; otherwise a card is added or left out."""
TWO_CHANGES = 0.5
"""Probability that a mutant is changed a second time."""
CARD_OFF, TILE_OFF, LEAST = 0.25, 0.35, 3e-4
"""How likely a lot is that of a kind: a factor for each card that differs from a lot formed by the kind, a factor for
other tiles, and what is added for all."""


def is_whole(observation: np.ndarray) -> bool:
    """Say whether the decision is part of forming a lot or of dividing the pool; ``observation`` uint8[D]."""
    return bool(observation[PHASE + c.FORM_LOT] or observation[PHASE + c.DIVIDE])


def is_minor(observation: np.ndarray) -> bool:
    """Say whether the decision is one that is not worth a search: which items pay."""
    return bool(observation[PHASE + c.PAY])


def lot_of(cards: np.ndarray, seals: list[int]) -> np.ndarray:
    """Return the lot with these cards int[17] and tiles."""
    kinds = np.repeat(np.arange(c.N_KINDS), cards)
    return np.array([*(c.A_LOT_ADD + kinds).tolist(), *(c.A_LOT_TILE + seal for seal in seals)], np.int64)


def parts_of(lot: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Return the cards int64[17] of a lot, and the seals of its tiles."""
    is_tile = lot > c.A_LOT_TILE  # which is the last card; seals begin with 1
    cards = np.bincount(lot[~is_tile] - c.A_LOT_ADD, minlength=c.N_KINDS)
    return cards, (lot[is_tile] - c.A_LOT_TILE).tolist()


def begun(observation: np.ndarray) -> np.ndarray:
    """Return the actions by which the observer has begun the lot: int64[k]."""
    seals = observation[LOT_SEALS : LOT_SEALS + 2]
    return lot_of(observation[LOT : LOT + c.N_KINDS], [int(seal) for seal in seals if seal])


def can_draft(function: Any) -> bool:
    """Say whether a bot can make whole lots; every bot can."""
    return True


def candidates(
    batch: Batch, player: int, observation: np.ndarray, mask: np.ndarray, drafters: Sequence[Drafter], count: int,
    rng: np.random.Generator,
) -> tuple[list[np.ndarray], More]:  # fmt: skip
    """Return up to ``count`` different lots to try, the base bot's own first, and a function that makes more.

    Args:
        batch: one game, in which the player forms a lot.
        player: who forms it.
        observation, mask: uint8[D] and int8[A], those of the decision.
        drafters: the base bot, and the one that plays on, which is not asked.
        count: number of lots.
        rng: what is drawn from.
    """
    function, params = drafters[0]
    own = [drafters[0]]
    if isinstance(function, MemoryPolicy):
        own.append(drawing(drafters[0]))
    else:
        own += [(function, varied(params, SPREAD, rng)) for _ in range(count - 1)]
    games = drafted(batch, player, own, count).games
    lots = [lot_of(game["lot"], [int(seal) for seal in game["lot_seals"] if seal]) for game in games]
    return with_mutants(lots, count, lambda lot: mutant(lot, observation, rng), TWO_CHANGES, rng)


def mutant(lot: np.ndarray, observation: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a lot with one change: a card more, a card less, or another tile; what is begun of it stays."""
    cards, seals = parts_of(lot)
    added, tiles = parts_of(begun(observation))
    pool = observation[POOL : POOL + c.N_KINDS].astype(np.int64) + added
    free = [seal for seal in range(1, c.N_TITLES + 1) if observation[TILE_FREE + seal - 1] and seal not in tiles]
    if rng.random() < TILE_CHANGES:
        at, seal = int(rng.integers(len(tiles), len(seals))), free[int(rng.integers(len(free)))]
        if seal in seals:
            seals[seals.index(seal)] = seals[at]
        seals[at] = seal
    else:
        lowest = int(observation[LAST])  # cards are added kind after kind
        more, less = cards < pool, cards > added
        more[:lowest] = False
        choices = [*np.flatnonzero(more).tolist(), *(-1 - kind for kind in np.flatnonzero(less).tolist())]
        if not tiles and choices:
            choice = choices[int(rng.integers(len(choices)))]
            cards[choice if choice >= 0 else -1 - choice] += 1 if choice >= 0 else -1
    return lot_of(cards, seals)


def witness(note: Note, number: int, view: View, kinds: Sequence[Drafter]) -> None:
    """Note how likely each kind forms the lot that the player is asked about, or divides the pool so.

    Args: note, written; number of complete rounds; view, one decision; kinds.
    """
    game, player = view.batch.games[0], int(view.players[0])
    tairo, lot, seals = int(game["tairo"]), game["lot"].astype(np.int64), game["lot_seals"].copy()
    position = bytes([number, tairo % 256]) + lot.tobytes() + seals.tobytes()
    if game["phase"] not in (c.ANSWER, c.CHOOSE) or position == note.position:
        return
    note.round, note.position = number, position
    begin = view.batch.take(np.zeros(DRAWN, np.int64))
    seed = int(view.batch.policy_rngs[0, player, 0] >> np.uint64(1))
    begin.redeal(None, player, seed)
    states = begin.games
    states["phase"], states["player"] = c.FORM_LOT if game["phase"] == c.ANSWER else c.DIVIDE, tairo
    states["lot"], states["lot_seals"], states["last"] = 0, 0, 0
    begin.refresh(check=False)
    for index, kind in enumerate(kinds):
        games, asked = begin.take(), versions(kind, np.random.default_rng(seed))
        seats = np.full((DRAWN, view.batch.num_players), ASK)
        seats[:, tairo] = np.arange(DRAWN) % len(asked)
        games.play(asked, seats)
        cards_off = np.abs(games.games["lot"] - lot).sum(1)
        tile_off = (games.games["lot_seals"] != seals).any(1)
        note.log_odds[tairo, index] += np.log((CARD_OFF**cards_off * TILE_OFF**tile_off).mean() + LEAST)
