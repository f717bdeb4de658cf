"""Answers as actions."""

import pytest

from shogun_env.agents.chat.answers import UnusableError, action_in, object_in

LEGAL = ["Awa-Boso", "Kaga", "chest_1", "chest_10", "armies_3"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kaga", "Kaga"),
        ("  **kaga**.\n\n", "Kaga"),
        ("First Kaga or chest_1?\nI choose `Awa-Boso`", "Awa-Boso"),
        ("armies 3", "armies_3"),
        ("chest_10", "chest_10"),
        ("<think>chest_1\n</think>\nKaga it is", "Kaga"),
        ("chest_1 is weak\n</think>\n\nKaga", "Kaga"),
        ("<think>a <think>b</think> chest_1</think>\nKaga", "Kaga"),
        ("<reasoning>chest_1</reasoning>I am sure about Kaga.", "Kaga"),
        ("I will not play chest_1.\nKaga", "Kaga"),
        ("I will not wait, but play Kaga.", "Kaga"),
    ],
)
def test_action__named_in_the_last_line__is_read(text, expected):
    assert action_in(text, LEGAL) == expected


def test_action__whose_name_is_a_word_of_doubt__can_be_chosen_in_a_sentence():
    assert action_in("Answer: **refuse**.", ["accept", "refuse"]) == "refuse"
    with pytest.raises(UnusableError, match="does not clearly choose refuse"):
        action_in("I would rather not refuse.", ["accept", "refuse"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("<think>Kaga</think> …", "empty"),
        ("Kaga or chest_1", "names 2 actions: Kaga, chest_1"),
        ("Boso", "'Boso', names none"),
        ("chest_11", "names none"),
        ("<think>\nThe north is weak, so maybe Kaga", "cut off in its thoughts"),
        ("<think>a</think><thinking>\nI could play\nKaga", "cut off in its thoughts"),
        ("I will not play Kaga", "'I will not play Kaga', does not clearly choose Kaga"),
        ("I can\u2019t play Kaga.", "does not clearly choose Kaga"),
        ("Anything rather than Kaga", "does not clearly choose Kaga"),
        ("Should it be Kaga?", "does not clearly choose Kaga"),
    ],
)
def test_action__unclear_answer__is_refused_with_the_reason(text, why):
    with pytest.raises(UnusableError, match=why):
        action_in(text, LEGAL)


def test_object__the_last_one__is_read_with_plain_names():
    text = 'Not {"bid": 1} and {this}, but\n```json\n{"Bid": "Kaga", "build castle": "chest_1"}\n```'
    assert object_in(text) == {"bid": "Kaga", "build_castle": "chest_1"}


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"bid": '])
def test_object__none_in_the_answer__is_refused(text):
    with pytest.raises(UnusableError, match="holds no JSON object"):
        object_in(text)


def test_object__in_thoughts_that_were_cut_off__is_refused():
    with pytest.raises(UnusableError, match="cut off in its thoughts"):
        object_in('<think>\nFirst idea {"build_castle": "Kaga"} but')
