"""Run folders: a run is not resumed when its game has changed."""

from __future__ import annotations

import json

import pytest

from shogun_env.training.config import load_config
from shogun_env.training.runs import Run
from tests.games import each_engine

pytest.importorskip("sb3_contrib")


@each_engine
def test_run__game_has_changed__not_resumed(engine, tmp_path):
    config = load_config(engine.spec)
    Run.create(tmp_path / "r", config, engine)
    about = json.loads((tmp_path / "r" / "run.json").read_text())
    with pytest.raises(ValueError, match="holds a run already"):
        Run.create(tmp_path / "r", config, engine)
    for name, value, says in (("signature", "0", "signature"), ("card", {**about["card"], "layout": "x"}, "layout")):
        (tmp_path / "r" / "run.json").write_text(json.dumps({**about, name: value}))
        with pytest.raises(ValueError, match=says):
            Run.open(tmp_path / "r", engine)
