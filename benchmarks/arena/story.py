"""What each player did in a game, from its record: points over time, and counts of deeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Story = dict[str, list[Any]]
"""For ``points``, by player, the points after each part of the game; for each deed, by player, how many."""
Lines = Sequence[Mapping[str, Any]]

POINTS = "points"


def story_of(game: str, lines: Lines) -> Story | None:
    """Return the story of a finished game from the lines of its record; None for a game that has none."""
    tell = STORIES.get(game)
    return None if tell is None else tell(lines, int(lines[0]["players"]))


def _shogun(lines: Lines, players: int) -> Story:
    """Return points after each winter, and what was built, taken, attacked, won and lost."""
    story: Story = {POINTS: [[] for _ in range(players)]}
    for deed in ("built", "chests taken", "rice taken", "attacks", "provinces won", "provinces lost", "revolts"):
        story[deed] = [0] * players
    total = [0] * players
    taken = {"collect_taxes": "chests taken", "confiscate_rice": "rice taken"}
    for line in lines:
        if line["t"] == "score":
            total = [before + now for before, now in zip(total, line["total"], strict=True)]
            for player, points in enumerate(total):
                story[POINTS][player].append(points)
        elif line["t"] == "do" and line["result"] == "built":
            story["built"][line["player"]] += 1
        elif line["t"] == "do" and line["result"] == "collected":
            story[taken[line["action"]]][line["player"]] += line["amount"]
        elif line["t"] == "do" and line["result"] == "attacked":
            story["attacks"][line["player"]] += 1
        elif line["t"] == "fight":
            _count_fight(story, line)
    return story


def _count_fight(story: Story, line: Mapping[str, Any]) -> None:
    """Count who won a province in a fight, who lost one, and revolts."""
    attacker, defender = line["attacker"], line["defender"]
    if attacker is None:
        story["revolts"][defender] += 1
    elif line["outcome"] == "attacker":
        story["provinces won"][attacker] += 1
    if defender is not None and line["outcome"] != "defender":
        story["provinces lost"][defender] += 1


def _shitenno(lines: Lines, players: int) -> Story:
    """Return points after each round, and what was placed, paid and taken."""
    story: Story = {POINTS: [[] for _ in range(players)]}
    for deed in ("Kamon placed", "cards paid", "bonus tiles used", "lots taken", "cards drawn"):
        story[deed] = [0] * players
    for line in lines:
        if line["t"] in ("state", "result"):
            for player, points in enumerate(line["points"]):
                story[POINTS][player].append(points)
        elif line["t"] == "control":
            player = line["player"]
            story["Kamon placed"][player] += 1
            story["cards paid"][player] += len(line["cards"])
            story["bonus tiles used"][player] += line["exchanges"] + line["plus_ones"]
        elif line["t"] == "take":
            story["lots taken"][line["player"]] += 1
        elif line["t"] == "draw":
            story["cards drawn"][line["player"]] += 1
    return story


STORIES: dict[str, Callable[[Lines, int], Story]] = {"shogun": _shogun, "shitenno": _shitenno}


def mean_stories(stories: Sequence[tuple[list[str], Mapping[str, Sequence[Any]]]]) -> dict[str, Any]:
    """Return the mean story of each agent, as JSON values.

    Args: stories: for each game the agents by player, and its story. Points of games that end earlier stay as they are.
    """
    sums: dict[str, dict[str, list[float]]] = {}
    games: dict[str, int] = {}
    longest = max((len(points) for _, story in stories for points in story[POINTS]), default=0)
    for agents, story in stories:
        for player, agent in enumerate(agents):
            games[agent] = games.get(agent, 0) + 1
            amounts_of = sums.setdefault(agent, {})
            for deed, values in story.items():
                value = values[player]
                amounts = [*value, *[value[-1]] * (longest - len(value))] if deed == POINTS else [value]
                before = amounts_of.get(deed, [0.0] * len(amounts))
                amounts_of[deed] = [one + two for one, two in zip(before, amounts, strict=True)]
    return {
        agent: {
            "games": games[agent],
            **{deed: [round(value / games[agent], 3) for value in values] for deed, values in amounts_of.items()},
        }
        for agent, amounts_of in sorted(sums.items())
    }
