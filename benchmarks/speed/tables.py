"""What is made of measured speed: tables in Markdown, ratios, and what moved against a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

Tree = dict[str, Any]
"""Figures: a tree whose leaves are {"median", "min", "max"}, or None for what was not measured."""

YARDSTICK = "yardstick_per_s"
NOT_RATIOS = (YARDSTICK, "peers")
"""Figures of many rounds without a ratio."""
SECONDS = ("import_warm_s",)
"""Figures that are better when smaller; their ratio is their product with the yardstick."""

WORDS = {
    "random_decisions_per_s": "decisions/s, random bots, with masks",
    "random_games_per_s": "games/s, random bots",
    "observed_decisions_per_s": "decisions/s, with mask and observation for each",
    "scripted_decisions_per_s": "decisions/s, scripted bots",
    "scripted_games_per_s": "games/s, scripted bots",
    "batch_python_decisions_per_s": "decisions/s, `Batch` stepped from Python, masks and observations made",
    "vector_env_decisions_per_s": "learners' decisions/s, Gymnasium vector environment, random opponents",
    "parallel_env_steps_per_s": "steps/s, PettingZoo `parallel_env`",
    "aec_env_steps_per_s": "steps/s, PettingZoo `env` (AEC)",
    "aec_raw_env_steps_per_s": "steps/s, PettingZoo `raw_env` (AEC without wrappers)",
    "redeals_per_s": "redeals/s",
    "selfplay_fps": "decisions learnt from/s, self-play training",
    "import_warm_s": "s, Python's start to the first step, kernels from the cache",
    "compile_cold_s": "s, the same with every kernel compiled",
    "bytes_per_game": "bytes a game",
    "memory_100k_games_bytes": "bytes, whole process with 100,000 games",
    YARDSTICK: "random numbers/s in a chain (the yardstick)",
}


class Moved(NamedTuple):
    """A ratio beside its baseline."""

    name: str
    before: float | None
    now: float
    verdict: str


def leaves(tree: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every figure of a tree with its path, in order."""
    for name, value in tree.items():
        if isinstance(value, Mapping) and "median" not in value:
            yield from leaves(value, (*path, name))
        else:
            yield (*path, name), value


def summary(values: Sequence[float], shares: Sequence[float] = ()) -> dict[str, float] | None:
    """Return median, min and max of one figure's rounds; None of none.

    Args: shares: how many cores each round had; the figure then also says what it comes to ``per_core_second``.
    """
    if not values:
        return None
    found = {"median": median(values), "min": min(values), "max": max(values)}
    return found | ({"per_core_second": median(_per_core(values, shares))} if shares else {})


def _per_core(values: Sequence[float], shares: Sequence[float]) -> list[float]:
    return [value / share for value, share in zip(values, shares, strict=True)]


def ratios(
    samples: Mapping[tuple[str, ...], Sequence[float]], shares: Mapping[tuple[str, ...], Sequence[float]]
) -> dict[str, Any]:
    """Return each figure in units of the yardstick of the same round: rates divided by it, seconds times it.

    What runs on one core is taken by the seconds it had that core, which a busy machine does not change.
    """
    stick: tuple[str, ...] = (YARDSTICK,)
    found = {}
    for path, values in samples.items():
        if path[0] in NOT_RATIOS or not values:
            continue
        is_steady = path in shares and path[-1] != "all"
        sticks = _per_core(samples[stick], shares[stick]) if is_steady else samples[stick]
        steady = _per_core(values, shares[path]) if is_steady else values
        pairs = zip(steady, sticks, strict=False)  # a round that was stopped has a stick more
        found["/".join(path)] = summary([v * s if path[-1] in SECONDS else v / s for v, s in pairs])
    return found


def compare(now: Mapping[str, Any], before: Mapping[str, Any]) -> list[Moved]:
    """Return every ratio beside its baseline: it moved if the rounds of both runs do not even overlap."""
    found = []
    for name, ratio in now.items():
        old = before.get(name)
        if old is None:
            found.append(Moved(name, None, ratio["median"], "new"))
            continue
        lower, higher = ratio["max"] < old["min"], ratio["min"] > old["max"]
        slower = higher if name in SECONDS else lower
        verdict = "" if not (lower or higher) else "slower" if slower else "faster"
        found.append(Moved(name, old["median"], ratio["median"], verdict))
    return found


# --- tables ----------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose columns also line up on a terminal; all but the first are flush right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = [head, rule, *rows]
    return "\n".join("| " + " | ".join(_fit(line, widths)) + " |" for line in lines) + "\n"


def _fit(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [cells[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells[1:], widths[1:], strict=True))]


