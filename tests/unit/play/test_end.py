"""The end of a game, and what is kept when a program is started again."""

import json
import socket
from typing import Any

import pytest

from shogun_env.__main__ import main
from shogun_env.play import command
from shogun_env.play.house import LAST, House
from shogun_env.play.saving import save_name
from shogun_env.play.server import Pages
from shogun_env.play.table import Table
from shogun_env.play.view import end_of
from tests.games import each_game
from tests.refusals import refusal
from tests.unit.play.people import GAMES, Browser, ended_table, table_of


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


def test_another_game__before_the_end__is_refused_and_after_it_every_page_leads_there(tmp_path):
    house = House(tmp_path)
    with pytest.raises(ValueError, match="another game begins when this one is over"):
        house.another(table_of("shitenno"))
    before = ended_table("shitenno", people=(0, 2))
    host = Browser.at(before, pages=Pages(house))
    guest, watcher = (Browser.at(before, seat, host.pages) for seat in (2, -1))
    seen = guest.ask("state")[1]
    assert guest.ask("rematch", {"version": seen["version"]})[0] == 200
    assert host.ask("rematch", {"version": host.ask("state")[1]["version"]})[0] == 200, "to the same table"
    (table,) = [each for each in house.tables.values() if each is not before]
    assert (len(table.bots), table.game.options) == (1, before.game.options)
    assert host.ask("state")[1]["next"] == host.pages.path(table.name)
    assert guest.ask("state")[1]["next"] == host.pages.path(table.name, table.people[1])
    assert watcher.ask("state")[1]["next"] == host.pages.path(table.name, -1)


def test_another_game__explains_to_those_who_wanted_it_and_leaves_what_the_host_chose_last(tmp_path):
    house, before = House(tmp_path), ended_table("shitenno", people=(0, 1))
    before.explain(1, True)
    table = house.another(before)
    assert table.learners == {table.people[1]} and not (tmp_path / LAST).exists()
    assert Table.resume(tmp_path / save_name("shitenno", table.seed), GAMES["shitenno"]).learners == table.learners


def test_play__same_command_again__resumes_with_port_and_addresses(tmp_path, monkeypatch, capsys):
    pytest.importorskip("bottle")

    def stopped_at_once(pages: Pages, port: int, host: str) -> Any:
        server = real(pages, port, host)
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
    kept = tmp_path / command.ADDRESS
    before, other = kept.read_text(), House(tmp_path)
    other.lock(kept)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert not main([*arguments, "--port", str(port)])
    assert kept.read_text() == before, "the address of a process that still serves the folder"
    other.close()
    assert kept.stat().st_mode & 0o777 == 0o600
    for damaged in ({"port": "no", "token": []}, {"port": float("inf"), "token": "a"}, {"port": 8000, "token": "a/b"}):
        kept.write_text(json.dumps(damaged))
        assert command._read_address(kept) == (0, "")


@pytest.mark.parametrize("where", ["--port 70000", "--port PORT", "--host 0.0.0.0"])
def test_play__where_no_page_can_be__is_refused_before_a_game_begins(where, tmp_path, capsys):
    pytest.importorskip("bottle")
    with socket.create_server(("127.0.0.1", 0)) as other:
        more = where.replace("PORT", str(other.getsockname()[1])).split()
        arguments = ["play", "--game", "shitenno", "--against", "random", "--out", str(tmp_path), *more]
        assert f"{more[0].removeprefix('--')} {more[1]}: " in refusal(capsys, main, *arguments)
    assert not [*tmp_path.iterdir()]
