"""The results of many games as columns, sorted: tables do not depend on the order in which games were played."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shogun_env.benchmarks.arena.referee import FAULTS
from shogun_env.benchmarks.arena.seating import Result
from shogun_env.benchmarks.arena.story import Story

MOST_PLAYERS = 8
"""Columns are this wide; absent players have agent -1."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The outcomes of N games; P is ``MOST_PLAYERS``. Games are sorted by variant, line-up, seed and rotation."""

    names: list[str]
    """The agents, sorted."""
    variants: list[str]
    """The variants, sorted."""
    variant: np.ndarray
    """int64[N], index into ``variants``."""
    seed: np.ndarray
    """int64[N]."""
    agents: np.ndarray
    """int64[N, P], index into ``names``; -1 for absent players."""
    place: np.ndarray
    """float64[N, P], not a number for absent players, like the next three."""
    points: np.ndarray
    """float64[N, P]."""
    win: np.ndarray
    """float64[N, P]."""
    luck: np.ndarray
    """float64[N, P], not a number also for all players of a game whose luck was not found."""
    decisions: np.ndarray
    """int64[N]."""
    faults: np.ndarray
    """int64[variants, names, len(FAULTS)], faults by kind."""
    seconds: np.ndarray
    """float64[names], seconds that agents took which are not compiled."""
    asked: np.ndarray
    """int64[names], decisions put to them."""
    stories: list[tuple[str, list[str], Story]]
    """For some games the variant, the agents by player, and what each player did."""
    records: list[tuple[str, list[str], list[int], str]]
    """For games whose record is kept the variant, the agents and their points by player, and the name of the file."""

    @classmethod
    def of(cls, results: Iterable[Result]) -> Self:
        """Return the outcomes of games, at least one.

        Raises: ValueError if there is none.
        """
        names: dict[str, int] = {}
        variants: dict[str, int] = {}
        ups: dict[tuple[str, ...], int] = {}
        whole, real = array("q"), array("d")
        faults: dict[tuple[int, int], np.ndarray] = {}
        clocks: dict[int, np.ndarray] = {}
        stories, records = [], []
        for result in results:
            who = [names.setdefault(name, len(names)) for name in result.agents]
            variant = variants.setdefault(result.variant, len(variants))
            line_up = ups.setdefault(tuple(result.line_up), len(ups))
            blank = [-1] * (MOST_PLAYERS - len(who))
            whole.extend([variant, line_up, result.seed, result.rotation, result.decisions, *who, *blank])
            for column in (result.place, result.points, result.win, result.luck or [np.nan] * len(who)):
                real.extend([*column, *([np.nan] * len(blank))])
            for agent, by_kind in zip(who, result.faults, strict=True):
                if by_kind:
                    kinds = faults.setdefault((variant, agent), np.zeros(len(FAULTS), np.int64))
                    kinds += [by_kind.get(kind, 0) for kind in FAULTS]
            for agent, used, number in zip(who, result.seconds or (), result.asked or (), strict=False):
                clocks.setdefault(agent, np.zeros(2))[:] += [used, number]
            if result.story:
                stories.append((result.seating, (result.variant, result.agents, result.story)))
            if result.record:
                about = (result.variant, result.agents, result.points, result.record["file"])
                records.append((result.seating, about))
        if not whole:
            raise ValueError("no game was finished, so there are no results")
        table = np.frombuffer(whole, np.int64).reshape(-1, 5 + MOST_PLAYERS)
        values = np.frombuffer(real, np.float64).reshape(-1, 4, MOST_PLAYERS)
        name_order, variant_order, up_order = _ranks(names), _ranks(variants), _ranks(ups)
        order = np.lexsort((table[:, 3], table[:, 2], up_order[table[:, 1]], variant_order[table[:, 0]]))
        table, values = table[order], values[order]
        counts = np.zeros((len(variants), len(names), len(FAULTS)), np.int64)
        for (variant, agent), number_of in faults.items():
            counts[variant_order[variant], name_order[agent]] = number_of
        clock = np.zeros((len(names), 2))
        for agent, used_and_asked in clocks.items():
            clock[name_order[agent]] = used_and_asked
        return cls(
            names=sorted(names), variants=sorted(variants), variant=variant_order[table[:, 0]], seed=table[:, 2],
            agents=np.append(name_order, -1)[table[:, 5:]], place=values[:, 0], points=values[:, 1], win=values[:, 2],
            luck=values[:, 3],
            decisions=table[:, 4], faults=counts, seconds=clock[:, 0], asked=clock[:, 1].astype(np.int64),
            stories=[story for _, story in sorted(stories, key=lambda pair: pair[0])],
            records=[record for _, record in sorted(records, key=lambda pair: pair[0])],
        )  # fmt: skip

    def of_variant(self, variant: int) -> Self:
        """Return the outcomes of one variant; agents and variants keep their numbers."""
        which = self.variant == variant
        columns = ("variant", "seed", "agents", "place", "points", "win", "luck", "decisions")
        faults = np.zeros_like(self.faults)
        faults[variant] = self.faults[variant]
        parts = {name: getattr(self, name)[which] for name in columns}
        stories = [story for story in self.stories if story[0] == self.variants[variant]]
        records = [record for record in self.records if record[0] == self.variants[variant]]
        return type(self)(**{**self.__dict__, **parts, "faults": faults, "stories": stories, "records": records})

    @property
    def players(self) -> int:
        """Number of players of the largest game."""
        return int((self.agents >= 0).sum(1).max())


def _ranks(numbers: Mapping[Any, int]) -> np.ndarray:
    """Return for each number the rank of its key in sorted order: int64[n]."""
    ranks = np.zeros(len(numbers), np.int64)
    for rank, key in enumerate(sorted(numbers)):
        ranks[numbers[key]] = rank
    return ranks