def number(value: float) -> str:
    """Return a figure to three digits or so, thousands parted."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


COLUMNS = {"median": "median", "min": "min", "max": "max", "per_core_second": "per core-second"}


def _cells(figure: Mapping[str, float] | None) -> list[str]:
    return ["not measured", "", "", ""] if figure is None else [_cell(figure, key) for key in COLUMNS]


def _cell(figure: Mapping[str, float] | None, key: str = "median") -> str:
    return "" if figure is None or key not in figure else number(figure[key])


def machine_line(run: Mapping[str, Any]) -> str:
    """Return where a run was measured."""
    machine = run["machine"]
    versions = ", ".join(f"{name} {machine['versions'][name]}" for name in ("python", "numpy", "numba"))
    load = "" if machine["load"] is None else f" (load {machine['load']} before)"
    return f"{machine['cpu']}, {machine['cores']} cores{load}; {versions}; commit {machine['commit']}"


def main_table(run: Mapping[str, Any]) -> str:
    """Return all figures of the usual number of players."""
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
    """Return medians by number of players."""
    columns = run["by_players"]
    paths = [path for path, _ in leaves(next(iter(columns.values())))]
    rows = []
    for name, cores in paths:
        medians = [_cell(column.get(name, {}).get(cores)) for column in columns.values()]
        rows.append([f"{WORDS[name]}; {_cores(cores)}", *medians])
    return table(["median", *(f"{players} players" for players in columns)], rows)


def batch_table(run: Mapping[str, Any]) -> str:
    """Return nanoseconds of a core that a decision takes, by size of the batch."""
    columns = run["by_batch"]
    names = [name for (name,), _ in leaves(next(iter(columns.values())))]
    rows = []
    for name in names:
        rates = [column[name] for column in columns.values()]
        times = ["" if rate is None else number(1e9 / rate["per_core_second"]) for rate in rates]
        rows.append([WORDS[name].replace("decisions/s", "ns a decision"), *times])
    return table(["one core", *(f"{int(size):,} games" for size in columns)], rows)


def peers_table(run: Mapping[str, Any]) -> str:
    """Return what peers did in the same run beside the doors of this project; a missing peer is named as missing."""
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


def moved_table(found: Sequence[Moved]) -> str:
    """Return every ratio whose rounds do not overlap with the baseline's, and how many stayed."""
    rows = [
        [m.name, "–" if m.before is None else f"{m.before:.3g}", f"{m.now:.3g}", _change(m), m.verdict]
        for m in found
        if m.verdict
    ]
    stayed = f"{len(found) - len(rows)} of {len(found)} ratios are where they were.\n"
    return (table(["ratio to the yardstick", "before", "now", "change", ""], rows) if rows else "") + stayed


def _change(moved: Moved) -> str:
    return "" if not moved.before else f"{moved.now / moved.before - 1:+.0%}"


def page(run: Mapping[str, Any]) -> str:
    """Return all tables of a run."""
    how = f"Medians, minima and maxima of {run['rounds']} rounds of {run['seconds']} s each"
    parts = [
        f"{run['game']}, {run['num_players']} players. {how}.\n{machine_line(run)}.\n",
        main_table(run),
        players_table(run),
        batch_table(run),
    ]
    return "\n".join([*parts, peers_table(run)] if run["peers"] else parts)


README = """\
<!-- Generated by `python -m benchmarks.speed --publish FILE …`; never edited by hand. -->
# Speed

`python -m benchmarks.speed --game GAME` measures a chapter again; `--quick` takes a minute, `--peers` adds other
libraries that are installed, `--baseline benchmarks/baseline.json` says what moved.

- All figures are measured in turn, round by round, so that a slow moment of the machine does not fall on one figure.
- Whole games: `Batch.play`, restarts included. *With observation* means a compiled bot that is handed it for every
  decision. *All cores* are threads of one process.
- `Batch` from Python: every step makes masks and observations of all games; a compiled loop chooses from the masks, and
  games that end are restarted. The games are at different points, as they are after a while.
- Environments: random actions from the masks, restarts included.
- *Per core-second* divides by the seconds in which the process had a core: what an idle machine would do. Where it is
  well above the median, others were at work on the machine.
- `baseline.json` holds each figure in units of the yardstick (a chain of random numbers) of the same round, both per
  core-second where one core does the work: ratios that survive a busy machine or a change of clock, though not another
  machine. A ratio moved if the rounds of both runs do not overlap.
"""


def readme(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the page of ``benchmarks/README.md``: a chapter a run."""
    return "\n".join([README, *(f"## {run['game'].capitalize()}\n\n{page(run)}" for run in runs)])
