"""What one person has chosen and not confirmed, on a copy of the game.

Where all players plan at once each person has a draft of their own. On its preview all others lay their first cards,
which nobody sees, so that a draft is the same whatever the others draft. A plan is kept as the person has it, its cards
on any spaces, and the game gets it when it is whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from shogun_env.game import Game
from shogun_env.kernel.log import LENGTH
from shogun_env.play.view import empty_spaces, pass_on, refused, space_of, spaces
from shogun_env.spec.pages import Division
from shogun_env.spec.voice import words


@dataclass
class Draft:
    """What one person has chosen and not confirmed."""

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
    """What it was before the last change; None if that was before the program was started again, or never."""

    @classmethod
    def of(
        cls, game: Game, player: int, actions: list[str] | None = None, laid: Mapping[int, str] | None = None
    ) -> Self:
        """Return the draft of a player who is asked in a game, with actions chosen, or cards laid.

        Raises: ValueError if an action is illegal, or a card cannot be laid.
        """
        draft = cls(preview=game.copy())
        pass_on(draft.preview, player)
        if space_of(draft.preview) >= 0:
            draft.start, draft.spaces = draft.preview, spaces(draft.preview)
        for action in actions or []:
            draft.choose(action)
        if laid:
            draft.lay(laid)
        return draft

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

    def choose(self, action: str) -> None:
        """Play an action on the preview, or hold it if it would show something new; in a plan fill ``space``.

        Raises: ValueError if it is not possible, or the last choice has to be confirmed; nothing changes then.
        """
        if self.is_held:
            raise ValueError(f"{words(self.chosen[-1])} is chosen: confirm or undo it first")
        if action not in self.legal():
            raise ValueError(f"{words(action)} is not possible now{_because(self.preview, action)}")
        if self.start is not None:
            if self.lay({**self.laid, self.space: action}):
                while self.space >= 0:
                    self.lay({**self.laid, self.space: self.legal()[0]})
            return
        trial, player = self.preview.copy(), self.preview.player
        trial.play(action)
        pass_on(trial, player)
        is_quiet = trial.batch.logs[0, LENGTH] == self.preview.batch.logs[0, LENGTH]
        self.chosen.append(action)
        if is_quiet and trial.player == player:
            self.preview = trial
        else:
            self.is_held = True

    def lay(self, cards: Mapping[int, str]) -> bool:
        """Make a plan anew, of cards by number of the space; it is held as soon as all spaces are filled.

        Returns: whether the cards up to the first space without one leave no choice for the others.
        Raises: ValueError if no plan is made, or a card cannot be where it is; nothing changes then.
        """
        if self.start is None:
            raise ValueError("no plan is made now: choose an action")
        self._check(cards)
        preview, player, chosen, ends = self.start.copy(), self.start.player, list[str](), False
        while not ends and (card := cards.get(space_of(preview))) is not None:
            if card not in preview.legal_actions():
                raise ValueError(f"{words(card)} is not possible there{_because(preview, card)}")
            trial = preview.copy()
            trial.play(card)
            pass_on(trial, player)
            chosen.append(card)
            ends = space_of(trial) < 0  # also where the last spaces leave no choice, and the game fills them
            preview = preview if ends else trial
        self.preview, self.laid, self.chosen = preview, dict(cards), chosen
        self.is_held = ends and len(cards) == len(self.spaces)
        return ends

    def _check(self, cards: Mapping[int, str]) -> None:
        """Raise a ValueError for the first card of a plan that cannot be where it is."""
        known, none = {each["space"]: each for each in self.spaces}, self.preview.spec.no_card
        laid, most = list(cards.values()), empty_spaces(self.spaces, none)
        for space, card in cards.items():
            if space not in known:
                raise ValueError(f"space {space}: must be one of {', '.join(map(str, sorted(known)))}")
            if card not in known[space]["cards"]:
                why = refused(self.start or self.preview).get(card, "it is no card of yours for this space")
                raise ValueError(f"{words(card)} cannot be on {known[space]['title']}: {why}")
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
        name = game.spec.action_name
        pool = {name(action): sum(lot.cards.get(action, 0) for lot in lots.lots) for action in sorted(lots.card_names)}
        for card in cards:
            if cards.count(card) > pool.get(card, 0):
                raise ValueError(f"{card}: {cards.count(card)} in the lot, and {pool.get(card, 0)} to be divided")
        free = [name(action) for action in lots.tile_names]
        for tile in tiles:
            if tile not in free or tiles.count(tile) > 1:
                raise ValueError(f"{tile}: give each lot another one of {', '.join(free)}")
        if len(tiles) > lots.chosen_tiles:
            raise ValueError(f"{len(tiles)} tiles: at most {lots.chosen_tiles} to be given")
        in_order = [card for card in pool for _ in range(cards.count(card))]
        return self.of(game, int(self.preview.player or 0), [*in_order, *tiles])

    def division(self) -> Division | None:
        """Return the lots as the person has made them, or sees them; None where there are none."""
        if self.preview.is_over:
            return None
        held = self.preview.legal_actions()[self.chosen[-1]] if self.is_held else 0
        return self.preview.spec.division(self.preview.batch.games[0], held)


def _because(game: Game, action: str) -> str:
    """Return after a colon why an action is not possible, as far as there are words for it."""
    why = refused(game).get(action)
    return f": {why}" if why else ""
