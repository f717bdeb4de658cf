"""Whose code a bot is: what its spec loads decides, not its name.

The package's own are the bots that read no files but the package's. All others are strangers: functions in a file, bots
of installed packages, programs, networks and settings read from files, and searches over any of these.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from importlib import metadata
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from shogun_env.agents.exec.agent import words_of
from shogun_env.agents.search.agent import FITTED
from shogun_env.benchmarks.arena.sandbox import both_paths, is_in
from shogun_env.policies import ENTRY_POINTS, inner_spec, is_built_in, split_spec
from shogun_env.spec.game_spec import GameSpec

SELF_CONTAINED = ("random", "scripted", "champion", "pool")
"""Compiled bots of the package that load nothing but the package's own files, whatever their parameters are."""
PATHS = (os.path.abspath, os.path.realpath)
"""What makes a path absolute: as it is written, and where links lead."""
OF_OTHERS = {"search": ("base", "play_on", "model", "critic")}
"""Bots of the package that are made of other bots, with the parameters that name these."""


class Files(NamedTuple):
    """What a bot needs to see of this machine."""

    shown: tuple[str, ...]
    """Absolute paths of files and folders, parents first."""
    imported: tuple[str, ...]
    """Those to look for packages in."""


def parts_of(spec: str) -> list[str]:
    """Return the specs of the bots that a bot is made of, itself first.

    Example:
        >>> parts_of("search:base=mine.py;make:model=random")
        ['search:base=mine.py;make:model=random', 'mine.py:make', 'random']
    """
    name, *parameters = split_spec(spec)
    given = dict(part.split("=", 1) for part in parameters if "=" in part)
    inner = [inner_spec(given[key]) for key in OF_OTHERS.get(name, ()) if given.get(key, FITTED) not in ("", FITTED)]
    return [spec, *(part for each in inner for part in parts_of(each))]


def is_own(spec: str, game_spec: GameSpec) -> bool:
    """Return whether a bot is wholly made of the package's own code and files.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> [is_own(spec, SHOGUN) for spec in ("search:base=champion", "search:base=mine.py;make", "ppo:runs/mine")]
        [True, False, False]
    """
    names = {part.partition(":")[0] for part in parts_of(spec)}
    return names <= {*SELF_CONTAINED, *OF_OTHERS} and all(is_built_in(name, game_spec) for name in names)


def is_simple(spec: str, game_spec: GameSpec) -> bool:
    """Return whether a bot is the package's own and plays inside the engine, so that it needs no isolation."""
    return spec.partition(":")[0] in SELF_CONTAINED and is_own(spec, game_spec)


def needs_network(spec: str) -> bool:
    """Return whether a bot asks a language model, which it cannot do from within a sandbox."""
    return any(part.partition(":")[0] == "chat" for part in parts_of(spec))


def runs_a_program(spec: str) -> bool:
    """Return whether a bot, or one that it is made of, is a program of its own."""
    return any(part.partition(":")[0] == "exec" for part in parts_of(spec))


def files_of(spec: str) -> Files:
    """Return what a bot needs to see: the folder of its file, its network, or where its package is installed.

    Of a program these are the folders of all files that its command names.
    """
    shown: list[str] = []
    imported: list[str] = []
    for part in parts_of(spec):
        name, *parameters = split_spec(part)
        if name.endswith(".py"):
            shown += [os.path.dirname(at(name)) for at in PATHS]
        elif name == "exec":
            words = filter(os.path.isfile, words_in(part))
            shown += [os.path.dirname(at(word)) for word in words for at in PATHS]
        elif name == "ppo":
            shown += [os.path.realpath(text) for text in parameters[:1]] + [os.path.abspath(t) for t in parameters[:1]]
        elif name not in (*SELF_CONTAINED, *OF_OTHERS):
            imported += _folders_of_packages(name)
    found = both_paths(path for path in [*shown, *imported] if os.path.exists(path))
    return Files(shown=tuple(found), imported=tuple(imported))


def words_in(spec: str) -> list[str]:
    """Return the words of a spec, which may be files: of a program those of its command, else what ``:``, ``;`` and
    ``=`` separate.

    Example:
        >>> words_in("exec:./my_bot --level=3"), words_in("search:base=ppo;runs/mine")
        (['./my_bot', '--level=3'], ['search', 'base', 'ppo', 'runs/mine'])
    """
    name, *parameters = split_spec(spec)
    if name == "exec":
        return [word for text in parameters for word in words_of(text)]
    return [word for word in re.split("[:;=]", spec) if word]


def _folders_of_packages(name: str) -> Iterable[str]:
    """Return where the package is whose entry point is a bot's name; else where those of all are that add bots.

    Of a package that is installed to be edited these are also the folder of its project, and what it adds to the places
    in which modules are looked for.
    """
    points = [point for point in metadata.entry_points(group=ENTRY_POINTS) if point.dist is not None]
    chosen = [point for point in points if point.name == name] or points
    found: set[str] = set()
    for point in chosen:
        if point.dist is not None:
            found.add(str(point.dist.locate_file("")))
            if project := project_of(point.dist):
                found |= {project, *(path for path in sys.path if is_in(os.path.abspath(path), [project]))}
    return sorted(found)


def project_of(package: metadata.Distribution) -> str | None:
    """Return the folder of the project of a package that is installed to be edited (``pip install -e``), or None."""
    try:
        about = json.loads(package.read_text("direct_url.json") or "{}")
        is_edited, url = about.get("dir_info", {}).get("editable"), urlsplit(about.get("url", ""))
    except (ValueError, AttributeError):  # it is not what pip writes
        return None
    return url2pathname(url.path) if is_edited and url.scheme == "file" else None
