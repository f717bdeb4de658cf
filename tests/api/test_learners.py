"""Learners of others at a task: what they have learnt is a bot that plays as their own library says."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO

from clients import learners
from shogun_env.envs.sb3 import MaskedVecEnv
from shogun_env.policies import make_agent
from shogun_env.shares import wins
from shogun_env.shitenno import Batch
from shogun_env.views import View


@pytest.mark.slow
@pytest.mark.parametrize("library", ["sb3", "cleanrl"])
def test_learners__a_short_run__is_a_bot_that_chooses_legal_actions(library, tmp_path, capsys):
    path = tmp_path / "bot.zip"
    arguments = [library, "--game", "shitenno", "--decisions", "64", "--seed", "3", "--out", str(path)]
    assert learners.main(arguments) == 0
    spec = capsys.readouterr().out.split()[-1]
    assert spec == f"clients/learners.py:{library}:{path}"
    bot = make_agent(f"{learners.__file__}:{library}:{path}", Batch.spec)
    won = wins(Batch, bot, make_agent("random", Batch.spec), np.arange(2), {})
    assert won.shape == (2, 4)


def test_learners__sb3__bot_plays_what_the_library_predicts_from_the_environment(tmp_path):
    envs = MaskedVecEnv(Batch, 4, opponents="random")
    model = MaskablePPO("MlpPolicy", envs, n_steps=2, batch_size=4, seed=1)
    model.save(tmp_path / "bot.zip")
    observations = envs.reset()
    predicted, _ = model.predict(observations, action_masks=envs.batch.legal, deterministic=True)
    bot = learners.sb3(Batch.spec, str(tmp_path / "bot.zip"))
    chosen = bot.act(View.of(envs.batch, np.arange(4)), np.zeros((4, 2), np.uint64))
    assert chosen.tolist() == predicted.tolist() and len(set(chosen.tolist())) >= 1
