"""A state of Shogun as a drawing: the referee's view, what one player may know, or what everybody knows."""

from functools import lru_cache

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.draw import geometry, panels, provinces
from shogun_env.shogun.state import STATE
from shogun_env.shogun.text.render import decision
from shogun_env.svg.markup import Drawing

WIDTH, HEIGHT = 1280, 720


def draw(g: np.void, player: int | None) -> Drawing:
    """Return the drawing of a state.

    Args: g, a state at a decision or at the end; player, 0..n_players - 1 for what they may know, -1 for what everybody
        knows, None for everything but the floors of the tower, which nobody knows.
    """
    below, above = _seen_by_all(g.tobytes())
    parts = {**below, "heading": panels.heading(g, player), "view": panels.view(g, player), **above}
    if g["phase"] <= c.DRAFT_GROUP:
        parts |= {f"card-{owner}-{column}": "" for owner in range(g["n_players"]) for column in range(c.N_SPACES)}
    else:
        parts |= panels.plan_cells(g, player)
    parts["notes"] = panels.notes(g, player)
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        title=f"Shogun: {decision(g, player)}",
        parts=parts,
        places=dict(zip(board.PROVINCE_NAMES, geometry.PLACES, strict=True)),
    )


@lru_cache(maxsize=1)
def _seen_by_all(state: bytes) -> tuple[dict[str, str], dict[str, str]]:
    """Return the parts that are the same in all views, those beneath the heading and those after it.

    A replay draws each state for every viewer; this is most of the drawing.
    """
    g = np.frombuffer(state, STATE)[0]
    below = {"defs": provinces.clips(), "ground": provinces.ground(g)}
    below |= {f"prov-{prov}": provinces.province(g, prov) for prov in range(c.N_PROVINCES)}
    below |= {"printed": provinces.printed(g), "arrow": provinces.arrow(g)}
    above = {
        "events": panels.event_list(g),
        "specials": panels.specials(g),
        "legend": panels.legend(g),
        "table": panels.table_head(g),
    }
    above |= {f"player-{row}": panels.player_row(g, row) for row in range(g["n_players"] + 1)}
    above["actions"] = panels.draft(g) if g["phase"] <= c.DRAFT_GROUP else panels.action_head(g)
    return below, above
