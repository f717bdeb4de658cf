"""What the folder of a tournament holds besides results: its settings, and the secret of its seeds."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.benchmarks.arena.programs import words_in
from shogun_env.benchmarks.arena.results import ResultsReader, chain_start
from shogun_env.benchmarks.arena.seating import Result
from shogun_env.benchmarks.arena.seeds import FILE, hash_of, is_public, kept_secret
from shogun_env.files import write_whole
from shogun_env.policies import Agent

SECRET_HASH = "secret_sha256"
"""Name of the setting that has the hash of the secret that seeds are made from."""
RESULTS = "results.jsonl"
RECORDS = "records"
"""Name of the folder for records."""
MOST_NAMED = 5
"""How many lines that are set aside are named."""


def earlier_settings(out: Path) -> dict[str, Any] | None:
    """Return the settings in a folder; None if it has none that can be read."""
    try:
        settings = json.loads((out / "settings.json").read_text("utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return settings if isinstance(settings, dict) else None


def secret_of(out: Path) -> bytes:
    """Return the secret of the tournament in a folder, a new one for a new tournament, and print its hash.

    Where the settings cannot be read the secret is the one that is there; the hashes of the results tell whether it is
    theirs.

    Raises: ValueError if the secret of the games played so far is lost.
    """
    settings = earlier_settings(out)
    sha256 = None if settings is None else settings.get(SECRET_HASH)
    if settings is None and (out / RESULTS).exists() and (out / FILE).exists():
        sha256 = hash_in(out)
    secret = kept_secret(out, sha256)
    sys.stderr.write(f"the seeds are made from a secret with the SHA-256 {hash_of(secret)}\n")
    if sha256 is not None and is_public(out):
        sys.stderr.write("the secret is public, so the bots may know the games that are played from now on\n")
    return secret


def hash_in(out: Path) -> str:
    """Return the hash of the secret that lies in a folder; of nothing if it cannot be read."""
    try:
        return hash_of(bytes.fromhex((out / FILE).read_text("ascii")))
    except (OSError, ValueError):
        return hash_of(b"")


def results_in(out: Path) -> ResultsReader:
    """Return the results in the folder of a tournament.

    Raises: ValueError if it has no settings that can be read.
    """
    settings = earlier_settings(out)
    if settings is None:
        raise ValueError(
            f"{out}: has no settings.json that can be read; the command that made the folder writes it again"
        )
    return ResultsReader(out / RESULTS, chain_start(settings))


def write_records(out: Path, results: Iterable[Result]) -> None:
    """Write the records that results hold into the folder of a tournament."""
    for result in results:
        if result.record is not None and result.record_text is not None:
            (out / RECORDS).mkdir(exist_ok=True)
            write_whole(out / RECORDS / result.record["file"], result.record_text)


def size_of_records(out: Path) -> str:
    """Return in words how much the records of a tournament take."""
    sizes = [file.stat().st_size for file in (out / RECORDS).glob("*.jsonl")]
    return f"{len(sizes)} records, {sum(sizes) / 1e6:.1f} MB, in {out / RECORDS}"


def named(set_aside: Sequence[str]) -> str:
    """Return in one line how many lines of results were set aside, and which."""
    more = ["…"] if len(set_aside) > MOST_NAMED else []
    return f"{len(set_aside)} set aside: {'; '.join([*set_aside[:MOST_NAMED], *more])}"


def fingerprints(agents: Mapping[str, Agent]) -> dict[str, str]:
    """Return what was read to make agents, by name: the SHA-256 of parameters, and of the files that specs name."""
    found = {}
    for name, agent in agents.items():
        digest = hashlib.sha256()
        if hasattr(agent, "compiled"):
            digest.update(np.asarray(agent.compiled[1], np.float64).tobytes())
        for word in words_in(name):
            if word == sys.executable:
                continue  # "python" is another file on each machine
            files = sorted(Path(word).iterdir()) if Path(word).is_dir() else [Path(word)]
            for file in files:
                with suppress(OSError):
                    digest.update(hashlib.sha256(file.read_bytes()).digest())
        found[name] = digest.hexdigest()
    return found
