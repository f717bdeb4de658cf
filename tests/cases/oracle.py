"""Plays rule cases on the oracles, and compares all that the engine did in them."""

import pytest

from shogun_env.game import Game
from tests.cases.language import Case
from tests.cases.runner import setting_of
from tests.differential.oracle.chance import Chance
from tests.differential.oracles import ORACLES, game_of
from tests.differential.shitenno.play import SHITENNO
from tests.differential.shogun.play import SHOGUN
from tests.differential.versus import Step, compare, compare_game

VERSUS = {versus.name: versus for versus in (SHOGUN, SHITENNO)}


def compare_with_oracle(case: Case, game: Game) -> None:
    """Play on the oracle what the engine has played, and compare decisions, masks, states, lines and returns."""
    versus, g, where = VERSUS[case.game], game.batch.games[0], f"{case.name} on the oracle"
    setting = setting_of(case)
    if setting is None:
        oracle = game_of(case.game, game.options, Chance(ORACLES[case.game].chance_of(game.record())))
    else:
        oracle = versus.game_at(setting.g, game.lines())
    compare_game(versus, oracle, steps_of(game), game.lines(), where)
    compare(versus, oracle, g, game.batch.legal[0], f"{where}, end")
    for reward in game.spec.rewards:
        assert game.returns(reward) == pytest.approx(oracle.returns(reward)), f"{where}: returns"
    assert oracle.table.chance.left() == 0


def steps_of(game: Game) -> list[Step]:
    """Return what was before each decision of a game, and what was decided."""
    past, steps = game.copy(), []
    while past.moves:
        move = past.undo()
        batch = past.batch
        steps.append(
            Step(batch.games[0].copy(), batch.player[0], batch.legal[0].copy(), past.legal_actions()[move.action])
        )
    return steps[::-1]
