"""What bots advise the people at a table: what they would choose, what that does, and what it is worth."""

from collections.abc import Sequence
from contextlib import suppress

from shogun_env.game import Game, Move
from shogun_env.play.draft import Draft
from shogun_env.play.saving import RECKONER
from shogun_env.play.view import labels, meanings, space_of
from shogun_env.policies import Bot, make_agent
from shogun_env.review import CHAMPION
from shogun_env.review.analysis import SAME, why
from shogun_env.spec.voice import words


def hint_of(adviser: Bot, game: Game, draft: Draft) -> str:
    """Return the action that a bot would choose, knowing only what the person may know who makes the draft.

    Where lots are made these are all its actions from the beginning, separated by commas.
    """
    if (lots := draft.division()) is None or not lots.is_made:
        return draft.preview.copy().suggest(adviser)
    player, actions, length = draft.preview.player, list[str](), len(game.lines())
    game = game.copy()
    while game.player == player and len(game.lines()) == length:
        actions.append(game.suggest(adviser))
        game.play(actions[-1])
    return ", ".join(actions)


def plan_of(adviser: Bot, draft: Draft) -> dict[int, str]:
    """Return the plan that a bot would make of a draft, by number of the space; ValueError where none is made."""
    if draft.start is None:
        raise ValueError("no plan is made now")
    while not draft.is_held:
        draft = draft.choose(draft.preview.copy().suggest(adviser))
    return draft.laid


def champion_at(game: Game, player: int, moves: Sequence[Move]) -> str:
    """Return in words what was played at a decision, by who decided or who planned, and what the champion would do.

    Args: game; player; moves, those that were played from there on.
    Raises: ValueError if the player does not decide, or the game has no champion.
    """
    spec = game.spec
    champion = make_agent(CHAMPION, spec)
    if space_of(game) >= 0:
        played = draft = Draft.of(game, player)
        plan, called, length = plan_of(champion, draft), labels(spec), len(draft.spaces)
        for move in [move for move in moves if move.player == player][:length]:
            played = played if played.is_held else played.choose(move.action)
        own, titles = played.laid, {each["space"]: each["title"] for each in draft.spaces}
        differing = "; ".join(
            f"{title}: {called.get(own[at], own[at])} (the champion: {called.get(plan[at], plan[at])})"
            for at, title in titles.items()
            if own[at] != plan[at]
        )
        return f"P{player} plans next. {differing or 'The champion would plan the same'}. {expected_by(draft.start)}"
    if game.player != player:
        raise ValueError(f"P{game.player} decides here, not P{player}")
    action = moves[0].action
    return f"P{player} decides next: {meanings(game)[action] or words(action)}. {why(game, action)}"


def suggestion_of(reckoner: Bot, draft: Draft) -> dict[str, str]:
    """Return what ``RECKONER`` would choose, knowing only what the player who decides may know, and what that does."""
    action = draft.preview.copy().suggest(reckoner)
    return {"bot": RECKONER, "action": action, "effect": meanings(draft.preview).get(action, "")}


def reason_of(game: Game, action: str, adviser: str = "") -> str:
    """Return what the champion makes of an action of the adviser; empty of a lot, where only the first could be told.

    That the champion would choose what it has just advised is not said.
    """
    with suppress(ValueError):
        opinion = why(game, action)
        return opinion.replace(SAME, "The champion's likeliest choices") if adviser == CHAMPION else opinion
    return ""


def expected_by(game: Game | None) -> str:
    """Return what share of the win the champion expects in the place of the player who plans."""
    opinion = "" if game is None else reason_of(game, next(iter(game.legal_actions())))
    return opinion.rpartition(". ")[2].replace("It ", "The champion ", 1)
