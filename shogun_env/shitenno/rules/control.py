"""The odd year: turns, placements, Draw tiles, the Sensei (rules 5.1)."""

import numpy as np

from shogun_env.kernel.chance import draw_counted
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import MAX_PLACED, NUMBER, TITLE_POINTS
from shogun_env.shitenno.rules.payment import need_of, suffices, worth_of_committed
from shogun_env.shitenno.rules.piles import draw_troop_card, has_troop_cards, log_row
from shogun_env.shitenno.rules.setup import show_top


@kernel
def begin_turn(g: State, log: Log, player: Player) -> None:
    """Begin a player's turn (3, 5.1).

    Reads:  seals
    Writes: phase, player, rank, n_placed, joker_used
    """
    g["player"] = player
    g["rank"] = g["seals"][player]
    g["n_placed"] = 0
    g["joker_used"] = 0
    g["phase"] = c.TURN
    log_entry(log, c.LOG_TURN, player, 0, 0, 0, 0, 0, 0)


@kernel
def can_place(g: State, player: Player) -> Bool:
    """Say whether the player may place another Kamon in this turn, if they can pay for it (5.1).

    Reads:  n_placed, kamon
    """
    return g["n_placed"] < MAX_PLACED and g["kamon"][player] > 0


@kernel
def can_control(g: State, prov: Prov, way: Int, worth: Int) -> Bool:
    """Say whether a province has a free position for which a player can pay in one way (5.1, 5.2).

    Args:   way BY_TROOPS or BY_KOKU; worth of all that the player has, see ``worth_of_all``
    Reads:  filled, top
    """
    return g["filled"][prov] < c.N_POSITIONS and suffices(worth, need_of(g, prov, way))


@kernel
def can_draw(g: State, player: Player) -> Bool:
    """Say whether the player can use a Draw tile: they have one, and a card can be drawn (5.1, S2, S16).

    Reads:  tiles, pile, discard
    """
    return g["tiles"][player, c.DRAW] > 0 and has_troop_cards(g)


@kernel
def use_draw_tile(g: State, rng: Rng, log: Log, player: Player) -> None:
    """Discard a Draw tile, and draw a troop card that nobody else sees (5.1, S8).

    Reads:  pile, discard
    Writes: hand, n_troops, tiles, used, what ``draw_troop_card`` writes
    Draws:  one
    """
    g["tiles"][player, c.DRAW] -= 1
    g["used"][c.DRAW] += 1
    g["hand"][player, draw_troop_card(g, rng, log, c.LOG_DRAW, player)] += 1
    g["n_troops"][player] += 1


@kernel
def begin_payment(g: State, prov: Prov, way: Int) -> None:
    """Choose the province of a placement and the one way in which it is paid (5.1, S10).

    Args:   way BY_TROOPS or BY_KOKU
    Writes: phase, target, last, way
    """
    g["target"] = prov
    g["way"] = way
    g["last"] = 0
    g["phase"] = c.PAY


@kernel
def clear_payment(g: State) -> None:
    """Drop the items committed and the placement that they were for, back to the turn (5.1).

    Writes: phase, target, last, way, committed
    """
    g["committed"][:] = 0
    g["target"] = c.NONE
    g["way"] = c.BY_TROOPS
    g["last"] = 0
    g["phase"] = c.TURN


@kernel
def commit(g: State, rng: Rng, log: Log, player: Player, item: Int) -> None:
    """Commit an item; if the payment suffices now, make it, score, and place the Kamon (5.1, 5.3, S25).

    Args:   player who pays; item 0..19: joker, Exchange, +1, then the card kinds
    Reads:  target, way, seals, known, filled, top, covered, unturned, committed
    Writes: everything
    Draws:  after a placement that takes a tile, one for its bonus, and one for the tile below if there is one
    """
    g["committed"][item] += 1
    g["last"] = item
    prov, way = np.int64(g["target"]), np.int64(g["way"])
    if suffices(worth_of_committed(g), need_of(g, prov, way)):
        position = np.int64(g["filled"][prov])
        points, title_points = NUMBER[prov, position], TITLE_POINTS[np.int64(g["seals"][player])]
        log_entry(log, c.LOG_CONTROL, player, prov, position, way, points, title_points, 0)
        log_row(log, g["committed"][:])
        pay(g, player)
        clear_payment(g)
        g["points"][player] += points + title_points
        place(g, rng, log, player, prov, position)


