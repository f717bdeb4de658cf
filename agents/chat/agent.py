"""The bot ``chat``: it shows a language model what a player may know, and plays what the model answers.

Each decision is a conversation of its own: the rules and the prompt of ``prompt_text``, the answer, and after an answer
that cannot be used what was wrong with it, and the next answer. A plan of Shogun is one answer, or one for each card.
"""

import json
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.agents.chat.endpoint import Endpoint, EndpointError, Message
from shogun_env.agents.chat.questions import ModelQuestion, Questions, UnusableError, correction, rules_text
from shogun_env.agents.chat.settings import Settings, load_settings
from shogun_env.batch.loops import NO_ACTION
from shogun_env.files import error_text
from shogun_env.policies import Bot, Ends, View, make_agent
from shogun_env.spec.bots import MachineError, PartlyLostError
from shogun_env.spec.game_spec import GameSpec

_LOCK = threading.Lock()
"""Held while a line is written to a log, which several bots may share."""
_MAKING: ContextVar[tuple[Any, ...]] = ContextVar("_MAKING", default=())
"""The files and settings of the bots that are being made, each the substitute of the one before."""


@dataclass(kw_only=True)
class Talk:
    """A decision: what is asked, what was answered, and what is played."""

    row: int
    """Row of the view."""
    question: ModelQuestion
    answers: list[str] = field(default_factory=list)
    action: int = NO_ACTION
    why: str = ""
    """What was wrong with the last answer, or with the endpoint."""
    is_lost: bool = False
    """Whether the endpoint gave no answer."""

    @property
    def unusable(self) -> str:
        """That there is no action, and why."""
        return f"no usable answer: {self.why}"


