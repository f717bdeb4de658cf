"""What bots are shown: the decisions that they are asked for (``View``, ``Decision``), and how games ended (``Ends``).

Everything is a copy, and holds nothing that the player whom an agent plays cannot know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from shogun_env.records.story import known_lines, sentences
from shogun_env.records.text import render_text
from shogun_env.spec.forms import Named, UnknownNameError
from shogun_env.spec.game_spec import GameSpec, Line

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

__all__ = ["TOLD", "Decision", "Ends", "View", "places_and_wins"]

T = TypeVar("T")
Stories = tuple[tuple[str, ...], ...]
Lines = tuple[tuple[Line, ...], ...]
TOLD = ("story", "lines", "result")
"""What a bot may want to be told besides its decisions, as the protocol calls it."""

SEAL_STEP = np.uint64(0xDA942042E4DD58B5)
"""Separates the redeals of a player's views by the number of draws made: odd, not a small multiple of other steps."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The decisions that a bot is asked for: n of them, each in another game.

    Everything in it is a copy that the bot may keep and write into: nothing of the game that is played changes.
    """

    batch: Batch
    """n games, row i that of decision i, redealt for the player who decides: hidden cards and chance to come are not
    those of the game that is played. ``redeal`` deals again, by the same law."""
    rows: np.ndarray
    """int64[n]: each number identifies its game as long as the game lasts."""
    players: np.ndarray
    """int64[n], who decides."""
    observations: np.ndarray
    """uint8[n, D], what the player who decides may know, laid out as ``spec.obs_layout`` says."""
    masks: np.ndarray
    """int8[n, A], 1 where an action is legal; at least two are in each row."""
    stories: Stories = ()
    """For each decision what has happened in the game, in plain English, as the player who decides may know it; empty
    unless the bot's ``wants`` has ``story``, and the batch keeps records."""
    lines: Lines = ()
    """The same as the lines of a record, without what the player cannot know, for ``lines`` in ``wants``."""

    @classmethod
    def of(cls, batch: Batch, rows: np.ndarray, wants: Collection[str] = ()) -> View:
        """Return the decisions of games ``rows`` int64[n], none of which may be over.

        Args: batch; rows; wants, what else the bot that is asked wants to be told, some of ``TOLD``.
        """
        players = batch.player[rows].astype(np.int64)
        stories, lines = _stories_and_lines(batch, rows, players, wants)
        observations = np.empty((len(rows), batch.spec.obs_size), np.uint8)
        batch.observe_for(players, out=observations, rows=rows)
        return cls(
            batch=_sealed(batch, rows, players),
            rows=rows.copy(),
            players=players,
            observations=observations,
            masks=batch.legal[rows],
            stories=stories,
            lines=lines,
        )

    @property
    def spec(self) -> GameSpec:
        """The specification of the game."""
        return self.batch.spec

    @property
    def options(self) -> dict[str, Any]:
        """The options of play, ``num_players`` among them."""
        return self.batch.options

    @property
    def actions(self) -> Named:
        """The numbers of all actions by name: ``view.actions["Kaga"]``."""
        return self.spec.actions

    def legal_names(self, index: int) -> list[str]:
        """Return the names of the legal actions of a decision."""
        return [self.spec.action_names[action] for action in np.flatnonzero(self.masks[index]).tolist()]

    def decision(self, index: int, rng: np.ndarray | None = None) -> Decision:
        """Return one decision in words; ``rng`` uint64[2] is the random row of its player, for ``Decision.pick``."""
        return Decision(self, index, np.zeros(2, np.uint64) if rng is None else rng)

    def part(self, which: np.ndarray) -> View:
        """Return the view of only some of its decisions, ``which`` int64[m]."""
        return View(
            batch=self.batch.take(which),
            rows=self.rows[which],
            players=self.players[which],
            observations=self.observations[which],
            masks=self.masks[which],
            stories=tuple(self.stories[index] for index in which if self.stories),
            lines=tuple(self.lines[index] for index in which if self.lines),
        )

    def redeal(self, seed: int | np.ndarray) -> Batch:
        """Return a batch of copies of these n games, redealt for the players who decide; see ``Batch.redeal``.

        Args: seed: int, or int[n], one for each game; with seeds drawn from ``rng`` a search in one game does not
            depend on the other games.
        """
        copy = self.batch.take()
        copy.redeal(None, self.players, seed)
        return copy


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """One decision of a view, by the words in which programs are asked (``decide`` in ``docs/protocol.md``).

    Example:
        >>> from shogun_env.shogun import Batch
        >>> decision = View.of(Batch(1), np.arange(1)).decision(0)
        >>> decision.phase, decision.names[0], decision.by_row("tax")["Kaga"], decision.by_row("running")["bid"]
        ('plan', 'Awa-Shikoku', 4, 1)
    """

    view: View
    index: int
    """Which of the view."""
    rng: np.ndarray
    """uint64[2], the random row of the player, for the functions of ``kernel.rng``."""

    @property
    def player(self) -> int:
        """Who decides, from 0."""
        return int(self.view.players[self.index])

    @property
    def phase(self) -> str:
        """What is decided, one of ``spec.phase_names``."""
        return self.view.spec.phase_names[int(self.view.batch.phase[self.index])]

    @property
    def legal(self) -> list[int]:
        """The numbers of the legal actions."""
        return np.flatnonzero(self.view.masks[self.index]).tolist()

    @property
    def names(self) -> list[str]:
        """The names of the legal actions, in the order of ``legal``."""
        return self.view.legal_names(self.index)

    @property
    def numbers(self) -> list[int]:
        """The observation."""
        return self.view.observations[self.index].tolist()

    @property
    def fields(self) -> Named:
        """The observation by the names of its features: lists of numbers."""
        seen, layout = self.view.observations[self.index], self.view.spec.obs_layout
        return Named({piece.name: seen[piece.start : piece.stop].tolist() for piece in layout})

    def by_row(self, name: str) -> Named:
        """Return a feature by the names of the rows of its block (``spec.row_names``), such as provinces.

        Raises: UnknownNameError (a KeyError and a ValueError) for a feature that has no row for each number.
        """
        numbers = self.fields[name]
        rows = self.view.spec.row_names[next(x.block for x in self.view.spec.obs_layout if x.name == name)]
        if len(rows) != len(numbers):
            raise UnknownNameError(f"{name} has no rows with names: fields[{name!r}] is the list of its numbers")
        return Named(zip(rows, numbers, strict=True))

    @property
    def position(self) -> str:
        """A position text, in which what the player cannot know is resampled."""
        return self.view.batch.position(self.index)

    @property
    def text(self) -> str:
        """The position in words and tables."""
        return render_text(self.view.batch, self.index, self.player)

    @property
    def story(self) -> list[str]:
        """Sentences: what has happened; empty unless the bot wants it."""
        return list(self.view.stories[self.index]) if self.view.stories else []

    @property
    def lines(self) -> list[Line]:
        """The same as lines of a record; empty unless the bot wants it."""
        return list(self.view.lines[self.index]) if self.view.lines else []

    def pick(self, options: Sequence[T]) -> T:
        """Return one of some options, all equally likely, by the player's own random numbers."""
        from shogun_env.kernel.rng import below  # not above: --help needs no engine

        return options[int(below(self.rng, len(options)))]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Games that are over, n of them, as a player of each may know it."""

    rows: np.ndarray
    """int64[n]: the numbers by which a ``View`` identified the games; from now on they may mean others."""
    players: np.ndarray
    """int64[n], whom the bot played."""
    points: np.ndarray
    """int16[n, P]."""
    places: np.ndarray
    """float64[n, P], from 1; players who tie share the mean of their places."""
    shares: np.ndarray
    """float64[n, P], of the win; those of a game sum to 1."""
    stories: Stories = ()
    lines: Lines = ()
    """As in ``View``, up to the end."""

    @classmethod
    def of(cls, batch: Batch, rows: np.ndarray, players: np.ndarray, wants: Collection[str] = ()) -> Ends:
        """Return how games ``rows`` int64[n] ended, for a bot with these ``wants`` that played ``players`` int64[n]."""
        places, shares = places_and_wins(batch.returns_by("rank", rows))
        stories, lines = _stories_and_lines(batch, rows, players, wants)
        return cls(
            rows=rows.copy(),
            players=players.copy(),
            points=batch.points[rows],
            places=places,
            shares=shares,
            stories=stories,
            lines=lines,
        )


def places_and_wins(returns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return place and share of the win of every player, float64[B, P] each, from returns of the reward ``rank``.

    Example:
        >>> places_and_wins(np.array([[1.0, 0.0, -1.0], [0.5, 0.5, -1.0]]))
        (array([[1. , 2. , 3. ],
               [1.5, 1.5, 3. ]]), array([[1. , 0. , 0. ],
               [0.5, 0.5, 0. ]]))
    """
    place = 1 + (1 - returns.astype(np.float64)) * (returns.shape[1] - 1) / 2
    first = np.isclose(place, place.min(1, keepdims=True))
    return place.round(2), (first / first.sum(1, keepdims=True)).round(4)


