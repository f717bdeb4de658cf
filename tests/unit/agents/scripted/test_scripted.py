"""The scripted bots: legal, the same compiled and asked, strong enough."""

import functools

import numpy as np
import pytest

from shogun_env.agents.scripted import NUMBERS, STYLES
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import answers
from shogun_env.policies import make_agent, play_on
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import Batch as ShogunBatch
from tests.games import FEW, KINDS
from tests.positions import decisions_of
from tests.zoo.bots import asked

KINDS_OF_GAMES = [
    (ShogunBatch, {"num_players": 3}),
    (ShogunBatch, {"num_players": 4, "side": "moon", "start": "draft", "optional_moves": True}),
    (ShogunBatch, {"num_players": 5, "start": "random", "tower": "one_shot"}),
    *((ShitennoBatch, {"num_players": players}) for players in (2, 3, 4)),
]


every_kind_of_game = pytest.mark.parametrize(("batch_class", "options"), KINDS_OF_GAMES)


every_game = pytest.mark.parametrize("batch_class", [ShogunBatch, ShitennoBatch])


def played(batch_class: type[Batch], bots, seats, **options):
    """Return games between bots, given by agents or specs, by who sits where."""
    batch = batch_class(len(seats), seed=11, **options)
    play_on(batch, [make_agent(bot, batch_class.spec) for bot in bots], np.asarray(seats, np.int8))
    return batch


@every_kind_of_game
def test_scripted__compiled_or_asked__same_games(batch_class, options):
    players = options["num_players"]
    seats = [[(player + row) % 2 for player in range(players)] for row in range(4)]
    style = STYLES[batch_class.spec.name][2]
    bots = [make_agent(spec, batch_class.spec) for spec in ("scripted", f"scripted:style={style}")]
    inside = played(batch_class, bots, seats, **options)
    outside = played(batch_class, [asked(bot) for bot in bots], seats, **options)
    assert inside.over.all()
    assert inside.games.tobytes() == outside.games.tobytes()
    assert (inside.decisions == outside.decisions).all()


@every_kind_of_game
def test_scripted__every_style_in_every_kind_of_game__only_legal_actions(batch_class, options):
    players = options["num_players"]
    bots = [f"scripted:style={style}" for style in STYLES[batch_class.spec.name]] + ["random"]
    seats = [[(row + player) % len(bots) for player in range(players)] for row in range(40)]
    assert played(batch_class, bots, seats, **options).over.all()  # the engine refuses a kernel's illegal action


@every_game
def test_scripted__every_number_at_its_lowest_and_at_its_highest__only_legal_actions(batch_class):
    """With a number of 0 nothing may be divided by it."""
    table = NUMBERS[batch_class.spec.name]
    seats = [[(row + player) % 3 for player in range(3)] for row in range(6)]
    for number in table.numbers:
        bots = [f"scripted:{number.name}=0", f"scripted:{number.name}={number.highest}", "scripted"]
        assert played(batch_class, bots, seats, num_players=3).over.all(), number.name
    nothing = ":".join(f"{number.name}=0" for number in table.numbers)
    assert played(batch_class, [f"scripted:{nothing}", "scripted"], [[0, 1, 0], [0, 0, 0]], num_players=3).over.all()


@every_game
def test_scripted__every_style_in_positions_of_random_players__answers_legally(batch_class):
    """A bot also has to go on with what others began: a plan, a lot, a payment, that it would never have begun."""
    name = batch_class.spec.name
    phases = set()
    for number, options in enumerate(KINDS[name][:FEW]):
        decisions = decisions_of(name, options, games=20, seed=number, bots=["random"])
        rows = np.arange(len(decisions))
        for style in STYLES[name]:
            actions = answers(
                decisions, make_agent(f"scripted:style={style}", batch_class.spec).compiled, batch_class.spec
            )
            bad = np.flatnonzero(decisions.masks[rows, actions] == 0)
            assert len(bad) == 0, (style, options, [batch_class.spec.action_name(own) for own in actions[bad]])
        (phase,) = (piece for piece in batch_class.spec.obs_layout if piece.name == "phase")
        phases |= set(decisions.observations[:, phase.start : phase.stop].argmax(1).tolist())
    assert phases == set(range(batch_class.spec.phase_names.index("over")))


@pytest.mark.full
@every_game
def test_scripted__against_three_random__wins_nine_games_in_ten(batch_class):
    seats = np.ones((200, 4), np.int8)
    seats[np.arange(200), np.arange(200) % 4] = 0
    batch = played(batch_class, ["scripted", "random"], seats)
    assert (batch.returns[seats == 0] > 0.9).mean() > 0.9


@every_game
def test_scripted__every_number__changes_how_it_plays(batch_class):
    tables = [{"num_players": 4}, {"num_players": 4, "start": "draft"}]
    tables = tables if batch_class is ShogunBatch else tables[:1]
    few, many = (np.zeros((count, 4), np.int8) for count in (6, 60))
    tries = [(seats, options) for seats in (few, many) for options in tables]  # a few games are enough for most

    @functools.cache
    def games(bot, number):
        seats, options = tries[number]
        return played(batch_class, [bot], seats, **options).games.tobytes()

    for name, value, highest, *_ in NUMBERS[batch_class.spec.name].numbers:
        changed = f"scripted:{name}={min(highest, value / 3 + highest / 2)}"
        assert any(games("scripted", number) != games(changed, number) for number in range(len(tries))), name
