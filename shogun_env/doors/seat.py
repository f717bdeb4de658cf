"""A seat: one player of a game against bots, for a program that reads text and answers with names of actions.

A seat is a table with one person (``shogun_env.play.table``). What it shows is what the bot ``chat`` sends to a
language model, and it holds nothing that the player may not know.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from shogun_env.agents.chat.answers import action_in, object_in
from shogun_env.agents.chat.plans import plan_of, plan_prompt
from shogun_env.game import Game
from shogun_env.play import advice
from shogun_env.play.new_game import NewGame
from shogun_env.play.saving import PERSON
from shogun_env.play.table import Table
from shogun_env.play.view import end_of, meanings, refused, space_of
from shogun_env.records.story import known_lines, sentences
from shogun_env.records.text import prompt_text
from shogun_env.spec.game_spec import Line

__all__ = ["Place", "Seat", "Seen"]

SEEDS = 2**31
"""A game whose seed is not given has one below this that nobody is told before its end."""


@dataclass(frozen=True)
class Place:
    """Where a player came in."""

    player: int
    place: int
    """From 1; winners share it."""
    points: int


class Seen(NamedTuple):
    """What a seat is shown of its game."""

    phase: str
    """What is decided, one of ``spec.phase_names``."""
    over: bool
    """Whether the game is over."""
    happened: list[str]
    """What has happened since the player's last confirmed decision, in sentences."""
    text: str
    """The position, and what is asked, in words and tables."""
    results: list[Place]
    """The first place first; empty while the game lasts."""


class Seat:
    """One player of a new game against bots.

    Args:
        game_class: ``Game`` of the game.
        player: whose seat it is.
        opponents: bots in player order, or one for all others; several set the number of players. A text may name them
            as ``--against`` of the command ``play`` does.
        options: options of play; those that are left out are fair to all (``spec.fair``).
        seed: seed of the game; None: one that nobody can guess.
        adviser: the bot that gives hints.

    Raises: ValueError for an unknown bot, a player who does not exist, bad options or a bad seed.
    """

    def __init__(
        self,
        game_class: type[Game],
        *,
        player: int = 0,
        opponents: str | Sequence[str] = ("scripted",),
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        adviser: str = "scripted",
    ) -> None:
        """Set up the game and let the bots play up to the player's first decision."""
        if player < 0:
            raise ValueError(f"seat={player}: must be a player, from 0")
        against = opponents if isinstance(opponents, str) else ",".join(opponents)  # a text is a sequence, too
        new = NewGame.from_words(game_class, options or {}, str(player), against, adviser=adviser)
        if seed is None:
            seed = secrets.randbelow(SEEDS)
        self.table, self.player = Table(new, seed=seed), player

    @classmethod
    def at(cls, table: Table, player: int) -> Self:
        """Return the seat of one of the people at a table."""
        seat = object.__new__(cls)
        seat.table, seat.player = table, player
        return seat

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game with what the player has chosen; it holds what the player may not know."""
        return self.table.draft(self.player).preview

    @property
    def players(self) -> list[str]:
        """Who plays: the bot of each player, "person", and "you"."""
        names = [self.table.bots.get(player, PERSON) for player in range(self.game.num_players)]
        return [*names[: self.player], "you", *names[self.player + 1 :]]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.table.game.is_over

    def observe(self) -> Seen:
        """Return what has happened, the position, and what is asked."""
        batch = self.game.batch
        is_plan = space_of(self.game) >= 0
        return Seen(
            phase=self.game.phase,
            over=self.is_over,
            happened=[news["text"] for news in self.table.news(self.player)],
            text=plan_prompt(batch.take(), self.player) if is_plan else prompt_text(batch, 0, self.player),
            results=[Place(each["player"], each["place"], each["points"]) for each in end_of(self.table.game)],
        )

    def legal_actions(self) -> dict[str, str]:
        """Return the legal actions by name, with what each does and promises; none unless the player decides."""
        if self.player not in self.table.deciding:
            return {}
        words = meanings(self.game)
        return {name: words.get(name, "") for name in self.game.legal_actions()}

    def hint(self) -> dict[str, str]:
        """Return what the adviser would play: the card for each free space of a plan, else the ``action``.

        Raises: ValueError if the game is over.
        """
        game, draft = self.table.asked(self.player), self.table.draft(self.player)
        if not draft.is_plan:
            return {"action": game.suggest(self.table.adviser)}
        plan, spaces = advice.plan_of(self.table.adviser, draft), game.spec.plan_spaces
        return {spaces[space]: card for space, card in plan.items() if space not in draft.laid}

    def story(self) -> list[str]:
        """Return what has happened in the whole game, in sentences: all of it when the game is over."""
        game = self.table.game
        story = sentences(game.spec, game.batch.records()[0], None if game.is_over else self.player)
        return [sentence.text for sentence in story[1:]]  # without the header

    def record(self) -> Sequence[Line]:
        """Return the record of a game that is over; else the lines that the player may know, without the header."""
        game = self.table.game
        return game.record(self.players) if game.is_over else known_lines(game.spec, game.lines(), self.player)

    # --- playing -----------------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        """Play an action, and let the bots play up to the player's next decision.

        Raises: ValueError saying why the action is illegal and which are legal; the game is left unchanged.
        """
        game = self.table.asked(self.player)
        if action not in game.legal_actions():
            why = f": {reason}" if (reason := refused(game).get(action)) else ""
            raise ValueError(f"{action!r} is illegal{why}; legal are {', '.join(game.legal_actions())}")
        self._carry_out([action])

    def answer(self, text: str) -> None:
        """Play what a model answered: the action that its last line names, or the plan that is its last JSON object.

        Raises: ValueError saying what is wrong with the answer, in words for the model; the game is left unchanged.
        """
        game = self.table.asked(self.player)
        if space_of(game) >= 0:
            self.play_plan(object_in(text))
        else:
            self.play(action_in(text, list(game.legal_actions())))

    def play_plan(self, cards: Mapping[str, Any]) -> None:
        """Make a whole plan, and let the bots play up to the player's next decision.

        Args: cards, the name of a card by the name of its space, for all spaces that are free.
        Raises: ValueError naming the first space with a wrong card, and what would be possible there, or saying that no
            plan is made now; the game is left unchanged.
        """
        game = self.table.asked(self.player)
        if (space := space_of(game)) < 0:
            raise ValueError(f"no plan is made now: {game.phase} is decided, by one action")
        plan = plan_of(game.batch.take(), self.player, object_in(json.dumps(dict(cards))))
        self._carry_out([game.spec.action_name(action) for action in plan[space:].tolist()])

    def _carry_out(self, actions: Sequence[str]) -> None:
        """Choose actions until they have to be confirmed, and confirm them; if that fails nothing is chosen."""
        before = len(self.table.draft(self.player).chosen)
        try:
            for action in actions:
                if self.table.draft(self.player).is_held:
                    break
                self.table.choose(self.player, action)
            if self.table.draft(self.player).is_held:
                self.table.confirm(self.player)
        except BaseException:
            while len(self.table.draft(self.player).chosen) > before:
                self.table.undo(self.player)
            raise
