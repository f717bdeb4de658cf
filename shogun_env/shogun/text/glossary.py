"""What the words of the game mean, in a sentence or two each, for people who see them on a page."""

from __future__ import annotations

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text.names import ACTIONS as ACTION_TERMS
from shogun_env.shogun.text.names import BUILDINGS, EVENTS
from shogun_env.shogun.text.names import SPECIALS as SPECIAL_TERMS
from shogun_env.spec.voice import article, counted

_COSTS = {action["name"]: action["cost"] for action in board.DATA["actions"]}
_POINTS = {name: board.DATA["scoring"][f"most_{action.removeprefix('build_')}s"] for action, name in BUILDINGS.items()}


def _price(action: str) -> str:
    return f"Costs {counted(_COSTS[action], 'chest')}."


def _building(action: str) -> str:
    """Return what is said about building something."""
    name = BUILDINGS[action]
    return (
        f"{_price(action)} Puts {article(name)} on a free site of the province, if it has none yet. "
        f"{counted(_POINTS[name], 'point')} "
        "in each winter for most of them in a region, and 1 for every building."
    )


ACTIONS = {
    **{action: _building(action) for action in BUILDINGS},
    "confiscate_rice": (
        "Brings the rice printed on the province. It then gets a revolt marker; if it has some already, as "
        "many farmers "
        "revolt first."
    ),
    "collect_taxes": (
        "Brings the chests printed on the province. It then gets a revolt marker; if it has some already, as "
        "many farmers "
        "revolt first."
    ),
    "deploy_5_armies": f"{_price('deploy_5_armies')} Brings 5 armies from the supply into the province.",
    "deploy_3_armies": f"{_price('deploy_3_armies')} Brings 3 armies from the supply into the province.",
    "deploy_move_1_army": (
        f"{_price('deploy_move_1_army')} Brings 1 army; then any number of armies may move on to a neighbouring "
        f"province of "
        "one's own. One stays."
    ),
    "battle_move_a": "Armies leave the province for a neighbour: they join one's own, or attack. At least one stays.",
    "battle_move_b": "A second battle/move in the same season, like the first.",
}
SPECIALS = {
    "plus_1_chest": "1 chest more when its owner collects taxes.",
    "plus_1_rice": "1 rice more when its owner confiscates rice.",
    "six_armies": "Deploy 5 armies brings its owner 6.",
    "plus_1_attack": "1 army from the supply more goes into the tower when its owner attacks.",
    "plus_1_defence": "1 army from the supply more goes into the tower when its owner is attacked.",
}
_IDLE = "On an action it means: do nothing; its value is no matter."
CARDS = {
    "bid": (
        "The card here pays for the choice of special and turn. Best is chest card 4, then 3, 2, 1, a "
        "province, 0, and last "
        "no card; ties at random. A chest card is paid, a province is not."
    ),
    **{f"chest_{value}": f"As a bid it costs {counted(value, 'chest')}. {_IDLE}" for value in range(c.N_CHEST_CARDS)},
    "none": "No card: the action is not carried out.",
}
WORDS = {
    "tower": (
        "All cubes of a fight go in with those in the tray. Some stay inside, and old ones come loose, so what "
        "comes out is "
        "never sure."
    ),
    "tray": "Where cubes come out of the tower. Those of players who are not in the fight wait here for the next one.",
    "farmers": "Green cubes of nobody. They defend neutral provinces, and help a defender without revolt marker.",
    "revolt": (
        "Unrest in a province that gave rice or taxes. The next time as many farmers revolt as there are "
        "markers, and farmers "
        "no longer help its owner."
    ),
    "neutral": "Nobody's province. An attack meets one farmer, or two by an event, and those who come out of "
    "the tower.",
    "chests": "Money. It pays for buildings, armies and bids, and breaks ties at the end.",
    "rice": "Each province needs 1 in winter, after the loss by the event that is left over.",
    "supply": "Armies of a player that are not on the board, in the tower or in the tray.",
    "short": "Rice that a player lacks in winter, after the loss by the event. It brings a famine.",
    "prov.": "Number of provinces of a player.",
    "taxes": "Chests that a province brings when taxes are collected there.",
    "turn": "Place in the turn order, chosen with a special card: the lowest number carries each action out first.",
    "points": "Provinces and buildings count 1 each winter, and most buildings of a kind in a region more.",
    "region": "Nine provinces of one colour. Most castles in one bring 3 points, temples 2, theatres 1; one "
    "less if tied.",
    "sites": "Places for buildings in a province. Each holds one, and a province no two of a kind.",
    "winter": "Rice is lost by the event left over, provinces without rice may revolt, and points are counted.",
    "famine": "Rice is short: provinces drawn at random revolt, more of them the more is missing.",
}
PROVINCES = {
    name: f"Taxes {board.TAX[prov]}, rice {board.RICE[prov]}, {counted(int(board.SITES[prov]), 'building site')}."
    for prov, name in enumerate(board.PROVINCE_NAMES)
}
GLOSSARY = {
    **{name: f"{effect[0].upper()}{effect[1:]}." for name, effect in EVENTS.items()},
    **ACTIONS,
    **SPECIALS,
    **CARDS,
    **WORDS,
    **PROVINCES,
}
"""By name: events, specials, actions, cards and provinces as ``data.json`` and the names of actions have them."""
TERMS = {"no_theatre_calms": "Noh theatre calms", **ACTION_TERMS, **SPECIAL_TERMS}
"""What texts and pictures call these names."""
