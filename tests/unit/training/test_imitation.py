"""Imitation: the lessons of a teacher, and what a learner makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.agents.network import Network
from shogun_env.policies import make_agent
from shogun_env.training import selfplay
from shogun_env.training.config import load_config
from shogun_env.training.imitation import imitate, play_lessons
from shogun_env.training.runs import Run
from tests.games import each_engine

pytest.importorskip("sb3_contrib")


@each_engine
def test_lessons__of_the_teacher_alone__its_own_choices(engine):
    teacher = make_agent("scripted", engine.spec)
    lessons = play_lessons(engine(4, reward="rank"), teacher, np.random.default_rng(0))
    assert lessons.masks[np.arange(len(lessons.actions)), lessons.actions].all()
    function, params = teacher.compiled
    for index in range(0, len(lessons.actions), 97):
        mask = lessons.masks[index].astype(np.int8)
        again = function(lessons.observations[index], mask, np.zeros(2, np.uint64), params)
        assert again == lessons.actions[index]
    assert len(np.unique(lessons.returns)) > 1
    assert np.abs(lessons.returns).max() == 1


@pytest.mark.slow
@each_engine
def test_imitation__half_a_minute__beats_random(engine, tmp_path):
    run = Run.create(tmp_path / "r", load_config(engine.spec), engine)
    learner, _ = selfplay.make(run)
    imitate(learner.policy, engine(32, reward="rank"), "scripted", 30.0, 2e-3, lambda spent, text: None)
    learner.policy.set_training_mode(False)
    assert selfplay.win_share(Network(learner.policy, engine.spec), "random", engine, {}, games=200) > 0.5
