"""What a bot is made of: all of its folder, and nothing that happens to be called like a bot of the package."""

import pytest

from shogun_env.agents.fingerprint import MOST_FILES, fingerprint, made_of, missing_file
from shogun_env.agents.parts import parts_of
from shogun_env.commands import run_command
from shogun_env.shitenno import SHITENNO
from tests.tree import ROOT


@pytest.fixture
def bot(tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text("import helper\n\n\ndef make(game_spec, luck=0.5):\n    raise SystemExit\n")
    (folder / "helper.py").write_text("one = 1\n")
    return folder


def of(spec):
    return fingerprint(spec, SHITENNO)


def test_fingerprint__of_a_bot_in_a_file__is_that_of_its_whole_folder(bot):
    """Only the file that the spec named counted: a bot whose helper changed played on under its name."""
    specs = [f"{bot}/bot.py:make", f"exec:python {bot}/bot.py --level=3"]
    before = [of(spec) for spec in specs]
    (bot / "helper.py").write_text("one = 2\n")
    after = [of(spec) for spec in specs]
    assert all(one != other for one, other in zip(before, after, strict=True))
    (bot / "data").mkdir()
    (bot / "data" / "weights").write_bytes(b"\0")
    assert of(specs[0]) != after[0]
    kept = of(specs[0])
    (bot / "__pycache__").mkdir()
    (bot / "__pycache__" / "helper.pyc").write_bytes(b"\0")
    (bot / ".git").mkdir()
    (bot / ".git" / "index").write_bytes(b"\0")
    (bot / "out").mkdir()
    (bot / "out" / "journal.jsonl").write_bytes(b"\0")
    (bot / "out" / "report.html").write_bytes(b"\0")
    assert of(specs[0]) == kept, "what runs leave behind is not the bot"
    assert of(f"{bot}/bot.py:make:luck=0.9") != kept


@pytest.mark.parametrize("spec", ["bot/bot.py:make:{}", "bot/bot.py:make:net={}", "exec:python bot/bot.py --net={}"])
def test_fingerprint__of_a_bot_that_is_given_weights__counts_them_and_no_folder_called_like_its_function(
    bot, spec, tmp_path, monkeypatch
):
    """Other weights in the same file were the same bot: a tournament went on with them under its name."""
    monkeypatch.chdir(tmp_path)
    found = []
    for run in ("one", "two", "two"):
        (tmp_path / run).mkdir(exist_ok=True)
        (tmp_path / run / "net.npz").write_text(run)
        (tmp_path / "make").mkdir(exist_ok=True)
        (tmp_path / "make" / f"{len(found)}").touch()
        found.append(of(spec.format(f"{run}/net.npz")))
    assert found[0] != found[1] == found[2]
    (tmp_path / "two" / "net.npz").write_text("three")
    assert of(spec.format("two/net.npz")) != found[2]


def test_fingerprint__does_not_follow_links_or_depend_on_the_place(bot, tmp_path):
    (bot / "link").symlink_to("/etc")
    first = of(f"{bot}/bot.py:make")
    assert of(f"{bot}/../bot/bot.py:make") == first
    bot.rename(tmp_path / "moved")
    assert of(f"{tmp_path}/moved/bot.py:make") == first


def test_fingerprint__of_a_file_that_is_a_link__is_that_of_the_file_that_is_loaded(bot, tmp_path):
    """A link counted as nothing, so that two bots under one link were one."""
    first = of(f"{bot}/bot.py:make")
    (bot / "bot.py").write_text("import helper\n")
    changed = of(f"{bot}/bot.py:make")
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "bot.py").symlink_to(bot / "bot.py")
    assert of(f"{tmp_path}/link/bot.py:make") == changed != first


def test_fingerprint__of_a_folder_in_which_an_arena_plays__counts_the_python_files(bot):
    """Such a folder counted as nothing, so that a bot that had changed played on under its name."""
    found = []
    for text in ("one = 1\n", "one = 2\n"):
        (bot / "helper.py").write_text(text)
        found.append(fingerprint(f"{bot}/bot.py:make", SHITENNO, bot))
        (bot / "journal.jsonl").write_text(text)
        assert of(f"{bot}/bot.py:make") == found[-1]
    assert found[0] != found[1]


def test_fingerprint__of_a_bot_of_the_package__reads_no_file_of_its_name(tmp_path, monkeypatch):
    """A folder called like the bot was hashed as a file of the bot."""
    monkeypatch.chdir(tmp_path)
    before = of("scripted"), of("random")
    (tmp_path / "scripted").mkdir()
    (tmp_path / "scripted" / "x").write_text("x")
    (tmp_path / "random").write_text("x")
    assert (of("scripted"), of("random")) == before
    assert len({*before, of("scripted:style=greedy")}) == 3


def test_made_of__a_network__is_its_weights_and_not_the_log_beside_them(tmp_path):
    pool = {name: (ROOT / "agents" / "pool" / f"shitenno_{name}.npz").read_bytes() for name in ("2min", "20min")}
    network = tmp_path / "network.npz"
    network.write_bytes(pool["2min"])
    first = made_of(f"ppo:{network}", SHITENNO)
    assert first == made_of("pool:2min", SHITENNO)
    (tmp_path / "log").write_text("more")
    assert made_of(f"ppo:{network}", SHITENNO) == first
    network.write_bytes(pool["20min"])
    assert made_of(f"ppo:{network}", SHITENNO) != first


def test_fingerprint__of_a_file_among_very_many__counts_what_is_next_to_it(bot):
    for number in range(MOST_FILES + 1):
        (bot / f"{number}.txt").touch()
    before = of(f"{bot}/bot.py:make")
    (bot / "0.txt").write_text("x")
    assert of(f"{bot}/bot.py:make") == before
    (bot / "helper.py").write_text("one = 2\n")
    assert of(f"{bot}/bot.py:make") != before


def test_tournament__in_the_folder_of_a_bot__plays_and_goes_on(bot, monkeypatch):
    """What the run wrote before its journal was there counted as the bot's, so that the bot had changed at once."""
    monkeypatch.chdir(bot)
    source = "class First:\n    def act(self, view, rng):\n        return view.masks.argmax(1)\n"
    (bot / "mine.py").write_text(source + "\n\ndef make(game_spec):\n    return First()\n")
    words = ["--game", "shitenno", "--players", "3", "--agents", "mine.py:make,random,random", "--out", "out/mine"]
    for games in ("3", "6"):
        run_command("tournament", [*words, "--games", games])
    assert (bot / "out" / "mine" / "leaderboard.md").exists()


def test_parts__of_a_bot_that_has_one_twice__are_both():
    """Else its fingerprint, by which leagues know it, would be another than before."""
    assert [*parts_of("search:base=mine.py;make:model=mine.py;make")][1:] == ["mine.py:make"] * 2


def test_missing_file__of_a_program_that_is_here__is_none_whatever_else_it_is_given(bot):
    assert missing_file(f"exec:python {bot}/bot.py 'http://nowhere/model' gone.py") == ""
    assert missing_file("exec:python ./gone.py 'http://nowhere/model'") == "./gone.py"
