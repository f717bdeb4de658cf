"""What chance may bring, written out: the outcomes of a step with their exact probabilities as fractions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.tree_loops import COLOURS, MOST_OUTCOMES, bind_tree_loops
from shogun_env.exact.tree import TreeError
from shogun_env.kernel.log import ASK, ASK_MORE, HEAD, LENGTH, WIDTH, new_log
from shogun_env.kernel.rng import ALWAYS

MOST_CUBES = 14
"""Cubes inside a tower and thrown together of which all ways through it are followed."""

Cubes = tuple[int, ...]
"""Cubes by colour."""
_Tower = tuple[tuple[Cubes, ...], Cubes]
"""Cubes by floor, and in the tray."""


class Outcome(NamedTuple):
    """What chance may bring."""

    tape: tuple[tuple[int, int], ...]
    """Kind and value as on the tape of a record (``kernel.log``): one pair, or one for each colour of a throw."""
    chance: Fraction
    """Its probability."""


def outcomes(
    batch: Batch, row: int, action: int, tape: Sequence[tuple[int, int]] = ()
) -> list[Outcome]:  # fmt: skip
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
    law = throw_law(tuple(floors), thrown, *(_chance(g[name]) for name in ("stick", "dislodge", "shake")))
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
    game.show(np.zeros(1, np.int64))
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
    _, list_outcomes = bind_tree_loops(spec.engine)
    count = list_outcomes(games, action, numbers, log, *scratch, values, shares)
    if count == 0 and games[1]["error"]:
        raise ValueError(f"tape={list(tape)!r}: it does not fit the game")
    return count, values, games[1]


def _chance(threshold: int) -> Fraction:
    """Return the probability that a threshold stands for, exactly as the engine draws (R10)."""
    return Fraction(1) if threshold == ALWAYS else Fraction(int(threshold), 2**32)


def throw_law(
    floors: tuple[Cubes, ...], thrown: Cubes, stick: Fraction, dislodge: Fraction, shake: Fraction
) -> dict[Cubes, Fraction]:
    """Return the probability of each tray after a throw (RULES.md of Shogun, 5.1 and R10).

    It follows every way of every cube, so it is for few cubes.

    Args: floors, the cubes that rest on each, from the top; thrown, those thrown; the tower's three probabilities.
    """
    law = _Law(len(floors), stick, dislodge)
    nobody = (0,) * len(thrown)
    towers: dict[_Tower, Fraction] = {(floors, nobody): Fraction(1)}
    for floor in range(len(floors) if shake else 0):
        towers = _then(towers, lambda tower, at=floor: law.loosened(tower, at, shake))
    towers = _then(towers, lambda tower: law.dropped(tower, 0, thrown))
    trays: dict[Cubes, Fraction] = {}
    for (_, tray), chance in towers.items():
        trays[tray] = trays.get(tray, Fraction(0)) + chance
    return trays


def _then(towers: dict[_Tower, Fraction], step: object) -> dict[_Tower, Fraction]:
    """Return the law of towers after a step, which returns the law from each of them."""
    after: dict[_Tower, Fraction] = {}
    for tower, chance in towers.items():
        for reached, share in step(tower).items():  # type: ignore[operator]
            after[reached] = after.get(reached, Fraction(0)) + chance * share
    return after


class _Law:
    """The law of a tower: what becomes of it when cubes fall."""

    def __init__(self, floors: int, stick: Fraction, dislodge: Fraction) -> None:
        self.floors, self.stick, self.dislodge = floors, stick, dislodge
        self.dropped = functools.cache(self._dropped)

    def loosened(self, tower: _Tower, floor: int, chance: Fraction) -> dict[_Tower, Fraction]:
        """Return the law after each cube on a floor came loose with a probability, and fell through those below."""
        floors, tray = tower
        after: dict[_Tower, Fraction] = {}
        for fallen, share in _subsets(floors[floor], chance).items():
            rest = tuple(a - b for a, b in zip(floors[floor], fallen, strict=True))
            start = ((*floors[:floor], rest, *floors[floor + 1 :]), tray)
            for reached, part in self.dropped(start, floor + 1, fallen).items():
                after[reached] = after.get(reached, Fraction(0)) + share * part
        return after

    def _dropped(self, tower: _Tower, floor: int, waiting: Cubes) -> dict[_Tower, Fraction]:
        """Return the law after waiting cubes passed a floor and those below, one after the other in random order."""
        floors, tray = tower
        total = sum(waiting)
        if total == 0:
            return {tower: Fraction(1)}
        if floor == self.floors:
            return {(floors, tuple(a + b for a, b in zip(tray, waiting, strict=True))): Fraction(1)}
        after: dict[_Tower, Fraction] = {}
        for colour, count in enumerate(waiting):
            if count:
                one = tuple(int(other == colour) for other in range(len(waiting)))
                left = tuple(a - b for a, b in zip(waiting, one, strict=True))
                passed = self._passed(tower, floor, one)
                for reached, share in _then(passed, lambda at, rest=left: self.dropped(at, floor, rest)).items():
                    after[reached] = after.get(reached, Fraction(0)) + share * Fraction(count, total)
        return after

    def _passed(self, tower: _Tower, floor: int, one: Cubes) -> dict[_Tower, Fraction]:
        """Return the law after one cube came to a floor: it loosens others, then it stays or goes on."""
        after: dict[_Tower, Fraction] = {}
        for reached, share in self.loosened(tower, floor, self.dislodge).items():
            floors, tray = reached
            stays = tuple(a + b for a, b in zip(floors[floor], one, strict=True))
            held = ((*floors[:floor], stays, *floors[floor + 1 :]), tray)
            after[held] = after.get(held, Fraction(0)) + share * self.stick
            for gone, part in self.dropped(reached, floor + 1, one).items():
                after[gone] = after.get(gone, Fraction(0)) + share * (1 - self.stick) * part
        return {reached: share for reached, share in after.items() if share}


@functools.cache
def _subsets(cubes: Cubes, chance: Fraction) -> dict[Cubes, Fraction]:
    """Return the law of the cubes that come loose if each does with a probability."""
    law: dict[Cubes, Fraction] = {(): Fraction(1)}
    for count in cubes:
        shares = [Fraction(1)]
        for _ in range(count):
            shares = [
                (shares[k] * (1 - chance) if k < len(shares) else Fraction(0)) + (shares[k - 1] * chance if k else 0)
                for k in range(len(shares) + 1)
            ]
        law = {(*fallen, k): share * part for fallen, share in law.items() for k, part in enumerate(shares) if part}
    return law
