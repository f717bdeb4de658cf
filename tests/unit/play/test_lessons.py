"""A first game with explanations."""

import random
from collections import Counter

import pytest

from shogun_env.play.lessons import rule_text
from shogun_env.spec.voice import words
from tests.games import batch_class, each_game
from tests.unit.play.people import move, table_of


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
    table = table_of(name)
    table.explain(0, True)
    named = {heading for lesson in table.lessons(0) for heading, _ in lesson["words"]}
    known = {spec.terms.get(word, words(word)) for word in spec.glossary}
    assert named and named <= {word[0].upper() + word[1:] for word in known}


OPTIONS = {
    "shogun": [{"start": "draft"}, {"num_players": 5}],
    "shitenno": [{"num_players": players} for players in (2, 4)],
}


@pytest.mark.slow
@each_game
def test_lessons__in_some_games__all_come_and_each_is_new_once(name):
    seen = set()
    for number, options in enumerate(4 * OPTIONS[name]):
        table, chance = table_of(name, **options), random.Random(number)
        table.explain(0, True)
        times: Counter[str] = Counter()
        while not table.game.is_over:
            n_moves, new = len(table.game.moves), set()
            while len(table.game.moves) == n_moves:
                new |= {lesson["title"] for lesson in table.lessons(0) if lesson["new"]}
                move(table, chance)
            times.update(new)
        assert {*times.values()} == {1}
        seen |= {*times} | {lesson["title"] for lesson in table.lessons(0)}
    assert {lesson.title for lesson in batch_class(name).spec.lessons} - seen == set()
