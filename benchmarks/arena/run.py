"""An arena in a folder: made, entered, played round by round; whatever happens is appended to its journal."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.agents.fingerprint import fingerprint, missing_file
from shogun_env.agents.parts import is_stranger
from shogun_env.benchmarks.arena import presets
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.games import RECORDS, History
from shogun_env.benchmarks.arena.journal import VERSION, Journal, line_of
from shogun_env.benchmarks.arena.programs import check_apart, is_sandbox
from shogun_env.benchmarks.arena.schedule import missing, next_round
from shogun_env.benchmarks.arena.seeds import hash_of, kept_secret, new_secret
from shogun_env.benchmarks.arena.settings import ALL, DRAWN, Settings, made_by
from shogun_env.benchmarks.arena.tables import widest
from shogun_env.benchmarks.arena.workers import arenas_of, asked_bots, blocks_of, event_of, play
from shogun_env.files import JOURNAL, write_whole

EARLIER = ("results.jsonl", "settings.json")
"""Files of a folder that an earlier version made."""
MOST_ROUNDS = 12
"""How often the number of games is doubled at most while an interval is too wide."""


def create(folder: Path, settings: Settings, bots: Sequence[str], is_pool: bool = False) -> History:
    """Make an arena in a folder, with its first bots; return its history.

    Args: folder, which is made; settings; bots, their specs; is_pool, whether they are the reference pool of a league.
    Raises: ValueError if the folder holds one already, or what an earlier version left.
    """
    if (folder / JOURNAL).exists():
        raise ValueError(f"{folder} holds games already; its journal is never written anew")
    if old := [name for name in EARLIER if (folder / name).exists()]:
        raise ValueError(f"{folder} was begun by an earlier version, whose {old[0]} is not read any more; give another")
    try_bots(settings, bots, folder)  # one that cannot be made is named before anything is written
    folder.mkdir(parents=True, exist_ok=True)
    with cli.only_run(folder):
        if (folder / JOURNAL).exists():
            raise ValueError(f"{folder}: another run has just begun there")
        sha256 = hash_of(new_secret(folder, settings.secret)) if settings.seed is None else None
        start = {"kind": "start", "version": VERSION, "settings": settings.in_journal()}
        history, text = History(), ""
        for values in [
            {**start, "made_by": made_by(settings.game), "secret_sha256": sha256},
            *(_entry(settings, folder, number, spec, is_pool=is_pool) for number, spec in enumerate(bots)),
        ]:
            line, event = line_of(values, history.chain)
            history.take(event)
            text += line
        write_whole(folder / JOURNAL, text)  # at once: a run that is killed leaves all bots or no journal
    return history


def _entry(
    settings: Settings, folder: Path, bot: int, spec: str, name: str = "", is_pool: bool = False
) -> dict[str, Any]:
    """Return the event of a bot that enters, by its number and spec."""
    sha256, rating = fingerprint(spec, settings.spec, without=folder), 0.0 if is_pool else None
    return {"kind": "entry", "bot": bot, "name": name or spec, "spec": spec, "sha256": sha256, "rating": rating}


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Journal, History]]:
    """Provide the journal and the history of the arena in a folder, and keep others out.

    Raises: ValueError if there is none, its journal was changed, or another version plays otherwise.
    """
    if not (folder / JOURNAL).exists():
        raise ValueError(f"{folder}: there is no {JOURNAL}")
    with cli.only_run(folder):
        history = History.at(folder / JOURNAL)
        check_version(history)
        with closing(Journal(folder / JOURNAL, history.chain)) as journal:
            yield journal, history


def check_version(history: History) -> None:
    """Raise ValueError if this version plays otherwise than the one that made a journal, or its preset is none."""
    earlier, now = history.made_by.get("rules"), made_by(history.settings.game)["rules"]
    if earlier != now:
        raise ValueError(f"this was played by rules {earlier}, and this version has {now}")
    presets.check(history.settings, [each.spec for each in history.entries if each.is_pool])


def check_new(history: History, called: str, spec: str, sha256: str) -> None:
    """Raise ValueError that begins with what a bot is ``called`` if it plays already, by whatever name."""
    for entry in history.entries:
        if entry.plays and (entry.spec == spec or entry.sha256 == sha256):
            raise ValueError(f"{called} plays already, as {entry.name}; withdraw that first")


def enter(folder: Path, spec: str, name: str, settings: Settings) -> str:
    """Enter a bot into a league; return its name there, which is its spec if none is given.

    Args: folder; spec; name, which is never used again; settings, whether the bot is isolated when it is tried.
    Raises: ValueError if it cannot be made, or plays already, by this name or another.
    """
    name = name or spec
    with opened(folder) as (journal, history):
        sha256 = fingerprint(spec, history.settings.spec, without=folder)
        check_new(history, spec, spec, sha256)
        if why := history.why_not(name):
            raise ValueError(f"{name!r:.60}: {why}; give another with --name")
        try_bots(settings, [spec], folder, others=[entry.spec for entry in history.entries if entry.plays])
        event = _entry(history.settings, folder, len(history.entries), spec, name)
        history.take(journal.append(event))
    return name


def mark(folder: Path, name: str, what: str, why: str) -> None:
    """Mark an entry with one of ``journal.MARKS``; nothing is removed.

    In the games that are left of an open round a bot that plays no more has a fault for each decision.

    Raises: ValueError for an unknown one, one of the reference pool, or a mark that says nothing new.
    """
    with opened(folder) as (journal, history):
        entry = history.entries[history.number_of(name)]
        if entry.is_pool:
            raise ValueError(f"{name}: is of the reference pool, which stays")
        if entry.mark == what or (what == "back" and entry.plays):
            raise ValueError(f"{name}: is {entry.mark or 'in the league'} already")
        if what == "back":
            check_new(history, name, entry.spec, entry.sha256)
        if not why.isprintable():
            raise ValueError(f"--why {why!r}: must be one printable line")
        history.take(journal.append({"kind": "mark", "name": entry.name, "mark": what, "why": why}))


# --- bots ------------------------------------------------------------------------------------------------------------


def check_bots(history: History, settings: Settings) -> None:
    """Check that the bots are those that entered, and that strangers are isolated where there are limits.

    Raises: ValueError naming the first that is not, or one that would see the folder of another.
    """
    if is_sandbox(settings.isolate):
        check_apart([entry.spec for entry in history.entries if entry.plays])
    for entry in history.entries:
        if not entry.plays:
            continue
        _check_isolated(settings, entry.spec, entry.name)
        if fingerprint(entry.spec, settings.spec) != entry.sha256:
            if file := missing_file(entry.spec):
                raise ValueError(f"{entry.name}: {file} is not here; go to the folder from which it entered")
            raise ValueError(
                f"{entry.name}: has changed since it entered, or something in its folder has; put it back, or play it "
                "anew: in a league under another name, else with another --out. A bot has a folder of its own best"
            )


def _check_isolated(settings: Settings, spec: str, name: str) -> None:
    """Raise ValueError for a stranger that would run here although there are limits."""
    if settings.limits and settings.isolate is None and is_stranger(spec):
        raise ValueError(f"{name}: here bots have limits, which only an isolated one keeps: add --isolate")


def try_bots(settings: Settings, specs: Sequence[str], folder: Path, others: Sequence[str] = ()) -> None:
    """Make bots once; ValueError for one that cannot be made, or whose process dies, or that sees one of others.

    A stranger that is to be isolated and is not is refused before anything of it runs.
    """
    for spec in specs:
        _check_isolated(settings, spec, spec)
    if is_sandbox(settings.isolate):
        check_apart([*others, *specs])
    arena = arenas_of(settings, "", folder)[0]
    for spec in specs:
        arena.agent(spec)
    arena.close()


# --- playing ---------------------------------------------------------------------------------------------------------


def run(folder: Path, settings: Settings, texts: FaultTexts, title: str) -> Iterator[History]:
    """Play until there are as many games as the settings say, and yield the history after each round.

    Args: folder and settings of the arena, with what may differ from run to run; texts, which are filled; title, for
        the progress shown.
    Raises: ValueError as ``opened`` and ``check_bots``; KeyboardInterrupt after Ctrl-C: all blocks that were played
        are kept.
    """
    with opened(folder) as (journal, history):
        check_bots(history, settings)
        secret = b""
        if history.secret_sha256 is not None:
            secret = kept_secret(folder, history.secret_sha256)
            sys.stderr.write(f"the seeds follow from a secret with the SHA-256 {history.secret_sha256}\n")
        games = games_wanted(history, settings)
        if history.secret is not None and (missing(history, games) or next_round(history, games)):
            sys.stderr.write("the secret is public, so the bots may know the games that are played from now on\n")
        with cli.progress(title, settings.games * len(settings.variants)) as show:
            while True:
                for now, lacking in missing(history, games):
                    asked = asked_bots(history, settings, folder, now)
                    waiting = blocks_of(history, now, lacking, secret, asked)
                    salt = history.secret_sha256 or ""
                    thinks = lambda name: show(history.n_games, f"{history.n_games} games, {name} is thinking")  # noqa: E731
                    for played in play(settings, salt, folder, waiting, thinks):
                        texts.update({each: text for each, text in played.texts.items() if each not in texts})
                        for game, result in enumerate(played.results, played.block.first):
                            if result.record_text is not None:
                                name = history.record_name(now.number * 2**32 + game)
                                write_whole(folder / RECORDS / name, result.record_text)
                        history.take(journal.append(event_of(played, history)))
                        show(history.n_games, f"{history.n_games} games")
                    yield history
                games = games_wanted(history, settings)
                event = next_round(history, games)
                if event is not None:
                    history.take(journal.append(event))
                elif not missing(history, games):
                    break
        if secret and settings.schedule in (ALL, DRAWN) and history.secret is None:
            history.take(journal.append({"kind": "secret", "secret": secret.hex()}))
        yield history


def games_wanted(history: History, settings: Settings) -> int:
    """Return the least number of games of each variant: twice as many as before while an interval is too wide."""
    games, goal = settings.games, settings.until_interval
    for _ in range(MOST_ROUNDS if goal is not None else 0):
        if missing(history, games) or next_round(history, games) is not None:
            break
        every, first = history.games, np.array([each.first for each in history.rounds], np.int64)
        which = first[every.number >> 32] + (every.number & 0xFFFFFFFF) < games  # the first of their variant
        if widest(history, which) <= (goal or 0):
            break
        games *= 2
    return games
