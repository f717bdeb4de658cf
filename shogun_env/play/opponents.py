"""The bots that people are offered to play against, and what each plays like."""

PLAYS: dict[str, dict[str, str]] = {
    "shogun": {
        "champion": "the strongest network: attacks most, holds most provinces, is often short of rice",
        "pool:champion-by-hand": "the champion before it, trained in sixteen steps by hand",
        "pool:champion-0.2": "the champion of version 0.2: much the same, a little weaker",
        "scripted": "rules of thumb: builds, attacks where it wins four times of five, keeps its rice",
        "scripted:style=warrior": "the same rules, fonder of attacks than of buildings",
        "scripted:style=builder": "the same rules: builds much, attacks little, guards what it has",
        "scripted:style=turtle": "the same rules: hardly attacks, guards everything",
        "pool:20min": "a network after twenty minutes of training",
        "pool:2min": "a network after two minutes of training: a good first opponent",
        "random": "any legal action",
    },
    "shitenno": {
        "champion": "the strongest network: most placements and majorities, uses its jokers",
        "pool:champion-by-hand": "the champion before it, trained in four steps by hand",
        "pool:champion-0.2": "the champion of version 0.2: much the same, a little weaker",
        "scripted": "rules of thumb: pays early, offers lots that are seldom taken",
        "scripted:style=rival": "the same rules, and gladly spoils what others could do",
        "scripted:style=lord": "the same rules, for majorities above all",
        "scripted:style=greedy": "the same rules: gathers cards and Koku",
        "pool:20min": "a network after twenty minutes of training",
        "pool:2min": "a network after two minutes of training: a good first opponent",
        "random": "any legal action",
    },
    "shikoku": {
        "solved": "an equilibrium: nobody can gain against it in the long run",
        "scripted": "the rules of thumb of Shogun",
        "random": "any legal action",
    },
}
"""What the bots that are offered play like, the strongest first; ``shogun-env habits`` prints figures."""


def strongest(game: str) -> str:
    """Return the bot of a game that is offered first, which also gives hints unless another is asked to."""
    return next(iter(PLAYS[game]))
