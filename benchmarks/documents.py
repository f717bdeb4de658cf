"""The generated parts of the repository's documents: every table that is made of results, or of the code.

A part is a text with a name. A document holds it between two marks with this name (``benchmarks.markdown``), and
``generated`` makes it from files that are in the repository. A new table is a line in ``generated``, a function here
and two marks; ``make book`` writes all of them, and first adds new results to their file (``ADD=FILE``).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from shogun_env import FULL_GAMES
from shogun_env.benchmarks.markdown import columns_of, markdown_table, number, printed, rating_text, with_parts
from shogun_env.cli import batch_class
from shogun_env.files import write_whole
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.layout import Kinds, Slice

ROOT = Path(__file__).resolve().parents[1]  # of the checkout
SPEED_FIGURES = {
    "random_decisions_per_s": "decisions/s, random bots, with the mask made for each decision",
    "observed_decisions_per_s": "the same with mask and observation",
    "scripted_games_per_s": "games/s, scripted bots",
    "vector_env_decisions_per_s": "learners' decisions/s, `make_vec` with 1,024 games, random opponents",
    "uncopied_env_decisions_per_s": "the same with `copy=False`",
    "bytes_env_decisions_per_s": 'the same with `observation="bytes"`, copied',
    "parallel_env_steps_per_s": "steps/s, PettingZoo `parallel_env`",
    "network_decisions_per_s": "decisions/s, champions, a network compiled",
    "import_warm_s": "s, Python's start to the first step, kernels from the cache",
}
"""The figures of ``benchmarks.speed`` in words."""
Tree = dict[str, Any]
"""Values of a JSON file."""
PANEL_VERSION = {"shogun": 9, "shitenno": 9}
"""Version of the panel of ``benchmarks.strength`` by game: figures of different versions cannot be compared."""
BEST = "scripted"
"""The member of the panel against which tables show every number of players."""


def generated(root: Path) -> dict[Path, dict[str, str]]:
    """Return the generated parts of all documents of a checkout: by document the text of each part.

    Raises: ValueError if results are missing, as they are where the package is installed, or of another panel version.
    """
    benchmarks, clients, champion = root / "benchmarks", root / "clients", root / "agents" / "champion"
    runs = strength_runs(benchmarks / "strength.json")
    speeds = sorted(read_json(benchmarks / "speed.json", "runs")["runs"], key=lambda run: FULL_GAMES.index(run["game"]))
    peers = read_json(clients / "peers.json", "figures", "machine")
    others = peers_table(peers["figures"], peers["machine"])
    tried = read_json(clients / "results.json", "clients", "machine")
    tasks = columns_of((benchmarks / "LEARNERS.md").read_text("utf-8"), "task", "opponent", "mean", "minutes")
    rules = {root / "shogun_env" / game / "RULES.md": game for game in FULL_GAMES}
    return {
        root / "README.md": {"strength": first_table(runs)},
        root / "paper" / "paper.md": {"peers": others, "strength": first_table(runs), "tasks": tasks},
        root / "docs" / "strength.md": {
            **{f"strength of {game}": strength_tables(game, runs) for game in FULL_GAMES},
            **{f"ratings of {game}": ratings_table(game, benchmarks / "results") for game in FULL_GAMES},
        },
        benchmarks / "README.md": {"speed": speed_table(speeds), "peers": others},
        champion / "MODEL_CARD.md": {"strength": first_table(runs)},
        clients / "README.md": {"clients": clients_table(tried["clients"], tried["machine"])},
        **{path: {"observation": observation_tables(batch_class(game).spec)} for path, game in rules.items()},
    }


def write(root: Path, check: bool = False) -> list[str]:
    """Bring the documents of a checkout up to date, unless ``check`` is given; return the names of those that were not.

    Raises: ValueError if results or the marks of a part are missing.
    """
    old = []
    for path, parts in generated(root).items():
        text = path.read_text("utf-8")
        new = with_parts(text, parts)
        if new != text:
            old.append(path.relative_to(root).as_posix())
            if not check:
                write_whole(path, new)
    return old


def read_json(path: Path, *required: str) -> Tree:
    """Return the object in a JSON file, which must hold the names in ``required``; ValueError for another file."""
    try:
        content: Any = json_of(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise ValueError(f"{path}: not a JSON file") from None
    if not isinstance(content, dict) or not set(required) <= set(content):
        raise ValueError(f"{path}: not of this command; it must hold {', '.join(required)}")
    return content


# --- strength of bots ------------------------------------------------------------------------------------------------


def strength_runs(path: Path) -> list[Tree]:
    """Return the published runs over the panel; ValueError if one is of another panel version than today's."""
    runs: list[Tree] = read_json(path, "runs")["runs"]
    for run in runs:
        if run["protocol"] != (version := PANEL_VERSION.get(run["game"], 0)):
            raise ValueError(
                f"{path}: {run['agent']} is of panel version {run['protocol']}, not {version}; measure it again"
            )
    return runs


