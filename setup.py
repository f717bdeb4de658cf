"""Which packages are installed, and where they lie; all else about the installation is in pyproject.toml.

`shogun_env/agents`, `training` and `benchmarks` are links to the folders at the top of the repository. Git on Windows,
and some programs that unpack archives, leave a small file or nothing in their place. The installation is complete all
the same: setuptools is told here which folder each package is.
"""

import sys
from pathlib import Path

from setuptools import find_namespace_packages, setup

BESIDE = ("agents", "benchmarks", "training")
"""Folders at the top that are installed inside the package."""


def packages_in(*folders: str) -> list[str]:
    """Return the dotted names of folders and their sub-folders, those that hold only data too."""
    include = [pattern for folder in folders for pattern in (folder, f"{folder}.*")]
    return [name for name in find_namespace_packages(include=include) if "__pycache__" not in name]


if missing := [name for name in BESIDE if not Path(name, "__init__.py").is_file()]:
    sys.exit(
        f"shogun-env cannot be installed: {', '.join(missing)} must lie next to setup.py; take the whole repository"
    )
if all(Path("shogun_env", name).is_dir() for name in BESIDE):
    setup(packages=packages_in("shogun_env"))
else:
    setup(
        packages=packages_in("shogun_env") + [f"shogun_env.{name}" for name in packages_in(*BESIDE)],
        package_dir={f"shogun_env.{name}": name for name in BESIDE},
    )
