"""The reference pool: members that never change, and what is refused."""

import numpy as np
import pytest

from shogun_env.agents import pool
from shogun_env.policies import make_agent, play_on
from shogun_env.shares import wins
from tests.games import batch_class, each_game


@each_game
def test_pool__every_member__has_the_content_it_was_put_in_with_and_plays(name: str):
    spec = batch_class(name).spec
    champions = ["champion-0.2", "champion-by-hand", "champion-0.4"]
    assert list(pool.POOL[name]) == ["2min", "20min", *champions, "exploiter"]
    for member in pool.POOL[name]:
        batch = batch_class(name)(2, seed=1)
        bots = [make_agent(bot, spec) for bot in (f"pool:{member}", "random")]
        play_on(batch, bots, np.array([[0, 1, 1, 1]] * 2, np.int8))
        assert batch.over.all()


def test_pool__files__each_is_a_member():
    files = {f"{game}_{name}.npz" for game, members in pool.POOL.items() for name in members}
    assert {path.name for path in pool.FOLDER.glob("*.npz")} <= files


def test_pool__member__takes_the_likeliest_action_unless_told_otherwise():
    spec = batch_class("shitenno").spec
    usual, greedy, drawing = (make_agent(f"pool:2min{more}", spec) for more in ("", ":greedy=yes", ":greedy=no"))
    assert usual.compiled[1].tobytes() == greedy.compiled[1].tobytes() != drawing.compiled[1].tobytes()


def test_pool__unknown_name__refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"pool:5min: the pool of shogun has 2min, 20min, champion-0\.2"):
        make_agent("pool:5min", batch_class("shogun").spec)


def test_pool__other_content__refused(tmp_path, monkeypatch):
    (tmp_path / "shogun_2min.npz").write_bytes((pool.FOLDER / "shogun_2min.npz").read_bytes() + b"\0")
    monkeypatch.setattr(pool, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="must never change, but its content has another hash"):
        make_agent("pool:2min", batch_class("shogun").spec)


@pytest.mark.full
@each_game
def test_scripted__against_the_two_minute_bot__wins_more_than_its_share(name: str):
    bots = [make_agent(bot, batch_class(name).spec) for bot in ("scripted", "pool:2min")]
    share = wins(batch_class(name), *bots, np.arange(40), {}).mean()
    assert share > 0.3  # 25 % is parity, and the spread of 160 games 3.4 %
