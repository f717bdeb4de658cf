"""The command that prints the signatures: of the rules, and of the bots."""

import json
from pathlib import Path

import pytest

import shogun_env.benchmarks.signature as signature_module
from shogun_env import FULL_GAMES
from shogun_env.agents.scripted import STYLES
from shogun_env.batch.signature import signature
from shogun_env.benchmarks.signature import bots_signature
from shogun_env.commands import run_command
from tests.games import batch_class, each_game


@pytest.mark.full
def test_signature__command__prints_both_hashes(capsys: pytest.CaptureFixture[str]):
    assert run_command("signature", ["--game", "shitenno", "--games", "8"]) == 0
    rules, bots = signature(batch_class("shitenno"), 8), bots_signature(batch_class("shitenno"), 8)
    assert capsys.readouterr().out.strip() == f"rules={rules} bots={bots}"


@each_game
def test_signature__of_the_bots__is_the_same_twice_and_depends_on_how_they_play(name: str, monkeypatch):
    monkeypatch.setattr(signature_module, "SEARCH", "random")
    before = bots_signature(batch_class(name), 8)
    assert before == bots_signature(batch_class(name), 8)
    assert len(before) == 16
    with monkeypatch.context() as patch:
        patch.setattr(signature_module, "SEARCH", "scripted")
        assert bots_signature(batch_class(name), 8) != before
    monkeypatch.setitem(STYLES, name, STYLES[name][:1] * len(STYLES[name]))
    assert bots_signature(batch_class(name), 8) != before


def test_signature__check_after_a_change__names_the_game_and_write_settles_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    kept = {"shogun": {"rules": "1" * 16, "bots": "2" * 16}, "shitenno": {"rules": "3" * 16, "bots": "4" * 16}}
    (tmp_path / "signatures.json").write_text(json.dumps(kept))
    monkeypatch.setattr(signature_module, "KEPT", tmp_path / "signatures.json")
    now = {**kept, "shogun": {"rules": "1" * 16, "bots": "5" * 16}}
    monkeypatch.setattr(signature_module, "signatures", lambda game: now[game])
    assert run_command("signature", ["--check"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"shogun: rules={'1' * 16} bots={'5' * 16}, but")
    assert run_command("signature", ["--write"]) == 0
    assert run_command("signature", ["--check"]) == 0


def test_signature__kept__are_the_rules_of_this_version():
    kept = json.loads(signature_module.KEPT.read_text("utf-8"))
    assert {name: kinds["rules"] for name, kinds in kept.items()} == {
        name: signature(batch_class(name)) for name in FULL_GAMES
    }
