"""What lots are said to bring: as the game then has it."""

import re

import numpy as np

from shogun_env.policies import make_agent
from shogun_env.shitenno import SHITENNO, Batch, Game, board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.scoring import holder_of
from shogun_env.shitenno.text.division import division
from shogun_env.shitenno.text.names import PROVINCES_IN_ORDER


def test_brings__in_random_games__is_what_can_be_paid_in_the_turn_that_follows():
    seen = 0
    for seed in range(12):
        game = Game(seed=seed, num_players=2 + seed % 3)
        while not game.is_over:
            said = {}
            if game.phase == "choose":
                player = game.player
                said = dict(zip(("pick_a", "pick_b"), division(game.batch.games[0]).brings[player], strict=True))
            action = game.suggest("random")
            game.play(action)
            if action in said:
                seen += check(game, player, said[action])
    assert seen > 20


def check(game, player, said):
    """Compare what was said of a lot with the legal placements, if its taker is the first to have a turn; 1 if so."""
    g = game.batch.games[0]
    if game.player != player:
        return 0
    masks = game.mask(player)
    payable = [prov for prov in range(8) if masks[c.A_TROOPS + prov] or masks[c.A_KOKU + prov]]
    named = re.findall(r"([^ ,]+) for (\d+)( and its majority)?", said)
    more = re.search(r"; (\d+) more", said)
    assert len(named) + int(more[1] if more else 0) == len(payable), (said, payable)
    troops, koku = re.search(r"(no|\d+) troops? and (\d+) Koku", said).groups()
    hand = g["hand"][player].astype(int)
    assert int(koku) == int(hand[c.N_TROOP_KINDS :] @ board.KOKU_VALUE[c.N_TROOP_KINDS :])
    singles = np.array(["_" not in kind for kind in board.KIND_NAMES[: c.N_TROOP_KINDS]])
    assert int(troops.replace("no", "0")) == int(hand[: c.N_TROOP_KINDS] @ np.where(singles, 1, 2))
    for name, points, majority in named:
        prov = PROVINCES_IN_ORDER.index(name)
        assert prov in payable
        after, position = g.copy(), int(g["filled"][prov])
        after["owner"][prov, position], after["filled"][prov] = player, position + 1
        assert int(points) == board.NUMBER[prov, position] + board.TITLE_POINTS[g["seals"][player]]
        assert bool(majority) == (holder_of(after, prov) == player != holder_of(g, prov))
    return 1


def test_reckoning__of_lots__grows_with_cards_and_is_about_each_player():
    game = Game(seed=3, num_players=2)
    bot = make_agent("scripted", SHITENNO)
    worth = bot.appraise(game.observation(), [0, 0])
    assert worth.shape == (2, 2) and (worth[0] == 0).all() and (worth[1] > 0).all(), "all cards are in the rest"
    assert (bot.appraise(game.observation(), [c.A_LOT_TILE + 1, c.A_LOT_TILE + 4])[0] > 0).all()


def test_division__outside_the_even_year__is_none():
    batch = Batch(1, num_players=2, seed=4)
    while batch.phase[0] != c.TURN:
        batch.step(batch.legal.argmax(1))
    assert division(batch.games[0]) is None
