"""A table: one game with people and bots, saved after every decision.

A person chooses actions one by one. They are played on a preview, and can be taken back, as long as nothing has
happened that the person did not know: no chance, no card shown. A choice after which something of that kind follows is
held and carried out when the person confirms. Bots play as soon as it is their turn; some think about it before.

Where all players plan at once, people make their plans one after the other, each as a whole. On the preview of a plan
all others lay their first cards, which nobody sees; what they do lay is played when the last person has confirmed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Self

from shogun_env.files import write_whole
from shogun_env.game import Game
from shogun_env.kernel.log import LENGTH
from shogun_env.play.end import end_of
from shogun_env.play.events import events_since
from shogun_env.play.lessons import lessons_met
from shogun_env.play.pondering import Pondering
from shogun_env.play.shown import labels, lots_of, meanings, pass_on, shown, space_of, spaces, start_of
from shogun_env.policies import Agent, make_agent, tell_ends
from shogun_env.records.record import record_name, write_record
from shogun_env.records.story import raw_words, sentences
from shogun_env.spec.division import Division
from shogun_env.spec.forms import COUNT, anything, fault_of, json_of
from shogun_env.spec.game_spec import GameSpec

__all__ = ["NO_ADVICE", "Table", "save_name"]

RECKONER = "scripted"
"""The bot that says what lots are worth, and whose choices explanations suggest: it answers at once."""
NO_ADVICE = "there are no hints or explanations in a rated game"
FORMAT, VERSION = "shogun-env-table", 2


def save_name(game: str, seed: int) -> str:
    """Return the name of the file in which a table is saved, such as ``7.shogun.table.json``."""
    return f"{seed}.{game}.table.json"


def _forms(spec: GameSpec) -> dict[str, Any]:
    """Return the forms (``spec.forms``) of what a saved table holds."""
    return {
        "seed": COUNT,
        "options": {frozenset(spec.option_defaults): anything},
        "bots": {frozenset(map(str, range(max(spec.players)))): str},
        "adviser": str,
        "moves": [str],
        "plans": {frozenset(map(str, range(max(spec.players)))): [str]},
        "chosen": [str],
    }


class Table:
    """One game with people and bots.

    Args:
        game_class: ``Game`` of the game.
        seed: seed of the game.
        options: options of play.
        bots: bot by player; the other players are people.
        folder: where the table and at the end the record are saved; None saves nothing.
        adviser: the bot that gives hints; empty: there are neither hints nor explanations.
        learn: whether people get explanations of what they meet for the first time.

    Raises: ValueError for an unknown bot, bad options, or a table without people.
    """

    def __init__(
        self,
        game_class: type[Game],
        *,
        seed: int,
        options: Mapping[str, Any],
        bots: Mapping[int, str],
        folder: Path | None = None,
        adviser: str = "scripted",
        learn: bool = False,
    ) -> None:
        """Set up the game and let the bots play up to the first decision of a person."""
        self.game = game_class(seed=seed, **options)
        """The game as it is confirmed."""
        self.starts = {player: start_of(self.game, player) for player in range(self.game.num_players)}
        """What each player began with, in words; empty if nobody began better placed than another."""
        self.seed, self.folder, self.adviser = seed, folder, adviser
        self.bots = {int(player): name for player, name in bots.items()}
        self.people = [player for player in range(self.game.num_players) if player not in self.bots]
        """The players who are people."""
        self.learners = {*self.people} if learn else set()
        """The people who get explanations of what they meet for the first time."""
        if not self.people or any(not 0 <= player < self.game.num_players for player in self.bots):
            raise ValueError(f"bots play {sorted(self.bots)} of {self.game.num_players} players: somebody must be left")
        self._agents: dict[int, Agent] = {p: make_agent(name, self.game.spec) for p, name in self.bots.items()}
        self.pondering = Pondering(self._agents)
        """The bots that think while others decide."""
        self._adviser = make_agent(adviser, self.game.spec) if adviser else None
        self._reckoner: Any = make_agent(RECKONER, self.game.spec)
        self.chosen: list[str] = []
        """Actions chosen and not confirmed yet; all but a held one are played on the preview."""
        self.is_held = False
        """Whether the last action chosen waits to be confirmed."""
        self.laid: dict[int, str] = {}
        """The cards chosen for a plan and not confirmed, by number of the space."""
        self.plans: dict[int, list[str]] = {}
        """The plans that people have confirmed while others still make theirs."""
        self.version = 0
        """Counts the changes, so that a page knows whether it is up to date."""
        self._seen_lines = dict.fromkeys(self.people, 0)
        self._seen_moves = dict.fromkeys(self.people, 0)
        self._news: dict[int, list[dict[str, Any]]] = {}
        """What ``news`` has returned since the last confirmation: it takes longer than all else that a page shows."""
        self._play_bots(self.game)
        self.preview = self._next_preview()
        """The game with the actions chosen, but for a held one."""
        self._save()

    @classmethod
    def resume(cls, path: Path, game_class: type[Game]) -> Self:
        """Return the table saved in a file, as it was.

        Raises: ValueError saying why the file is not such a table, or is one of another game or version; OSError.
        """
        spec = game_class.spec
        identity = {"format": FORMAT, "version": VERSION, "game": spec.name, "rules": spec.rules_version}
        try:
            data = json_of(path.read_text("utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is not a saved table: {error}") from None
        if fault := fault_of(data, {**identity, **_forms(spec)}, "the table"):
            raise ValueError(f"{path} is not a saved table of this game: {fault}")
        try:
            table = cls(
                game_class,
                seed=data["seed"],
                options=data["options"],
                bots={int(player): name for player, name in data["bots"].items()},
                adviser=data["adviser"],
            )
            table.game = game_class(seed=data["seed"], **data["options"])
            table._play_moves(data["moves"])
            table.folder = path.parent
            table._take_up(data["plans"], data["chosen"])
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        table._write_record()  # if it was killed between saving the end of the game and that
        return table

    def _play_moves(self, moves: list[str]) -> None:
        """Play saved moves; what comes with the last one of a person and after it is news to them."""
        self.game.play(*moves)
        players = [move.player for move in self.game.moves]
        for person in {*players} & {*self.people}:
            before = self.game.copy()
            before.undo(players[::-1].index(person) + 1)
            self._seen_lines[person], self._seen_moves[person] = len(before.lines()), len(before.moves)

    def _take_up(self, plans: Mapping[str, list[str]], chosen: list[str]) -> None:
        """Go on with saved plans and choices; ValueError if they are not what the people can have made."""
        self._replay([])
        for player, plan in plans.items():
            self._replay(plan)
            if not self.is_held or str(self.preview.player) != player or space_of(self.game) < 0:
                raise ValueError(f"player {player} has not made a whole plan")
            self.plans[int(player)] = plan
        self._replay(chosen)

    # --- choosing ----------------------------------------------------------------------------------------------------

    def choose(self, player: int, action: str) -> None:
        """Choose an action of the person who decides.

        Raises: ValueError if it is not their turn, or the action is illegal, or the last choice has to be confirmed.
        """
        self._check_turn(player)
        if self.is_held:
            raise ValueError(f"{self.chosen[-1]} is chosen: confirm or undo it first")
        self._choose(action)
        self._changed()

    def lay(self, player: int, cards: Mapping[int, str]) -> None:
        """Make a plan anew: choose the cards space by space, up to the first space without one.

        Args: player; cards, by number of the space.
        Raises: ValueError if it is not their turn to plan, or a card is illegal on its space; nothing changes then.
        """
        self._check_turn(player)
        if space_of(self.preview) < 0:
            raise ValueError("no plan is made now: choose an action")
        before = self.chosen
        try:
            self._replay(before[: len(before) - len(self.laid)])
            while not self.is_held and (space := space_of(self.preview)) in cards:
                self._choose(cards[space])
        except ValueError:
            self._replay(before)
            raise
        self._changed()

    def divide(self, player: int, cards: Sequence[str], tiles: Sequence[str]) -> None:
        """Make a lot anew, or a division in two: its cards in any order, then tiles as far as they are chosen.

        Args: player; cards, the actions that add the cards of the first lot; tiles, the actions that give tiles.
        Raises: ValueError if it is not their turn to divide, or a card or tile cannot be taken; nothing changes then.
        """
        self._check_turn(player)
        if (lots := self._division()) is None or not lots.is_made:
            raise ValueError("nothing is divided now: choose an action")
        name = self.game.spec.action_name
        pool = {name(action): sum(lot.cards.get(action, 0) for lot in lots.lots) for action in sorted(lots.card_names)}
        for card in cards:
            if cards.count(card) > pool.get(card, 0):
                raise ValueError(f"{card}: {cards.count(card)} in the lot, and {pool.get(card, 0)} to be divided")
        free = [name(action) for action in lots.tile_names]
        for tile in tiles:
            if tile not in free or tiles.count(tile) > 1:
                raise ValueError(f"{tile}: give each lot another one of {', '.join(free)}")
        if len(tiles) > lots.chosen_tiles:
            raise ValueError(f"{len(tiles)} tiles: at most {lots.chosen_tiles} to be given")
        before = self.chosen
        try:
            self._replay([card for card in pool for _ in range(cards.count(card))])
            for tile in tiles:
                self._choose(tile)
        except ValueError:
            self._replay(before)
            raise
        self._changed()

    def _division(self) -> Division | None:
        """Return the lots as the person who decides has made them, or sees them; None where there are none."""
        spec, held = self.game.spec, 0
        if spec.division is None or self.game.is_over:
            return None
        if self.is_held:
            held = self.preview.legal_actions()[self.chosen[-1]]
        return spec.division(self.preview.batch.games[0], held)

    def lots(self) -> dict[str, Any] | None:
        """Return the lots that the person who decides makes or is offered, as ``lots_of`` does; None where none are."""
        found = self._division()
        return None if found is None else lots_of(self.preview, found, self._reckoner)

    def _replay(self, actions: list[str]) -> None:
        """Choose actions from the position that is confirmed on."""
        self.preview, self.chosen, self.is_held, self.laid = self._next_preview(), [], False, {}
        for action in actions:
            self._choose(action)

    def _next_preview(self) -> Game:
        """Return a copy of the game for the person who decides next: one who has not confirmed a plan yet."""
        preview = self.game.copy()
        if space_of(preview) >= 0:
            pass_on(preview, next(player for player in self.people if player not in self.plans))
        return preview

    def _choose(self, action: str) -> None:
        """Play an action on the preview, or hold it if it would show something new."""
        trial, player = self.preview.copy(), self.preview.player
        trial.play(action)
        pass_on(trial, player)
        if (space := space_of(self.preview)) >= 0:
            self.laid[space] = action
        is_quiet = trial.batch.logs[0, LENGTH] == self.preview.batch.logs[0, LENGTH]
        self.chosen.append(action)
        if is_quiet and trial.player == player:
            self.preview = trial
        else:
            self.is_held = True

    def undo(self, player: int) -> None:
        """Take back the last action chosen; ValueError if none can be taken back."""
        self._check_turn(player)
        if not self.chosen:
            raise ValueError("nothing to undo: what is confirmed has happened")
        self._replay(self.chosen[:-1])
        self._changed()

    def confirm(self, player: int) -> None:
        """Carry the choice out, and let the bots play; ValueError if nothing waits to be confirmed."""
        self._check_turn(player)
        if not self.is_held:
            raise ValueError("nothing to confirm: choose an action first")
        is_plan = space_of(self.game) >= 0
        plans = {**self.plans, player: self.chosen} if is_plan else {}
        if not is_plan or len(plans) == len(self.people):
            trial = self.game.copy() if is_plan else self.preview.copy()  # a bot may fail: the choice then still waits
            self._play_plans(trial, plans) if is_plan else trial.play(self.chosen[-1])
            self._play_bots(trial)
            for each in plans or [player]:
                self._seen_lines[each], self._seen_moves[each] = len(self.game.lines()), len(self.game.moves)
            self.game, plans = trial, {}
            self._news.clear()
        self.plans = plans
        self._replay([])
        self._changed()
        self._write_record()

    def _play_plans(self, game: Game, plans: Mapping[int, list[str]]) -> None:
        """Play the plans of all people, with the bots between them; the game asks for them space by space."""
        cards = {player: iter(plan) for player, plan in plans.items()}
        for _ in range(sum(map(len, plans.values()))):
            self._play_bots(game)
            game.play(next(cards[int(game.player or 0)]))

    def hint(self, player: int) -> str:
        """Return the action that the adviser would choose, knowing only what the person may know.

        Where lots are made these are all its actions from the beginning, separated by commas.
        """
        game = self.asked(player)
        if self._adviser is None:
            raise ValueError(NO_ADVICE)
        if (lots := self._division()) is None or not lots.is_made:
            return game.suggest(self._adviser)
        game, actions, length = self._next_preview(), [], len(self.game.lines())
        while game.player == player and len(game.lines()) == length:
            actions.append(game.suggest(self._adviser))
            game.play(actions[-1])
        return ", ".join(actions)

    def asked(self, player: int) -> Game:
        """Return a copy of the game at the decision of a person, with what they have chosen so far.

        Raises: ValueError if they do not decide, or their choice waits to be confirmed.
        """
        self._check_turn(player)
        if self.is_held:
            raise ValueError(f"{self.chosen[-1]} is chosen: confirm or undo it")
        return self.preview.copy()

    def explain(self, player: int, is_wanted: bool) -> None:
        """Let a person get explanations of what they meet for the first time, or no more."""
        if self._adviser is None:
            raise ValueError(NO_ADVICE)
        (self.learners.add if is_wanted else self.learners.discard)(player)
        self.version += 1

    def _check_turn(self, player: int) -> None:
        """Raise a ValueError unless a person decides."""
        if self.game.is_over:
            raise ValueError("the game is over")
        if self.preview.player != player:
            raise ValueError("another player decides now")

    def _play_bots(self, game: Game) -> None:
        """Let the bots play up to the next decision of a person; those who can think while another one is asked."""
        self.pondering.end()
        while not game.is_over and (bot := self._agents.get(int(game.player or 0))) is not None:
            is_quick = hasattr(bot, "compiled") or hasattr(bot, "ponder")
            with nullcontext() if is_quick else self.pondering.during(game.batch):
                action = game.suggest(bot)
            game.play(action)
        if game.is_over:
            tell_ends(game.batch, [self._agents.get(player) for player in range(game.num_players)])

    def ponder(self) -> None:
        """Let the bots think while a person decides, until the next bot plays, or ``pondering.end()``."""
        self.pondering.begin((self.game if space_of(self.game) >= 0 else self.preview).batch)

    # --- looking -----------------------------------------------------------------------------------------------------

    def view(self, player: int) -> dict[str, Any]:
        """Return all that the page of a person shows, as JSON values: nothing that they may not know."""
        decides = -1 if self.game.is_over else int(self.preview.player or 0)
        game = self.preview if decides == player else self.game
        return {
            "version": self.version,
            "player": player,
            "start": self.starts[player],
            "chosen": list(self.chosen) if decides == player else [],
            "held": self.is_held and decides == player,
            "laid": dict(self.laid) if decides == player else {},
            "labels": labels(game.spec),
            "division": self.lots() if decides == player else None,
            "since": self._seen_lines[player],
            "news": self.news(player),
            "advised": self._adviser is not None,
            "learns": player in self.learners,
            "lessons": self.lessons(player),
            "names": [self.bots.get(each, "person") for each in range(game.num_players)],
            "decides": decides,
            "end": end_of(self.game),
            "record": str(self.record_path or ""),
            **shown(game, player, decides == player),
        }

    def lessons(self, player: int) -> list[dict[str, Any]]:
        """Return what ``lessons_met`` tells a person who wants explanations; nothing to others.

        A lesson about the decision has a ``suggestion``: the bot that makes it, the ``action``, and its ``effect``.
        """
        if player not in self.learners:
            return []
        decides = not self.game.is_over and self.preview.player == player
        phase = self.preview.phase if decides else ""
        met = lessons_met(self.game, self.game.lines(), player, phase, self._seen_lines[player])
        for lesson in met:
            if lesson["decision"] and not self.is_held:
                lesson["suggestion"] = self._suggestion()
        return met

    def _suggestion(self) -> dict[str, str]:
        """Return what a bot would choose, knowing only what the person who decides may know, and what that does."""
        action, space = self.preview.copy().suggest(self._reckoner), space_of(self.preview)
        effects = [each["cards"].get(action) for each in spaces(self.preview) if each["space"] == space]
        return {
            "bot": RECKONER,
            "action": action,
            "effect": effects[0] if effects else meanings(self.preview).get(action, ""),
        }

    def news(self, player: int) -> list[dict[str, Any]]:
        """Return what has happened since the person confirmed last, as far as they may know it.

        Returns: for each happening its ``text``; the text in ``parts``, each with the player whose name it is, or None;
            the ``player`` who did it, or None; ``kind``, the type of its first line; and its ``lines`` of the record.
        """
        if player not in self._news:
            self._news[player] = self._news_of(player)
        return self._news[player]

    def events(self, player: int) -> dict[str, Any]:
        """Return what has happened since the person confirmed last, as ``events_since`` does."""
        return events_since(self.game, self._seen_moves[player], player)

    def _news_of(self, player: int) -> list[dict[str, Any]]:
        lines, seen = self.game.lines(), self._seen_lines[player]
        secret = self.game.spec.record_format.secret_lines
        return [
            {
                "text": told.text,
                "parts": told.parts,
                "player": told.player,
                "kind": told.kind,
                "lines": [
                    raw_words(line)
                    for line in lines[told.first - 2 : told.last - 1]
                    if line["t"] not in secret or line.get("player") == player
                ],
            }
            for told in sentences(self.game.spec, lines, player)
            if told.first - 2 >= seen
        ]

    # --- keeping -----------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self.version += 1
        self._save()

    def _save(self) -> None:
        """Write the table to its file: the file is replaced at once, so it is complete at any time."""
        if self.folder is None:
            return
        spec = self.game.spec
        data = {
            "format": FORMAT,
            "version": VERSION,
            "game": spec.name,
            "rules": spec.rules_version,
            "seed": self.seed,
            "options": self.game.options,
            "bots": self.bots,
            "adviser": self.adviser,
            "moves": [move.action for move in self.game.moves],
            "plans": self.plans,
            "chosen": self.chosen,
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / save_name(spec.name, self.seed)
        write_whole(path, json.dumps(data))

    @property
    def record_path(self) -> Path | None:
        """Where the record of the game is; None before its end, or if nothing is saved."""
        if self.folder is None or not self.game.is_over:
            return None
        return self.folder / record_name(self.game.spec, self.seed)

    def _write_record(self) -> None:
        """Write the record of a game that is over, unless it is there already."""
        path = self.record_path
        if path is not None and not path.exists():
            names = [self.bots.get(player, "person") for player in range(self.game.num_players)]
            write_record(path, self.game.record(names))
