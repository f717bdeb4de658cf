"""Python files that define bots: ``path/to/file.py:make``.

What such a file imports from its own folder, as a script there would, is its own: two bots, each with a ``helper.py``
next to it, play with their own helper, whatever the current folder has. Python knows one module of a name only, so
modules of a name that several places have are taken out of ``sys.modules`` as soon as their bot has been imported; the
bot keeps what it has imported.

The name of a bot's own module says where its file is, so that other processes find it when they unpickle a bot. When a
file has changed, the next bot of its folder is of a new module; bots that were made before stay as they are.
"""

import functools
import importlib.util
import os
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from shogun_env.kernel import cache
from shogun_env.spec.bots import first_line

OF_A_BOT = "_bots_"
"""Begins the name of a bot's module; its path follows, without dots, and the version of its folder."""
YOUNG = 2.0
"""Seconds after a change in which the bytecode of a file is not kept: bytecode knows a source by its size and the
second of its change only, and would be taken for that of a file changed again in this second."""


class _Folders:
    """Finds bots by the names of their modules, and what they import later from their folders, for ``sys.meta_path``:
    after all that is installed.
    """

    def __init__(self) -> None:
        self.modules: dict[Path, dict[str, ModuleType]] = {}
        """By folder, what has been imported from it, by the names there."""
        self.stamps: dict[Path, dict[str, int | None]] = defaultdict(dict)
        """By folder, checksums of the files that were imported from it, bots among them."""
        self.versions: dict[Path, int] = {}
        """By folder of which files have changed in this process, a number for those that there are now."""
        self.is_importing = False
        """Whether a bot is being imported: its own folder is in ``sys.path`` then."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Return where the module of a name is; ImportError if it is in the folders of several bots."""
        if name.startswith(OF_A_BOT):
            file = os.fsdecode(unquote_to_bytes(name.removeprefix(OF_A_BOT).rpartition("_")[0]))
            return importlib.util.spec_from_file_location(name, file, loader=_Loader(name, file))
        if path is not None or self.is_importing:
            return None  # within a package, whose place is known
        found = [spec for folder in self.modules if (spec := spec_in(folder, name)) is not None]
        if len(found) > 1:
            raise ImportError(
                f"the folders of {len(found)} bots have a module {name}: import it at the top of the bot's file, "
                "not in a function, so that each bot gets its own",
                name=name,
            )
        return found[0] if found else None

    def version(self, folder: Path) -> int:
        """Return the version of a folder; forget what has been imported from it if a file of that has changed."""
        now = {file: _stamp_of(file) for file in self.stamps[folder]}
        if now != self.stamps[folder]:
            for name, module in self.modules.pop(folder, {}).items():
                if sys.modules.get(name) is module:
                    del sys.modules[name]
            self.stamps[folder].clear()
            self.versions[folder] = zlib.crc32(repr(now).encode())
            cache.forget_sources()
        return self.versions.get(folder, 0)

    @contextmanager
    def alone(self, folder: Path) -> Iterator[None]:
        """Import from one folder in the block, as a script there does."""
        own = self.modules.setdefault(folder, {})
        of_bots = [module for modules in self.modules.values() for module in modules.values()]
        hidden = [name for name, module in sys.modules.items() if module not in of_bots and is_other(folder, name)]
        aside = {name: sys.modules.pop(name) for name in hidden}
        self._put_aside(folder)
        sys.modules.update(own)
        before, outer, self.is_importing = set(sys.modules), self.is_importing, True
        sys.path.insert(0, str(folder))
        try:
            yield
        finally:
            with suppress(ValueError):  # the bot took it out itself
                sys.path.remove(str(folder))
            self.is_importing = outer
            new = [name for name in set(sys.modules) - before if spec_in(folder, _top(name))]
            own |= {name: sys.modules[name] for name in new if not is_other(folder, name)}
            files = [str(getattr(own[name], "__file__", None)) for name in new if name in own]
            self.stamps[folder] |= {file: _stamp_of(file) for file in files}
            for file in self.stamps[folder]:
                with suppress(OSError):
                    if time.time() - os.stat(file).st_mtime < YOUNG:
                        os.remove(importlib.util.cache_from_source(file))
            self._put_aside(folder)
            sys.modules.update(aside)

    def _put_aside(self, folder: Path) -> None:
        """Take modules out of ``sys.modules`` whose names both this folder and another place have."""
        others = [other for other in self.modules if other != folder]
        shared = {name for other in others for name in self.modules[other] if spec_in(folder, _top(name))}
        shared |= {n for n in self.modules[folder] if any(spec_in(other, _top(n)) for other in others)}
        shared |= {name for name in self.modules[folder] if is_elsewhere(folder, _top(name))}
        for name in shared:
            sys.modules.pop(name, None)


def _stamp_of(file: str) -> int | None:
    """Return a checksum of a file, as a clock may not tell two changes apart; None if it is not there."""
    with suppress(OSError):
        return zlib.crc32(Path(file).read_bytes())
    return None


def _top(name: str) -> str:
    return name.partition(".")[0]


def spec_in(folder: Path, name: str) -> ModuleSpec | None:
    """Return where a module is in a folder; None if it is not there."""
    return PathFinder.find_spec(name, [str(folder)])


@functools.cache
def is_installed(name: str) -> bool:
    """Return whether a module is Python's, this package, or in a folder of installed packages."""
    places = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return (
        name in {*sys.stdlib_module_names, "__main__", "shogun_env"} or PathFinder.find_spec(name, places) is not None
    )


def is_other(folder: Path, name: str) -> bool:
    """Return whether an imported module hides one of a folder: it has the name of it, and is of another file."""
    top = _top(name)
    module_spec = getattr(sys.modules.get(top), "__spec__", None)
    own = None if is_installed(top) else spec_in(folder, top)
    return own is not None and getattr(module_spec, "origin", None) != own.origin


def is_elsewhere(folder: Path, top: str) -> bool:
    """Return whether the script, or the current folder, has a module of a name as well as a folder of a bot."""
    own, found = spec_in(folder, top), PathFinder.find_spec(top)
    return own is not None and found is not None and found.origin != own.origin


_folders = _Folders()
sys.meta_path.append(_folders)


class _Loader(SourceFileLoader):
    """Runs the file of a bot as a script in its folder."""

    def exec_module(self, module: ModuleType) -> None:
        folder = Path(self.path).parent
        _folders.stamps[folder][self.path] = _stamp_of(self.path)
        with _folders.alone(folder):
            super().exec_module(module)


def factory_in_file(path: Path, name: str) -> Callable[..., Any]:
    """Return what a Python file defines as ``name``.

    Raises: ValueError if the file does not exist, cannot be imported, or defines no such function.
    """
    if not path.is_file():
        raise ValueError(f"agent {path}:{name}: no such file")
    try:
        place, version = quote(os.fsencode(path)).replace(".", "%2E"), _folders.version(path.parent)
        module = importlib.import_module(f"{OF_A_BOT}{place}_{version}")
    except Exception as error:
        raise ValueError(f"agent {path}:{name}: cannot be imported: {first_line(error)}") from error
    factory = getattr(module, name, None)
    if not callable(factory):
        other = f", but one of type {type(factory).__name__}" if hasattr(module, name) else ""
        raise ValueError(f"agent {path}:{name}: {path.name} defines no function or class {name}{other}")
    return factory
