"""The scripted bots: legal, strong enough, their numbers of use."""

import functools

import numpy as np
import pytest

from shogun_env.agents.scripted import NUMBERS, STYLES
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import answers
from shogun_env.policies import make_agent, play_on
from shogun_env.shares import wins
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import Batch as ShogunBatch
from tests.games import FEW, KINDS, each_engine
from tests.positions import decisions_of

KINDS_OF_GAMES = [
    (ShogunBatch, {"num_players": 3}),
    (ShogunBatch, {"num_players": 4, "side": "moon", "start": "draft", "optional_moves": True}),
    (ShogunBatch, {"num_players": 5, "start": "random", "tower": "one_shot"}),
    *((ShitennoBatch, {"num_players": players}) for players in (2, 3, 4)),
]


def played(batch_class: type[Batch], bots, seats, **options):
    """Return games between bots, given by agents or specs, by who sits where."""
    batch = batch_class(len(seats), seed=11, **options)
    play_on(batch, [make_agent(bot, batch_class.spec) for bot in bots], np.asarray(seats, np.int8))
    return batch


@pytest.mark.parametrize(("batch_class", "options"), KINDS_OF_GAMES)
def test_scripted__every_style_in_every_kind_of_game__only_legal_actions(batch_class, options):
    players = options["num_players"]
    bots = [f"scripted:style={style}" for style in STYLES[batch_class.spec.name]] + ["random"]
    seats = [[(row + player) % len(bots) for player in range(players)] for row in range(40)]
    assert played(batch_class, bots, seats, **options).over.all()  # the engine refuses a kernel's illegal action


@each_engine
def test_scripted__every_number_at_its_lowest_and_at_its_highest__only_legal_actions(engine):
    """With a number of 0 nothing may be divided by it."""
    table = NUMBERS[engine.spec.name]
    seats = [[(row + player) % 3 for player in range(3)] for row in range(6)]
    for number in table.numbers:
        bots = [f"scripted:{number.name}=0", f"scripted:{number.name}={number.highest}", "scripted"]
        assert played(engine, bots, seats, num_players=3).over.all(), number.name
    nothing = ":".join(f"{number.name}=0" for number in table.numbers)
    assert played(engine, [f"scripted:{nothing}", "scripted"], [[0, 1, 0], [0, 0, 0]], num_players=3).over.all()


@each_engine
def test_scripted__every_style_in_positions_of_random_players__answers_legally(engine):
    """A bot also has to go on with what others began: a plan, a lot, a payment, that it would never have begun."""
    name = engine.spec.name
    phases = set()
    for number, options in enumerate(KINDS[name][:FEW]):
        decisions = decisions_of(name, options, games=20, seed=number, bots=["random"])
        rows = np.arange(len(decisions))
        for style in STYLES[name]:
            bot = make_agent(f"scripted:style={style}", engine.spec).compiled
            actions = answers(decisions, bot, engine.spec)
            bad = np.flatnonzero(decisions.masks[rows, actions] == 0)
            assert len(bad) == 0, (style, options, [engine.spec.action_name(own) for own in actions[bad]])
        assert (answers(decisions, bot, engine.spec, seed=1) == actions).all(), "it draws"
        (phase,) = (piece for piece in engine.spec.obs_layout if piece.name == "phase")
        phases |= set(decisions.observations[:, phase.start : phase.stop].argmax(1).tolist())
    assert phases == set(range(engine.spec.phase_names.index("over")))


@pytest.mark.full
@each_engine
def test_scripted__against_three_random__wins_nine_games_in_ten(engine):
    bots = [make_agent(bot, engine.spec) for bot in ("scripted", "random")]
    assert wins(engine, *bots, np.arange(50), {}).mean() > 0.9


@each_engine
def test_scripted__every_number__changes_how_it_plays(engine):
    tables = [{"num_players": 4}, {"num_players": 4, "start": "draft"}]
    tables = tables if engine is ShogunBatch else tables[:1]
    few, many = (np.zeros((count, 4), np.int8) for count in (6, 60))
    tries = [(seats, options) for seats in (few, many) for options in tables]  # a few games are enough for most

    @functools.cache
    def games(bot, number):
        seats, options = tries[number]
        return played(engine, [bot], seats, **options).games.tobytes()

    for name, value, highest, *_ in NUMBERS[engine.spec.name].numbers:
        changed = f"scripted:{name}={min(highest, value / 3 + highest / 2)}"
        assert any(games("scripted", number) != games(changed, number) for number in range(len(tries))), name
