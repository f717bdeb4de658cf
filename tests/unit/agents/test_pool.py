"""The reference pool: members that never change, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.agents import pool
from shogun_env.policies import make_agent, play_on
from tests.games import batch_class, each_game


@each_game
def test_pool__every_member__has_the_content_it_was_put_in_with_and_plays(name: str):
    spec = batch_class(name).spec
    assert list(pool.POOL[name]) == ["2min", "20min", "champion-0.2"]
    for member in pool.POOL[name]:
        batch = batch_class(name)(2, seed=1)
        play_on(
            batch,
            [make_agent(f"pool:{member}", spec), make_agent("random", spec)],
            np.array([[0, 1, 1, 1]] * 2, np.int8),
        )
        assert batch.over.all()


@each_game
def test_pool__files__each_belongs_to_one_member(name: str):
    members = [member for members in pool.POOL.values() for member in members.values()]
    assert len({member.file for member in members}) == len({member.sha256 for member in members}) == len(members)
    assert {path for path in pool.FOLDER.glob("*.npz")} <= {member.file for member in members}


def test_pool__unknown_name__refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"pool:5min: the pool of shogun has 2min, 20min, champion-0\.2"):
        make_agent("pool:5min", batch_class("shogun").spec)


def test_pool__other_content__refused(tmp_path, monkeypatch):
    member = pool.POOL["shogun"]["2min"]
    changed = tmp_path / "shogun_2min.npz"
    changed.write_bytes(member.file.read_bytes() + b"\0")
    monkeypatch.setitem(pool.POOL["shogun"], "2min", member._replace(file=changed))
    with pytest.raises(ValueError, match="must never change, but its content has another hash"):
        make_agent("pool:2min", batch_class("shogun").spec)


@pytest.mark.full
@each_game
def test_scripted__against_the_two_minute_bot__wins_more_than_its_share(name: str):
    seats = np.ones((160, 4), np.int8)
    seats[np.arange(160), np.arange(160) % 4] = 0
    batch = batch_class(name)(160, seed=11)
    play_on(batch, [make_agent(bot, batch.spec) for bot in ("scripted", "pool:2min")], seats)
    assert (batch.returns[seats == 0] > 0).mean() > 0.3  # 25 % is parity, and the spread of 160 games 3.4 %
