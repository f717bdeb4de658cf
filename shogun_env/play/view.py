"""What the page of a person shows of a game: the board, what can be chosen and why not, plans, lots, and the end."""

from collections.abc import Mapping, Sequence
from typing import Any

from shogun_env.game import Game
from shogun_env.policies import Bot
from shogun_env.records.picture import draw_state
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.pages import Division

FOR = "points for "
"""What the words of habits begin with that count points."""


def pass_on(game: Game, player: int | None) -> None:
    """Lay first cards for all others until a player fills a space of a plan, or the planning is over."""
    while space_of(game) >= 0 and game.player != player:
        game.play(next(iter(game.legal_actions().values())))


def costs_of(game: Game, player: int, laid: Mapping[int, str]) -> dict[str, Any]:
    """Return what the plan that a person makes costs, as JSON values: ``text``, and ``unpaid`` by space."""
    return game.spec.plan_costs(game.batch.games[0], player, _numbers(game.spec, laid))._asdict()


def _numbers(spec: GameSpec, laid: Mapping[int, str]) -> dict[int, int]:
    """Return the actions of cards by space."""
    return {space: spec.actions[card] for space, card in laid.items()}


def position_view(game: Game, player: int, decides: bool, laid: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Return a position as a person sees it: drawing, text, and what they may choose if they decide.

    Args: game; player, the person; whether they decide; laid, the cards of the plan that they make, by space.
    """
    spec, state = game.spec, game.batch.games[0]
    if laid is not None:
        state = spec.plan_laid(state, player, _numbers(spec, laid))
    drawing = draw_state(spec, state, player)
    return {
        "title": drawing.title,
        "size": (drawing.width, drawing.height),
        "parts": drawing.parts,
        "places": drawing.places,
        "text": spec.render(state, player),
        "question": spec.question(state) if decides else "",
        "turn": decides,
        "over": game.is_over,
        "refused": refused(game) if decides else {},
        "words": meanings(game) if decides else {},
    }


def start_of(game: Game, player: int) -> str:
    """Return the start position that a player got in a game just set up, in words; empty with options without any."""
    which = game.spec.start_position(game.batch.games[0], player)
    return "" if which < 0 else game.spec.start_positions[which]


def spaces(game: Game) -> list[dict[str, Any]]:
    """Return the spaces of the plan that is made, in the order of play, as JSON values; empty outside planning.

    Returns: for each space its number ``space``, ``mark``, ``title``, and by action what ``cards`` do there.
    """
    spec = game.spec
    if space_of(game) < 0:
        return []
    return [
        {
            "space": each.space,
            "mark": each.mark,
            "title": each.title,
            "cards": {spec.action_name(action): effect for action, effect in each.cards.items()},
        }
        for each in spec.plan_sheet(game.batch.games[0])
    ]


def empty_spaces(spaces: Sequence[Mapping[str, Any]], none: str) -> int:
    """Return how many spaces of a plan, as ``spaces`` returns them, must stay empty because there are too few cards."""
    return max(0, len(spaces) - len({card for each in spaces for card in each["cards"]} - {none}))


def meanings(game: Game) -> dict[str, str]:
    """Return what the legal actions do and promise, in words, by name; empty texts where names of actions say it."""
    spec, state = game.spec, game.batch.games[0]
    promises = spec.promises(state)
    words = {name: (spec.action_words(state, action), action) for name, action in game.legal_actions().items()}
    return {name: f"{text}: {promises[act]}" if act in promises else text for name, (text, act) in words.items()}


def labels(spec: GameSpec) -> dict[str, str]:
    """Return what actions are called on buttons, by name, where that is another text."""
    called = {name: spec.action_label(action) for name, action in spec.actions.items()}
    return {name: text for name, text in called.items() if text not in ("", name)}


def space_of(game: Game) -> int:
    """Return the number of the space of a plan that the decision fills, -1 outside planning."""
    return int(game.spec.engine.plan_slot(game.batch.games[0]))


def refused(game: Game) -> dict[str, str]:
    """Return why actions are illegal that the player who decides might want, by name."""
    reasons = game.spec.refusals(game.batch.games[0])
    return {game.spec.action_name(action): why for action, why in reasons.items()}


def lots_of(game: Game, found: Division, reckoner: Bot) -> dict[str, Any]:
    """Return the lots that the person who decides makes or is offered, as JSON values.

    Args: game; found, its lots; reckoner, the bot that says what they are worth.
    Returns: ``made``, whether they are made now; ``cards`` and ``tiles`` by name of the action with what they are
        called; ``choose``, how many tiles are chosen; ``lots``, each with its ``title``, its ``cards`` as a list of
        actions, its ``tile`` or an empty text, and for each player who may get it what it ``brings`` in words, with
        the points that it is ``worth`` to them by the reckoning of the bot, None if that is not known.
    """
    name, viewer, n_players = game.spec.action_name, int(game.player or 0), game.num_players
    worth = reckoner.appraise(game.observation(viewer), [lot.tile for lot in found.lots])

    def brought(index: int, player: int) -> dict[str, Any]:
        points = None if worth is None else round(worth[index][(player - viewer) % n_players], 1)
        return {"text": found.brings[player][index], "worth": points}

    return {
        "made": found.is_made,
        "cards": {name(action): text for action, text in found.card_names.items()},
        "tiles": {name(action): text for action, text in found.tile_names.items()},
        "choose": found.chosen_tiles,
        "lots": [
            {
                "title": lot.title,
                "cards": [name(action) for action, count in lot.cards.items() for _ in range(count)],
                "tile": name(lot.tile) if lot.tile else "",
                "brings": {player: brought(at, player) for player, texts in found.brings.items() if at < len(texts)},
            }
            for at, lot in enumerate(found.lots)
        ],
    }


def end_of(game: Game) -> list[dict[str, Any]]:
    """Return how a game ended, the first place first; empty while it lasts.

    Returns: for each ``player`` the ``place`` from 1, which winners share; the ``points``, and ``sources``, points by
        what they were for, as a list of words and numbers; ``years``, the same by when they were scored, empty for a
        game in which they come at any time.
    """
    if not game.is_over:
        return []
    record = game.record()
    habits, years = game.spec.record_format.habits(record), game.spec.record_format.scorings(record)
    sources = {words.removeprefix(FOR): counts for words, (counts, _) in habits.items() if words.startswith(FOR)}
    points = game.batch.points[0, : game.num_players].tolist()
    behind = {player: (player not in game.winners, -points[player]) for player in range(game.num_players)}
    return [
        {
            "player": player,
            "place": 1 if player in game.winners else 1 + sum(other < behind[player] for other in behind.values()),
            "points": points[player],
            "sources": [(words, counts[player]) for words, counts in sources.items()],
            "years": [(words, scored[player]) for words, scored in years.items()],
        }
        for player in sorted(behind, key=lambda player: behind[player])
    ]
