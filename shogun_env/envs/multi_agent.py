"""What the two PettingZoo environments share: agents, spaces, rewards, illegal actions."""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from shogun_env.batch.loops import NOTHING, mask_games, observe_games
from shogun_env.batch.validation import MAX_SEED
from shogun_env.envs.base import (
    RENDER_MODES,
    LastViews,
    Observer,
    SingleGameEnv,
    begin_at,
    of_reset,
    start_at,
    warn_of_fallback,
    whole_action,
)


class MultiAgentEnv(SingleGameEnv):
    """One game with an agent for every player.

    Attributes:
        agents: the agents in the game: all of them while it runs, none after its end.
        possible_agents: all agents, ``player_0`` to ``player_{P-1}``.
        illegal_actions: number of illegal actions of each agent in this game.
        observation_spaces, action_spaces: by agent.
        state_space: space of ``state()``.
    """

    metadata: ClassVar[dict[str, Any]]
    traits: ClassVar[dict[str, Any]] = {}
    """Further entries of ``metadata``."""
    state_names: ClassVar[tuple[str, ...]] = ("agents", "paid", "cycles", "illegal_actions")

    def __init_subclass__(cls) -> None:
        """Set the ``metadata`` of a game's environment."""
        if hasattr(cls, "batch_class"):
            spec = cls.batch_class.spec
            cls.metadata = {
                "name": f"{spec.name}_v0",
                "render_modes": list(RENDER_MODES),
                "render_fps": 2,
                **cls.traits,
            }

    def __init__(self, **options: Any) -> None:
        """Make the environment; ``reset`` starts a game.

        Raises: OptionError (a ValueError) for a bad option.
        """
        super().__init__(**options)
        self.max_cycles = self.settings.max_cycles
        self.possible_agents = [f"player_{player}" for player in range(self.batch.num_players)]
        self.agents: list[str] = []
        self._number = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._everybody = np.arange(self.batch.num_players, dtype=np.int8)
        self._same_row = np.zeros(self.batch.num_players, np.int64)
        self._observations = np.zeros((self.batch.num_players, self.game_spec.obs_size), np.uint8)
        self._observer = Observer(self.game_spec, self.settings)
        self._last = LastViews(self._observer.view, self.batch.num_players)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observer.space)
        self.action_spaces = {agent: spaces.Discrete(self.game_spec.n_actions) for agent in self.possible_agents}
        view, players = self._observer.view, self.batch.num_players
        self.state_space = spaces.Box(np.tile(view.low, players), np.tile(view.high, players), dtype=view.low.dtype)

    @property
    def unwrapped(self) -> Self:
        """The environment itself, by its own type; PettingZoo's would hide ``batch`` and ``record``."""
        return self

    def get_state(self) -> bytes:
        """Return the whole state of the environment as bytes, as ``SingleGameEnv`` says.

        Raises: ValueError before a reset, or after a step that failed half-way.
        """
        self._check_running()
        return super().get_state()

    @functools.cached_property
    def np_random(self) -> np.random.Generator:
        """The generator of the seeds of games that are given none."""
        return seeding.np_random(None)[0]

    def _start(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Start a game with a seed, or for None with one from ``np_random``, at the position that the options name."""
        position = of_reset(options, self.game_spec).get("position")
        start = None if position is None else start_at(self.batch, position)
        if seed is not None:
            self.batch.reset(seeds=[seed])
            self.np_random = seeding.np_random(int(seed))[0]
        else:
            self.batch.reset(seeds=[int(self.np_random.integers(MAX_SEED))])
        if start is not None:
            begin_at(self.batch, self._same_row[:1], start)
        self.agents = self.possible_agents[:]
        self.cycles = 0
        self.paid: list[float] = self.batch.returns[0].tolist()  # rewards are counted from here
        self.illegal_actions = dict.fromkeys(self.possible_agents, 0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def state(self) -> np.ndarray:
        """Return the flat observations of all players one after the other: float32[P * D]; it holds their secrets."""
        return self._observer.view.show(self._observations_of(self._everybody)).reshape(-1)

    # These two run the loops of the batch without its checks, which take a third of the time of a step; the arguments
    # cannot be wrong here.

    def _observations_of(self, players: np.ndarray) -> np.ndarray:
        """Return what players int8[n] may know, uint8[n, D], in a buffer that the next call overwrites."""
        observations, observe = self._observations[: len(players)], observe_games.of(self.game_spec.engine)
        observe(self.batch.games, self._same_row, players, observations, 0, len(players))
        return observations

    def _masks_of_all(self) -> np.ndarray:
        """Return the masks of all players as a new array, int8[P, A]."""
        masks = np.zeros((len(self._everybody), self.game_spec.n_actions), np.int8)
        mask_games.of(self.game_spec.engine)(self.batch.games, self._same_row, self._everybody, masks, 0, len(masks))
        return masks

    @property
    def _phase(self) -> int:
        """The phase, as the player who decides sees it."""
        return int(self.batch.games["phase"][0])

    def _pay(self) -> dict[str, float]:
        """Return the reward of each agent since the last call."""
        before, self.paid = self.paid, self.batch.returns[0].tolist()
        if before == self.paid:  # most steps, and found in a tenth of the time of the differences
            return dict.fromkeys(self.possible_agents, 0.0)
        return {a: now - then for a, now, then in zip(self.possible_agents, self.paid, before, strict=True)}

    def _ended(self) -> tuple[bool, bool]:
        """Return whether the game is over, and whether it is truncated."""
        terminated = bool(self.batch.over[0])
        return terminated, not terminated and self.max_cycles is not None and self.cycles >= self.max_cycles

    def _legal(self, agent: str, action: Any, mask: np.ndarray) -> tuple[int, bool]:
        """Return the action to play, and whether the one given was illegal; None means action 0.

        Raises: ValueError for an action that is no whole number, or is illegal with ``illegal_action="raise"``.
        """
        number = NOTHING if action is None else whole_action(agent, action)
        if 0 <= number < len(mask) and mask[number]:
            return number, False
        if self.settings.illegal_action == "raise":
            name, phase = self.game_spec.action_name, self.game_spec.phase_names[self._phase]
            words = f" {name(number)}" if action is not None and 0 <= number < len(mask) else ""
            legal = ", ".join(f"{a} {name(a)}" for a in np.flatnonzero(mask).tolist())
            raise ValueError(f"{agent} in {phase}: action {action}{words} is illegal; legal are {legal}")
        lowest = int(mask.argmax())
        warn_of_fallback(self.game_spec, agent, number, lowest)
        return lowest, True
