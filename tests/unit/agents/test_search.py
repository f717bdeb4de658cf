"""The bot that searches: legal, blind to what is hidden, the same whatever else it plays, no worse than its base."""

import numpy as np
import pytest

from shogun_env.agents.network.agent import save_network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.agents.search import agent, lots, plans
from shogun_env.agents.search.agent import make_search
from shogun_env.agents.search.halving import Question, go_on
from shogun_env.agents.search.timing import Pace, next_lap
from shogun_env.batch.loops import NO_ACTION
from shogun_env.batch.rollouts import roll_out
from shogun_env.policies import View, ask, make_agent, play_on
from shogun_env.shikoku import SHIKOKU
from shogun_env.shitenno import SHITENNO
from shogun_env.shitenno import Batch as Shitenno
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import Batch as Shogun
from shogun_env.shogun import constants as c
from tests.games import batch_class, each_game

SMALL = "search:plan_rollouts=16:rollouts=8"


def played(bot: str, name: str, games: int, players: int, seed: int = 0):
    """Play games of one search bot, at a seat that rotates, against its base."""
    batch = batch_class(name)(games, num_players=players, seed=seed)
    seats = np.ones((games, players), np.int8)
    seats[np.arange(games), np.arange(games) % players] = 0
    play_on(batch, [make_agent(bot, batch.spec), make_agent("scripted", batch.spec)], seats)
    return batch


@each_game
@pytest.mark.full
def test_search__smallest_budget__plays_whole_games(name: str):
    batch = played("search:plan_rollouts=4:rollouts=4", name, 4, 3)
    assert batch.over.all() and not batch.check().any()


def test_search__threads__same_games():
    one, four = (played(f"{SMALL}:threads={threads}", "shogun", 3, 3) for threads in (1, 4))
    assert (one.games == four.games).all()


def test_search__states_that_differ_in_what_is_hidden__equal_choices():
    batch = Shogun(6, seed=3)
    base = make_agent("scripted", batch.spec)
    for stage in ("plan", "round", "plan"):
        batch.play([base.compiled], 0, until=stage)
        other = batch.take()
        other.redeal(None, batch.player, 77)
        other.policy_rngs[...] = batch.policy_rngs
        rows = np.arange(6)
        choices = [ask(make_agent(SMALL, batch.spec), one.take(), rows) for one in (batch, other)]
        assert (choices[0] == choices[1]).all()


def test_search__row_alone__same_choice_and_search_as_among_others():
    batch = Shogun(5)
    batch.reset(seeds=[3, 3, 4, 3, 5])  # where seats are rotated, games have equal seeds

    def searched(rows: np.ndarray) -> list[tuple[int, str]]:
        bot, view = make_agent(SMALL, batch.spec), View.of(batch, rows)
        actions = bot.act(view, batch.policy_rngs[rows, batch.player[rows]].copy())
        return list(zip(actions.tolist(), bot.explain(view), strict=True))

    together = searched(np.arange(5))
    assert all(text for _, text in together)
    assert together == [searched(np.array([row]))[0] for row in range(5)]


@pytest.mark.parametrize("players", [(0,), (0, 2)], ids=["one player", "two players of a game"])
def test_search__plan_of_the_first_space__is_played_on_all_spaces_without_another_search(players: tuple[int, ...]):
    batch = Shogun(2, seed=3)
    bot, base = make_agent(SMALL, batch.spec), make_agent("scripted", batch.spec)
    seats = np.zeros((2, 4), np.int8)
    seats[:, players] = -1
    first: dict[int, np.ndarray] = {}
    while True:
        batch.play([base.compiled], seats, until="plan")
        if (batch.phase != c.PLAN).any():
            break
        player = int(batch.player[0])
        batch.step(ask(bot, batch, np.arange(2)))
        first.setdefault(player, batch.policy_rngs[:, player].copy())
    assert tuple(sorted(first)) == players
    assert all((batch.policy_rngs[:, player] == draws).all() for player, draws in first.items())


def test_search__other_cards_laid_than_planned__searches_again():
    batch = Shogun(1, seed=3)
    bot, base = make_agent(SMALL, batch.spec), make_agent("scripted", batch.spec)
    ask(bot, batch, np.arange(1))
    batch.step([np.flatnonzero(batch.legal[0])[-1]])
    batch.play([base.compiled], np.array([-1, 0, 0, 0], np.int8))
    view = View.of(batch, np.arange(1))
    before = batch.policy_rngs[0, :1].copy()
    action = int(bot.act(view, before)[0])
    assert batch.legal[0, action] == 1


