"""The bots that people are offered to play against: the level of each, a name, and what it plays like."""

from typing import NamedTuple


class Offered(NamedTuple):
    """A bot that is offered; ``shogun-env habits`` prints figures of how it plays."""

    bot: str
    level: int
    """From 1, by the ratings in ``docs/strength.md``."""
    name: str
    plays: str


BEGINNERS = (
    Offered("random", 1, "Scarecrow", "any legal action"),
    Offered("pool:2min", 2, "Ashigaru", "a network after two minutes of training: a good first opponent"),
)
CAPTAIN = Offered("pool:20min", 3, "Captain", "a network after twenty minutes of training")
REGENT = Offered("pool:champion-by-hand", 5, "Regent", "an earlier champion")
"""Bots that both large games offer."""
OFFERED: dict[str, tuple[Offered, ...]] = {
    "shogun": (
        *BEGINNERS,
        Offered("scripted:style=builder", 3, "Carpenter", "by rules of thumb: builds much, attacks little"),
        CAPTAIN,
        Offered("scripted:style=turtle", 3, "Gatekeeper", "by rules of thumb: hardly attacks, guards everything"),
        Offered("scripted:style=warrior", 3, "Rōnin", "by rules of thumb: fonder of attacks than of buildings"),
        Offered(
            "scripted", 4, "Samurai", "by rules of thumb: attacks where it wins four times of five, keeps its rice"
        ),
        Offered("pool:champion-0.2", 4, "Daimyō", "the champion of version 0.2"),
        REGENT,
        Offered("champion", 5, "Shōgun", "the strongest: attacks most, holds most provinces, is often short of rice"),
    ),
    "shitenno": (
        *BEGINNERS,
        Offered("scripted:style=greedy", 2, "Merchant", "by rules of thumb: gathers cards and Koku"),
        Offered("scripted:style=lord", 3, "Landlord", "by rules of thumb: for majorities above all"),
        CAPTAIN,
        Offered("scripted:style=rival", 3, "Rival", "by rules of thumb: gladly spoils what others could do"),
        Offered("scripted", 4, "Samurai", "by rules of thumb: pays early, offers lots that are seldom taken"),
        Offered("pool:champion-0.2", 5, "Daimyō", "the champion of version 0.2"),
        REGENT,
        Offered("champion", 6, "Shōgun", "the strongest: most placements and majorities, uses its jokers"),
    ),
    "shikoku": (
        BEGINNERS[0],
        Offered("scripted", 2, "Samurai", "by the rules of thumb of Shogun"),
        Offered("solved", 3, "Oracle", "an equilibrium: nobody can gain against it in the long run"),
    ),
}
"""The bots of each game, the easiest first."""


def strongest(game: str) -> str:
    """Return the strongest bot that is offered, which also gives hints unless another is asked to."""
    return OFFERED[game][-1].bot


def easiest(game: str) -> str:
    """Return the bot that somebody is offered first who has won nothing: the one above ``random``."""
    return OFFERED[game][1].bot


def called(game: str, bot: str) -> str:
    """Return what a bot is called at a table: the name under which it is offered, or its own."""
    return next((each.name for each in OFFERED[game] if each.bot == bot), bot)
