"""What commands answer to wrong arguments: one line and status 2, and nothing is begun."""

import shlex

import pytest

from tests.refusals import refusal
from tests.tree import ROOT
from tests.zoo.bots import ZOO

REFUSED: dict[str, dict[str, str]] = {
    "bot-check": {
        "/no/such/program --game shitenno --games 2": "could not be started",
        "python --game shitenno --option seed=3": "unknown option 'seed'",
        "python --game shitenno --option num_threads=2": "unknown option 'num_threads'",
    },
    "exploit": {
        "--against random --set algorithm='\"psro\"'": "its opponents are snapshots, here only random plays",
        "--against random --set self_fraction=0.5": "self_fraction=...: a best response learns against random alone",
        "--against nobody": "unknown agent 'nobody'",
        "--against random --minutes 5 --seconds 10": "--minutes: not with --seconds",
        "--minutes 0": "argument --minutes: '0' must be a finite number above 0",
    },
    "export": {
        **{
            f"--records a.jsonl {more}": "--records: who played, which games and with which options is in the records"
            for more in ("--agents random", "--teacher random", "--players 3", "--games 1000", "--seed 0")
        },
        "--game shitenno --agents random,random --games 2": "2 agents for 4 players",
        "--records a.jsonl --processes 2": "are replayed in this process; leave --processes and --ray out",
        "--records a.jsonl --ray local": "are replayed in this process; leave --processes and --ray out",
    },
    "habits": {"--agents scripted,scripted": "argument --agents: 'scripted,scripted' must be different bots"},
    "league": {
        "create t --players 3": "fixes num_players; with other values take --preset own",
        "create t --game shikoku": "there is none for shikoku",
        "show t": "there is no league",
    },
    "mcp": {"--bots random,nobody": "unknown agent 'nobody'"},
    "play": {
        "--against nobody": "unknown agent 'nobody'",
        "--against nobody --seed 3": "unknown agent 'nobody'",
        "--hint nobody": "unknown agent 'nobody'",
        "--against random --people 9": "there is no player 9; players are 0 to 3",
        "--players 9": "num_players=9: must be 3, 4 or 5",
    },
    "record": {
        "--agents nobody": "unknown agent 'nobody'",
        "--agents random,random": "2 agents for 4 players",
        "--agents a,b.py:make": "one for all, not ['a', 'b.py:make']",
        "--agents a:b.py:make": "path/to/file.py:make, where the path holds no comma, colon or semicolon",
        "--agents ppo:runs/a:b": "agent 'ppo:runs/a:b' needs path after a colon, not ['runs/a', 'b']",
        "--agents random:speed=2": "unknown parameter 'speed'",
        "--seed -1": "--seed",
        "--seed 9007199254740991 --games 2": "2^53",
        "--games many": "'many'",
        "--play 4": "--play",
    },
    "review": {"7.shogun.jsonl -o board.svg": "argument -o/--out: 'board.svg' must end in .html"},
    "rules": {"--game chess": "chess"},
    "selfplay": {
        "--config none": "config none",
        "--config marked.toml": "marked.toml: begins with a byte order mark; save it as UTF-8 without one",
        "--set games": "--set games: must be NAME=VALUE in TOML, such as games_per_update=64",
        "--set games_per_update='\"x\"'": "games_per_update='x'",
        "--resume": "no run here",
        "--decisions 0": "argument --decisions: '0' must be a whole number, at least 1",
        "--seconds -1": "argument --seconds: '-1' must be a finite number, 0 or more",
        f"--config {ROOT}/training/configs/shitenno/quick.toml": "which asks for --game shitenno, not shogun",
        "--game shitenno --set options='{side=\"moon\"}'": "unknown option 'side'",
    },
    "solve": {
        "--learners pol": "unknown: pol; known are ppo, mmd, r-nad",
        "--learners ''": "unknown: ; known are ppo, mmd, r-nad",
        "--learners ppo --out x.npz": "--out: not with --learners",
        "--learners ppo --players 3": "--players: not with --learners",
        "--seeds 2": "--seeds: only with --learners",
        "--target inf": "argument --target: 'inf' must be a finite number, 0 or more",
    },
    "speed": {"--game chess": "chess", "--seed -1": "--seed"},
    "starts": {
        "--agents random,random": "argument --agents: 'random,random' must be different bots",
        "--agents random --players 3,3": "two variants are the same",
        "--agents random --players ''": "num_players=''",
    },
    "strength": {
        "--agent nobody": "unknown agent 'nobody'",
        "--rungs random,nobody": "unknown agent 'nobody'",
        "--players 9": "num_players=9",
        "--players x": "--players: 'x' must be a whole number",
        "--players 3,3": "--players: 3 is given twice",
        "--seeds 0": "argument --seeds",
        "--side moon": "unrecognized arguments: --side moon",
        "--against nobody": "unknown agent 'nobody'",
        f"--agent {ZOO}:leaves --against random": "bots.py, line 85: ends the program (SystemExit: 5)",
        "--better-than 30": "--better-than: name the opponent with --against",
        "--zone 3": "--zone: name the opponent with --against",
        "--against random --rungs scripted": "--rungs: not with --against, which asks about one opponent",
        "--against random --better-than 0": "'0' must be a number of per cent",
        "--against random --better-than 99": "--better-than 99, --zone 2: must add up to less than 100",
        "--rungs ''": "argument --rungs: '' must be different bots, separated by commas",
        "--rungs random,random": "must be different bots, separated by commas",
        "--game shikoku --agent random": "has no panel of its own; name opponents with --rungs or --against",
        "--game shikoku --agent random --rungs random,mixed": "--game shikoku: has no panel of its own",
        "--game shikoku --agent random --against panel --better-than 50": "--game shikoku: has no panel of its own",
        "--against panel": "--better-than: must be given with --against panel, over which parity says nothing",
        "--runs . --against random": "--runs: not with --agent, --against or --players",
        "--runs . --agent random": "--runs: not with --agent, --against or --players",
        "--runs . --agent scripted": "--runs: not with --agent, --against or --players",
    },
    "tournament": {
        "": "give --agents, or --list",
        "--agents nobody,random": "unknown agent 'nobody'",
        "--agents none.py:make,random": "none.py:make: no such file",
        f"--agents {ZOO}:nobody,random": "bots.py defines no function or class nobody",
        f"--agents {ZOO}:ZOO,random": f"bots.py defines no function or class ZOO, but one of type {type(ZOO).__name__}",
        f"--agents {ZOO},random": "name the function that makes it",
        f"--agents {ZOO}:refuses,random": "OSError: no such weights",
        f"--agents {ZOO}:leaves_at_once,random": "SystemExit: 3",
        f"--agents {ZOO}:no_act,random": "its function returned int, which has no act",
        f"--agents {ZOO}:bad_compiled,random": "must be a pair",
        "--agents random,scripted --isolate ''": "--isolate='': needs the command",
        "--agents random,scripted --isolate 'no-such-engine run'": "no-such-engine is no command here",
        "--agents cut.py:make,random": "cannot be imported: SyntaxError: invalid syntax (cut.py, line 1)",
        "--agents random --seed 0": "a tournament needs at least two agents, not 1",
        "--agents random,Random": "--agents: random looks like another of random, Random",
        "--agents random,scripted --players 3,9": "num_players=9",
        "--agents random,scripted --memory-mb 9": "--memory-mb 9: nothing is limited without --isolate",
        "--agents random,scripted --share 9": "--share: goes with --check DIR only",
        "--agents random,scripted --run-bots": "--run-bots: goes with --check DIR only",
        **{
            f"--check t {more}": f"{more.split()[0]}: not with --check, which goes by what the folder says"
            for more in (
                "--agents random,scripted",
                "--games 9",
                "--json t.json",
                "--variant num_players=3",
                "--memory-mb 9",
            )
        },
        "--agents random,scripted --out t --json t": "--json t: is the folder of --out, holds it or lies in it",
        "--agents random,scripted --out t --json t/journal.jsonl": "is the folder of --out, holds it or lies in it",
        f"--agents {'x' * 201},random": "…: a name has at most 200 letters; give a shorter path",
        "--agents random,scripted --games 0": "argument --games: '0' must be a whole number, at least 1",
        "--agents random,scripted --until-interval nan": "must be a number of per cent, more than 0 and less than 100",
        "--agents random,scripted --players 3,3": "'3 players': two variants are the same",
        "--agents random,scripted --variant num_players=5 --variant num_players=5": "'5 players': two variants",
        "--agents random,scripted --variant side": "argument --variant: 'side' must be NAME=VALUE",
        "--agents random,scripted --game chess": "invalid choice: 'chess' (choose from 'shogun', 'shitenno', 'shikoku'",
    },
    "train": {
        "--game shikoku --recipe chamion": "recipe chamion: no such file; known names for shikoku are none",
        "--set nothing=1": "unknown setting 'nothing'",
    },
    "view": {
        "chess/1 -o board.svg": "a position must begin with one of shogun/, shitenno/",
        "position.txt -o board.svg": "a file with one is given as - < FILE, and the name of a record ends in .jsonl",
        "shogun/99_year=1 -o board.svg": "a position must begin with shogun/1",
        "no.shogun.jsonl -o board.svg": "No such file",
        "shogun/1 -o board.jpg": "argument -o/--out: 'board.jpg' must end in .html or .svg or .png",
        "shogun/1 -o board.html": "a position has no page, only a picture: give an --out that ends in .svg or .png",
        "shogun/1": "a position has no page, only a picture: give an --out that ends in .svg or .png",
        "shogun/1 -o board.svg --game shitenno": "--game shitenno: this is a position of shogun",
        "shogun/1 -o board.svg --line 3": "--line 3: goes with a record, a file that ends in .jsonl",
        "7.shogun.jsonl --line 3": "--line: goes with a picture: an --out that ends in .svg or .png",
        "7.shogun.jsonl -o board.svg --gif a.gif": "--gif: goes with a page, not with a picture",
        "": "file",
        "no_such_file.jsonl": "no_such_file",
        "7.shogun.jsonl -o 7.shogun.jsonl": "'7.shogun.jsonl' must end in .html or .svg or .png",
        "7.shogun.jsonl --gif 7.shogun.jsonl": "argument --gif: '7.shogun.jsonl' must end in .gif",
    },
}
"""By command wrong arguments, and what the line says."""
CASES = [(command, words, says) for command, refused in REFUSED.items() for words, says in refused.items()]


@pytest.mark.parametrize(("command", "words", "says"), CASES)
def test_command__wrong_arguments__one_line_status_2_and_nothing_is_begun(
    command, words, says, tmp_path, capsys, monkeypatch
):
    if library := {"exploit": "torch", "selfplay": "torch", "mcp": "mcp"}.get(command):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cut.py").write_text("x = = 1")
    (tmp_path / "marked.toml").write_text('game = "shogun"', "utf-8-sig")
    assert says in refusal(capsys, command, *shlex.split(words))
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"cut.py", "marked.toml"}