KINDS = {
    SHOGUN: ["champion:greedy=false", "scripted", "pool:champion-by-hand:greedy=false"],
    SHITENNO: ["champion:greedy=false", "scripted"],
}
OVER = {"base": "champion"}


@pytest.mark.parametrize(
    ("game", "settings", "plays_on", "kinds", "critic"),
    [
        (SHOGUN, {}, "scripted", ["scripted"], None),
        (SHOGUN, {"critic": "champion"}, "scripted", ["scripted"], "champion"),
        (SHOGUN, OVER, "scripted", KINDS[SHOGUN], "champion"),
        (SHOGUN, OVER | {"play_on": "random", "critic": "fitted"}, "random", KINDS[SHOGUN], None),
        (SHOGUN, OVER | {"play_on": "champion", "critic": "pool;2min"}, "champion", KINDS[SHOGUN], "pool:2min"),
        (SHOGUN, OVER | {"model": "pool;2min"}, "scripted", ["pool:2min"], "champion"),
        (SHITENNO, OVER, "champion", KINDS[SHITENNO], None),
        (
            SHITENNO,
            OVER | {"play_on": "scripted", "model": "random+champion"},
            "scripted",
            ["random", "champion"],
            None,
        ),
    ],
)
def test_search__unless_told_otherwise__knows_who_plays_on_what_kinds_the_others_are_and_its_critic(
    game, settings, plays_on, kinds, critic
):
    bot = make_search(game, **settings)
    assert bot.base.compiled[0].__name__ == make_agent(settings.get("base", "scripted"), game).compiled[0].__name__
    assert bot.policies[0][0].__name__ == make_agent(plays_on, game).compiled[0].__name__
    expected = [make_agent(kind, game).compiled for kind in kinds]
    assert [(function.__name__, params.tobytes()) for function, params in bot.policies[1:]] == [
        (function.__name__, np.asarray(params, np.float64).tobytes()) for function, params in expected
    ]
    if critic is None:
        assert bot.critic is None
    else:
        assert bot.critic[1].tobytes() == make_agent(critic, game).compiled[1].tobytes()


def test_search__critic__is_asked_about_whole_plans_and_other_decisions(monkeypatch):
    asked = set()

    def watched(*positions, plans, worth, **more):
        asked.update((bool(plan[0, 0] != NO_ACTION), worth.critic is not None) for plan in plans)  # of player 0
        return roll_out(*positions, plans=plans, worth=worth, **more)

    monkeypatch.setattr(agent, "roll_out", watched)
    bot, scripted = make_search(SHOGUN, base="champion", plan_rollouts=8, rollouts=8), make_agent("scripted", SHOGUN)
    batch = Shogun(1, seed=3)
    while len(asked) < 2:
        batch.play([scripted.compiled], [-1, 0, 0, 0])
        batch.step(ask(bot, batch, np.arange(1)))
    assert asked == {(True, True), (False, True)}


def test_search__without_settings__has_those_of_the_game():
    shogun, shitenno = make_search(SHOGUN).settings, make_search(SHITENNO, rollouts=9).settings
    assert (shogun.horizon, shogun.plan_rollouts, shogun.rollouts) == ("mixed", 800, 120)
    assert (shitenno.horizon, shitenno.plan_rollouts, shitenno.rollouts) == ("round", 120, 9)
    with pytest.raises(ValueError, match="horizon='mixed': must be round or game"):
        make_search(SHITENNO, horizon="mixed")


