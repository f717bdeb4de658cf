"""A table: one game with people and bots, saved after every decision.

A person chooses actions one by one. They are played on a preview, and can be taken back, as long as nothing has
happened that the person did not know: no chance, no card shown. A choice after which something of that kind follows is
held and carried out when the person confirms. Bots play as soon as it is their turn; some think about it before.

Where all players plan at once, so do people, each on a draft of their own. A plan that is confirmed waits, and can be
taken back, until the last person has confirmed; then all are played.
"""

import json
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, Self

from shogun_env.files import write_whole
from shogun_env.game import Game
from shogun_env.play.advice import expected_by, hint_of, plan_of, reason_of, suggestion_of
from shogun_env.play.draft import Draft
from shogun_env.play.events import events_since, news_since
from shogun_env.play.lessons import lessons_met
from shogun_env.play.new_game import NewGame
from shogun_env.play.opponents import called
from shogun_env.play.saving import (
    PERSON,
    RECKONER,
    SUFFIX,
    Origin,
    check_bots,
    identity,
    playable,
    read_saved,
    save_name,
)
from shogun_env.play.view import costs_of, end_of, labels, lots_of, meanings, position_view, space_of, start_of
from shogun_env.policies import Bot, make_agent, tell_ends
from shogun_env.records.events import stop_of
from shogun_env.records.record import check_lines, record_name, write_record
from shogun_env.spec.forms import blaming
from shogun_env.spec.game_spec import Line
from shogun_env.spec.voice import EVERYBODY


