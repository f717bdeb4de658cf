"""What a data set of ``export`` says of itself: a card for people, and Croissant for programs that load data sets."""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env import __version__
from shogun_env.spec.game_spec import GameSpec

CROISSANT = "http://mlcommons.org/croissant/1.0"
"""The format of ``croissant.json`` (MLCommons, version 1.0)."""
WORDS = """citeAs column conformsTo data dataType equivalentProperty examples extract field fileObject fileProperty
fileSet format includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
samplingRate separator source subField transform"""
CONTEXT = {
    **{word: f"cr:{word}" for word in WORDS.split()},
    "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "dct": "http://purl.org/dc/terms/",
    "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "conformsTo": "dct:conformsTo", "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "data": {"@id": "cr:data", "@type": "@json"}, "examples": {"@id": "cr:examples", "@type": "@json"},
}  # fmt: skip
"""What the words of ``croissant.json`` mean, as JSON-LD: the standard context of the format."""
LICENSE = "https://opensource.org/license/mit"
"""Of the data; the games' rules, names and art belong to their authors and publishers, and are not in it."""


class Column(NamedTuple):
    """A column of the table."""

    meaning: str
    type: str = "sc:Integer"
    """Its type in Croissant."""
    repeated: bool = False
    """Whether a cell is a list."""


COLUMNS = {
    "seed": Column("seed of the game, which identifies it"),
    "decision": Column(
        "number of the decision in its game, from 0; decisions with one legal action are not among them"
    ),
    "player": Column("who decides, from 0"),
    "agent": Column("the bot that does", "sc:Text"),
    "phase": Column("what is decided", "sc:Text"),
    "action": Column("number of the action that was chosen"),
    "action_name": Column("its name", "sc:Text"),
    "teacher": Column(
        "number of the action that the bot of `--teacher` would have chosen; the same as `action` without"
    ),
    "legal": Column("numbers of the legal actions, rising", repeated=True),
    "observation": Column("what the player may know, as bytes", repeated=True),
    "points": Column("points of this player at the end of the game"),
    "place": Column(
        "place of this player at the end, from 1; players who tie share the mean of their places", "sc:Float"
    ),
    "share": Column("share of the win of this player, 0 to 1", "sc:Float"),
    "shares": Column(
        "shares of the win of all players, in turn order from the one who decides", "sc:Float", repeated=True
    ),
}
"""The columns in their order."""


def description_of(spec: GameSpec, n_rows: int, n_games: int) -> str:
    """Return one sentence that says what is in a data set."""
    return (
        f"{n_rows:,} decisions of {n_games:,} games of {spec.title}, written by shogun-env {__version__} "
        f"(rules version {spec.rules_version}, observation version {spec.obs_version})"
    )


def readme_of(spec: GameSpec, command: str, options: Any, n_rows: int, n_games: int) -> str:
    """Return the card of a data set, as hubs of data sets show it."""
    meanings = "\n".join(f"| `{name}` | {column.meaning} |" for name, column in COLUMNS.items())
    pieces = "\n".join(f"| `{p.name}` | {p.start} | {p.stop} | {p.high} |" for p in spec.obs_layout)
    return f"""---
pretty_name: Decisions of {spec.title}
license: mit
configs:
- config_name: default
  data_files: data/*.parquet
tags: [board-games, reinforcement-learning, imitation-learning]
---

# Decisions of {spec.title}

{description_of(spec, n_rows, n_games)}:

    {command}

Options of play: `{json.dumps(options)}`. The bots know what their player may know; the rows of one game \
stand together, in order. Split by `seed`, never by row: the decisions of a game share its end.

No person played or is named, unless records of theirs were exported. The same command of the same version writes the \
same decisions, unless a bot of it is asked outside, or chooses by the clock. The data is under the MIT licence; the \
games are by their authors and publishers, whose texts and art are not in it. `croissant.json` tells programs the same.

| column | meaning |
|---|---|
{meanings}

The {spec.obs_size} bytes of `observation`, from the first to before the last:

| feature | first | last | highest value |
|---|---:|---:|---:|
{pieces}
"""


def croissant_of(spec: GameSpec, command: str, n_rows: int, n_games: int, paths: Iterable[Path]) -> dict[str, Any]:
    """Return the Croissant metadata of a data set (JSON-LD) whose files are ``paths``, those of its folder ``data``."""
    files = [
        {
            "@type": "cr:FileObject", "@id": path.name, "name": path.name, "contentUrl": f"data/{path.name}",
            "encodingFormat": "application/x-parquet", "sha256": sha256(path.read_bytes()).hexdigest(),
        }
        for path in paths
    ]  # fmt: skip
    together = {
        "@type": "cr:FileSet", "@id": "games", "name": "games", "encodingFormat": "application/x-parquet",
        "includes": "data/*.parquet",
    }  # fmt: skip
    fields = [
        {
            "@type": "cr:Field", "@id": f"decisions/{name}", "name": name, "description": column.meaning,
            "dataType": column.type, "source": {"fileSet": {"@id": "games"}, "extract": {"column": name}},
            **({"repeated": True} if column.repeated else {}),
        }
        for name, column in COLUMNS.items()
    ]  # fmt: skip
    return {
        "@context": CONTEXT, "@type": "sc:Dataset", "conformsTo": CROISSANT, "name": f"{spec.name}-decisions",
        "description": f"{description_of(spec, n_rows, n_games)}: {command}", "license": LICENSE,
        "version": __version__, "citeAs": f"The shogun-env developers: shogun-env, version {__version__} (2026)",
        "distribution": [*files, together],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "decisions", "name": "decisions", "field": fields}],
    }  # fmt: skip
