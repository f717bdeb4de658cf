"""What one person has chosen and not confirmed, on a copy of the game.

Where all players plan at once each person has a draft of their own. On its preview all others lay their first cards,
which nobody sees, so that a draft is the same whatever the others draft.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from shogun_env.game import Game
from shogun_env.kernel.log import LENGTH
from shogun_env.play.shown import pass_on, space_of
from shogun_env.spec.division import Division

__all__ = ["Draft"]


@dataclass
class Draft:
    """What one person has chosen and not confirmed."""

    preview: Game
    """The game with the actions chosen, but for a held one."""
    chosen: list[str] = field(default_factory=list)
    """The actions chosen, in order."""
    is_held: bool = False
    """Whether the last action chosen waits to be confirmed."""
    laid: dict[int, str] = field(default_factory=dict)
    """The cards chosen for a plan, by number of the space."""
    is_confirmed: bool = False
    """Whether it is a plan that waits for those of others."""

    @classmethod
    def of(cls, game: Game, player: int, actions: list[str] | None = None) -> Self:
        """Return the draft of a player who is asked in a game, with actions chosen.

        Raises: ValueError if an action is illegal.
        """
        draft = cls(preview=game.copy())
        pass_on(draft.preview, player)
        for action in actions or []:
            draft.choose(action)
        return draft

    @property
    def is_plan(self) -> bool:
        """Whether a plan is made at the same time as those of others."""
        return space_of(self.preview) >= 0

    def choose(self, action: str) -> None:
        """Play an action on the preview, or hold it if it would show something new.

        Raises: ValueError if it is illegal, or the last choice has to be confirmed; nothing changes then.
        """
        if self.is_held:
            raise ValueError(f"{self.chosen[-1]} is chosen: confirm or undo it first")
        trial, player = self.preview.copy(), self.preview.player
        trial.play(action)
        pass_on(trial, player)
        if (space := space_of(self.preview)) >= 0:
            self.laid[space] = action
        is_quiet = trial.batch.logs[0, LENGTH] == self.preview.batch.logs[0, LENGTH]
        self.chosen.append(action)
        if is_quiet and trial.player == player:
            self.preview = trial
        else:
            self.is_held = True

    def division(self) -> Division | None:
        """Return the lots as the person has made them, or sees them; None where there are none."""
        find, held = self.preview.spec.division, 0
        if find is None or self.preview.is_over:
            return None
        if self.is_held:
            held = self.preview.legal_actions()[self.chosen[-1]]
        return find(self.preview.batch.games[0], held)
