"""``shogun-env`` or ``python -m shogun_env``: the list of commands, and those that are short.

All commands are in the table of ``commands``. What one does is imported when it runs, so that ``--help`` is quick.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import resources
from typing import Any, NoReturn

from shogun_env import __version__, cli
from shogun_env.commands import COMMANDS, list_of_commands, run_command
from shogun_env.files import any_output
from shogun_env.spec.forms import meant

# --- commands that are short ------------------------------------------------------------------------------------------


def rules(args: argparse.Namespace) -> None:
    """Print the table of rulings in the RULES.md of a game, or its rules in short."""
    from shogun_env.records.text import rulings

    if args.short:
        print(cli.game_class(args.game).rules(), end="")
        return
    for tag, ruling, *_ in rulings(cli.batch_class(args.game).spec):
        print(f"{tag:<4} {ruling}")
    print(f"\nThe rules, and where each ruling is applied: {resources.files(f'shogun_env.{args.game}') / 'RULES.md'}")


def info(args: argparse.Namespace) -> None:
    """Print versions, sizes and compiled loops."""
    import platform
    from importlib import metadata

    from shogun_env.batch.base import LOG_LENGTH
    from shogun_env.batch.loops import play_games
    from shogun_env.kernel.cache import LIMIT, compiled_loops, kept
    from shogun_env.kernel.jit import JIT

    batch_type = cli.batch_class(args.game)
    spec, folder = batch_type.spec, play_games.of(batch_type.spec.engine).folder
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")}
    rows: dict[str, Any] = {
        "shogun-env": __version__,
        "python": platform.python_version(),
        **versions,
        "game": f"{spec.name}, {spec.players[0]} to {spec.players[-1]} players",
        "rules version": spec.rules_version,
        "observation version": spec.obs_version,
        "actions": spec.n_actions,
        "observation": f"{spec.obs_size} bytes",
        "state": f"{spec.state_dtype.itemsize} bytes, and a log of {2 * LOG_LENGTH} bytes if a record is kept",
        "kernel cache": folder if JIT else "compilation is switched off",
    }
    if JIT:
        folders = kept(folder.parent)
        size = f"{sum(size for _, size, _ in folders) / 1e6:,.0f} MB in {len(folders)} folders"
        rows["all caches"] = f"{size}; above {LIMIT / 1e6:,.0f} MB those used longest ago are removed"
    compiled = compiled_loops(folder) if JIT else {}
    rows["compiled"] = "" if compiled else "nothing yet"
    rows |= {f"  {name}": f"in {seconds} s" for name, seconds in compiled.items()}
    for name, value in rows.items():
        print(f"{name:<24} {value}".rstrip())


# --- the command line ------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; an error is printed in one line, with exit status 2."""
    with any_output():
        name, *words = (sys.argv[1:] if arguments is None else arguments) or [""]
        known = name.replace("_", "-")
        if known not in COMMANDS:
            answer(name)
        elif status := run_command(known, words):
            raise SystemExit(status)


def answer(word: str) -> NoReturn:
    """Print the list of commands or the version, if ``word`` asks for it, or say that it is no command; exit."""
    parser = cli.Parser(
        prog=cli.SCRIPT,
        usage=f"{cli.SCRIPT} COMMAND ...",
        description="Shogun and Shitennō: play, look, train, measure.\nEach command explains itself with --help.",
        epilog=list_of_commands(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("command", metavar="COMMAND", help=argparse.SUPPRESS)
    if word.startswith("-") or not word:
        parser.parse_args([word] if word else [])
    parser.error(f"unknown command {word!r}; {meant(word, COMMANDS)}")


if __name__ == "__main__":
    main()