def test_search__mixed_horizon__is_the_round_and_in_the_last_two_rounds_the_game():
    batch = Shogun(2, seed=3)
    bot, base = make_search(SHOGUN, horizon="mixed"), make_agent("scripted", SHOGUN)
    for end in ("round", "round", "round", "round", None, None):
        assert bot._ends(batch, is_valued=True) == [end, end]
        batch.play([base.compiled], 0, until="round")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"horizon": "month"}, "horizon='month': must be plan, round, year, game or mixed"),
        ({"rollouts": 1}, "rollouts=1: must be a finite number, at least 4"),
        ({"gate": -1.0}, "gate=-1: must be a finite number, at least 0"),
        ({"ms": float("inf")}, "ms=inf: must be a finite number, at least 0"),
        ({"ms": 50.0, "rollouts": 60}, "ms=50 and rollouts=60: give milliseconds or numbers of rollouts, not both"),
        ({"threads": 0}, "threads=0: must be a finite number, at least 1"),
        ({"base": "nobody"}, "unknown agent 'nobody'"),
        ({"critic": "scripted"}, "critic of search: must be a network, such as champion, or fitted"),
    ],
)
def test_search__bad_parameters__are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        make_search(SHOGUN, **values)


@pytest.mark.parametrize("spec", [SHITENNO, SHIKOKU], ids=lambda spec: spec.name)
def test_search__critic_in_a_game_in_which_none_is_asked__is_refused(spec, tmp_path):
    shape = Shape(spec, Sizes(4, 8, 4))
    save_network(tmp_path / "network.npz", spec, shape.sizes, shape.random_weights(0))
    network = f"ppo;{tmp_path / 'network.npz'}"
    with pytest.raises(ValueError, match=f"critic of search: in {spec.name} no network is asked, only critic=fitted"):
        make_search(spec, critic=network)
    assert make_search(spec, base=network).critic is None


def test_mutants__of_a_plan__are_different_legal_plans():
    batch = Shogun(1, seed=3)
    drafter, mask, rng = make_agent("scripted", batch.spec).compiled, batch.legal[0], np.random.default_rng(1)
    view = (batch, int(batch.player[0]), batch.observe()[0], mask)
    first, more = plans.candidates(*view, [drafter, drafter], 8, rng)
    wholes = first + more(first[:1], 30)
    assert len({plan.tobytes() for plan in wholes}) == len(wholes) == 38
    for plan in wholes:
        cards = plan[plan != c.A_NO_CARD]
        assert len(set(cards.tolist())) == len(cards) and mask[plan[0]] == 1


def test_plans__of_a_network__come_with_those_of_the_bot_that_plays_on():
    batch = Shogun(1, seed=3)
    champion, scripted = (make_agent(bot, SHOGUN).compiled for bot in ("champion", "scripted"))
    view = (batch, int(batch.player[0]), batch.observe()[0], batch.legal[0])
    theirs = plans.first_plans(scripted[0].planner, scripted[1], *view[2:], 1, np.random.default_rng(1))[0]
    for second, has_theirs in ((scripted, True), (champion, False)):
        wholes, _ = plans.candidates(*view, [champion, second], 12, np.random.default_rng(1))
        assert (wholes[0] == plans.sampled_plans(*view[:2], champion, 1)[0]).all()
        assert (theirs.tobytes() in {plan.tobytes() for plan in wholes}) == has_theirs


def dividing(seed: int = 3) -> Shitenno:
    """Return games of Shitennō in which a player has begun a lot, or begins one."""
    batch = Shitenno(8, num_players=3, seed=seed)
    batch.play([make_agent("scripted", batch.spec).compiled], 0, until="round")
    assert lots.is_whole(batch.observe()[0])
    batch.step([int(np.flatnonzero(mask)[0]) for mask in batch.legal])
    return batch.take(np.flatnonzero([lots.is_whole(row) and len(lots.begun(row)) == 1 for row in batch.observe()]))


@pytest.mark.parametrize("base", ["scripted", "champion"])
def test_lots__candidates_and_mutants__go_on_from_what_is_begun_and_are_legal(base: str):
    batch, drafter = dividing(), make_agent(base, SHITENNO).compiled
    for row in range(batch.num_games):
        observation, mask, game = batch.observe()[row], batch.legal[row], batch.take([row])
        rng = np.random.default_rng(row)
        first, more = lots.candidates(game, int(batch.player[row]), observation, mask, [drafter, drafter], 12, rng)
        wholes = first + more(first[:2], 12)
        assert len({lot.tobytes() for lot in wholes}) == len(wholes) > 12
        for lot in wholes:
            begun, played = lots.begun(observation), game.take()
            assert (lot[: len(begun)] == begun).all()
            for action in lot[len(begun) :]:
                if played.player[0] == batch.player[row]:  # the last tile may have been given by itself
                    played.step([action])
            assert played.player[0] != batch.player[row]


