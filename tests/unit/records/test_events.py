"""Events: every line is in one, fights and what nobody may miss are apart, and the boards are those of the record."""

import pytest

from shogun_env.records.events import stop_of
from shogun_env.records.replay import replay, written
from tests.games import batch_class, each_game
from tests.unit.records.played import events_played, frames_played

ALONE = {"shogun": ("fight", "bids", "event", "winter", "score", "result"), "shitenno": ("control", "score", "result")}
"""Lines of which no step has two, and no two of which are in one step."""


def states_of(name, lines, event):
    """Return what a ``state`` line in an event says, and what the board after the event has."""
    line, g = next(line for line in lines[event.first : event.end] if line["t"] == "state"), event.after
    if name == "shitenno":
        return [line["points"], line["seals"], line["kamon"]], [g[key][: len(line["points"])].tolist() for key in
                                                                ("points", "seals", "kamon")]  # fmt: skip
    names = [str(name) for name in batch_class(name).spec.position_format.places]
    said = [line["provinces"][each][1] for each in names if each in line["provinces"]]
    shown = [int(g["armies"][prov]) for prov, each in enumerate(names) if each in line["provinces"]]
    tracks = ("chests", "rice", "points", "supply")
    return [said, *(line[key] for key in tracks)], [shown, *(g[key][: len(line["rice"])].tolist() for key in tracks)]


def check(name, lines, events):
    spec = batch_class(name).spec
    assert [at for event in events for at in range(event.first, event.end)] == list(range(1, len(lines)))
    for event in events:
        kinds = [line["t"] for line in lines[event.first : event.end]]
        assert sum(kind in ALONE[name] for kind in kinds) <= 1, kinds
        assert len(spec.record_format.fights(event.before, lines[event.first : event.end])) == kinds.count("throw")
        if "state" in kinds:
            said, shown = states_of(name, lines, event)
            assert said == shown


@each_game
def test_events__of_a_record__hold_every_line_once_and_its_boards(name):
    check(name, frames_played(name)[0], events_played(name))


@pytest.mark.parametrize("is_stepwise", [False, True])
@each_game
def test_stop__read_on_from_the_one_before__has_as_many_lines_as_the_whole_log(name, is_stepwise):
    stop, lines = None, frames_played(name)[0]
    for batch, _ in replay(batch_class(name), lines, stepwise=is_stepwise):
        stop = stop_of(batch, stop)
        assert stop.n_lines == len(written(batch))
    assert stop.n_lines == len(lines)


def test_fights__of_shogun__have_the_forces_before_and_the_holder_afterwards():
    spec, lines, seen = batch_class("shogun").spec, frames_played("shogun")[0], set()
    for event in events_played("shogun"):
        for fight in spec.record_format.fights(event.before, lines[event.first : event.end]):
            if fight.province is None:
                continue
            prov = list(spec.position_format.places).index(fight.province)
            did = next((line for line in lines[event.first : event.end] if line.get("result") == "attacked"), None)
            if did is not None:
                assert fight.sides[0] == (str(did["player"]), did["armies"] + did["bonus"]["attacker"])
            else:
                assert fight.sides[1] == (str(event.before["owner"][prov]), event.before["armies"][prov])
            owner = event.after["owner"][prov]
            assert (fight.holder, fight.remaining) == (None if owner < 0 else str(owner), event.after["armies"][prov])
            seen.add((fight.why, fight.holder is None))
    assert len(seen) == 4  # battles and revolts, with and without a holder
