"""Python files that define bots: ``path/to/file.py:make``.

What such a file imports from its own folder, as a script there would, is its own: two bots, each with a ``helper.py``
next to it, play with their own helper, whatever the current folder has. Python knows one module of a name only, so
modules of a name that several places have are taken out of ``sys.modules`` as soon as their bot has been imported; the
bot keeps what it has imported.
"""

import functools
import importlib.util
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any


class _Folders:
    """Finds what bots import later from their folders, for ``sys.meta_path``: after all that is installed."""

    def __init__(self) -> None:
        self.modules: dict[Path, dict[str, ModuleType]] = {}
        """By folder, what has been imported from it, by the names there."""
        self.is_importing = False
        """Whether a bot is being imported: its own folder is in ``sys.path`` then."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Return where the module of a name is; ImportError if it is in the folders of several bots."""
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


def factory_in_file(path: Path, name: str) -> Callable[..., Any]:
    """Return what a Python file defines as ``name``.

    Raises: ValueError if the file does not exist, cannot be imported, or defines no such function.
    """
    if not path.is_file():
        raise ValueError(f"agent {path}:{name}: no such file")
    try:
        module = _module_in(path)
    except Exception as error:
        raise ValueError(f"agent {path}:{name}: cannot be imported: {type(error).__name__}: {error}") from error
    factory = getattr(module, name, None)
    if not callable(factory):
        other = f", but one of type {type(factory).__name__}" if hasattr(module, name) else ""
        raise ValueError(f"agent {path}:{name}: {path.name} defines no function or class {name}{other}")
    return factory  # type: ignore[no-any-return]


@functools.cache
def _module_in(path: Path) -> ModuleType:
    """Return a file as a module, run once for all bots in it; what that raises."""
    if _folders not in sys.meta_path:
        sys.meta_path.append(_folders)
    module_name = f"_bots_{path.stem}_{zlib.crc32(str(path).encode()):08x}"
    module_spec = importlib.util.spec_from_file_location(module_name, path)
    assert module_spec is not None and module_spec.loader is not None, "the name ends in .py"
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_name] = module
    try:
        with _folders.alone(path.parent):
            module_spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module