def test_search__lot__is_formed_as_it_was_chosen_without_another_search():
    batch = Shitenno(3, num_players=3, seed=5)
    bot, deciders = make_agent(SMALL, batch.spec), batch.player.copy()
    batch.step(ask(bot, batch, np.arange(3)))
    draws = batch.policy_rngs.copy()
    while len(rows := np.flatnonzero(batch.player == deciders)):
        batch.step(ask(bot, batch, rows), rows)
    assert (batch.policy_rngs == draws).all()


def question(budget: int, weight: float = 1.0) -> Question:
    rng = np.random.default_rng(3)
    return Question(root=0, player=0, candidates=[0, 1, 2, 3], rng=rng, budget=budget, weight=weight)


def search_to_the_end(asked: Question, roll_out) -> None:
    while go_on([asked], roll_out):
        pass


class Bandit:
    """Rollouts of four candidates, of which number 2 is best; each takes a millisecond of the clock ``time``."""

    def __init__(self) -> None:
        self.noise, self.played = np.random.default_rng(5).standard_normal((4, 100_000)), 0

    def time(self) -> float:
        return self.played / 1000

    def roll_out(self, questions, jobs):
        self.played += len(jobs)
        return np.array([self.noise[0, seed] + self.noise[i, seed] / 3 + (i == 2) / 2 for _, i, seed in jobs])


def test_halving__one_candidate_clearly_better__is_answered_and_a_high_gate_keeps_the_first():
    asked = question(200)
    search_to_the_end(asked, Bandit().roll_out)
    assert asked.answer(1.5) == 2
    assert asked.answer(1e9) == 0
    assert sum(map(len, asked.values)) <= 1.5 * asked.budget


def test_halving__stopped_after_any_number_of_rollouts__has_an_answer_and_resumes_to_the_same_end():
    whole, pieces = question(200), question(200)
    assert whole.answer(1.5) == 0 and "of 4 candidates" in whole.report(str)
    search_to_the_end(whole, Bandit().roll_out)
    bandit, answers = Bandit(), []
    while go_on([pieces], bandit.roll_out, 7):
        answers.append(pieces.answer(1.5))
    assert answers[0] == 0 and answers[-1] == 2
    assert [values.tolist() for values in pieces.values] == [values.tolist() for values in whole.values]


@pytest.mark.parametrize("speed", [100.0, 1000.0, 50_000.0])
def test_pace__whatever_speed_was_expected__uses_the_time_and_no_more(speed: float):
    bandit = Bandit()
    pace = Pace(bandit.time)
    pace.speed = speed
    plan, action = question(pace.first_lap(3.0)[1]), question(pace.first_lap(1.0)[1], weight=1 / 3)
    pace.search([plan, action], bandit.roll_out, 3.0, begin=0.0)
    assert 3.5 < bandit.time() <= 4.0 + 64 / 1000
    assert plan.answer(1.0) == action.answer(1.0) == 2


def test_laps__longer_and_longer__keep_what_was_found_and_draw_fresh_seeds():
    asked = question(40)
    for _ in range(3):
        search_to_the_end(asked, Bandit().roll_out)
        rollouts = [len(values) for values in asked.values]
        asked.open_lap(next_lap(asked.budget, 1000))
    assert min(rollouts) >= 10 and max(rollouts) == rollouts[2] > 2 * min(rollouts)
    assert len(set(asked.seeds.tolist())) == 40 + 80 + 160 + 320
    assert asked.answer(1.0) == 2  # of the last complete lap


class Ticks:
    """A clock that a look at takes two milliseconds."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return 0.002 * self.looks


@each_game
def test_search__milliseconds__play_whole_games(name: str):
    batch = batch_class(name)(1, num_players=3, seed=4)
    bot = make_agent("search:ms=8", batch.spec)
    bot.pace.clock = Ticks()
    play_on(batch, [bot, make_agent("scripted", batch.spec)], np.array([[1, 0, 1]], np.int8))
    assert batch.over.all() and not batch.check().any()


@pytest.mark.full
@pytest.mark.parametrize("bot", [f"{SMALL}:base=scripted;style=builder", f"{SMALL}:base=random:model=pool;2min"])
def test_search__other_bases__play_whole_games(bot: str):
    assert played(bot, "shogun", 1, 3).over.all()