@kernel
def pay(g: State, player: Player) -> None:
    """Discard what is committed: troop cards to their discard, Koku cards and tiles out of the game (5.3, S17)."""
    committed = g["committed"]
    if committed[c.JOKER] > 0:
        g["joker_used"] = 1
    for bonus in range(c.DRAW):
        tiles = np.int64(committed[c.FIRST_TILE + bonus])
        g["tiles"][player, bonus] -= tiles
        g["used"][bonus] += tiles
    for kind in range(c.N_KINDS):
        cards = np.int64(committed[c.FIRST_CARD + kind])
        g["hand"][player, kind] -= cards
        if kind < c.N_TROOP_KINDS:
            g["discard"][kind] += cards
            # The others know a lower bound; they cannot tell whether the cards paid are those that they knew of (7).
            g["known"][player, kind] = max(np.int64(0), np.int64(g["known"][player, kind]) - cards)
            g["n_troops"][player] -= cards
        else:
            g["spent"][kind - c.N_TROOP_KINDS] += cards


@kernel
def place(g: State, rng: Rng, log: Log, player: Player, prov: Prov, position: Int) -> None:
    """Put a Kamon on the leftmost free position, and take the top tile if one is left (5.1, S18)."""
    g["owner"][prov, position] = player
    g["filled"][prov] = position + 1
    g["kamon"][player] -= 1
    g["n_placed"] += 1
    top = np.int64(g["top"][prov])
    if top == c.NONE:
        return
    g["tiles"][player, draw_counted(g, rng, log, c.LOG_BONUS, g["unturned"][top], player, prov)] += 1
    g["top"][prov] = c.NONE
    if position + 2 < c.N_POSITIONS:  # the third position takes the last of the three tiles
        show_top(g, rng, log, prov)


@kernel
def leftmost_simple(g: State, player: Player, prov: Prov) -> Int:
    """Return the position of the player's leftmost simple Kamon in a province, or NONE (5.1, S19).

    Reads:  owner, golden, filled
    """
    for position in range(np.int64(g["filled"][prov])):
        if g["owner"][prov, position] == player and g["golden"][prov, position] == 0:
            return np.int64(position)
    return np.int64(c.NONE)


@kernel
def has_simple(g: State, player: Player) -> Bool:
    """Say whether the player has a simple Kamon on the board (S19).

    Reads:  what ``leftmost_simple`` reads
    """
    simple = np.int64(0)
    for prov in range(c.N_PROVINCES):
        simple += 1 if leftmost_simple(g, player, prov) != c.NONE else 0
    return simple > 0


@kernel
def end_turn(g: State, log: Log, player: Player) -> None:
    """End the turn; the Sensei may turn a Kamon first if they have a simple one on the board (5.1, S20).

    Reads:  seals, what ``leftmost_simple`` reads
    Writes: phase
    """
    log_entry(log, c.LOG_END_TURN, player, 0, 0, 0, 0, 0, 0)
    g["phase"] = c.SENSEI_TURN if g["seals"][player] == c.SENSEI and has_simple(g, player) else c.CONTROL


@kernel
def flip(g: State, log: Log, player: Player, prov: Prov) -> None:
    """Turn the leftmost simple Kamon of a province to its golden side, or none if ``prov`` is NONE (5.1, S19).

    Reads:  what ``leftmost_simple`` reads
    Writes: phase, golden
    """
    log_entry(log, c.LOG_SENSEI, player, prov, 0, 0, 0, 0, 0)
    if prov != c.NONE:
        g["golden"][prov, leftmost_simple(g, player, prov)] = 1
    g["phase"] = c.CONTROL
