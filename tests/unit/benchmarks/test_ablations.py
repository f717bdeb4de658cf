"""Ablations: what each network lacks, and that results are kept and not measured again."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra [rl]")

from shogun_env.agents.network.shape import Sizes
from shogun_env.benchmarks import ablations
from shogun_env.shogun import Batch as Shogun
from tests.games import each_engine
from tests.refusals import refusal

SMALL = ["--seeds", "1", "--decisions", "100", "--games", "4"]


def numbers_of(shape, observations):
    """Return the number of columns of the view and its values that are neither 0 nor 1."""
    views = shape.view.show(observations)
    return shape.view.size, views[(views != 0) & (views != 1)]


@each_engine
def test_networks__each__lacks_what_its_name_says(engine):
    batch = engine(20, seed=1)
    batch.play(["random"], 0, until=engine.spec.engine.stages[0])
    observations, sizes = batch.observe(), Sizes(row=4, trunk=8, value=4)
    shapes = {name: build(engine.spec, sizes) for name, build in ablations.NETWORKS.items()}
    size, values = numbers_of(shapes["all"], observations)
    assert numbers_of(shapes["no board features"], observations)[0] < size
    assert numbers_of(shapes["no units"], observations)[0] == size
    assert np.mean(numbers_of(shapes["no units"], observations)[1]) < 0.7 * np.mean(values)  # mostly tiny
    assert numbers_of(shapes["no flags"], observations)[0] < size
    assert shapes["no flags"].pools == (None,)
    plain, small = shapes["no sharing: plain, on `flat`"], shapes["plain, on bytes"]
    assert plain.rows == small.rows == 0
    assert plain.view.size > small.view.size == engine.spec.obs_size
    assert small.view.show(observations).max() <= 1


@pytest.mark.full
def test_ablations__again_with_one_more_seed__measures_what_is_missing(tmp_path, capsys, monkeypatch):
    out = tmp_path / "deep" / "results.jsonl"
    monkeypatch.setattr(ablations, "NETWORKS", {name: ablations.NETWORKS[name] for name in ("all", "plain, on bytes")})
    command = ["--game", "shitenno", *SMALL, "--out", str(out)]
    assert ablations.main(command) == 0
    first = out.read_text()
    assert len(first.splitlines()) == 2
    assert ablations.main([*command, "--seeds", "2"]) == 0
    assert out.read_text().startswith(first)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted((line["network"], line["seed"]) for line in lines) == [
        ("all", 0), ("all", 1), ("plain, on bytes", 0), ("plain, on bytes", 1),
    ]  # fmt: skip
    assert all(line["decisions"] >= 100 and line["cpu_seconds"] > 0 for line in lines)
    assert "| plain, on bytes" in capsys.readouterr().out
    assert "give another --out" in refusal(capsys, ablations.main, *command, "--decisions", "101")


@pytest.mark.full
def test_measure__same_seed__same_result_but_for_time():
    results = [ablations.measure(Shogun.spec.name, "all", 3, decisions=1, games=4) for _ in range(2)]
    for result in results:
        del result["cpu_seconds"]
    assert results[0] == results[1]
    assert set(results[0]["shares"]) == set(ablations.AGAINST)
