"""Shogun's scripted bot: one plan, positions in which one choice is clearly right."""

import re

from shogun_env.agents.scripted.shogun import make_scripted
from shogun_env.agents.scripted.shogun.trace import explanation
from shogun_env.shogun import SHOGUN, Game, board
from shogun_env.shogun.board import SPACE_NAMES

ACTIONS = "action_at=confiscate_rice,collect_taxes,battle_move_a,build_castle,battle_move_b"
SPECIALS = "special_at=plus_1_chest,plus_1_attack,plus_1_rice,plus_1_defence,six_armies"
EVENTS = "event_card=castle_defence-2:open,temple_peace-4:open,taxes_at_least_6-2:open,fewer_recruits-1:open"
LAST = "event_card=castle_defence-2:open,temple_peace-4:open,taxes_at_least_6-2:used,fewer_recruits-1:used"
HEAD = f"shogun/1 n_players=3 phase=plan player=0 {ACTIONS} {SPECIALS}"
TOWER = "tower=1,3/1,1,2,0,0,3"
FINAL = LAST + ",no_theatre_calms-5:used,two_farmers-3:used,castle_defence-6:used,temple_peace-3:used"
OTHERS = "Tajima:P1*2,Harima:P1*2,Echizen:P2*2,Kaga:P2*2"


def game_at(*fields: str) -> Game:
    """Return a game in which player 0 begins to plan in spring of year 1, with some fields."""
    return Game(position=" ".join((HEAD, TOWER, *fields)))


def plan_of(game: Game, bot: str = "scripted") -> dict[str, str]:
    """Return the cards that the bot lays for player 0 on all spaces, while the others do nothing worth a look."""
    cards = {}
    while game.phase == "plan":
        card = game.suggest(bot if game.player == 0 else "random")
        if game.player == 0:
            cards[SPACE_NAMES[int(game.batch.games["space"][0])]] = card
        game.play(card)
    return cards


def board_of(*places: str) -> str:
    """Return the field of the board."""
    return f"board={','.join((*places, OTHERS))}"


OWN = ("Yamato:P0*3", "Kii:P0*2", "Ise:P0*2", "Omi:P0*2", "Mino:P0*2", "Owari:P0*2", "Suruga:P0*2", "Izu:P0*2")


def test_plan__other_cards_laid_before__is_completed_with_the_cards_that_are_left():
    game = game_at("year=1 chests=10,10,10", EVENTS, board_of(*OWN))
    game.play("Yamato")
    cards = plan_of(game)
    assert "Yamato" not in cards.values()
    assert len([card for card in cards.values() if card in board.PROVINCE_NAMES]) >= 5


def test_plan__no_armies_to_spare_and_nobody_near__no_battle_from_a_single_army():
    places = [place.replace("*2", "*1") for place in OWN]
    cards = plan_of(game_at("year=1 chests=10,10,10", EVENTS, board_of(*places)))
    lone = {place.split(":")[0] for place in places[1:]}
    assert cards["battle_move_a"] not in lone or len(set(cards.values()) & lone) == len(lone)


def test_plan__rice_far_above_need_in_autumn__the_best_rice_is_not_confiscated():
    poor = plan_of(game_at("year=1 season=autumn chests=5,5,5 rice=0,9,9", LAST, board_of(*OWN)))
    rich = plan_of(game_at("year=1 season=autumn chests=5,5,5 rice=18,9,9", LAST, board_of(*OWN)))
    rice = dict(zip(board.PROVINCE_NAMES, board.RICE.tolist(), strict=True))
    assert rice[poor["confiscate_rice"]] == max(rice[place.split(":")[0]] for place in OWN)
    assert rich["confiscate_rice"] != poor["confiscate_rice"]


def test_bid__last_season_and_chests_left_over__they_are_bid():
    last = plan_of(game_at("year=2 season=autumn chests=30,3,3 rice=18,9,9", FINAL, board_of(*OWN)))
    assert last["bid"] == "chest_4"


def test_bid__first_season_and_hardly_a_chest__none_is_bid():
    first = plan_of(game_at("year=1 chests=2,18,18", EVENTS, board_of(*OWN)))
    assert first["bid"] in ("chest_0", *board.PROVINCE_NAMES)


def test_bid__more_provinces_than_actions__a_spare_one_is_bid():
    more = ("Etchu:P0*2", "Noto:P0*2", "Shinano:P0*2", "Musashi:P0*2", "Sagami:P0*2")
    cards = plan_of(game_at("year=1 chests=8,8,8", EVENTS, board_of(*OWN, *more)))
    assert cards["bid"] in board.PROVINCE_NAMES


def test_plan__strong_neighbours__armies_are_deployed_beside_them():
    places = ("Yamato:P0*1CT", *OWN[1:])
    cards = plan_of(game_at("year=1 chests=10,10,10", EVENTS, f"{board_of(*places)},Tamba:P1*8,Settsu:P1*8"))
    assert cards["deploy_5_armies"] in ("Omi", "Kii", "Yamato")


def test_plan__one_chest_only__no_castle_is_planned_that_cannot_be_paid():
    cards = plan_of(game_at("year=1 chests=1,9,9 rice=9,9,9", EVENTS, board_of(*OWN, "Etchu:P0*2", "Noto:P0*2")))
    taxes_first = cards["collect_taxes"] in board.PROVINCE_NAMES
    assert cards["build_castle"] not in board.PROVINCE_NAMES or taxes_first


def test_trace__of_a_plan_and_of_a_target__shows_the_terms():
    game = Game(seed=3)
    bot = make_scripted(SHOGUN)
    phases, plans, marches = set(), 0, 0
    while not game.is_over and (len(phases) < 3 or not marches):
        text = explanation(game.observation(), game.batch.legal[0], bot.compiled[1])
        if game.phase == "target":
            owner, near = game.batch.games[0]["owner"], re.findall(r"^(\S+) +(own: march|chance)", text, re.M)
            own = [int(owner[list(board.PROVINCE_NAMES).index(name)]) == game.player for name, _ in near]
            assert near and own == [word == "own: march" for _, word in near]
            marches += sum(own)
        if game.phase == "plan" and text:  # once for a whole plan
            assert "rice short" in text
            assert all(name in text for name in ("danger", "best attack"))
            plans += 1
        phases.add(game.phase)
        game.play(game.suggest(bot))
    assert "target" in phases and plans and marches
