"""What the cards of a plan are said to do: as the game then does it."""

import re

import numpy as np

from shogun_env.kernel.rng import seed_stream
from shogun_env.shogun import SHOGUN, Batch, Game, board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle import attack
from shogun_env.shogun.rules.build import build
from shogun_env.shogun.rules.collect import collect
from shogun_env.shogun.rules.deploy import deploy
from shogun_env.shogun.text.odds import attack_odds, promises
from shogun_env.shogun.text.plan_sheet import plan_sheet


def sheet_of(g):
    return {SHOGUN.plan_spaces[space.space]: space for space in plan_sheet(g)}


def position():
    g = Batch(1, seed=3, num_players=3).games[0].copy()
    assert g["phase"] == c.PLAN
    prov = next(int(p) for p in np.flatnonzero(g["owner"] == g["player"]) if board.SITES[p] > 1)
    return g, prov, c.A_CARD + prov


def test_order__is_the_order_of_play_with_the_hidden_actions_last():
    g, _, _ = position()
    marks = [(space.mark, space.space) for space in plan_sheet(g)]
    opened = [(str(place + 1), int(act) + 1) for place, act in enumerate(g["action_at"]) if act != c.NONE]
    assert marks[0] == ("", 0)
    assert marks[1:6] == opened
    assert {mark for mark, _ in marks[6:]} == {"?"}


def test_building__says_the_points_of_each_winter_and_what_prevents_it():
    g, prov, card = position()
    assert sheet_of(g)["build_castle"].cards[card].startswith("+4 a winter: castle 1 of yours in ")
    same_region = board.REGION[g["side"]] == board.REGION[g["side"], prov]
    rival = next(p for p in np.flatnonzero(same_region) if p != prov)
    g["owner"][rival], g["building"][0, rival] = 1, 1
    assert sheet_of(g)["build_castle"].cards[card].startswith("+3 a winter: ")  # tied: one less
    g["building"][0, prov] = 1
    assert sheet_of(g)["build_castle"].cards[card] == "no effect: it has a castle"
    g["building"][:, prov] = [1, 1, 0]
    sites = int(board.SITES[prov])
    assert ("no free site" in sheet_of(g)["build_no_theatre"].cards[card]) == (sites == 2)
    g["kinds_left"][2], g["building"][:, prov] = 0, 0
    assert sheet_of(g)["build_no_theatre"].cards[card] == "no effect: no Noh theatre is left"


def test_taxes_and_armies__say_amount_revolt_and_neighbours():
    g, prov, card = position()
    g["armies"][prov], g["revolts"][prov] = 4, 2
    sheet = sheet_of(g)
    assert sheet["collect_taxes"].cards[card] == f"+{board.TAX[prov]} chests; 2 farmers revolt against 4 armies"
    assert sheet["deploy_3_armies"].cards[card] == "4 to 7 armies"
    assert sheet["battle_move_a"].cards[card].endswith("; 3 armies can go")
    g["armies"][prov] = 1
    assert sheet_of(g)["battle_move_a"].cards[card] == "1 army: it has to stay"
    assert sheet["battle_move_a"].cards[c.A_CHEST] == "nothing happens here"


NO_LOG = np.zeros(1, np.int16)


def done(g, act, prov):
    """Return the state after an action of the player who plans, carried out by the rules."""
    after, player = g.copy(), int(g["player"])
    if act <= c.BUILD_NO_THEATRE:
        build(after, NO_LOG, player, act, prov)
    elif act <= c.COLLECT_TAXES:
        collect(after, np.zeros(2, np.uint64), NO_LOG, player, act, prov)
    else:
        deploy(after, NO_LOG, player, act, prov)
    return after


def said_and_done(g, act, prov, text):
    """Return the numbers in the effect of an action, and the same from the game."""
    after, player = done(g, act, prov), int(g["player"])
    numbers = [int(number) for number in re.findall(r"\d+", text.split(";")[0].split(", may")[0])]
    if act <= c.BUILD_NO_THEATRE:
        return numbers[1], int((after["building"][act] * (after["owner"] == player))[region_of(g, prov)].sum())
    if act <= c.COLLECT_TAXES:
        field = "rice" if act == c.CONFISCATE_RICE else "chests"
        return numbers, [int(after[field][player]) - int(g[field][player])]
    return numbers, [int(g["armies"][prov]), int(after["armies"][prov])]


def region_of(g, prov):
    return board.REGION[g["side"]] == board.REGION[g["side"], prov]


def test_effects__in_random_games__are_what_the_game_then_does():
    batch, said = Batch(4, num_players=3, seed=8), set()
    while not batch.over.all():
        for g in batch.games:
            if g["phase"] != c.PLAN:
                continue
            for space in plan_sheet(g)[1:]:
                act = space.space - 1
                for card, text in space.cards.items():
                    if c.A_CARD <= card < c.A_CHEST and "no effect" not in text and act < c.BATTLE_MOVE_A:
                        numbers, game = said_and_done(g, act, card - c.A_CARD, text)
                        assert numbers == game, (text, act)
                        said.add(act)
        batch.play(["random"] * 3, until="plan")
        batch.play(["random"] * 3, until="round")
    assert said == set(range(c.BATTLE_MOVE_A))


def test_odds__of_an_attack__are_those_of_battles_and_tell_nothing_hidden():
    game = Game(seed=3, num_players=3)
    while game.phase != "target":
        game.play(game.suggest("scripted"))
    g, cards = game.batch.games[0], promises(game.batch.games[0])
    assert {name for name, card in game.legal_actions().items() if card in cards}
    for seed in range(3):
        assert promises(game.redeal(int(g["player"]), seed).batch.games[0]) == cards
    source, armies, rng = int(g["source"]), int(g["armies"][g["source"]]) - 1, np.zeros(2, np.uint64)
    seed_stream(rng, 9, 9)
    for prov in (card - c.A_CARD for card in cards):
        odds, won, left = attack_odds(g, source, prov, armies), 0, 0
        for _ in range(300):
            after = g.copy()
            attack(after, rng, NO_LOG, int(g["player"]), source, prov, armies)
            won += after["owner"][prov] == g["player"]
            left += int(after["armies"][prov]) * bool(after["owner"][prov] == g["player"])
        assert abs(won / 300 - odds.won) < 0.12 and odds.won + odds.held <= 1
        assert abs(left / max(1, won) - odds.left) < 0.7
