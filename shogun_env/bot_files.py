"""Python files that define bots: ``path/to/file.py:make``.

What such a file imports from its own folder is its own: two bots, each with a ``helper.py`` next to it, play with
their own helper. Python knows one module of a name only, so modules of a name that several folders have are taken out
of ``sys.modules`` as soon as their bot has been imported; the bot keeps what it has imported.
"""

import functools
import importlib.util
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any


class _Folders:
    """Finds modules in the folders of bots, for ``sys.meta_path``: after all that is installed."""

    def __init__(self) -> None:
        self.modules: dict[Path, dict[str, ModuleType]] = {}
        """By folder, what has been imported from it, by the names there."""
        self.importing: Path | None = None
        """The folder of the bot that is being imported."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Return where the module of a name is; ImportError if it is in the folders of several bots."""
        if path is not None:
            return None  # within a package, whose place is known
        folders = list(self.modules) if self.importing is None else [self.importing]
        found = [spec for folder in folders if (spec := spec_in(folder, name)) is not None]
        if len(found) > 1:
            raise ImportError(
                f"the folders of {len(found)} bots have a module {name}: import it at the top of the bot's file, "
                "not in a function, so that each bot gets its own",
                name=name,
            )
        return found[0] if found else None

    @contextmanager
    def alone(self, folder: Path) -> Iterator[None]:
        """Import from one folder only in the block."""
        own = self.modules.setdefault(folder, {})
        self._put_aside(folder)
        sys.modules.update(own)
        before, outer, self.importing = set(sys.modules), self.importing, folder
        try:
            yield
        finally:
            self.importing = outer
            own |= {name: sys.modules[name] for name in set(sys.modules) - before if spec_in(folder, _top(name))}
            self._put_aside(folder)

    def _put_aside(self, folder: Path) -> None:
        """Take modules out of ``sys.modules`` whose names both this folder and another one have."""
        others = [other for other in self.modules if other != folder]
        shared = {name for other in others for name in self.modules[other] if spec_in(folder, _top(name))}
        shared |= {n for n in self.modules[folder] if any(spec_in(other, _top(n)) for other in others)}
        for name in shared:
            sys.modules.pop(name, None)


def _top(name: str) -> str:
    return name.partition(".")[0]


def spec_in(folder: Path, name: str) -> ModuleSpec | None:
    """Return where a module is in a folder; None if it is not there."""
    return PathFinder.find_spec(name, [str(folder)])


_folders = _Folders()


@functools.cache
def factory_in_file(path: Path, name: str) -> Callable[..., Any]:
    """Return what a Python file defines as ``name``.

    Raises: ValueError if the file does not exist, cannot be imported, or defines no such function.
    """
    if not path.is_file():
        raise ValueError(f"agent {path}:{name}: no such file")
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
    except Exception as error:
        del sys.modules[module_name]
        raise ValueError(f"agent {path}:{name}: cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(getattr(module, name, None)):
        raise ValueError(f"agent {path}:{name}: {path.name} defines no function {name}")
    factory: Callable[..., Any] = getattr(module, name)
    return factory
