"""The end of a game, and what is kept when a program is started again."""

import json
from typing import Any

import pytest

from shogun_env.__main__ import main
from shogun_env.play import command
from shogun_env.play.house import House
from shogun_env.play.server import Pages
from shogun_env.play.view import end_of
from tests.games import each_game
from tests.unit.play.people import ended_table, table_of


@each_game
def test_end__of_a_game__adds_up_and_is_empty_before(name: str):
    assert end_of(table_of(name).game) == []
    table = ended_table(name)
    end, game = end_of(table.game), table.game
    assert sorted(each["player"] for each in end) == list(range(game.num_players))
    assert [each["player"] for each in end if each["place"] == 1] == game.winners
    for each in end:
        assert each["points"] == game.batch.points[0, each["player"]] == sum(points for _, points in each["sources"])
        years = {"shogun": ["year 1", "year 2"], "shitenno": []}[name]
        assert [words for words, _ in each["years"]] == years
        assert not years or each["points"] == sum(points for _, points in each["years"])
    assert [each["place"] for each in end] == sorted(each["place"] for each in end)


def test_another_game__before_the_end__is_refused_and_after_it_all_pages_see_it(tmp_path):
    pytest.importorskip("bottle")
    house = House(tmp_path)
    going_on = Pages(table_of("shitenno"), house=house)
    with pytest.raises(ValueError, match="another game begins when this one is over"):
        going_on._again()
    before = ended_table("shitenno")
    pages = Pages(before, house=house)
    pages._again()
    assert pages.table is not before
    assert (pages.table.bots, pages.table.game.options) == (before.bots, before.game.options)
    assert pages.table.versions[0] > before.versions[0]


def test_play__same_command_again__resumes_with_port_and_addresses(tmp_path, monkeypatch, capsys):
    pytest.importorskip("bottle")

    def stopped_at_once(pages: Pages, port: int) -> Any:
        server = real(pages, port)
        monkeypatch.setattr(server, "serve_forever", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
        return server

    real = command.serve
    monkeypatch.setattr(command, "serve", stopped_at_once)
    arguments = ["play", "--game", "shitenno", "--against", "random,random", "--out", str(tmp_path)]
    printed = []
    for more in ([], [], ["--new"], ["--people", "0,1", "--against", "random"]):
        assert not main([*arguments, *more])
        printed.append(next(line for line in capsys.readouterr().out.splitlines() if "http" in line))
    assert printed[0] == printed[1]
    assert len(set(printed)) == 3, "--new and other players begin another game"
    kept = next(tmp_path.glob(".*.json.pages"))
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.write_text(json.dumps({"port": "no", "tokens": []}))
    assert command._read_address(kept) == (0, {})


def test_play__another_game__is_resumed_where_the_page_was(tmp_path, monkeypatch, capsys):
    pytest.importorskip("bottle")
    real, at_end = command.serve, [True]

    def another_game_at_first(pages: Pages, port: int) -> Any:
        server = real(pages, port)

        def served() -> None:
            if at_end.pop() if at_end else False:
                pages.table.game.batch.play(["random"] * pages.table.game.num_players)
                pages._again()
            raise KeyboardInterrupt

        monkeypatch.setattr(server, "serve_forever", served)
        return server

    monkeypatch.setattr(command, "serve", another_game_at_first)
    arguments = ["play", "--game", "shitenno", "--against", "random,random", "--out", str(tmp_path)]
    printed = []
    for _ in range(2):
        assert not main(arguments)
        printed.append(next(line for line in capsys.readouterr().out.splitlines() if "http" in line))
    assert printed[0] == printed[1]
    assert len(list(tmp_path.glob(".*.json.pages"))) == 2
