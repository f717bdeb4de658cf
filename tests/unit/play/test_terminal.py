"""A game in a terminal."""

import random
import re

import pytest

from shogun_env.play.lessons import lessons_met
from shogun_env.play.terminal import play_in_terminal
from tests.games import each_game
from tests.unit.play.people import table_of


@pytest.mark.full
@each_game
def test_terminal__random_newcomer__plays_to_the_end_and_gets_each_explanation_once(name):
    table, chance, written = table_of(name), random.Random(8), []
    table.explain(0, True)

    def read(prompt: str) -> str:
        if table.draft(0).is_held:
            return ""
        return str(chance.randint(1, len(table.draft(0).legal())))

    play_in_terminal(table, read, written.append)
    assert table.game.is_over
    assert "over; " in written[-1]
    text = "".join(written)
    assert "The game is over.\n1. " in text
    assert f"you: {table.game.batch.points[0, 0]} points (" in text
    years = re.findall(r"; \d+ in year 1, \d+ in year 2\)", text)
    assert len(years) == (table.game.num_players if name == "shogun" else 0)
    met = [lesson["title"] for lesson in table.lessons(0)]
    assert [text.count(f"* {title} *") for title in met] == [1] * len(met)
    assert len(met) > 8
    lines, knows = table.game.lines(), table.game.spec.record_format.kinds.knows
    public = [line for line in lines if knows(0, line)]
    assert len(public) < len(lines)
    assert lessons_met(table.game, public, 0, "", 0) == lessons_met(table.game, lines, 0, "", 0)
    assert "A suggestion, not a rule: scripted would choose" in text


LESSONS = ("no explanations; l brings them", "* What the game is about *", "no more explanations")


def test_terminal__words__obey_or_explain():
    table, written = table_of("shitenno"), []
    answers = iter(["?", "h", "fly", "e", "l", "e", "l", "1", "fly", "u", "q"])
    play_in_terminal(table, lambda prompt: next(answers), written.append)
    text = "".join(written)
    for words in (
        "a number or a name chooses",
        "random would choose",
        "fly is not possible now",
        "confirm or undo it first",
        *LESSONS,
    ):
        assert words in text


def test_terminal__for_two_people__is_refused():
    with pytest.raises(ValueError, match="a terminal is for one"):
        play_in_terminal(table_of("shogun", people=(0, 1)), input, print)