class Chat(Bot):
    """A language model as an agent; ``make_chat`` describes the parameters.

    Raises: ValueError if the key is not set, or the substitute is not a bot.
    """

    replayable = False

    def __init__(self, game_spec: GameSpec, settings: Settings) -> None:
        self.game_spec, self.settings = game_spec, settings
        self.endpoint = Endpoint(settings)
        self.substitute = make_agent(settings.substitute, game_spec) if settings.substitute else Bot()
        """Who decides where no usable answer came; without one a bot that is told everything and never asked."""
        parts = [text for text in (rules_text(game_spec, settings.rules), settings.instructions) if text]
        self._system: list[Message] = [{"role": "system", "content": "\n\n".join(parts)}] if parts else []
        self._questions = Questions(game_spec, settings.plans)
        self.wants = tuple(dict.fromkeys([*(["story"] if settings.story > 0 else []), *self.substitute.wants]))
        if settings.log:
            Path(settings.log).parent.mkdir(parents=True, exist_ok=True)
        self._texts: list[str] = []
        self.name = "chat"

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return an action for every decision, int64[n].

        Raises: PartlyLostError where there is no substitute, of the kind ``form`` for answers that cannot be used and
            ``error`` where the endpoint gave none; EndpointError (an OSError) if it gave none to any decision.
        """
        actions = self._questions.known(view)
        self._texts = ["" if action == NO_ACTION else "part of the plan that was made before" for action in actions]
        ask, story = self._questions.question, self.settings.story
        rows = np.flatnonzero(actions == NO_ACTION).tolist()
        talks = [Talk(row=row, question=ask(view, row, story)) for row in rows]
        with ThreadPoolExecutor(self.settings.parallel) as pool:
            list(pool.map(self._converse, talks))
        if talks and all(talk.is_lost for talk in talks) and not self.settings.substitute:
            raise EndpointError(talks[0].why)
        for talk in talks:
            actions[talk.row] = talk.action
            self._texts[talk.row] = talk.unusable if talk.action == NO_ACTION else talk.answers[-1]
        if any(talk.action == NO_ACTION for talk in talks):
            self._replace(view, rng, actions, talks)
        return actions

    def explain(self, view: View) -> list[str]:
        """Return for every decision of the view, which ``act`` has just answered, what the model said."""
        return list(self._texts)

    def begin(self, rows: np.ndarray) -> None:
        """Tell the substitute that games begin."""
        self.substitute.begin(rows)

    def end(self, ends: Ends) -> None:
        """Tell the substitute how games ended."""
        self.substitute.end(ends)

    def close(self) -> None:
        """Close the substitute."""
        self.substitute.close()

    def _replace(self, view: View, rng: np.ndarray, actions: np.ndarray, talks: list[Talk]) -> None:
        """Write the actions of the substitute where no usable answer came, and warn; without one these are lost."""
        lost = [talk for talk in talks if talk.action == NO_ACTION]
        if not self.settings.substitute:
            kinds, texts = [""] * len(actions), dict[str, str]()
            for talk in lost:
                kinds[talk.row] = kind = "error" if talk.is_lost else "form"
                texts.setdefault(kind, talk.why if talk.is_lost else f"{self.endpoint.address}: {talk.unusable}")
            raise PartlyLostError(actions, kinds, texts)
        warnings.warn(
            f"chat: {len(lost)} of {len(talks)} decisions without a usable answer: {self.settings.substitute} decides; "
            f"the first: {lost[0].why}",
            RuntimeWarning,
            stacklevel=3,
        )
        rows = np.array([talk.row for talk in lost])
        draws = rng[rows]
        try:
            actions[rows] = self.substitute.act(view.part(rows), draws)
        except MachineError:
            raise
        except (Exception, SystemExit) as error:  # what the model answered counts
            raise PartlyLostError.in_rows(actions, rows, error) from error.__cause__ or error
        rng[rows] = draws

    # --- talking -----------------------------------------------------------------------------------------------------

    def _converse(self, talk: Talk) -> None:
        """Ask until an answer can be used, and write the outcome."""
        messages: list[Message] = [*self._system, {"role": "user", "content": talk.question.prompt}]
        try:
            for _ in range(1 + self.settings.corrections):
                answer = self.endpoint.ask(messages)
                talk.answers.append(answer.text)
                try:
                    if answer.cut_off:
                        raise UnusableError(f"the answer is cut off before its end (finish_reason {answer.cut_off!r})")
                    talk.action, talk.why = talk.question.read(answer.text), ""
                    break
                except UnusableError as error:
                    talk.why = str(error)
                messages += [
                    {"role": "assistant", "content": answer.text}, {"role": "user", "content": correction(talk.why)},
                ]  # fmt: skip
        except EndpointError as error:
            talk.why, talk.is_lost = str(error), True
        self._write(talk)

    def _write(self, talk: Talk) -> None:
        """Append a decision to the log, if there is one."""
        if not self.settings.log:
            return
        action = None if talk.action == NO_ACTION else self.game_spec.action_name(talk.action)
        player, phase, prompt, _ = talk.question
        line = {
            "player": player, "phase": phase, "prompt": prompt, "answers": talk.answers,
            "action": action, "why": talk.why,
        }  # fmt: skip
        try:
            with _LOCK, Path(self.settings.log).open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:  # the answer counts all the same
            warnings.warn(f"chat: nothing is logged: {error_text(error)}", RuntimeWarning, stacklevel=2)


def make_chat(game_spec: GameSpec, file: str, /, **settings: str) -> Chat:
    """Return the bot of the spec ``chat:FILE`` or ``chat:FILE:temperature=0.7``.

    Args:
        game_spec: the game.
        file: TOML file with ``url``, ``model`` and whatever else of ``Settings`` is not as usual.
        settings: replace those of the file; a value cannot hold a colon.

    Raises: ValueError for a file that cannot be read, a wrong setting, a key that is not set, or a substitute that is
        unknown or leads to itself.
    """
    makes, bot = _MAKING.get(), (Path(file).resolve(), settings)
    if bot in makes:
        raise ValueError(f"chat:{file}: it is its own substitute; name another bot, or none")
    token = _MAKING.set((*makes, bot))
    try:
        return Chat(game_spec, load_settings(Path(file), settings))
    finally:
        _MAKING.reset(token)
