"""The reference pool: networks that never change, weak to strong, so that figures against them stay comparable.

A member is a file and the hash of its content; ``README.md`` says how each was made. When a new champion comes, the old
one stays here, with its hash.
"""

import hashlib
from pathlib import Path

from shogun_env.agents.network.agent import Network, make_network
from shogun_env.spec.game_spec import GameSpec

FOLDER = Path(__file__).parent
POOL: dict[str, dict[str, str]] = {
    "shogun": {
        "2min": "48f7a08c77debe363e51eefb90ca2e390f31853aabbeb495ffbcb53639294649",
        "20min": "7b40218d1f3c1793d3209ff5912796be2c58edb3e8ed8a2fb692d2147baf75c7",
        "champion-0.2": "c3266695adb749501eef41ef531e181bddda25dc1c856c6b5ff97253742d8532",
        "champion-by-hand": "a62459fa6a8a4473135460cb883efb90ab2dadfa296eec1df74efcb6932f3670",
        "champion-0.4": "f1977c2286a4bad8314b5a1005d03be1192bb05bec2290581532ffa361492a3c",
        "exploiter": "cfa6d14405faa70a0ca901b32515f05ed205f205521f93f8020f23871953c053",
    },
    "shitenno": {
        "2min": "f29d9a37255b86611805bf5ae2582e9dba302ad951eddc83d8cbe59e2484a72b",
        "20min": "f5b07e8bb483c159e7ffa9da5c77a8a0857305d7302373f79e8d9621051ab907",
        "champion-0.2": "7f34ab81428c71ad9a310a36124e74e5a3c3eb0a27e72c81e2c8965bcd3a8dd3",
        "champion-by-hand": "9272d17dd525574526ce153e5e6b705f42677a1399a7128ddde34e163b25db44",
        "champion-0.4": "85bd3edd931dd199e3fcec07783e59c45d5c07943f5eddc469e67f81ecc1ed56",
        "exploiter": "c64793c473d3d38c5921db879b5cd89f016607d0c1382d765eb6c64b792354c0",
    },
}
"""For each game its networks by name, the weakest first, exploiters last: SHA-256 of the content of the file
``GAME_NAME.npz``."""


def make_member(game_spec: GameSpec, name: str, /, greedy: bool = True) -> Network:
    """Return the bot of the spec ``pool:NAME`` or ``pool:NAME:greedy=false``.

    Raises: ValueError for a name that the pool of the game does not have, a file whose content is not the one that was
        put into the pool, or a network whose game now has other observations.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_member(SHOGUN, "2min")
    """
    members = POOL.get(game_spec.name, {})
    if name not in members:
        raise ValueError(f"pool:{name}: the pool of {game_spec.name} has {', '.join(members) or 'no networks'}")
    file = FOLDER / f"{game_spec.name}_{name}.npz"
    if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != members[name]:
        raise ValueError(f"pool:{name}: {file.name} must never change, but its content has another hash or is missing")
    return make_network(game_spec, str(file), greedy)
