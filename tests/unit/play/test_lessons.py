"""A first game with explanations."""

import pytest

from shogun_env.play.lessons import rule_text
from tests.games import batch_class, each_game


@each_game
def test_lessons__of_a_game__explain_every_kind_of_decision_with_what_there_is(name):
    spec = batch_class(name).spec
    lessons = spec.lessons
    explained = [phase for lesson in lessons for phase in lesson.phases]
    assert sorted(explained) == sorted({*spec.phase_names} - {"over"}), "each exactly once"
    assert len({lesson.title for lesson in lessons}) == len(lessons)
    assert [word for lesson in lessons for word in lesson.words if word not in spec.glossary] == []
    assert all(len(rule_text(spec, lesson.rule)) > 40 for lesson in lessons)
    with pytest.raises(ValueError, match="no paragraph of the short rules"):
        rule_text(spec, "Nowhere")
