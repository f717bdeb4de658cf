"""What is made of measurements: tables in Markdown, ratios, and their comparison with a baseline."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from shogun_env.cli import option_arguments

Tree = dict[str, Any]
"""A tree of figures; a leaf is a dict of "median", "min" and "max", or None if it was not measured."""

YARDSTICK = "yardstick_per_s"
NOT_RATIOS = (YARDSTICK, "peers")
"""Figures that have no ratio."""
SECONDS = ("import_warm_s",)
"""Figures that are better if smaller; their ratio is their product with the yardstick."""

WORDS = {
    "random_decisions_per_s": "decisions/s, random bots, with masks",
    "random_games_per_s": "games/s, random bots",
    "observed_decisions_per_s": "decisions/s, with mask and observation for each",
    "scripted_decisions_per_s": "decisions/s, scripted bots",
    "scripted_games_per_s": "games/s, scripted bots",
    "classic_decisions_per_s": "decisions/s, scripted bots of version 0.1",
    "classic_games_per_s": "games/s, scripted bots of version 0.1",
    "batch_python_decisions_per_s": "decisions/s, `Batch` stepped from Python, masks and observations made",
    "vector_env_decisions_per_s": "learners' decisions/s, Gymnasium vector environment, random opponents",
    "parallel_env_steps_per_s": "steps/s, PettingZoo `parallel_env`",
    "aec_env_steps_per_s": "steps/s, PettingZoo `env` (AEC)",
    "aec_raw_env_steps_per_s": "steps/s, PettingZoo `raw_env` (AEC without wrappers)",
    "redeals_per_s": "redeals/s",
    "plan_rollouts_per_s": "rollouts/s to the end of the round, whole plans forced",
    "plan_rollouts_python_per_s": "the same by a loop in Python",
    "action_rollouts_per_s": "rollouts/s to the end of the round, an action after the planning forced",
    "action_rollouts_python_per_s": "the same by a loop in Python",
    "game_rollouts_per_s": "rollouts/s to the end of the game, an action forced",
    "game_rollouts_python_per_s": "the same by a loop in Python",
    "views_per_s": "observations/s shown as floats, `flat`",
    "views_with_features_per_s": "the same with board features",
    "network_decisions_per_s": "decisions/s, compiled network for everybody",
    "network_planning_decisions_per_s": "the same in planning",
    "torch_decisions_per_s": "the same network in torch, 512 positions at once, one thread",
    "selfplay_fps": "decisions learnt from/s, self-play training",
    "import_warm_s": "s, Python's start to the first step, kernels from the cache",
    "compile_cold_s": "s, the same with every kernel compiled",
    "bytes_per_game": "bytes per game",
    "memory_100k_games_bytes": "bytes, whole process with 100,000 games",
    YARDSTICK: "random numbers/s in a chain (the yardstick)",
}
"""Each figure of a run in words."""


class Moved(NamedTuple):
    """A ratio and its baseline."""

    name: str
    before: float | None
    """None if the baseline does not have it."""
    now: float
    verdict: str
    """``faster``, ``slower``, ``new``, or empty if it did not move."""


def leaves(tree: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the path and the value of every figure of a tree, in order."""
    for name, value in tree.items():
        if isinstance(value, Mapping) and "median" not in value:
            yield from leaves(value, (*path, name))
        else:
            yield (*path, name), value


def summary(values: Sequence[float], shares: Sequence[float] = ()) -> dict[str, float] | None:
    """Return median, min and max of what the rounds measured of one figure, or None without rounds.

    Args:
        values: what each round measured.
        shares: number of cores that the process had in each round; the result then also has ``per_core_second``.
    """
    if not values:
        return None
    figure = {"median": median(values), "min": min(values), "max": max(values)}
    return figure | ({"per_core_second": median(_per_core(values, shares))} if shares else {})


def _per_core(values: Sequence[float], shares: Sequence[float]) -> list[float]:
    return [value / share for value, share in zip(values, shares, strict=True)]


