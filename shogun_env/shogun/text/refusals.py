"""Why actions that a player might want are illegal at a decision, in words (``RULES.md``: 2.2, 3, 4)."""

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle_move import is_target, may_stay, neighbour, running_action
from shogun_env.shogun.rules.planning import lowest_unpayable_bid
from shogun_env.shogun.rules.setup import deck_size, may_bury


def refusals(g: np.void) -> dict[int, str]:
    """Return the reasons by action, of those actions that a player might want and may not take.

    Nothing is in them that the player who decides does not know.

    Example:
        >>> from shogun_env.shogun import Batch, action_name
        >>> reasons = refusals(Batch(1).games[0])
        >>> [(action_name(action), why) for action, why in reasons.items()][:1]
        [('Aki', 'you have no card of it')]
    """
    by_phase = {c.DRAFT_CARD: _draft, c.PLAN: _plan, c.TAKE_SPECIAL: _special, c.TARGET: _target, c.NUMBER: _number}
    phase = int(g["phase"])
    return by_phase[phase](g) if phase in by_phase else {}


def _provinces_in_play(g: np.void) -> list[int]:
    return np.flatnonzero(board.IN_PLAY[g["side"], g["n_players"]]).tolist()


def _draft(g: np.void) -> dict[int, str]:
    player, reasons = int(g["player"]), {}
    if sum(deck_size(g)) == 0:
        reasons[c.A_DECK] = "the deck is empty"
    if not may_bury(g, player):
        reasons[c.A_BURY] = "only once per turn, and only if both open cards are those of your previous turn"
    return reasons


def _plan(g: np.void) -> dict[int, str]:
    player, space = int(g["player"]), int(g["space"])
    reasons = {
        c.A_CARD + prov: "you have no card of it" for prov in _provinces_in_play(g) if g["owner"][prov] != player
    }
    if space == c.BID_SPACE:
        for value in range(lowest_unpayable_bid(g, player), c.N_CHEST_CARDS):
            reasons[c.A_CHEST + value] = f"you have {g['chests'][player]} chests, and a bid is paid at once"
    for other in range(space):
        card = int(g["plan"][player, other])
        if card != c.EMPTY:
            reasons[c.A_CARD + card] = f"the card is on {board.SPACE_NAMES[other].replace('_', ' ')} already"
    if g["blanks_left"][player] == 0:
        reasons[c.A_NO_CARD] = "a space may be empty only where you have fewer cards than spaces"
    return reasons


def _special(g: np.void) -> dict[int, str]:
    holders = enumerate(g["holder"].tolist())
    return {c.A_SPECIAL + position: f"player {holder} has it" for position, holder in holders if holder != c.NONE}


def _target(g: np.void) -> dict[int, str]:
    player, source, act = int(g["player"]), int(g["source"]), running_action(g)
    near = {int(neighbour(g, source, index)) for index in range(c.MAX_NEIGHBOURS + 1)}
    reasons = {}
    for prov in _provinces_in_play(g):
        if prov == source:
            reasons[c.A_CARD + prov] = "the armies leave from here"
        elif prov not in near:
            reasons[c.A_CARD + prov] = f"it does not border on {board.PROVINCE_NAMES[source]}"
        elif not is_target(g, player, act, prov):
            peace = act != c.DEPLOY_MOVE_1_ARMY
            reasons[c.A_CARD + prov] = (
                "its temple protects it in this season" if peace else "this action moves armies to your provinces only"
            )
    if not may_stay(g, act):
        reasons[c.A_NO_CARD] = "who can move must move; the option optional_moves would allow it"
    return reasons


def _number(g: np.void) -> dict[int, str]:
    armies = int(g["armies"][g["source"]])
    return {c.A_NUMBER + armies: "one army has to stay"} if c.A_NUMBER + armies < c.A_DECK else {}
