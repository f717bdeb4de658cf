"""What the cards of a plan are said to do: as the game then does it."""

from __future__ import annotations

import numpy as np

from shogun_env.shogun import SHOGUN, Batch, board
from shogun_env.shogun import constants as c
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
    assert sheet_of(g)["build_castle"].cards[card].endswith("best other 0: +4 a winter")
    same_region = board.REGION[g["side"]] == board.REGION[g["side"], prov]
    rival = next(p for p in np.flatnonzero(same_region) if p != prov)
    g["owner"][rival], g["building"][0, rival] = 1, 1
    assert sheet_of(g)["build_castle"].cards[card].endswith("best other 1: +3 a winter")  # tied: one less
    g["building"][0, prov] = 1
    assert sheet_of(g)["build_castle"].cards[card] == "no effect: it has a castle"
    g["building"][:, prov] = [1, 1, 0]
    sites = int(board.SITES[prov])
    assert ("no free site" in sheet_of(g)["build_no_theatre"].cards[card]) == (sites == 2)
    g["kinds_left"][2] = 0
    assert sheet_of(g)["build_no_theatre"].cards[card] == "no effect: no Noh theatre is left"


def test_taxes_and_armies__say_amount_revolt_and_neighbours():
    g, prov, card = position()
    g["armies"][prov], g["revolts"][prov] = 4, 2
    sheet = sheet_of(g)
    assert sheet["collect_taxes"].cards[card] == f"+{board.TAX[prov]} chests; 2 farmers revolt against 4 armies"
    assert sheet["deploy_3_armies"].cards[card] == "4 to 7 armies"
    assert sheet["battle_move_a"].cards[card].startswith("3 can go; ")
    g["armies"][prov] = 1
    assert sheet_of(g)["battle_move_a"].cards[card] == "1 army: it has to stay"
    assert sheet["battle_move_a"].cards[c.A_CHEST] == "do nothing"
