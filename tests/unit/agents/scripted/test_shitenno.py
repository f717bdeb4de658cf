"""Shitennō's scripted bot in positions in which one choice is clearly right."""

import numpy as np
import pytest

from shogun_env.policies import View, make_agent
from shogun_env.shitenno import SHITENNO, Batch, action_name

FRESH = "chugoku:shinobi,chubu:shinobi,hokkaido:shinobi,kyushu:samurai,tohoku:samurai,shikoku:shinobi,kansai:samurai"
FRESH += ",kanto:samurai"
UNTURNED = "unturned=" + "/".join(["exchange:2,plus_one:2,draw:2"] * 4)
LAST_ROUND = "spent=koku_1:12,koku_2:8,koku_3:4"
DIVISION = f"shitenno/1 round=1 seals=4,3,2,1 {UNTURNED} board={FRESH}"
TURN = f"shitenno/1 round=1 player=0 rank=4 seals=4,3,2,1 {UNTURNED}"


def choice(position: str, style: str = "balanced") -> str:
    """Return what the bot plays in a position."""
    batch = Batch(1)
    batch.set_position(0, position)
    bot = make_agent(f"scripted:style={style}", SHITENNO)
    return action_name(int(bot.act(View.of(batch, np.arange(1)), batch.policy_rngs[:, 0].copy())[0]))


def played_out(position: str, actions: int) -> list[str]:
    """Return the first actions of the bot, who plays for everybody, from a position on."""
    batch = Batch(1)
    batch.set_position(0, position)
    bot = make_agent("scripted", SHITENNO)
    names = []
    for _ in range(actions):
        action = bot.act(View.of(batch, np.arange(1)), batch.policy_rngs[:, 0].copy())
        names.append(action_name(int(action[0])))
        batch.step(action)
    return names


TWO_LEFT = "phase=choose player=1 tairo=0 gained=0,0,3,4 lot_seals=1,2"


@pytest.mark.parametrize(("lot", "right"), [("koku_3:2,samurai:3", "pick_a"), ("bushi:1", "pick_b")])
def test_choose__one_lot_clearly_better__takes_it(lot, right):
    assert choice(f"{DIVISION} {TWO_LEFT} pool=bushi:1,samurai:3,koku_3:2 lot={lot}") == right


def test_choose__last_round__takes_the_troops_that_complete_a_payment_not_more_others():
    hands = "hand=/samurai:1,shinobi:1"
    pool = "pool=samurai:1,sohei:1,bushi:1"
    without_joker = TWO_LEFT.replace("gained=0,0,3,4 lot_seals=1,2", "gained=0,0,1,2 lot_seals=3,4")
    assert choice(f"{DIVISION} {LAST_ROUND} {without_joker} {hands} {pool} lot=sohei:1,bushi:1") == "pick_b"
    assert choice(f"{DIVISION} {LAST_ROUND} {without_joker} {hands} {pool} lot=samurai:1") == "pick_a"


def test_choose__last_round__takes_the_joker_that_completes_a_payment():
    hands = "hand=/samurai:1,shinobi:1"
    pool = "pool=samurai:1,sohei:1,bushi:1"
    assert choice(f"{DIVISION} {LAST_ROUND} {TWO_LEFT} {hands} {pool} lot=sohei:1,bushi:1") == "pick_a"


@pytest.mark.parametrize(("lot", "right"), [("samurai:3,koku_3:2", "accept"), ("", "refuse")])
def test_answer__a_lot_of_nearly_all_or_of_nothing__accepted_or_refused(lot, right):
    position = f"{DIVISION} phase=answer player=1 tairo=0 lot_seals=2 pool=bushi:1,samurai:3,koku_3:2"
    assert choice(position + (f" lot={lot}" if lot else "")) == right


def test_divide__two_equal_cards__one_to_each_lot():
    position = f"{DIVISION} phase=divide player=0 tairo=0 gained=0,0,3,4 pool=koku_3:2"
    steps = played_out(position, 2)
    assert steps[0] == "add_koku_3"
    assert steps[1] in ("seals_1", "seals_2")


def test_lot__three_players_left__keeps_to_its_plan_and_gives_about_a_share():
    pool = "pool=samurai:3,shinobi:3,koku_2:3"
    steps = played_out(f"{DIVISION} phase=form_lot player=0 tairo=0 gained=0,0,0,4 {pool}", 9)
    end = next(index for index, step in enumerate(steps) if step.startswith("seals"))
    assert 2 <= end <= 4  # nine cards, three players


def test_turn__last_round_and_it_can_pay__places():
    position = f"{TURN} phase=turn {LAST_ROUND} hand=samurai:2,shinobi:1 board={FRESH}"
    assert choice(position) == "chugoku_by_troops"


def test_turn__two_provinces_to_pay__places_where_it_scores_more():
    board = FRESH.replace("chugoku:shinobi", "chugoku:-/P1/P1/P1").replace("tohoku:samurai", "tohoku:shinobi")
    unturned = UNTURNED.replace("draw:2", "draw:1", 3)
    position = f"{TURN} phase=turn {LAST_ROUND} hand=samurai:3,shinobi:1 board={board}".replace(UNTURNED, unturned)
    assert choice(position) == "chugoku_by_troops"  # 9 points, not the 3 of others


def test_turn__draw_tile__is_used_before_anything_else():
    board, unturned = FRESH.replace("chubu:shinobi", "chubu:shinobi/P0"), UNTURNED.replace("draw:2", "draw:1", 1)
    position = f"{TURN} phase=turn tiles=draw:1 hand=samurai:2,shinobi:1 board={board}"
    assert choice(position.replace(UNTURNED, unturned)) == "draw"


def test_turn__first_round__places_at_once_unless_troops_kept_are_worth_more():
    position = TURN.replace("rank=4 seals=4,3,2,1", "rank=2 seals=2,3,4,1")
    position += f" phase=turn hand=bushi:3,samurai:1 board={FRESH.replace('kyushu:samurai', 'kyushu:sohei')}"
    assert choice(position, "greedy") == "tohoku_by_troops"
    assert choice(position, "balanced:troop=1") == "tohoku_by_troops"
    assert choice(position, "balanced:troop=9") == "end_turn"


PAY = f"{TURN} phase=pay target=chugoku board={FRESH}"


def test_pay__troops__with_the_card_that_wastes_nothing():
    hand = "hand=samurai:2,shinobi:1,bushi_shinobi:1"
    assert choice(f"{PAY} {hand} committed=samurai:2 last=4") == "pay_shinobi"


def test_pay__koku__exactly_and_with_the_fewest_cards():
    assert choice(f"{PAY} way=koku hand=koku_1:3,koku_2:2,koku_3:1") == "pay_koku_3"
    assert choice(f"{PAY} way=koku hand=koku_1:1,koku_2:3") == "pay_koku_1"  # 1 + 2, not 2 + 2


def test_pay__joker__used_where_it_may_be():
    position = PAY.replace("rank=4 seals=4,3,2,1", "rank=1 seals=1,3,2,4")
    assert choice(f"{position} hand=samurai:3,shinobi:1") == "pay_joker"


def test_sensei__turns_the_kamon_that_wins_a_majority():
    board = FRESH.replace("chugoku:shinobi", "chugoku:-/P1/P0/P1/P0").replace("kanto:samurai", "kanto:-/P0/P0/P0")
    unturned = UNTURNED.replace("draw:2", "draw:0", 3)
    position = f"{TURN} phase=sensei board={board}".replace("rank=4 seals=4,3,2,1", "rank=2 seals=2,3,4,1")
    assert choice(position.replace(UNTURNED, unturned)) == "flip_chugoku"
