"""What the words of the game mean, in a sentence or two each: ``glossary.toml`` and what follows from the data."""

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text.names import ACTIONS, BUILDINGS, EVENTS, SPECIALS
from shogun_env.spec.pages import texts_in
from shogun_env.spec.voice import article, counted

_TEXTS = texts_in(__package__, "glossary.toml")
_COSTS = {action["name"]: action["cost"] for action in board.DATA["actions"]}
_POINTS = {name: board.DATA["scoring"][f"most_{action.removeprefix('build_')}s"] for action, name in BUILDINGS.items()}


def _action(action: str) -> str:
    """Return what is said about an action, its price first."""
    price = f"Costs {counted(_COSTS[action], 'chest')}. " if _COSTS[action] else ""
    if action not in BUILDINGS:
        return f"{price}{_TEXTS['actions'][action]}"
    name = BUILDINGS[action]
    return (
        f"{price}Puts {article(name)} on a free site of the province, if it has none yet. "
        f"{counted(_POINTS[name], 'point')} in each winter for most of them in a region, and 1 for every building."
    )


_IDLE = "On an action it means: do nothing; its value is no matter."
GLOSSARY = {
    **{name: f"{effect[0].upper()}{effect[1:]}." for name, effect in EVENTS.items()},
    **{action: _action(action) for action in ACTIONS},
    **_TEXTS["specials"],
    **{f"chest_{value}": f"As a bid it costs {counted(value, 'chest')}. {_IDLE}" for value in range(c.N_CHEST_CARDS)},
    **_TEXTS["cards"],
    **_TEXTS["words"],
    **{
        name: f"Taxes {board.TAX[prov]}, rice {board.RICE[prov]}, {counted(int(board.SITES[prov]), 'building site')}."
        for prov, name in enumerate(board.PROVINCE_NAMES)
    },
}
"""By name: events, specials, actions, cards and provinces as ``data.json`` and the names of actions have them."""
TERMS = {"no_theatre_calms": "Noh theatre calms", **ACTIONS, **SPECIALS}
"""What texts and pictures call these names."""