def ratios(
    samples: Mapping[tuple[str, ...], Sequence[float]], shares: Mapping[tuple[str, ...], Sequence[float]]
) -> dict[str, Any]:
    """Return each figure in units of the yardstick of the same round: rates divided by it, seconds multiplied by it.

    Figures of one core are taken per core-second, which a busy machine does not change.
    """
    stick: tuple[str, ...] = (YARDSTICK,)
    result = {}
    for path, values in samples.items():
        if path[0] in NOT_RATIOS or not values:
            continue
        is_steady = path in shares and path[-1] != "all"
        sticks = _per_core(samples[stick], shares[stick]) if is_steady else samples[stick]
        steady = _per_core(values, shares[path]) if is_steady else values
        pairs = zip(steady, sticks, strict=False)  # an interrupted round has one stick more
        result["/".join(path)] = summary([v * s if path[-1] in SECONDS else v / s for v, s in pairs])
    return result


def compare(now: Mapping[str, Any], before: Mapping[str, Any]) -> list[Moved]:
    """Return every ratio with its baseline; it has moved if the rounds of both runs do not overlap."""
    comparison = []
    for name, ratio in now.items():
        old = before.get(name)
        if old is None:
            comparison.append(Moved(name=name, before=None, now=ratio["median"], verdict="new"))
            continue
        lower, higher = ratio["max"] < old["min"], ratio["min"] > old["max"]
        slower = higher if name in SECONDS else lower
        verdict = "" if not (lower or higher) else "slower" if slower else "faster"
        comparison.append(Moved(name=name, before=old["median"], now=ratio["median"], verdict=verdict))
    return comparison


# --- tables ----------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose columns are also aligned on a terminal, all but the first to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = [head, rule, *rows]
    return "\n".join("| " + " | ".join(_fit(line, widths)) + " |" for line in lines) + "\n"


def _fit(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [cells[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells[1:], widths[1:], strict=True))]