def first_table(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of the README: mean and worst of the panel for the bots of every game, by number of players."""
    counts = sorted({n for game in FULL_GAMES for n in batch_class(game).spec.players})
    rows = []
    for game in FULL_GAMES:
        for run in _of_game(game, runs):
            cells = [mean_and_worst(run, str(n)) if n in batch_class(game).spec.players else "–" for n in counts]
            rows.append([batch_class(game).spec.title, f"`{run['agent']}`", *cells])
    return markdown_table(["% of wins over the panel", "bot", *(f"{n} players" for n in counts)], rows)


def strength_tables(game: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the tables of the bots of a game, the strongest last: all rows of the panel, and mean and worst."""
    spec, own = batch_class(game).spec, _of_game(game, runs)
    usual, counts = str(spec.check_options({})["num_players"]), [str(n) for n in sorted(spec.players)]
    bots = [f"`{run['agent']}`" for run in own]
    rows = [[f"`{row['against']}`", *(_cell(run, row["against"], usual) for run in own)] for row in own[0]["rungs"]]
    parts = [markdown_table([f"% of wins in {spec.title}, {usual} players, against", *bots], rows)]
    head = [f"% of wins in {spec.title}", *(f"{n} players" for n in counts)]
    rows = [[bot, *(mean_and_worst(run, n) for n in counts)] for bot, run in zip(bots, own, strict=True)]
    for run in own:
        if run["agent"] != BEST:
            rows.append([f"`{run['agent']}` against `{BEST}`", *(_cell(run, BEST, n) for n in counts)])
    parts.append(markdown_table(head, rows))
    where, commits = (", ".join(sorted({run["machine"][name] for run in own})) for name in ("cpu", "commit"))
    commands = ", ".join(dict.fromkeys(f"`{printed(run['command'], {run['agent']: 'SPEC'})}`" for run in own))
    return "\n".join([*parts, f"*{commands}; {where}; commits {commits}.*\n"])


def mean_and_worst(run: Mapping[str, Any], players: str) -> str:
    """Return a bot's mean share of wins over its rows, with its interval, and in brackets the worst row, in per cent.

    The rows are taken to be independent of each other.
    """
    measured = [row["players"][players] for row in run["rungs"]]
    mean = sum(figures["share"] for figures in measured) / len(measured)
    half = sum(((figures["high"] - figures["low"]) / 2) ** 2 for figures in measured) ** 0.5 / len(measured)
    worst = min(figures["share"] for figures in measured)
    return f"{100 * mean:.1f} ± {100 * half:.1f} ({100 * worst:.1f})"


def _of_game(game: str, runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the runs of a game, the weakest bot first, by its mean with the usual number of players."""
    usual = str(batch_class(game).spec.check_options({})["num_players"])
    own = [run for run in runs if run["game"] == game]
    return sorted(own, key=lambda run: sum(row["players"][usual]["share"] for row in run["rungs"]))


def _cell(run: Mapping[str, Any], against: str, players: str) -> str:
    """Return a bot's share of wins in a row of the panel with its interval, in per cent."""
    figures = next(row["players"][players] for row in run["rungs"] if row["against"] == against)
    return f"{100 * figures['share']:.1f} ({100 * figures['low']:.1f}–{100 * figures['high']:.1f})"


# --- the results book ------------------------------------------------------------------------------------------------


def ratings_table(game: str, book: Path) -> str:
    """Return the table of ratings over all games."""
    entry = read_json(book / f"{game}.json", "ratings")
    head = [batch_class(game).spec.title, "rating (95 %)"]
    rows = [
        [f"`{row['agent']}`", rating_text(*(row[key] for key in ("rating", "low", "high", "kind")))]
        for row in next(iter(entry["ratings"].values()))
    ]
    where = f"{entry['games']:,} games; {entry['machine']}; commit {entry['commit']}"
    return f"{markdown_table(head, rows)}\n*From the [results book](../benchmarks/results/README.md): {where}.*\n"


# --- speed and clients -----------------------------------------------------------------------------------------------


def speed_table(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of published speeds, per second of a core, and where they were measured."""
    columns = [run["figures"] for run in runs]
    rows = [
        [words, *(number(column[name].get("per_core_second") or column[name]["median"]) for column in columns)]
        for name, words in SPEED_FIGURES.items()
        if all(name in column for column in columns)
    ]
    where = _where([run["machine"] for run in runs], [f"`{printed(run['command'])}`" for run in runs])
    return markdown_table(["figure", *(batch_class(run["game"]).spec.title for run in runs)], rows) + where


def peers_table(figures: Mapping[str, Mapping[str, float]], machine: Mapping[str, Any]) -> str:
    """Return the table of random play in other libraries, with the versions of all of them."""
    rows = [
        [name, f"{number(each['decisions_per_s'])} ({number(each['min'])}–{number(each['max'])})"]
        for name, each in figures.items()
    ]
    where = _where([machine], libraries=machine["versions"])
    return markdown_table(["random play", "decisions/s (lowest–highest of five)"], rows) + where


def _where(
    machines: Sequence[Mapping[str, Any]], commands: Sequence[str] = (), libraries: Iterable[str] = ("python", "numba")
) -> str:
    """Return a line that says by which commands, where and with which versions figures were measured."""
    texts = {
        f"{each['cpu']}, {each['cores']} core{'s' * (each['cores'] > 1)}, load {each['load']} before; "
        + ", ".join(f"{name} {each['versions'][name]}" for name in libraries)
        + f"; commit {each['commit']}": None
        for each in machines
    }
    return f"\n*{'; '.join([*commands, *texts])}.*\n"


def clients_table(results: Sequence[Mapping[str, Any]], machine: Mapping[str, Any]) -> str:
    """Return the table of the clients that were tried, with their versions and speeds, and where that was."""
    rows = []
    for result in results:
        if "failed" in result:
            rows.append([result["client"], f"failed: {result['failed']}", "–", "–"])
        else:
            file, version = result["file"], f"{result['library']} {result['version']}"
            speed = f"{result['steps_per_s']:,}" if "steps_per_s" in result else "–"
            rows.append([result["client"], version, f"[{file}]({file})", speed])
    where = _where([machine], libraries=("python", "shogun-env"))
    return markdown_table(["client", "version", "file", "steps/s"], rows) + where


# --- observations ----------------------------------------------------------------------------------------------------


def observation_tables(spec: GameSpec) -> str:
    """Return the layout of a game's observation as a table per block, its size, and the board features.

    Neighbours that differ by nothing but their names share a row.
    """
    parts = []
    for block, pieces in groupby(spec.obs_layout, key=lambda piece: piece.block):
        rows = []
        for _, same in groupby(pieces, key=lambda piece: piece._replace(name="", start=0, stop=0)):
            first, *others = same
            last = others[-1] if others else first
            names = ", ".join(f"`{piece.name}`" for piece in (first, *others))
            notes = ["never changes"] * first.is_static + ["known to its owner"] * (first.known_to == "owner")
            meaning = "; ".join([first.meaning, *(f"*{note}*" for note in notes)])
            rows.append([f"{first.start}–{last.stop - 1}", names, f"0–{first.high}{_shown(first)}", meaning])
        head = ["bytes", block, "values, in `flat`", "meaning"]
        parts.append(markdown_table(head, rows))
    from shogun_env.batch.float_view import FloatView

    whole, changing, more = (
        FloatView(spec, static, features).size for static, features in ((True, False), (False, False), (True, True))
    )
    parts.append(
        f"{spec.obs_size} bytes in all; `flat` has {whole:,} columns, {changing:,} without those that never change, "
        f"{more:,} with board features.\n"
    )
    if spec.board is not None:
        head = [f"board feature of each row of {spec.board.block}", "lowest", "highest", "meaning"]
        features = [[f"`{own.name}`", f"{own.low:g}", f"{own.high:g}", own.meaning] for own in spec.board.features]
        parts.append(markdown_table(head, features))
    return "\n" + "\n".join(parts) + "\n"


def _shown(piece: Slice) -> str:
    """Return how float views show a slice, in words after its values; nothing for those that they show as they are."""
    if not isinstance(piece.shown, Kinds):
        return "" if piece.high == piece.shown == 1 else f" / {piece.shown:g}"
    first, block, flags = piece.shown
    own = f"flags for {first}–{piece.high}"
    if not block:
        return f", {own}"
    there = f", which one as `{flags}` of {block}" if flags else ""
    return f", a flag for 1–{first - 1}{there}, {own}"
