"""What things of the game are called in texts, by their names in ``data.json``."""

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c

ACTIONS = {
    "build_castle": "build a castle",
    "build_temple": "build a temple",
    "build_no_theatre": "build a Noh theatre",
    "confiscate_rice": "confiscate rice",
    "collect_taxes": "collect taxes",
    "deploy_5_armies": "deploy 5 armies",
    "deploy_3_armies": "deploy 3 armies",
    "deploy_move_1_army": "deploy 1 army and move",
    "battle_move_a": "battle/move A",
    "battle_move_b": "battle/move B",
}
BUILDINGS = {"build_castle": "castle", "build_temple": "temple", "build_no_theatre": "Noh theatre"}
"""What is built, by action."""
SPECIALS = {
    "plus_1_chest": "+1 chest",
    "plus_1_rice": "+1 rice",
    "six_armies": "six armies",
    "plus_1_attack": "+1 attack",
    "plus_1_defence": "+1 defence",
}
EVENTS = {event["name"]: str(event["effect"]) for event in board.DATA["events"]}
"""What events do."""
STARTS = {"preset": "the printed start", "draft": "a draft of provinces", "random": "a random start"}


def at_province(action: str, province: str) -> str:
    """Return where an action is carried out, as its name goes on: "in Aki", or "from Aki"."""
    return f"{'from' if action.startswith('battle') else 'in'} {province}"


def actions_in_order(g: np.void) -> list[tuple[int, int | None]]:
    """Return the actions in play with their positions from 1 on: first the open ones, then the others with None."""
    first = int(board.FIRST_ACTION[g["side"]])
    opened = [int(act) for act in g["action_at"][first:] if act != c.NONE]
    out = board.ACTIONS_OUT[g["side"]].tolist()
    hidden = [act for act in range(c.N_ACTION_CARDS) if act not in opened and act not in out]
    return [(act, position) for position, act in enumerate(opened, 1)] + [(act, None) for act in hidden]


def title_of(g: np.void) -> str:
    """Return the name of the game: Shogun, or that of the small one on its own board."""
    return "Shikoku" if g["side"] >= c.N_SIDES else "Shogun"


def setup_of(g: np.void) -> str:
    """Return number of players, board and start in words."""
    n, name = g["n_players"], board.BOARD_NAMES[g["side"]]
    return f"{n} players, {name} " + (
        "game" if g["side"] >= c.N_SIDES else f"side, {board.START_NAMES[g['start']]} start"
    )
