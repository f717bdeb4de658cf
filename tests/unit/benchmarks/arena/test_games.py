"""What a journal says: columns that do not depend on the order of its blocks, and refusals of what cannot be."""

import numpy as np
import pytest

from shogun_env.benchmarks.arena.games import MEETINGS_PER_BLOCK, History
from tests.unit.benchmarks.arena.journals import entry, played, start, told, write


def test_games__order_of_blocks__does_not_matter():
    events = played(tables=(((0, 1, 2),) * 60, ((1, 2, 3),) * 30))
    first = told(events)[0]
    blocks = [at for at, event in enumerate(events) if event["kind"] == "games"]
    assert len(blocks) == 3 + 2
    swapped = list(events)
    swapped[blocks[0]], swapped[blocks[2]] = events[blocks[2]], events[blocks[0]]
    second = told(swapped)[0]
    assert first.n_games == second.n_games == 270
    for one, other in zip(first.games, second.games, strict=True):
        assert (one == other).all()
    assert first.games.seed.tolist() == list(range(5, 275))


def test_round__games__are_all_rotations_of_its_tables():
    now = told(played(tables=(((0, 1, 2), (3, 1, 0)),)))[0].rounds[0]
    assert now.bots(np.arange(6)).tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [3, 1, 0], [1, 0, 3], [0, 3, 1]]
    assert now.per_block == 3 * MEETINGS_PER_BLOCK


def test_games__of_variants_of_several_sizes__have_bot_minus_1_where_nobody_sits():
    variants = ({"num_players": 2}, {"num_players": 3})
    history = told(played(tables=(), variants=variants))[0]
    assert history.games.bots.shape == (0, 3)
    events = [start(variants=variants), *(entry(bot, name) for bot, name in enumerate("ab"))]
    events.append({"kind": "round", "number": 0, "variant": 0, "tables": [[0, 1]]})
    block = {"kind": "games", "round": 0, "block": 0, "seeds": [5, 6], "place": [[1, 2], [1.5, 1.5]],
             "points": [[9, 3], [4, 4]], "faults": [[0, 1, {"late": 2}]], "seconds": {"1": [0.5, 7]},
             "records": []}  # fmt: skip
    history = told([*events, block])[0]
    assert history.games.bots.tolist() == [[0, 1, -1], [1, 0, -1]]
    assert history.games.wins.tolist() == [[1, 0, 0], [0.5, 0.5, 0]]
    assert history.games.faulty.tolist() == [[False, True, False], [False] * 3]
    assert dict(history.faults[0, 1]) == {"late": 2}
    assert history.seconds[1].tolist() == [0.5, 7]


def wrong_events():
    good = played()
    block = good[-1]
    rounds = {"kind": "round", "number": 1, "variant": 0, "tables": [[0, 1, 2]]}
    settings = start()["settings"]
    return {
        "an entry twice": (entry(4, "a"), "looks like the name of a"),
        "an entry that looks alike": (entry(4, " \uff21"), "looks like the name of a"),
        "an entry out of order": (entry(7, "e"), "out of order"),
        "two lines in a name": (entry(4, "e\nf"), "one printable line"),
        "a name that moves the cursor": (entry(4, "e\x1b[31m"), "one printable line"),
        "a long name": (entry(4, "e" * 201), "one printable line of 1 to 200 letters"),
        "no name": (entry(4, "  "), "one printable line"),
        "a round twice": ({**rounds, "number": 0}, "a round out of order"),
        "a round of another variant": ({**rounds, "variant": 3}, "a round out of order"),
        "a table too small": ({**rounds, "tables": [[0, 1]]}, "tables must have 3 bots each"),
        "no tables": ({**rounds, "tables": []}, "tables must have 3 bots each"),
        "a bot that is not there": ({**rounds, "tables": [[0, 1, 9]]}, "a bot that does not play"),
        "a block twice": (block, "games of no round, or twice"),
        "an unknown mark": ({"kind": "mark", "name": "z", "mark": "back", "why": ""}, "z: no bot of this name"),
        "a secret that is none": ({"kind": "secret", "secret": "xyz"}, "must be hexadecimal digits"),
        **{
            f"{says} {number}": ({**block, name: value}, says)
            for name, says, values in (
                ("place", "place must be 60 x 3 numbers", (None, [[1, 2, 3]], [["1", "2", "3"]] * 60)),
                ("points", "points must be 60 x 3 numbers", ([[1, 2, 3.5]] * 60, [[1, 2]] * 60, {"a": 1}, [[10**30]])),
                ("seeds", "seeds must be 60 numbers", ([1] * 59, "x" * 60)),
                ("faults", "faults is", ([5], [[0, 0, {"dance": 1}]], [[True, 0, {}]])),
                ("faults", "faults of game", ([[0, 9, {}]], [[99, 0, {}]])),
                ("seconds", "seconds is", ([], {"x": [1, 2]}, {"1": [1, "2"]}, {"1": [1]})),
                ("seconds", "seconds of bot 9: there is no such", ({"9": [1, 2]},)),
                ("records", "records", (["0"], ["0" * 64])),
            )
            for number, value in enumerate(values)
        },
        **{
            f"setting {name}": ({**start(), "settings": {**settings, name: value}}, name)
            for name, value in (
                ("game", "chess"), ("variants", []), ("variants", [{"num_players": 99}]), ("agents", [5]), ("seed", -1),
                ("schedule", "x"), ("variants", [{"num_players": 3, "dance": 1}]), ("memory_mb", "much"),
                ("variants", [{}]), ("conditions", None),
            )
        },
        "no settings": ({**start(), "settings": 5}, "the settings is 5"),
        "another version": ({**start(), "version": 2}, "version is 2"),
    }  # fmt: skip


@pytest.mark.parametrize("what", wrong_events())
def test_history__event_that_cannot_be__is_refused_in_one_line(what, tmp_path):
    event, says = wrong_events()[what]
    events = played()
    at = len(events) - 1 if event["kind"] == "games" and "twice" not in what else len(events)
    events = [event] if event["kind"] == "start" else [*events[:at], event]
    write(tmp_path / "j", events)
    with pytest.raises(ValueError) as raised:
        History.at(tmp_path / "j")
    assert f"line {len(events)}: " in str(raised.value)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_history__withdrawn_bot__plays_no_more_and_the_reason_is_one_line():
    mark = {"kind": "mark", "name": " A ", "mark": "blamed", "why": "it\x1b[31m\nlied"}
    history = told([*played(), mark])[0]
    assert [each.plays for each in history.entries] == [False, True, True, True]
    assert history.entries[0].why == "it[31m lied"
    with pytest.raises(ValueError, match="a bot that does not play"):
        told([*played(), mark, {"kind": "round", "number": 1, "variant": 0, "tables": [[0, 1, 2]]}])
