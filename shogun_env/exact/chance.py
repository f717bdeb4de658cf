"""What chance may bring, written out: the outcomes of a step with their exact probabilities as fractions."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.tree_loops import COLOURS, MOST_OUTCOMES, list_outcomes
from shogun_env.exact.tree import TreeError
from shogun_env.kernel.log import ASK, ASK_MORE, HEAD, LENGTH, WIDTH, new_log
from shogun_env.kernel.rng import probability

MOST_CUBES = 14
"""Cubes inside a tower and thrown together of which all ways through it are followed."""

Cubes = tuple[int, ...]
"""Cubes by colour."""
_Tower = tuple[tuple[Cubes, ...], Cubes]
"""Cubes by floor, and in the tray."""
_From = TypeVar("_From")
_To = TypeVar("_To")


class Outcome(NamedTuple):
    """What chance may bring."""

    tape: tuple[tuple[int, int], ...]
    """Kind and value as on the tape of a record (``kernel.log``): one pair, or one for each colour of a throw."""
    chance: Fraction
    """Its probability."""


def outcomes(batch: Batch, row: int, action: int, tape: Sequence[tuple[int, int]] = ()) -> list[Outcome]:
    """Return what chance may bring next, when a game goes on with an action.

    A step may hold several events of chance, one after the other: the next one is that after the outcomes of ``tape``.
    With a tower of several floors nobody knows where its cubes rest after a throw on the tape, so only the first throw
    of a step has a law there.

    Args:
        batch: games; ``row`` the game, which stays as it is.
        action: legal in it.
        tape: outcomes of this step that have been, in order.

    Returns: the outcomes, whose probabilities add up to 1; empty if none is left to come in this step.

    Raises: ValueError if the action is illegal or an outcome does not fit; TreeError if too many cubes are thrown.

    Example:
        >>> from shogun_env.shikoku import Batch
        >>> batch = Batch(1)
        >>> for _ in range(4):
        ...     batch.step([int(batch.legal[0].argmax())])
        >>> [str(outcome.chance) for outcome in outcomes(batch, 0, int(batch.legal[0].argmax()))]
        ['1/2', '1/2']
    """
    g, log = batch.games[row], new_log()
    count, values, _ = _carried_out(batch, row, action, tape, log)
    if count == 0:
        return []
    entries = log[HEAD : HEAD + WIDTH * int(log[LENGTH])].reshape(-1, WIDTH)
    at = int(np.flatnonzero(entries[:, 0] == ASK)[0])
    kind = int(entries[at, 1])
    if any(entries[at, 2:6]):
        weights = [int(entry[2]) for entry in entries[at + 1 :] if entry[0] == ASK_MORE]
        found = [int(value) for value in values[:count, 0]]
        of = [weights[value] if weights else 1 for value in found]
        return [
            Outcome(tape=((kind, value),), chance=Fraction(weight, sum(of)))
            for value, weight in zip(found, of, strict=True)
        ]
    floors = [tuple(entry[1 : 1 + COLOURS].tolist()) for entry in entries[at + 1 :] if entry[0] == ASK_MORE]
    thrown = tuple(entries[at - 1, 1 : 1 + COLOURS].tolist())
    if len(floors) > 1 and any(pair[0] == kind for pair in tape):
        raise TreeError("nobody knows where the cubes rest after a throw on the tape: the tower must have one floor")
    if sum(thrown) + sum(map(sum, floors)) > MOST_CUBES and (len(floors) > 1 or g["dislodge"]):
        raise TreeError(f"more than {MOST_CUBES} cubes, of a tower in which they loosen each other")
    chances = (Fraction(probability(int(g[name]))) for name in ("stick", "dislodge", "shake"))  # as the engine draws
    law = throw_law(tuple(floors), thrown, *chances)
    return [Outcome(tape=tuple((kind, cubes) for cubes in tray), chance=chance) for tray, chance in sorted(law.items())]


def after(batch: Batch, row: int, action: int, tape: Sequence[tuple[int, int]] = ()) -> Batch:
    """Return the game that is reached by an action, when chance brings the outcomes of ``tape``: a batch of one game.

    Raises: as ``outcomes``; ValueError if more has to be known of what chance brings.
    """
    count, _, reached = _carried_out(batch, row, action, tape, new_log())
    if count:
        raise ValueError(f"tape={list(tape)!r}: chance is asked for more")
    game = batch.take([row])
    game.games[0] = reached
    game.refresh(check=False)
    return game


def _carried_out(
    batch: Batch, row: int, action: int, tape: Sequence[tuple[int, int]], log: np.ndarray
) -> tuple[int, np.ndarray, np.void]:
    """Carry an action out; return how many outcomes are asked for, their values, and the state that is reached."""
    spec = batch.spec
    if action not in np.flatnonzero(batch.legal[row]):
        raise ValueError(f"action={action!r}: must be one of {np.flatnonzero(batch.legal[row]).tolist()}")
    games = np.zeros(2, spec.state_dtype)
    games[0] = batch.games[row]
    numbers = np.array([number for pair in tape for number in pair], np.int16)
    values, shares = np.zeros((MOST_OUTCOMES, COLOURS), np.int16), np.zeros(MOST_OUTCOMES)
    scratch = (np.zeros(2, np.uint64), np.zeros(spec.n_actions, np.int8))
    count = list_outcomes.of(spec.engine)(games, action, numbers, log, *scratch, values, shares)
    if count == 0 and games[1]["error"]:
        raise ValueError(f"tape={list(tape)!r}: it does not fit the game")
    return count, values, games[1]


def throw_law(
    floors: tuple[Cubes, ...], thrown: Cubes, stick: Fraction, dislodge: Fraction, shake: Fraction
) -> dict[Cubes, Fraction]:
    """Return the probability of each tray after a throw (RULES.md of Shogun, 5.1 and R10).

    It follows every way of every cube, so it is for few cubes.

    Args: floors, the cubes that rest on each, from the top; thrown, those thrown; the tower's three probabilities.
    """
    law = _Law(len(floors), stick, dislodge)
    towers: dict[_Tower, Fraction] = {(floors, (0,) * len(thrown)): Fraction(1)}
    for floor in range(len(floors) if shake else 0):
        towers = _then(towers, lambda tower, at=floor: law.loosened(tower, at, shake))  # type: ignore[misc]
    towers = _then(towers, lambda tower: law.dropped(tower, 0, thrown))
    return _then(towers, lambda tower: {tower[1]: Fraction(1)})


def _then(law: Mapping[_From, Fraction], step: Callable[[_From], Mapping[_To, Fraction]]) -> dict[_To, Fraction]:
    """Return the law after a step, which returns the law of what follows from each thing that may be."""
    after: dict[_To, Fraction] = {}
    for each, chance in law.items():
        for reached, share in step(each).items():
            after[reached] = after.get(reached, Fraction(0)) + chance * share
    return {reached: chance for reached, chance in after.items() if chance}


def _plus(one: Cubes, other: Cubes, sign: int = 1) -> Cubes:
    return tuple(a + sign * b for a, b in zip(one, other, strict=True))


class _Law:
    """The law of a tower: what becomes of it when cubes fall."""

    def __init__(self, floors: int, stick: Fraction, dislodge: Fraction) -> None:
        self.floors, self.stick, self.dislodge = floors, stick, dislodge
        self.dropped = functools.cache(self._dropped)

    def loosened(self, tower: _Tower, floor: int, chance: Fraction) -> dict[_Tower, Fraction]:
        """Return the law after each cube on a floor came loose with a probability, and fell through those below."""
        floors, tray = tower

        def fall(loose: Cubes) -> dict[_Tower, Fraction]:
            rest = (*floors[:floor], _plus(floors[floor], loose, -1), *floors[floor + 1 :])
            return self.dropped((rest, tray), floor + 1, loose)

        return _then(_subsets(floors[floor], chance), fall)

    def _dropped(self, tower: _Tower, floor: int, waiting: Cubes) -> dict[_Tower, Fraction]:
        """Return the law after waiting cubes passed a floor and those below, one after the other in random order."""
        (floors, tray), total = tower, sum(waiting)
        if total == 0:
            return {tower: Fraction(1)}
        if floor == self.floors:
            return {(floors, _plus(tray, waiting)): Fraction(1)}

        def drop(colour: int) -> dict[_Tower, Fraction]:
            one = tuple(int(other == colour) for other in range(len(waiting)))
            left = _plus(waiting, one, -1)
            return _then(self._passed(tower, floor, one), lambda reached: self.dropped(reached, floor, left))

        return _then({colour: Fraction(count, total) for colour, count in enumerate(waiting) if count}, drop)

    def _passed(self, tower: _Tower, floor: int, one: Cubes) -> dict[_Tower, Fraction]:
        """Return the law after one cube came to a floor: it loosens others, then it stays or goes on."""

        def come(reached: _Tower) -> dict[_Tower, Fraction]:
            floors, tray = reached
            held = ((*floors[:floor], _plus(floors[floor], one), *floors[floor + 1 :]), tray)
            stays = {True: self.stick, False: 1 - self.stick}
            return _then(stays, lambda it: {held: Fraction(1)} if it else self.dropped(reached, floor + 1, one))

        return _then(self.loosened(tower, floor, self.dislodge), come)


@functools.cache
def _subsets(cubes: Cubes, chance: Fraction) -> dict[Cubes, Fraction]:
    """Return the law of the cubes that come loose if each does with a probability."""
    law: dict[Cubes, Fraction] = {(): Fraction(1)}
    for count in cubes:
        shares = [math.comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(count + 1)]
        law = {(*loose, k): share * part for loose, share in law.items() for k, part in enumerate(shares) if part}
    return law
