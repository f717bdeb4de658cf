"""Which packages are installed, and where they lie, the page of a package index, and the version (that of
`shogun_env/__init__.py`); all else is in pyproject.toml.

`shogun_env/agents`, `training` and `benchmarks` are links to the folders at the top of the repository. Git on Windows,
and some programs that unpack archives, leave a small file or nothing in their place. The installation is complete all
the same: setuptools is told here which folder each package is.

The page is the README. On an index its links and pictures have to be absolute: they are, once `[project.urls]` of
pyproject.toml has a `Source`, the address of the repository, which shows files under `blob/TAG/` and `raw/TAG/`.
"""

import re
import sys
import tomllib
from pathlib import Path

from setuptools import find_namespace_packages, setup

BESIDE = ("agents", "benchmarks", "training")
"""Folders at the top that are installed inside the package."""


def packages_in(*folders: str) -> list[str]:
    """Return the dotted names of folders and their sub-folders, those that hold only data too."""
    include = [pattern for folder in folders for pattern in (folder, f"{folder}.*")]
    return [name for name in find_namespace_packages(include=include) if "__pycache__" not in name]


def page(readme: str, address: str, version: str) -> str:
    """Return the README with absolute links to the files of this version, if the project has an address."""
    if not address:
        return readme

    def absolute(link: re.Match) -> str:
        kind = "raw" if link[1].startswith("!") else "blob"
        return f"{link[1]}({address}/{kind}/v{version}/{link[2]})"

    return re.sub(r"(!?\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)", absolute, readme)


if missing := [name for name in BESIDE if not Path(name, "__init__.py").is_file()]:
    sys.exit(
        f"shogun-env cannot be installed: {', '.join(missing)} must lie next to setup.py; take the whole repository"
    )
project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
address = project.get("urls", {}).get("Source", "").rstrip("/")
version = re.search(r'^__version__ = "(.+)"$', Path("shogun_env/__init__.py").read_text("utf-8"), re.M)[1]
described = {
    "version": version,
    "long_description": page(Path("README.md").read_text("utf-8"), address, version),
    "long_description_content_type": "text/markdown",
}
if all(Path("shogun_env", name).is_dir() for name in BESIDE):
    setup(packages=packages_in("shogun_env"), **described)
else:
    setup(
        packages=packages_in("shogun_env") + [f"shogun_env.{name}" for name in packages_in(*BESIDE)],
        package_dir={f"shogun_env.{name}": name for name in BESIDE},
        **described,
    )
