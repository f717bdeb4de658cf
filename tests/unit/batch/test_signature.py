"""The signature: the hash of many seeded games of every combination of a game's options."""

import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any

from shogun_env import FULL_GAMES
from shogun_env.agents.scripted import STYLES
from shogun_env.batch.signature import combinations_of, signature
from tests.games import batch_class, each_game
from tests.tree import ROOT

COMBINATIONS = {"shogun": 72, "shitenno": 3}


@each_game
def test_signature__same_twice__and_by_number_of_games(name: str):
    make = batch_class(name)
    first = signature(make, 60)
    assert first == signature.__wrapped__(make, 60) != signature(make, 61)
    assert len(combinations_of(make)) == COMBINATIONS[name]


def test_signature__kept__are_the_rules_of_this_version():
    kept = json.loads((ROOT / "benchmarks" / "signatures.json").read_text("utf-8"))
    assert {name: kinds["rules"] for name, kinds in kept.items()} == {
        name: signature(batch_class(name)) for name in FULL_GAMES
    }


@each_game
def test_signature__of_the_bots__is_the_same_twice_and_depends_on_how_they_play(name: str, monkeypatch):
    loader = SourceFileLoader("signature_script", str(ROOT / ".ci" / "signature"))
    script: Any = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(script)
    monkeypatch.setattr(script, "SEARCH", "random")
    before = script.bots_signature(batch_class(name), 8)
    assert before == script.bots_signature(batch_class(name), 8)
    monkeypatch.setitem(STYLES, name, STYLES[name][:1] * len(STYLES[name]))
    assert script.bots_signature(batch_class(name), 8) != before
