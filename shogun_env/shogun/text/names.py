"""What things of the game are called in texts, by their names in ``data.json``."""

from __future__ import annotations

from shogun_env.shogun import board

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
