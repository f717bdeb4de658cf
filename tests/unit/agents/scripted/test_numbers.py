"""The numbers of the scripted bots, the constants that index them, and how a spec changes them."""

import importlib
import re

import pytest

from shogun_env.agents.scripted import NUMBERS
from shogun_env.policies import make_agent
from tests.games import each_engine


def table_of(engine):
    return NUMBERS[engine.spec.name]


@each_engine
def test_numbers__table__names_unique_values_within_bounds_all_explained(engine):
    table = table_of(engine)
    names = [number.name for number in table.numbers]
    assert len(set(names)) == len(names)
    for number in table.numbers:
        assert re.fullmatch(r"[a-z][a-z_]*", number.name)
        assert 0.0 <= number.value <= number.highest, number.name
        assert number.unit
        assert number.meaning


@each_engine
def test_numbers__constants_that_index_them__have_their_names_in_their_order(engine):
    """Two names that change places in one of the lists would exchange two weights of the bot."""
    module = importlib.import_module(f"shogun_env.agents.scripted.{engine.spec.name}.numbers")
    index_of = {name.lower(): value for name, value in vars(module).items() if isinstance(value, int)}
    assert index_of == {number.name: index for index, number in enumerate(table_of(engine).numbers)}


@each_engine
def test_numbers__styles__differences_that_change_known_numbers_within_bounds(engine):
    table = table_of(engine)
    values = {number.name: number.value for number in table.numbers}
    highest = {number.name: number.highest for number in table.numbers}
    first, *others = table.styles.items()
    assert first == ("balanced", {})
    for style, changes in others:
        assert changes, style
        for name, value in changes.items():
            assert 0.0 <= value <= highest[name], (style, name)
            assert value != values[name], (style, name)


@each_engine
def test_numbers__style_and_changes__differences_from_the_table(engine):
    table = table_of(engine)
    names = [number.name for number in table.numbers]
    usual, other, *_ = table.styles
    assert table.params_of(usual).tolist() == [number.value for number in table.numbers]
    (changed, value), *_ = table.styles[other].items()
    assert table.params_of(other)[names.index(changed)] == value
    assert table.params_of(other, **{changed: "0.75"})[names.index(changed)] == 0.75
    assert table.params_of(other, **{changed: None})[names.index(changed)] == value


@each_engine
@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("scripted:style=loud", "style='loud': must be one of balanced, {styles}$"),
        ("scripted:{number}=high", "{number}='high'"),
        ("scripted:{number}=99", "from 0 to {highest:g}"),
        ("scripted:{number}=nan", "from 0 to {highest:g}"),
        ("scripted:colour=red", "unknown parameter 'colour'; known are style, {numbers}$"),
        ("scripted:loud", "has no parameter 'loud'"),
        ("ppo", "path"),
        ("ppo:/nowhere/run", "network.npz"),
    ],
)
def test_spec__wrong__one_line_names_what_would_be_right(engine, spec, says):
    table = table_of(engine)
    words = {
        "styles": ", ".join(list(table.styles)[1:]),
        "number": table.numbers[0].name,
        "highest": table.numbers[0].highest,
        "numbers": ", ".join(number.name for number in table.numbers),
    }
    with pytest.raises(ValueError, match=says.format(**words)) as caught:
        make_agent(spec.format(**words), engine.spec)
    assert "\n" not in str(caught.value)
