"""Journals for tests, written without playing: bots ``a``, ``b``, … meet, and results are drawn."""

import numpy as np

from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import VERSION, line_of, read
from shogun_env.benchmarks.arena.settings import Settings


def start(**more):
    """Return the first event of a journal."""
    settings = Settings(**{"game": "shitenno", "variants": ({"num_players": 3},), "seed": 5, **more})
    return {
        "kind": "start", "version": VERSION, "settings": settings.in_journal(), "made_by": {}, "secret_sha256": None,
    }  # fmt: skip


def entry(bot, name, rating=None):
    """Return the event of a bot that enters."""
    return {"kind": "entry", "bot": bot, "name": name, "spec": name, "sha256": "0", "rating": rating}


def games(now, first, rng, strengths=None):
    """Return the event of a block of a round from its game ``first`` on, whose results are drawn."""
    which = np.arange(first, min(first + now.per_block, now.n_games))
    bots = now.bots(which)
    strength = np.zeros(100) if strengths is None else np.array(strengths)
    place = 1 + np.argsort(np.argsort(-(strength[bots] + rng.gumbel(size=bots.shape)), axis=1), axis=1)
    return {
        "kind": "games", "round": now.number, "first": first, "count": len(which),
        "seeds": (5 + now.first + which).tolist(),
        "place": place.tolist(), "points": (60 - 8 * place).tolist(), "faults": [], "seconds": {}, "records": [],
    }  # fmt: skip


def told(events):
    """Return the history of some events, and their lines."""
    history, lines = History(), []
    for values in events:
        line, event = line_of(values, history.chain)
        history.take(event)
        lines.append(line)
    return history, lines


def played(tables=(((0, 1, 2),) * 20,), names="abcd", strengths=None, rating=None, **more):
    """Return the events of a journal whose rounds have these tables, all games of which were played."""
    rng = np.random.default_rng(0)
    events = [start(**more), *(entry(bot, name, (rating or {}).get(name)) for bot, name in enumerate(names))]
    for number, some in enumerate(tables):
        events.append({"kind": "round", "number": number, "variant": 0, "tables": [list(table) for table in some]})
        now = told(events)[0].rounds[number]
        events += [games(now, first, rng, strengths) for first in range(0, now.n_games, now.per_block)]
    return events


def write(path, events):
    """Write events as a journal, with right hashes; they need not make sense."""
    before = ""
    with path.open("w") as stream:
        for values in events:
            line, event = line_of(values, before)
            stream.write(line)
            before = event.chain


def changed(path, target, change):
    """Write a journal in which ``change(number, values)`` is made of each event, with right hashes."""
    write(target, [change(number, dict(event.values)) for number, event in enumerate(read(path))])
