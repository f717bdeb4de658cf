"""Hashes of what a bot is made of: work that was begun is resumed, and counts, only if its bots are the same."""

import hashlib
import itertools
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from shogun_env.agents.parts import READING, is_own, is_stranger, parts_of
from shogun_env.agents.program.agent import words_of
from shogun_env.files import JOURNAL
from shogun_env.policies import make_agent, split_spec
from shogun_env.spec.game_spec import GameSpec

MOST_FILES, MOST_BYTES = 1000, 100_000_000
"""A larger folder is not a bot's own: then only named files and the Python files next to them count."""
NOT_OF_A_BOT = ("__pycache__", "node_modules")


def fingerprint(spec: str, game_spec: GameSpec, without: Path | None = None) -> str:
    """Return the SHA-256 of what a bot is made of: parameters of a compiled one, files of all others.

    For a bot that is read from files, the whole content of its folder counts, but no links in it and not where it
    lies; its function and parameters count as well, and what files these name. Only bots of the package are made, and
    none is run.

    Args: without, a file or folder that is no part of a bot even if it lies in the bot's own: what a command writes.
    Raises: ValueError for a bot of the package that cannot be made.
    """
    digest = hashlib.sha256()
    if is_own(spec, game_spec):
        pair = make_agent(spec, game_spec).compiled
        digest.update((spec if pair is None else spec.partition(":")[0]).encode() + b"\0")
        digest.update(np.asarray(() if pair is None else pair[1], np.float64).tobytes())
        return digest.hexdigest()
    for part in parts_of(spec):
        words = [os.path.basename(word) if os.path.exists(word) else word for word in words_in(part)]
        digest.update(json.dumps(words).encode())
        for path in _paths_in(part):
            for file, name in files_of_bot(path, without):
                digest.update(name.encode("utf-8", "surrogateescape") + b"\0")
                try:
                    digest.update(hashlib.sha256(file.read_bytes()).digest())
                except OSError:
                    digest.update(b"-")
    return digest.hexdigest()


def made_of(spec: str, game_spec: GameSpec, without: Path | None = None) -> str:
    """Return a hash by which work is resumed: of the numbers of a compiled bot, else its ``fingerprint``.

    So what else lies in the folder of a network, such as a log, does not count. Args and Raises: as ``fingerprint``.
    """
    compiled = None if is_stranger(spec) else make_agent(spec, game_spec).compiled
    if compiled is None:
        return fingerprint(spec, game_spec, without)
    return hashlib.sha256(np.asarray(compiled[1]).tobytes()).hexdigest()


def _paths_in(spec: str) -> list[Path]:
    """Return the files and folders that a bot is read from, or is given by its parameters."""
    name, *texts = split_spec(spec)
    if name == "exec":
        texts = [word for text in texts if not text.startswith("stderr=") for word in words_of(text)]
    elif name.endswith(".py"):
        texts[:1] = [name]  # in place of the function, which may be called like a folder
    words = [word for text in texts for word in (text, text.partition("=")[2])]
    found = [Path(word) for word in words if word != sys.executable and os.path.exists(word)]
    return [path for path in found if not is_of_the_system(path)]


def missing_file(spec: str) -> str:
    """Return the first file or folder that a bot is read from, as its spec names it, and that is not there; or "".

    Example:
        >>> missing_file("search:base=bots/mine.py;make"), missing_file("exec:python bots/mine.py --level=3")
        ('bots/mine.py', 'bots/mine.py')
        >>> missing_file("ppo:our runs/mine:greedy=false")
        'our runs/mine'
    """
    for part in parts_of(spec):
        name, *texts = split_spec(part)
        words = [name] if name.endswith(".py") else []
        if name in READING:
            words = [text for text in texts if "=" not in text]
        if name == "exec":  # which word of the command is a file, the program alone knows: none of them is here
            named = () if _paths_in(part) else words_in(part)
            words = [word for word in named if "=" not in word and (os.sep in word or word.endswith(".py"))]
        for word in words:
            if not os.path.exists(word):
                return word
    return ""


def is_of_the_system(path: Path) -> bool:
    """Return whether a file is a program of this machine or its Python, which another machine has otherwise."""
    real = os.path.realpath(path)
    return real == os.path.realpath(sys.executable) or real.startswith(("/usr/", "/bin/", "/opt/", sys.prefix + os.sep))


def files_of_bot(path: Path, without: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield the files of a bot that is read from a file or a folder, each with its name in the folder.

    A file that is a link stands for the one that is loaded. Of a folder that is too large, or in which an arena plays,
    only the file and the Python files next to it count.
    """
    path = path.resolve()
    folder = path if path.is_dir() else path.parent
    files = list(itertools.islice(_tree(folder, without), MOST_FILES + 1))
    is_whole = 0 < len(files) <= MOST_FILES and sum(file.stat().st_size for file in files) <= MOST_BYTES
    if not is_whole:
        files = [] if path.is_dir() else [path, *(each for each in folder.glob("*.py") if each.is_file())]
    for file in sorted(set(files)):
        yield file, str(file.relative_to(folder))


def _tree(folder: Path, without: Path | None) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, but no hidden ones and none of arenas."""
    left_out = None if without is None else os.path.realpath(without)
    for root, folders, files in os.walk(folder):
        if JOURNAL in files or os.path.realpath(root) == left_out:
            folders.clear()
            continue
        folders[:] = [each for each in folders if not each.startswith(".") and each not in NOT_OF_A_BOT]
        for name in files:
            path = Path(root, name)
            is_its_own = not name.startswith(".") and os.path.realpath(path) != left_out
            if is_its_own and not path.is_symlink() and path.is_file():
                yield path


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
