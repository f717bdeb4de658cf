"""Masks of payments with hands that no game comes to, against those of the oracle (S10 to S15)."""

from collections import Counter

import numpy as np
import pytest

from shogun_env.shitenno import Batch
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import KIND_NAMES, PROVINCE_NAMES, TROOP_NAMES
from tests.differential.oracle.shitenno.payment import legal_payments, price_of


def random_payments(rng: np.random.Generator, g: np.void, size: int) -> set[tuple[int, ...]]:
    """Put a payment into a state: few cards, few tiles, any province, position and way; return what can be paid.

    A payment is the actions that commit its items.
    """
    hand = np.bincount(rng.integers(c.N_KINDS, size=rng.integers(1, size + 1)), minlength=c.N_KINDS)
    hand = np.minimum(hand, 3)
    tiles = rng.choice(3, size=2, p=(0.4, 0.4, 0.2))
    g["phase"], g["player"], g["last"], g["committed"] = c.PAY, 0, 0, 0
    g["hand"][0], g["tiles"][0, :2], g["joker_used"] = hand, tiles, rng.integers(2)
    g["seals"][0] = rng.choice((c.HATAMOTO, c.DAIMYO))
    prov, position, way = rng.integers(c.N_PROVINCES), rng.integers(c.N_POSITIONS), rng.integers(2)
    top = rng.integers(c.N_TROOPS) if position < 3 else c.NONE
    g["target"], g["way"], g["filled"][prov], g["top"][prov] = prov, way, position, top
    by = "koku" if way == c.BY_KOKU else "troops"
    price = price_of(PROVINCE_NAMES[prov], int(position) + 1, None if top == c.NONE else TROOP_NAMES[top], by)
    joker = int(g["seals"][0] == c.HATAMOTO and not g["joker_used"])
    cards = Counter(dict(zip(KIND_NAMES, hand.tolist(), strict=True)))
    return {items.actions() for items in legal_payments(price, joker, *tiles.tolist(), cards)}


@pytest.mark.parametrize(("count", "size", "seed"), [(400, 6, 1), pytest.param(1500, 9, 2, marks=pytest.mark.slow)])
def test_pay__S11_random_hands__mask_is_that_of_the_oracle(count, size, seed):
    rng, batch = np.random.default_rng(seed), Batch(1)
    g, payable = batch.games[0], 0
    for _ in range(count):
        payments, paid = random_payments(rng, g, size), ()
        while payments and paid not in payments:
            going_on = {each[len(paid)] for each in payments if each[: len(paid)] == paid}
            assert set(np.flatnonzero(batch.legal_for(0)[0]).tolist()) == going_on, (paid, payments)
            action = int(rng.choice(sorted(going_on)))
            paid = (*paid, action)
            g["last"] = action - c.A_PAY
            g["committed"][g["last"]] += 1
            payable += 1
    assert payable > count / 2


def test_turn__random_hands__a_province_is_on_offer_where_some_payment_is_legal():
    rng, batch = np.random.default_rng(3), Batch(1)
    g, counts = batch.games[0], {False: 0, True: 0}
    for _ in range(300):
        possible = bool(random_payments(rng, g, 6))
        action = (c.A_TROOPS, c.A_KOKU)[g["way"]] + g["target"]
        g["phase"], g["n_placed"], g["target"] = c.TURN, 0, c.NONE
        assert bool(batch.legal_for(0)[0, action]) == possible
        counts[possible] += 1
    assert min(counts.values()) > 50
