"""What bots advise the people at a table: what they would choose, what that does, and what it is worth."""

from contextlib import suppress

from shogun_env.game import Game
from shogun_env.play.draft import Draft
from shogun_env.play.saving import RECKONER
from shogun_env.play.view import meanings, space_of
from shogun_env.policies import Bot, make_agent
from shogun_env.review import CHAMPION
from shogun_env.review.analysis import why


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


def plan_of(adviser: Bot, game: Game, player: int) -> dict[int, str]:
    """Return the whole plan that a bot would make, by number of the space; ValueError where none is made."""
    draft = Draft.of(game, player)
    if draft.start is None:
        raise ValueError("no plan is made now")
    while not draft.is_held:
        draft = draft.choose(draft.preview.suggest(adviser))
    return draft.laid


def champion_at(game: Game, player: int) -> str:
    """Return in words what the champion would do at a decision in the place of the player who decides, or who plans.

    Raises: ValueError if the player does not decide, or the game has no champion.
    """
    spec = game.spec
    champion = make_agent(CHAMPION, spec)
    if space_of(game) >= 0:
        draft, plan = Draft.of(game, player), plan_of(champion, game, player)
        cards = {spec.action_name(number): spec.action_label(number) for number in range(spec.n_actions)}
        laid = "; ".join(
            f"{each['title']}: {cards[plan[each['space']]] or plan[each['space']]}" for each in draft.spaces
        )
        return f"{laid}. {expected_by(draft.start)}"
    if game.player != player:
        raise ValueError(f"P{game.player} decides here, not P{player}")
    return why(game, game.copy().suggest(champion))


def suggestion_of(reckoner: Bot, draft: Draft) -> dict[str, str]:
    """Return what ``RECKONER`` would choose, knowing only what the player who decides may know, and what that does."""
    action = draft.preview.copy().suggest(reckoner)
    return {"bot": RECKONER, "action": action, "effect": meanings(draft.preview).get(action, "")}


def reason_of(game: Game, action: str) -> str:
    """Return what the champion makes of an action, in words; empty of a lot, where only the first could be told."""
    with suppress(ValueError):
        return why(game, action)
    return ""


def expected_by(game: Game | None) -> str:
    """Return what share of the win the champion expects in the place of the player who plans."""
    opinion = "" if game is None else reason_of(game, next(iter(game.legal_actions())))
    return opinion.rpartition(". ")[2].replace("It ", "The champion ", 1)
