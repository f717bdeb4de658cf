"""Whether a bot is better than another, by a test that stops as soon as it knows (``shogun-env strength --against``).

One value of the test is one seed: the bot's mean share of the win against copies of the other, in every seat, with
every number of players and every variant of the options. What is asked is fixed before: a bot that wins ``bounds.low``
or less is called better with a probability of at most ``bounds.error``, and one that wins ``bounds.high`` or more is
called no better with at most the same. The file of a test holds its values, from which the same command resumes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.experiment import Watch
from shogun_env.benchmarks.markdown import percent, percent_interval
from shogun_env.policies import Agent, make_agent
from shogun_env.shares import NO, UNDECIDED, YES, Bounds, interval, mean_shares, parity, run_test

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

ZONE = 0.02
"""By how much a bot has to be better for the test to be sure to say so, unless another zone is given."""
EXIT_STATUS = {YES: 0, NO: 1, UNDECIDED: 3}
"""Exit status of the command by verdict; 2 is that of every command that is called wrongly."""


def bounds_of(batch_class: type[Batch], variants: Sequence[dict[str, Any]], low: float | None, zone: float) -> Bounds:
    """Return the bounds of a test: ``low``, or parity for None, and ``zone`` above it.

    Raises: ValueError for bounds outside 0..1.
    """
    least = parity(batch_class.spec, variants) if low is None else low
    bounds = Bounds(low=least, high=least + zone)
    bounds.check()
    return bounds


def fingerprint(agent: Agent) -> str | None:
    """Return a hash of the numbers of a compiled bot, such as the weights of a network; None for any other bot."""
    pair = getattr(agent, "compiled", None)
    return None if pair is None else hashlib.sha256(np.asarray(pair[1]).tobytes()).hexdigest()[:16]


def compare(
    batch_class: type[Batch], settings: Mapping[str, Any], most: int, watch: Watch, num_threads: int = 1
) -> Iterator[Tree]:
    """Test whether a bot is better than another; yield what the test says after every call of the engine.

    Args:
        batch_class: the game's ``Batch``.
        settings: the question: ``agent`` and ``against`` (specs), ``variants`` (sets of options of play), ``bounds``
            (fields of ``Bounds``), ``seed`` (the first one), and what else says how it is measured.
        most: the test is undecided after this many seeds.
        watch: shows the progress, and has the file of an earlier test.
        num_threads: threads of the engine; the result does not depend on their number.

    Raises: ValueError for bad settings.
    """
    spec = batch_class.spec
    one, other = make_agent(settings["agent"], spec), make_agent(settings["against"], spec)
    variants, bounds = list(settings["variants"]), Bounds(**settings["bounds"])
    games = sum(spec.check_options(options)["num_players"] for options in variants)
    values = [float(value) for value in watch.earlier]

    def play(first: int, count: int) -> np.ndarray:
        seeds = settings["seed"] + np.arange(first, first + count)
        return mean_shares(batch_class, one, other, seeds, variants, num_threads)

    for verdict, used, mean in run_test(play, bounds, most, values):
        watch.show(used / most, f"{used} seeds, {percent(mean)}")
        low, high = interval(np.array(values[:used]), bounds.error)
        figures = {"verdict": verdict, "share": mean, "low": low, "high": high}
        yield figures | {"seeds": used, "games": used * games, "values": values[:used]}


def sentence(result: Mapping[str, Any]) -> str:
    """Return in one line what a test says."""
    settings = result["settings"]
    low, high, error = (settings["bounds"][name] for name in Bounds._fields)
    words = {
        YES: f"yes: {settings['agent']} wins more than {percent(low)}",
        NO: f"no: {settings['agent']} wins less than {percent(high)}",
        UNDECIDED: f"undecided whether {settings['agent']} wins more than {percent(low)} or less than {percent(high)}",
    }[result["verdict"]]
    share = percent_interval(result["share"], result["low"], result["high"])
    return (
        f"{words} against {settings['against']}; {share} of {result['games']} games, {result['seeds']} seeds "
        f"(wrong at most {percent(error, 0)} of the time, the interval as well)\n"
    )
