"""Who sits where at a table, and options of play that are fair to all."""

from collections.abc import Mapping
from typing import Any

from shogun_env.game import Game
from shogun_env.spec.bots import specs_for, specs_in
from shogun_env.spec.game_spec import GameSpec


def options_at_table(options: Mapping[str, Any], spec: GameSpec) -> dict[str, Any]:
    """Return options of play with those that are fair to all, unless others are given that do not go together.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> options_at_table({}, SHOGUN), options_at_table({"shuffle_seats": True}, SHOGUN)
        ({'start': 'random'}, {'shuffle_seats': True})
    """
    both = {**spec.fair, **options}
    try:
        spec.check_options(both)
    except ValueError:
        return dict(options)
    return both


def seats(people: str, against: str, options: dict[str, Any], game_class: type[Game]) -> dict[int, str]:
    """Return the bot of each player who is not a person; several bots set the number of players.

    Args: people, players separated by commas; against, bots separated by commas; options of play, to which the number
        of players may be added; game_class.
    Raises: ValueError for people who are not players, or a wrong number of bots.
    """
    if not all(part.strip().isdecimal() for part in people.split(",")):
        raise ValueError(f"people={people!r}: must be players separated by commas, such as 0,2")
    chairs = {int(part) for part in people.split(",")}
    names = specs_in(against)
    if len(names) > 1:
        options.setdefault("num_players", len(chairs) + len(names))
    n_players = game_class.spec.check_options(options)["num_players"]
    others = [player for player in range(n_players) if player not in chairs]
    if max(chairs) >= n_players:
        raise ValueError(f"people={people!r}: players are 0 to {n_players - 1}")
    return dict(zip(others, specs_for(against, len(others), "players who are not people"), strict=True))
