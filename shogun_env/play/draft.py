"""What one person has chosen and not confirmed, on a copy of the game.

Where all players plan at once each person has a draft of their own. On its preview all others lay their first cards,
which nobody sees, so that a draft is the same whatever the others draft. A plan is kept as the person has it, its cards
on any spaces, and the game gets it when it is whole.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from shogun_env.game import Game
from shogun_env.kernel.log import LENGTH
from shogun_env.play.view import empty_spaces, pass_on, refused, space_of, spaces
from shogun_env.spec.forms import short
from shogun_env.spec.pages import Division
from shogun_env.spec.voice import words


@dataclass(kw_only=True)
class Draft:
    """What one person has chosen and not confirmed; a change makes another draft, whose ``before`` is this one."""

    preview: Game
    """The game with the actions chosen, but for a held one."""
    chosen: list[str] = field(default_factory=list)
    """The actions chosen, in the order of the game; of a plan the cards up to the first space without one."""
    is_held: bool = False
    """Whether what is chosen waits to be confirmed: an action that would show something new, or a whole plan."""
    laid: dict[int, str] = field(default_factory=dict)
    """The cards chosen for a plan, by number of the space."""
    spaces: list[dict[str, Any]] = field(default_factory=list)
    """The spaces of the plan, as ``view.spaces`` returns them; none where no plan is made."""
    start: Game | None = None
    """The game before the first card of the plan; None where no plan is made."""
    is_confirmed: bool = False
    """Whether it is a plan that waits for those of others."""
    before: Self | None = field(default=None, compare=False)
    """What it was before the last change; None if nothing was changed."""

    @classmethod
    def of(cls, game: Game, player: int) -> Self:
        """Return the draft of a player who is asked in a game, and has chosen nothing yet."""
        preview = game.copy()
        pass_on(preview, player)
        is_plan = space_of(preview) >= 0
        return cls(preview=preview, start=preview if is_plan else None, spaces=spaces(preview))

    @property
    def is_plan(self) -> bool:
        """Whether a plan is made at the same time as those of others."""
        return bool(self.spaces)

    @property
    def empties(self) -> int:
        """How many more spaces of the plan must stay empty, because there are too few cards."""
        none = self.preview.spec.no_card
        return empty_spaces(self.spaces, none) - list(self.laid.values()).count(none)

    @property
    def space(self) -> int:
        """The space that the next card fills if none is named: the first without one; -1 if there is none."""
        return min((each["space"] for each in self.spaces if each["space"] not in self.laid), default=-1)

    def legal(self) -> list[str]:
        """Return the actions that can be chosen next; in a plan the cards that are left for ``space``."""
        if self.is_held:
            return []
        if self.start is None:
            return list(self.preview.legal_actions())
        none, used = self.preview.spec.no_card, {*self.laid.values()}
        cards = next(each["cards"] for each in self.spaces if each["space"] == self.space)
        return [card for card in cards if (self.empties > 0 if card == none else card not in used)]

    def choose(self, action: str) -> Self:
        """Return the draft with an action played on the preview, or held if it would show something new.

        In a plan it fills ``space``, and the spaces for which then no choice is left.

        Raises: ValueError if it is not possible, or the last choice has to be confirmed.
        """
        if self.is_held:
            raise ValueError(f"{words(self.chosen[-1])} is chosen: confirm or undo it first")
        if action not in self.legal():
            why = refused(self.preview).get(action)
            raise ValueError(f"{_named(action)} is not possible now{f': {why}' if why else ''}")
        if self.start is not None:
            plan, leaves_no_choice = self._laid({**self.laid, self.space: action})
            while leaves_no_choice and plan.space >= 0:
                plan, _ = plan._laid({**plan.laid, plan.space: plan.legal()[0]})
            return replace(plan, before=self)
        trial, player = self.preview.copy(), self.preview.player
        trial.play(action)
        pass_on(trial, player)
        is_quiet = trial.batch.logs[0, LENGTH] == self.preview.batch.logs[0, LENGTH]
        is_held = not is_quiet or trial.player != player
        preview = self.preview if is_held else trial
        return replace(self, preview=preview, chosen=[*self.chosen, action], is_held=is_held, before=self)

    def lay(self, cards: Mapping[int, str]) -> Self:
        """Return a plan made anew, of cards by number of the space; it is held as soon as all spaces are filled.

        Raises: ValueError if no plan is made, or a card cannot be where it is.
        """
        return replace(self._laid(cards)[0], before=self)

    def _laid(self, cards: Mapping[int, str]) -> tuple[Self, bool]:
        """Return the plan of ``lay``, and whether the cards up to the first space without one leave no choice."""
        if self.start is None:
            raise ValueError("no plan is made now: choose an action")
        self._check(cards)
        preview, player, chosen, ends = self.start.copy(), self.start.player, list[str](), False
        while not ends and (card := cards.get(space_of(preview))) is not None:
            trial = preview.copy()
            trial.play(card)
            pass_on(trial, player)
            chosen.append(card)
            ends = space_of(trial) < 0  # also where the last spaces leave no choice, and the game fills them
            preview = preview if ends else trial
        is_held = ends and len(cards) == len(self.spaces)
        return replace(self, preview=preview, laid=dict(cards), chosen=chosen, is_held=is_held), ends

    def confirmed(self) -> Self:
        """Return the plan as one that waits for those of others."""
        return replace(self, is_confirmed=True, before=self)

    def _check(self, cards: Mapping[int, str]) -> None:
        """Raise a ValueError for the first card of a plan that cannot be where it is."""
        known, none = {each["space"]: each for each in self.spaces}, self.preview.spec.no_card
        laid, most = list(cards.values()), empty_spaces(self.spaces, none)
        for space, card in cards.items():
            if space not in known:
                raise ValueError(f"space {space}: must be one of {', '.join(map(str, sorted(known)))}")
            if card not in known[space]["cards"]:
                why = refused(self.start or self.preview).get(card, "it is no card of yours for this space")
                raise ValueError(f"{_named(card)} cannot be on {known[space]['title']}: {why}")
            if card != none and laid.count(card) > 1:
                raise ValueError(f"{words(card)} is on two spaces: each card can be used once")
        if laid.count(none) > most:
            raise ValueError(f"{laid.count(none)} spaces are to stay empty: with your cards it can be {most}")

    def divided(self, game: Game, cards: Sequence[str], tiles: Sequence[str]) -> Self:
        """Return a draft with a lot made anew, or a division in two: cards in any order, then the tiles chosen.

        Args: game, without what the person has chosen; cards, the actions that add the cards of the first lot; tiles,
            the actions that give tiles.
        Raises: ValueError if nothing is divided, or a card or tile cannot be taken.
        """
        if (lots := self.division()) is None or not lots.is_made:
            raise ValueError("nothing is divided now: choose an action")
        numbers = {game.spec.action_name(action): action for action in lots.card_names}
        anew = self.of(game, int(self.preview.player or 0))
        for action in [*sorted(cards, key=lambda card: numbers.get(card, 0)), *tiles]:  # the game takes them in order
            anew = anew.choose(action)
        return replace(anew, before=self)

    def division(self) -> Division | None:
        """Return the lots as the person has made them, or sees them; None where there are none."""
        held = self.preview.legal_actions()[self.chosen[-1]] if self.is_held else 0
        return self.preview.spec.division(self.preview.batch.games[0], held)


def _named(action: str) -> str:
    """Return an action in words, or quoted if it is none of ours: it may come from anybody's file."""
    return words(action) if re.fullmatch(r"\w+", action) else short(action)
