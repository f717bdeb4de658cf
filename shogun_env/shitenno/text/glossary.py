"""What the words of the game mean, in a sentence or two each: ``glossary.toml`` and what follows from the data."""

from shogun_env.shitenno import board
from shogun_env.shitenno.text.names import BONUSES, PROVINCES, TITLES, TROOPS, kind_name
from shogun_env.spec.pages import texts_in
from shogun_env.spec.voice import counted

_TEXTS = texts_in(__package__, "glossary.toml")


def _kind(kind: str, value: int) -> str:
    """Return what is said about a kind of card."""
    if value:
        return f"Money worth {value} Koku."
    troops = kind.split("_")
    return f"{'One troop' if len(troops) == 1 else 'Two troops'} to pay with: {kind_name(kind)}."


def _province(prov: int) -> str:
    """Return what is said about a province."""
    numbers = ", ".join(map(str, board.NUMBER[prov].tolist()))
    native = TROOPS[board.TROOP_NAMES[board.NATIVE[prov]]]
    troops = counted(int(board.ICONS[prov]), native, native)
    last = int(board.ICONS[prov] + board.ENTRANCE_ICONS[prov])
    return (
        f"Positions for {numbers}. By troops: {troops} and one of the type on the top tile; the last position "
        f"{last} of its own. Majority: {counted(int(board.MAJORITY[prov]), 'point')}."
    )


GLOSSARY = {
    **_TEXTS["titles"],
    **_TEXTS["bonuses"],
    **{kind: _kind(kind, int(value)) for kind, value in zip(board.KIND_NAMES, board.KOKU_VALUE, strict=True)},
    **{name: _province(prov) for prov, name in enumerate(board.PROVINCE_NAMES)},
    **_TEXTS["words"],
}
"""By name: titles, bonuses, kinds of cards and provinces as ``data.json`` has them, and words in lower case."""
TERMS = {
    **{name: TITLES[4 - rank] for rank, name in enumerate(_TEXTS["titles"])},
    **BONUSES,
    **{kind: kind_name(kind) for kind in board.KIND_NAMES},
    **PROVINCES,
    "tairo": "Tairō",
    "tile": "tile on top",
    "pile": "Troop pile",
}
"""What texts and pictures call these names."""