def _stories_and_lines(
    batch: Batch, rows: np.ndarray, players: np.ndarray, wants: Collection[str]
) -> tuple[Stories, Lines]:
    """Return what has happened in games as ``View.stories`` and ``View.lines`` describe it, if it is wanted."""
    story, lines = "story" in wants, "lines" in wants
    if not batch.record or not (story or lines):
        return (), ()
    pairs = list(zip(batch.records(rows), players.tolist(), strict=True))
    return (
        tuple(tuple(told.text for told in sentences(batch.spec, *pair)[1:]) for pair in pairs) if story else (),
        tuple(tuple(known_lines(batch.spec, record[1:], player)) for record, player in pairs) if lines else (),
    )


def _sealed(batch: Batch, rows: np.ndarray, players: np.ndarray) -> Batch:
    """Return copies of games, redealt for ``players`` int64[n], without the seeds and the count of decisions.

    The seed of the redeal comes from the player's own random row. So what a player cannot know has no influence on the
    copy.
    """
    copy = batch.take(rows)
    rngs = batch.policy_rngs[rows, players]
    copy.redeal(None, players, ((rngs[:, 0] + rngs[:, 1] * SEAL_STEP) >> np.uint64(1)).astype(np.int64))
    copy.seeds[:], copy.decisions[:] = 0, 0
    return copy
