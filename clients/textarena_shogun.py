"""TextArena: a game whose players are all language models, who answer in text; ``ta.make("Shogun-v0")``.

Each player reads the rules in short, what has happened, and the position as they may know it. A plan of Shogun is one
answer, a JSON object; any other answer names an action. Rewards are those of the game's ``rank``: 1 for a sole
winner, -1 for the last place.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

import textarena as ta
from textarena.envs.registration import register_with_versions

from shogun_env import GAMES, cli
from shogun_env.doors.seat import SEEDS, Seat
from shogun_env.play.end import end_of
from shogun_env.play.table import Table

TEXT = ta.ObservationType


class TextEnv(ta.Env):
    """A game as TextArena knows games.

    Args: game; error_allowance, how many wrong answers in a row a player may give: one more ends the game, and that
        player has lost; options of play.
    """

    def __init__(self, game: str, error_allowance: int = 2, **options: Any) -> None:
        self.game_class, self.error_allowance, self.options = cli.game_class(game), error_allowance, options

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game; without a seed nobody can guess it. ValueError for a wrong number of players."""
        self.table = Table(
            self.game_class,
            seed=secrets.randbelow(SEEDS) if seed is None else seed,
            options={**self.options, "num_players": num_players},
            bots={},
        )
        self.state = ta.FFAMultiPlayerState(num_players, seed, error_allowance=self.error_allowance)
        self.state.reset(player_prompt_function=lambda player_id, game_state: self.game_class.rules())
        self._ask()

    @property
    def seat(self) -> Seat:
        """The seat of the player who is asked."""
        return Seat.at(self.table, self.state.current_player_id)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play an answer of the player who is asked; only that player reads it, as a plan is hidden."""
        player, why = self.state.current_player_id, ""
        self.state.add_observation(action, TEXT.PLAYER_ACTION, from_id=player, to_id=player)
        try:
            self.seat.answer(action)
        except ValueError as error:
            why = str(error)
            if self.state.set_invalid_move(why):
                rewards = {each: -1.0 if each == player else 0.0 for each in range(self.state.num_players)}
                self.state.set_game_outcome(rewards, f"Player {player} gave no answer that could be used: {why}")
        else:
            if self.table.game.is_over:
                self._end()
        done, info = self.state.step(rotate_player=False)
        if not done:
            self._ask(why)
        return done, info

    def _ask(self, why: str = "") -> None:
        """Show what has happened and the position to the player who decides, and why an answer could not be used."""
        player = self.table.deciding[0]
        if player != self.state.current_player_id:  # it also forgets the wrong answers
            self.state.manually_set_current_player_id(player)
        seen = self.seat.observe()
        if seen.happened:
            self.state.add_observation("\n".join(seen.happened), TEXT.GAME_MESSAGE, to_id=player)
        text = f"Your last answer cannot be used: {why}\n\n{seen.text}" if why else seen.text
        self.state.add_observation(text, TEXT.GAME_BOARD, to_id=player)

    def _end(self) -> None:
        """Tell everybody how the game ended."""
        places = [
            f"{each['place']}. player {each['player']}: {each['points']} points" for each in end_of(self.table.game)
        ]
        text = "\n".join(["The game is over.", *places])
        self.state.add_observation(text, TEXT.GAME_ADMIN)
        self.state.set_game_outcome(dict(enumerate(self.table.game.returns("rank"))), text)


for name in GAMES:
    register_with_versions(
        f"{name.capitalize()}-v0",
        entry_point="clients.textarena_shogun:TextEnv",
        wrappers={"default": [ta.wrappers.GameMessagesAndCurrentBoardObservationWrapper]},
        game=name,
    )


def answer(seat: Seat) -> str:
    """Return what a model might say that plays as the bot ``scripted``."""
    hint = seat.hint()
    return f"I have thought about it.\n[{hint['action']}]" if "action" in hint else f"My plan: {json.dumps(hint)}"


def check(game: str) -> None:
    """Play a whole game, see that plans stay hidden, and that wrong answers are told and end a game at last."""
    env = ta.make(f"{game.capitalize()}-v0")
    env.reset(num_players=3, seed=3)
    said: dict[int, list[str]] = {0: [], 1: [], 2: []}
    done = False
    while not done:
        player, observation = env.get_observation()
        assert f"You are player {player} in a game" in observation, "the position is not shown"
        assert "in short" in observation, "the rules are not shown"
        others = [text for other, texts in said.items() if other != player for text in texts]
        assert not any(text in observation for text in others), "a player reads what another one said"
        said[player] += [text] if (text := answer(env.seat)).startswith("My plan") else []
        done, _ = env.step(text)
    assert any(said.values()) or game == "shitenno", "nobody made a plan that could be seen"
    rewards, infos = env.close()
    assert max(rewards.values()) <= 1 and abs(sum(rewards.values())) < 1e-6, rewards
    assert "The game is over" in infos[0]["reason"]

    env = ta.make(f"{game.capitalize()}-v0-raw", error_allowance=1)
    env.reset(num_players=2 if game == "shitenno" else 3)
    player, _ = env.get_observation()
    done, _ = env.step("I pass")
    again, observation = env.get_observation()
    assert (done, again) == (False, player) and any("cannot be used" in text for _, text, _ in observation)
    done, _ = env.step("I pass")
    rewards, infos = env.close()
    assert done and rewards[player] == -1 and infos[player]["invalid_move"]


def use(game: str, steps: int) -> int:
    """Play games with three players, each answer read from text."""
    count = 0
    while count < steps:
        env = ta.make(f"{game.capitalize()}-v0")  # its wrapper would show the game before
        env.reset(num_players=3)
        done = False
        while not done:
            env.get_observation()
            done, _ = env.step(answer(env.seat))
            count += 1
    return count