class Table:
    """One game with people and bots.

    Args:
        new: which game is played, by whom.
        seed: seed of the game.
        folder: where the table and at the end the record are saved; None saves nothing.
        origin: where in another game this one begins; None: with the set-up.
        moves: what was played before, of people and bots; None: the game begins.
        draws: those of ``Game.resume`` for these moves.

    Raises: ValueError for an unknown bot, or moves that are illegal.
    """

    def __init__(
        self,
        new: NewGame,
        *,
        seed: int,
        folder: Path | None = None,
        origin: Origin | None = None,
        moves: Sequence[str] | None = None,
        draws: Sequence[int] = (),
    ) -> None:
        """Set up the game and let the bots play up to the first decision of a person."""
        self.chosen = new
        """Which game was chosen; its host may have any seat."""
        self.new = new = new.seated()
        """Which game is played, by whom."""
        self.game = (
            origin.game_and_moves(new.game_class, seed)[0] if origin else new.game_class(seed=seed, **new.options)
        )
        """The game as it is confirmed."""
        self.origin, self._inherited = origin, len(self.game.moves)
        players = range(self.game.num_players)
        self.starts = {player: "" if origin else start_of(self.game, player) for player in players}
        """What each player began with, in words; empty if nobody began better placed than another."""
        self.seed, self.folder = seed, folder
        self._seat(new)
        self.drafts: dict[int, Draft] = {}
        """What each person who is asked has chosen and not confirmed, or, of a plan, confirmed before others."""
        self.versions = dict.fromkeys(self._viewers, time.time_ns() // 10**6)
        """Counts the changes of each page, so that it knows whether it is up to date; begins above all earlier runs."""
        self._changed_at = {**self.versions}
        """The version since which a person chooses from the same: later ones only said who has confirmed."""
        self._seen_lines = dict.fromkeys(self._viewers, len(self.game.lines()) if origin else 0)
        self._seen_moves = dict.fromkeys(self._viewers, self._inherited)
        self._news: dict[int, list[dict[str, Any]]] = {}
        """What ``news`` has returned since the last confirmation: it takes longer than all else that a page shows."""
        self._play_bots(self.game) if moves is None else self._play_moves(moves, draws)
        self._begin_drafts()
        self.save()

    def _seat(self, new: NewGame) -> None:
        """Let people and bots sit down."""
        self.bots, self.people = new.bots, new.people
        """The bots by player, and the players who are people, the host first."""
        self.names = new.names
        """What each player is called: the bot, or the name of a person."""
        self.lock = threading.RLock()
        """Held by whoever shows or changes the table, where several threads do."""
        self.next: Table | None = None
        """The table at which the same people play again."""
        self.learners = {*self.people} if new.learn else set()
        """The people who get explanations of what they meet for the first time."""
        self.resigned: dict[int, int] = {}
        """The people who have resigned, and for whom ``RECKONER`` plays on; how many lines the record had then."""
        self._viewers = [*self.people, EVERYBODY]
        game, spec = self.game, self.game.spec
        self._agents: dict[int, Bot] = {p: game.bot(make_agent(name, spec)) for p, name in self.bots.items()}
        self.adviser, self._reckoner = make_agent(new.adviser, spec), make_agent(RECKONER, spec)
        """The bot that gives hints, and the one that says what lots are worth."""

    @classmethod
    def resume(cls, path: Path, game_class: type[Game], allowed: Collection[str] = ()) -> Self:
        """Return the table saved in a file, as it was.

        Args: path; game_class; allowed, bots that may be started besides those of the package.
        Raises: ValueError saying why the file is not such a table, or is one of another game or version; of these
            ForeignBotsError for bots that are not allowed, none of which is started; OSError.
        """
        data = read_saved(path, game_class.spec)
        check_bots([*data["bots"].values(), data["adviser"]], game_class.spec, allowed)
        with blaming(f"{path} is damaged"):
            if begun := data["origin"] and Origin(**data["origin"]):
                check_lines(begun.record, game_class.spec)
            new = NewGame.from_saved(game_class, data)
            table = cls(new, seed=data["seed"], origin=begun, moves=data["moves"], draws=data["draws"])
            table.folder = path.parent
            table.learners = {*data["learners"]} & {*table.people}
            for player in data["resigned"]:
                table._replace(player, data["resigned_at"][str(player)])
            table._begin_drafts()
            table._take_up(data["drafts"], data["plans"], data["confirmed"])
        table._write_record()  # if it was killed between saving the end of the game and that
        return table

    @classmethod
    def from_record(
        cls, game_class: type[Game], lines: Sequence[Line], decision: int, player: int, adviser: str,
        allowed: Collection[str] | None = None, **settings: Any,
    ) -> Self:  # fmt: skip
        """Return a table at which one person takes up another game at a decision, with other chance to come.

        Args: game_class; lines, the record of the other game; decision, its number; player, the person; adviser, the
            bot that gives hints; allowed, bots that may be started besides those of the package, others being
            ``scripted``, as are those that cannot be made (None: others are an error); settings, seed and folder as for
            the class.
        Raises: ValueError for a decision or player that the record does not have; ForeignBotsError.
        """
        names = lines[0]["agents"] or [RECKONER] * lines[0]["players"]
        if not 0 <= player < len(names):
            raise ValueError(f"player {player}: the game has players 0 to {len(names) - 1}")
        others = {other: name for other, name in enumerate(names) if other != player}
        if allowed is None:
            check_bots(others.values(), game_class.spec, ())
        bots = {other: playable(name, game_class.spec, allowed or ()) for other, name in others.items()}
        options = game_class.spec.record_format.options_of(lines[0])
        new = NewGame.among_bots(game_class, options, bots, adviser=adviser)
        return cls(new, origin=Origin(lines, decision), **settings)

    def _play_moves(self, moves: Sequence[str], draws: Sequence[int]) -> None:
        """Play saved moves; what comes with the last one of a person and after it is news to them and who watches."""
        self.game.resume(moves, draws, self._agents)
        players = [move.player for move in self.game.moves]
        for person in {*players} & {*self.people}:
            before = self.game.copy()
            before.undo(players[::-1].index(person) + 1)
            self._seen_lines[person], self._seen_moves[person] = len(before.lines()), len(before.moves)
        for seen in (self._seen_lines, self._seen_moves):
            seen[EVERYBODY] = max(seen.values())

    def _take_up(
        self, drafts: Mapping[str, list[str]], plans: Mapping[str, Mapping[str, str]], confirmed: list[int]
    ) -> None:
        """Go on with saved drafts and plans; ValueError if they are not what the people can have made."""
        for key, actions in drafts.items():
            self.drafts[int(key)] = reduce(Draft.choose, actions, self._turn(int(key)))
        for key, laid in plans.items():
            cards = [(int(space), card) for space, card in laid.items()]
            plans_so_far = (dict(cards[:count]) for count in range(1, len(cards) + 1))
            self.drafts[int(key)] = reduce(Draft.lay, plans_so_far, self._turn(int(key)))
        for player in confirmed:
            draft = self._turn(player)
            if not draft.is_held or not draft.is_plan:
                raise ValueError(f"player {player} has not made a whole plan")
            self.drafts[player] = draft.confirmed()
        if not self.deciding and not self.game.is_over:
            raise ValueError("all plans are confirmed, and none is played")

    # --- choosing ----------------------------------------------------------------------------------------------------

    def choose(self, player: int, action: str) -> None:
        """Choose an action of the person who decides.

        Raises: ValueError if it is not their turn, or the action is illegal, or the last choice has to be confirmed.
        """
        self._put(player, self._turn(player).choose(action))

    def lay(self, player: int, cards: Mapping[int, str]) -> None:
        """Make a plan anew, of cards on any spaces.

        Args: player; cards, by number of the space.
        Raises: ValueError if it is not their turn to plan, or a card cannot be on its space; nothing changes then.
        """
        self._put(player, self._turn(player).lay(cards))

    def _put(self, player: int, draft: Draft) -> None:
        """Replace a draft; the others are told of a plan that waits for theirs, or no more, and go on with theirs."""
        if draft.is_confirmed != self.drafts[player].is_confirmed:
            for other in {*self._viewers} - {player}:
                self.versions[other] += 1
        self.drafts[player] = draft
        self._changed(player)

    def divide(self, player: int, cards: Sequence[str], tiles: Sequence[str]) -> None:
        """Make a lot anew, or a division in two: its cards in any order, then tiles as far as they are chosen.

        Args: player; cards, the actions that add the cards of the first lot; tiles, the actions that give tiles.
        Raises: ValueError if it is not their turn to divide, or a card or tile cannot be taken; nothing changes then.
        """
        self._put(player, self._turn(player).divided(self.game, cards, tiles))

    def lots(self, player: int) -> dict[str, Any] | None:
        """Return the lots that a person makes or is offered, as ``lots_of`` does; None where they decide on none."""
        if player not in self.deciding or (found := self.drafts[player].division()) is None:
            return None
        return lots_of(self.drafts[player].preview, found, self._reckoner)

    def _begin_drafts(self) -> None:
        """Let those who are asked choose: all people where plans are made, else the person whose turn it is."""
        asked = [] if self.game.is_over else [int(self.game.player or 0)]
        asked = self.people if space_of(self.game) >= 0 else asked
        self.drafts = {player: Draft.of(self.game, player) for player in asked if player not in self.resigned}

    @property
    def deciding(self) -> list[int]:
        """The people for whom the game waits: those who are asked and have not confirmed; none when it is over."""
        return [player for player, draft in self.drafts.items() if not draft.is_confirmed]

    def draft(self, player: int) -> Draft:
        """Return what a person has chosen: nothing if they are not asked."""
        return self.drafts.get(player) or Draft(preview=self.game)

    def undo(self, player: int) -> None:
        """Take back the last change, or the confirmation of a plan; ValueError if there is nothing to take back.

        What was chosen before the program was started again is taken back one by one.
        """
        draft = self.draft(player)
        if not draft.is_confirmed:
            self._turn(player)
        if draft.before is None:
            raise ValueError("nothing to undo: what is confirmed has happened")
        self._put(player, draft.before)

    def confirm(self, player: int) -> None:
        """Carry the choice out, or all plans once each person has confirmed, and let the bots play.

        Raises: ValueError if nothing waits to be confirmed.
        """
        draft = self._turn(player)
        if not draft.is_held:
            raise ValueError("nothing to confirm: choose an action first")
        if draft.is_plan and self.deciding != [player]:
            self._put(player, draft.confirmed())
            return
        game = (self.game if draft.is_plan else draft.preview).copy()  # a bot may fail: the choice then still waits
        self._play_plans(game) if draft.is_plan else game.play(draft.chosen[-1])
        self._play_bots(game)
        self._go_on(game)

    def _go_on(self, game: Game) -> None:
        """Take what has come of a confirmation and of what the bots played then as the game."""
        for each in (*self.drafts, EVERYBODY):
            self._seen_lines[each], self._seen_moves[each] = len(self.game.lines()), len(self.game.moves)
        self.game = game
        self._news.clear()
        self._begin_drafts()
        self._changed(*self._viewers)

    def resign(self, player: int) -> None:
        """Let ``RECKONER`` play on for a person: to the end of the game, if no other person plays.

        Raises: ValueError if the game is over, or the person has resigned before; where a bot fails, nobody has.
        """
        if self.game.is_over or player not in self.people or player in self.resigned:
            raise ValueError("there is nothing to resign from: the game is over, or you do not play it")
        self._replace(player, stop_of(self.game.batch, None).n_lines)
        before, game = self.drafts, self.game.copy()
        self.drafts = {other: draft for other, draft in before.items() if other != player}
        if self.deciding:
            self._changed(*self._viewers)
            return
        try:
            self._play_plans(game)
            self._play_bots(game)
        except BaseException:
            self.drafts, self.names[player] = before, self.new.names[player]
            del self.resigned[player], self._agents[player]
            raise
        self._go_on(game)

    def _replace(self, player: int, n_lines: int) -> None:
        """Let a bot play for a person, who resigned when the record had this many lines."""
        self.resigned[player] = n_lines
        self._agents[player] = make_agent(RECKONER, self.game.spec)
        self.names[player] += f", then {called(self.game.spec.name, RECKONER)}"

    def _play_plans(self, game: Game) -> None:
        """Play the plans of all people, with the bots between them; the game asks for them space by space."""
        cards = {player: iter(draft.chosen) for player, draft in self.drafts.items()}
        for _ in range(sum(len(draft.chosen) for draft in self.drafts.values())):
            self._play_bots(game)
            game.play(next(cards[int(game.player or 0)]))

    def advice(self, player: int) -> dict[str, Any]:
        """Return what the adviser would choose, what that does, and what the champion makes of it.

        Of a plan this is the whole ``plan``, by number of the space, whatever the person has laid.
        """
        draft = self._turn(player)
        if draft.is_plan:
            plan = plan_of(self.adviser, Draft.of(self.game, player))
            return {"hint": "", "plan": plan, "why": expected_by(draft.start)}
        hint = hint_of(self.adviser, self.game, draft)
        if ", " in hint:
            return {"hint": hint, "why": expected_by(Draft.of(self.game, player).preview)}
        reasons = meanings(draft.preview).get(hint, ""), reason_of(self.asked(player), hint, self.new.adviser)
        return {"hint": hint, "why": ". ".join(filter(None, reasons))}

    def asked(self, player: int) -> Game:
        """Return a copy of the game at the decision of a person, with what they have chosen so far.

        Raises: ValueError if they do not decide, or their choice waits to be confirmed.
        """
        draft = self._turn(player)
        if draft.is_held:
            raise ValueError(f"{draft.chosen[-1]} is chosen: confirm or undo it")
        return draft.preview.copy()

    def explain(self, player: int, is_wanted: bool) -> None:
        """Let a person get explanations of what they meet for the first time, or no more."""
        (self.learners.add if is_wanted else self.learners.discard)(player)
        self._changed(player)

    def _turn(self, player: int) -> Draft:
        """Return the draft of a person who decides; ValueError if they do not."""
        if self.game.is_over:
            raise ValueError("the game is over")
        if player not in self.drafts:
            raise ValueError("another player decides now")
        if self.drafts[player].is_confirmed:
            raise ValueError("your plan is confirmed and waits for the others: undo takes it back")
        return self.drafts[player]

    def _play_bots(self, game: Game) -> None:
        """Let the bots play up to the next decision of a person."""
        while not game.is_over and (bot := self._agents.get(int(game.player or 0))) is not None:
            game.play(game.suggest(bot))
        if game.is_over:
            tell_ends(game.batch, [self._agents.get(player) for player in range(game.num_players)])

    # --- looking -----------------------------------------------------------------------------------------------------

    def view(self, player: int) -> dict[str, Any]:
        """Return all that the page of a person shows, as JSON values: nothing that they may not know."""
        deciding, draft = self.deciding, self.draft(player)
        shown = draft.start or draft.preview
        return {
            "version": self.versions[player],
            "player": player,
            "start": self.starts.get(player, ""),
            "chosen": list(draft.chosen),
            "held": draft.is_held,
            "laid": dict(draft.laid),
            "legal": draft.legal() if player in deciding else [],
            "spaces": draft.spaces,
            "empties": draft.empties,
            "costs": costs_of(shown, player, draft.laid),
            "undo": draft.before is not None,
            "labels": labels(self.game.spec),
            "division": self.lots(player),
            "since": self._seen_lines[player],
            "news": self.news(player),
            "learns": player in self.learners,
            "lessons": self.lessons(player),
            "names": self.names,
            "plays": player in self.people and player not in self.resigned,
            "resigned": player in self.resigned,
            "decides": deciding,
            "confirmed": [each for each in self.drafts if each not in deciding],
            "end": end_of(self.game),
            "record": str(self.record_path or ""),
            **position_view(shown, player, player in deciding, draft.laid if draft.start else None),
        }

    def lessons(self, player: int) -> list[dict[str, Any]]:
        """Return what ``lessons_met`` tells a person who wants explanations; nothing to others.

        A lesson about the decision has a ``suggestion``: the bot that makes it, the ``action``, and its ``effect``.
        """
        if player not in self.learners:
            return []
        draft, decides = self.draft(player), player in self.deciding
        phase = draft.preview.phase if decides else ""
        met = lessons_met(self.game, player, phase, self._seen_lines[player])
        for lesson in met:
            if lesson["decision"] and not draft.is_held and not draft.is_plan:  # a hint has all spaces of a plan
                lesson["suggestion"] = suggestion_of(self._reckoner, draft)
        return met

    def news(self, player: int) -> list[dict[str, Any]]:
        """Return what has happened since the person confirmed last, as far as they may know it.

        Returns: for each happening its ``text``; the text in ``parts``, each with the player whose name it is, or None;
            ``kind``, the type of its first line; and its ``lines`` of the record.
        """
        if player not in self._news:
            self._news[player] = news_since(self.game, self._seen_lines[player], player)
        return self._news[player]

    def events(self, player: int) -> dict[str, Any]:
        """Return what has happened since the person confirmed last, as ``events_since`` does."""
        return events_since(self.game, self._seen_moves[player], player)

    # --- keeping -----------------------------------------------------------------------------------------------------

    def is_current(self, player: int, version: object) -> bool:
        """Return whether a person has chosen nothing since a version of their page, and the game has not gone on."""
        return version in range(self._changed_at[player], self.versions[player] + 1)

    def show_again(self, *people: int) -> None:
        """Count a change of what people can choose from, all if none is named: their pages ask for their views anew."""
        for player in people or self._viewers:
            self.versions[player] += 1
            self._changed_at[player] = self.versions[player]

    def _changed(self, *people: int) -> None:
        self.show_again(*people)
        self.save()

    def save(self) -> None:
        """Write the table to its file, replaced at once, and at the end the record; then ``is_saved`` is true."""
        self.is_saved = self.folder is None
        if self.folder is None:
            return
        spec = self.game.spec
        data = {
            **identity(spec),
            "seed": self.seed,
            "options": self.game.options,
            "bots": self.bots,
            "host": self.new.seat,
            "names": {player: name for player in self.people if (name := self.new.names[player]) != PERSON},
            "adviser": self.new.adviser,
            "learners": sorted(self.learners),
            "resigned": [*self.resigned],
            "resigned_at": self.resigned,
            "moves": [move.action for move in self.game.moves[self._inherited :]],
            "draws": self.game.draws[self._inherited :],
            "drafts": {player: draft.chosen for player, draft in self.drafts.items() if not draft.is_plan},
            "plans": {player: draft.laid for player, draft in self.drafts.items() if draft.is_plan},
            "confirmed": [player for player, draft in self.drafts.items() if draft.is_confirmed],
            "end": [{name: each[name] for name in ("player", "place", "points")} for each in end_of(self.game)],
            "origin": self.origin and self.origin._asdict(),
        }
        path = self.folder / save_name(spec.name, self.seed)
        write_whole(path, json.dumps(data), only_owner=True)  # it holds the seed, from which all chance follows
        self._write_record()
        self.is_saved = True

    @property
    def name(self) -> str:
        """What addresses and files call the table, such as ``7.shogun``."""
        return save_name(self.game.spec.name, self.seed).removesuffix(SUFFIX)

    def record(self) -> Sequence[Line]:
        """Return the record of the game as far as it went, with its own seed also if it began in another game."""
        names = [self.bots.get(player, PERSON) for player in range(self.game.num_players)]
        told = [f"{name}, then {RECKONER}" if player in self.resigned else name for player, name in enumerate(names)]
        header, *lines = self.game.record(told)
        return [{**header, "seed": self.seed}, *lines]

    @property
    def record_path(self) -> Path | None:
        """Where the record of the game is; None before its end, or if nothing is saved."""
        return self.folder / record_name(self.game.spec, self.seed) if self.folder and self.game.is_over else None

    def _write_record(self) -> None:
        """Write the record of a game that is over, unless it is there already."""
        if (path := self.record_path) and not path.exists():
            write_record(path, self.record())