def number(value: float) -> str:
    """Return a figure with about three digits, and commas between thousands."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


COLUMNS = {"median": "median", "min": "min", "max": "max", "per_core_second": "per core-second"}
"""Heading of each value of a figure."""


def _cells(figure: Mapping[str, float] | None) -> list[str]:
    return ["not measured", "", "", ""] if figure is None else [_cell(figure, key) for key in COLUMNS]


def _cell(figure: Mapping[str, float] | None, key: str = "median") -> str:
    return "" if figure is None or key not in figure else number(figure[key])


def machine_line(run: Mapping[str, Any]) -> str:
    """Return in one line where a run was measured."""
    machine = run["machine"]
    versions = ", ".join(f"{name} {machine['versions'][name]}" for name in ("python", "numpy", "numba"))
    load = "" if machine["load"] is None else f" (load {machine['load']} before)"
    return f"{machine['cpu']}, {machine['cores']} cores{load}; {versions}; commit {machine['commit']}"


def main_table(run: Mapping[str, Any]) -> str:
    """Return the table of all figures, for the default number of players."""
    rows = []
    for name, words in WORDS.items():
        figure = run.get(name)
        if isinstance(figure, Mapping) and "median" not in figure:
            rows += [[f"{words}; {_cores(key)}", *_cells(value)] for key, value in figure.items()]
        else:
            rows.append([words, *_cells(figure)])
    return table(["figure", *COLUMNS.values()], rows)


def _cores(key: str) -> str:
    return "one core" if key == "1" else f"{key} cores"


def players_table(run: Mapping[str, Any]) -> str:
    """Return the table of medians by number of players."""
    columns = run["by_players"]
    paths = [path for path, _ in leaves(next(iter(columns.values())))]
    rows = []
    for name, cores in paths:
        medians = [_cell(column.get(name, {}).get(cores)) for column in columns.values()]
        rows.append([f"{WORDS[name]}; {_cores(cores)}", *medians])
    return table(["median", *(f"{players} players" for players in columns)], rows)


def batch_table(run: Mapping[str, Any]) -> str:
    """Return the table of the nanoseconds per decision on one core, by size of the batch."""
    columns = run["by_batch"]
    names = [name for (name,), _ in leaves(next(iter(columns.values())))]
    rows = []
    for name in names:
        rates = [column[name] for column in columns.values()]
        times = ["" if rate is None else number(1e9 / rate["per_core_second"]) for rate in rates]
        rows.append([WORDS[name].replace("decisions/s", "ns per decision"), *times])
    return table(["one core", *(f"{int(size):,} games" for size in columns)], rows)


def peers_table(run: Mapping[str, Any]) -> str:
    """Return the table of the peers measured in the same run, and of this project; a missing peer is named."""
    game = f"shogun_env {run['game']}"
    own = {
        f"{game}, `Batch.play`": (run["random_decisions_per_s"]["1"], run["random_games_per_s"]["1"]),
        f"{game}, `Batch` from Python": (run["batch_python_decisions_per_s"], None),
        f"{game}, PettingZoo AEC": (run["aec_env_steps_per_s"], None),
    }
    rows = [_peer_row(name, *figures) for name, figures in own.items()]
    for name, peer in run["peers"].items():
        is_here = "missing" not in peer
        rows.append(_peer_row(name, *peer.values()) if is_here else [name, "missing", "", ""])
    return table(["random play, one core", "decisions/s", "per core-second", "games/s"], rows)


def _peer_row(name: str, decisions: Mapping[str, float] | None, games: Mapping[str, float] | None) -> list[str]:
    return [name, _cell(decisions), _cell(decisions, "per_core_second"), _cell(games)]


def moved_table(comparison: Sequence[Moved]) -> str:
    """Return the table of the ratios that have moved, and how many have not."""
    rows = [
        [m.name, "–" if m.before is None else f"{m.before:.3g}", f"{m.now:.3g}", _change(m), m.verdict]
        for m in comparison
        if m.verdict
    ]
    stayed = f"{len(comparison) - len(rows)} of {len(comparison)} ratios have not moved.\n"
    return (table(["ratio to the yardstick", "before", "now", "change", ""], rows) if rows else "") + stayed


def _change(moved: Moved) -> str:
    return "" if not moved.before else f"{moved.now / moved.before - 1:+.0%}"


def _options(run: Mapping[str, Any]) -> str:
    """Return the options of play that differ from the defaults, besides the number of players, in parentheses."""
    options = {name: value for name, value in run["options"].items() if name != "num_players"}
    return f" (`{shlex.join(option_arguments(options))}`)" if options else ""


def page(run: Mapping[str, Any]) -> str:
    """Return all tables of a run."""
    how = f"Medians, minima and maxima of {run['rounds']} rounds of {run['seconds']} s each"
    parts = [
        f"{run['game']}, {run['num_players']} players{_options(run)}. {how}.\n{machine_line(run)}.\n",
        main_table(run),
        players_table(run),
        batch_table(run),
    ]
    return "\n".join([*parts, peers_table(run)] if run["peers"] else parts)


README = """\
<!-- Generated by `python -m benchmarks.speed --publish FILE …`; do not edit it by hand. -->
# Speed

`python -m benchmarks.speed --game GAME` measures a chapter again; `--quick` takes a minute, `--peers` also measures
other libraries that are installed, `--baseline benchmarks/baseline.json` shows what has moved. Options of play, such as
`--side moon --start draft`, measure other games.

- All figures are measured in turn, round by round, so that a slow moment of the machine does not fall on one figure.
- Whole games: `Batch.play`, restarts included. *With observation* means a compiled bot for which every decision is
  observed. *All cores* are threads of one process.
- `Batch` from Python: every step makes the masks and observations of all games; a compiled loop chooses from the masks,
  and games that end are restarted. The games are at different points, as they are after a while.
- Rollouts: from 32 positions of the second round, with two seeds and up to four plans or actions each, a redeal for
  each; the scripted bot plays for everybody. The loop in Python takes a copy of the position, calls `redeal` or
  `replan`, `step` and `play` for each rollout; all cores are as many Python threads.
- Environments: random actions from the masks, restarts included.
- *Per core-second* divides by the seconds in which the process had a core: it is what an idle machine would do. If it
  is much higher than the median, the machine had other work.
- `baseline.json` holds each figure in units of the yardstick (a chain of random numbers) of the same round, both per
  core-second if one core does the work. These ratios do not change on a busy machine or with the clock of the
  processor, but they do on another machine. A ratio has moved if the rounds of both runs do not overlap.
"""


def readme(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of ``benchmarks/README.md``, with a chapter for each run."""
    return "\n".join([README, *(f"## {run['game'].capitalize()}\n\n{page(run)}" for run in runs)])
