"""A game that somebody wants to begin: read once, from the form of the start page, a command line, or a saved game."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from shogun_env import GAMES, cli
from shogun_env.game import Game
from shogun_env.play.opponents import called, easiest, strongest
from shogun_env.play.saving import PERSON, RECKONER, check_bots
from shogun_env.policies import make_agent
from shogun_env.spec.bots import specs_for, specs_in
from shogun_env.spec.forms import blaming
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.voice import words

ANYWHERE = "drawn"
"""What the form sends as the seat of a person who takes any."""
LONGEST_NAME = 24
"""Letters of the name of a person."""


@dataclass(frozen=True, kw_only=True)
class NewGame:
    """A game that somebody wants to begin, as the class methods make it: they check what it is made of."""

    game_class: type[Game]
    """``Game`` of the game."""
    options: Mapping[str, Any]
    """Options of play."""
    others: tuple[str, ...]
    """The other players in player order: bots, and people as ``PERSON`` or ``person:NAME``."""
    seat: int | None = None
    """The person whose program this is, the host; None: drawn when the game begins (``seated``)."""
    adviser: str = RECKONER
    """The bot that gives hints."""
    host_name: str = ""
    """What the host is called; empty for nothing."""
    learn: bool = False
    """Whether people get explanations of what they meet for the first time."""

    @classmethod
    def among_bots(
        cls,
        game_class: type[Game],
        options: Mapping[str, Any],
        bots: Mapping[int, str],
        host: int | None = None,
        names: Mapping[int, str] = {},
        **more: Any,
    ) -> Self:
        """Return the game in which bots play some players and people the others, the host being the first unless named.

        Args: game_class; options; bots, by player; host; names of people; adviser and learn as for the class.
        Raises: ValueError without people, for bots of players who do not exist, or a host who is none of the people.
        """
        n_players = game_class.spec.check_options(options)["num_players"]
        people = [player for player in range(n_players) if player not in bots]
        if not people or not {*bots} <= {*range(n_players)}:
            raise ValueError(f"bots play {sorted(bots)} of {n_players} players: somebody must be left")
        if host not in (None, *people):
            raise ValueError(f"host={host}: must be one of the people, {', '.join(map(str, people))}")
        seat = people[0] if host is None else host
        who = {player: person_called(name) for player, name in names.items()} | dict(bots)
        others = tuple(who.get(player, PERSON) for player in range(n_players) if player != seat)
        called = names.get(seat, "")
        return cls(game_class=game_class, options=options, others=others, seat=seat, host_name=called, **more)

    @classmethod
    def from_saved(cls, game_class: type[Game], data: Mapping[str, Any]) -> Self:
        """Return the game that a saved table is of; see ``saving.read_saved``; ValueError if a bot has resigned."""
        bots, names = (
            {int(player): str(name) for player, name in data.get(key, {}).items()} for key in ("bots", "names")
        )
        new = cls.among_bots(game_class, data["options"], bots, data["host"], names, adviser=data["adviser"])
        if others := {*data.get("resigned", ())} - {*new.people}:
            raise ValueError(f"resigned names player {min(others)}, who is no person")
        return new

    @classmethod
    def from_words(
        cls, game_class: type[Game], options: Mapping[str, Any], people: str, against: str, **more: Any
    ) -> Self:
        """Return the game that a command line asks for; options that are left out are fair to all.

        Args: game_class; options; people, players separated by commas; against, bots separated by commas, several of
            which set the number of players; adviser and learn as for the class.
        Raises: ValueError for people who are not players, or a wrong number of bots.
        """
        chosen = fair_options(options, game_class.spec)
        if not all(part.strip().isdecimal() for part in people.split(",")):
            raise ValueError(f"people={people!r}: must be players separated by commas, such as 0,2")
        chairs = {int(part) for part in people.split(",")}
        names = specs_in(against)
        if len(names) > 1:
            chosen.setdefault("num_players", len(chairs) + len(names))
        n_players = game_class.spec.check_options(chosen)["num_players"]
        others = [player for player in range(n_players) if player not in chairs]
        if max(chairs) >= n_players:
            raise ValueError(f"there is no player {max(chairs)}; players are 0 to {n_players - 1}")
        bots = dict(zip(others, specs_for(against, len(others), "players who are not people"), strict=True))
        return cls.among_bots(game_class, chosen, bots, **more)

    @classmethod
    def from_form(cls, form: Mapping[str, str], allowed: Collection[str] = ()) -> Self:
        """Return the game that was chosen on the start page; options that are left out are fair to all.

        Args: form; allowed, bots that may be started besides those of the package: a form may repeat a saved game.
        Raises: ValueError naming the field, in the words of the page, whose value cannot be; ForeignBotsError.
        """
        game = form.get("game", GAMES[0])
        if game not in GAMES:
            raise ValueError(f"the game {game!r}: must be one of {', '.join(GAMES)}")
        game_class = cli.game_class(game)
        options = _options(game_class.spec, form)
        numbers = range(1, options["num_players"])
        chosen = {number: form.get(f"bot{number}", easiest(game)) for number in numbers}
        check_bots([name for name in chosen.values() if name != PERSON], game_class.spec, allowed)
        others = []
        for number, name in chosen.items():
            if name != PERSON:
                with blaming(f"opponent {number}"):
                    make_agent(name, game_class.spec)
            others.append(person_called(form.get(f"name{number}", "")) if name == PERSON else name)
        seat = _seat(form.get("seat", ANYWHERE), options["num_players"])
        return cls(
            game_class=game_class, options=options, others=tuple(others), seat=seat, adviser=strongest(game),
            host_name=_called(form.get("name", "")), learn=bool(form.get("learn")),
        )  # fmt: skip

    @property
    def spec(self) -> GameSpec:
        """What the game is."""
        return self.game_class.spec

    @property
    def form(self) -> dict[str, str]:
        """What the form of the start page sends for this game; options with values it does not offer are left out."""
        offered = {name: [str(value) for value in values] for name, values in self.spec.option_choices.items()}
        return {
            "game": self.spec.name,
            **{name: str(value) for name, value in self.options.items() if str(value) in offered.get(name, ())},
            **{f"bot{number}": PERSON if is_person(name) else name for number, name in enumerate(self.others, 1)},
            **{f"name{number}": name_of(name) for number, name in enumerate(self.others, 1) if name_of(name) != name},
            "name": self.host_name,
            "seat": ANYWHERE if self.seat is None else str(self.seat),
            **({"learn": "1"} if self.learn else {}),
        }

    def seated(self) -> Self:
        """Return the game with a seat of the host, drawn if they take any."""
        return self if self.seat is not None else replace(self, seat=secrets.randbelow(len(self.others) + 1))

    @property
    def bots(self) -> dict[int, str]:
        """The bot of each player who is not a person, once the host has a seat."""
        players = [player for player in range(len(self.others) + 1) if player != self.seat]
        return {player: name for player, name in zip(players, self.others, strict=True) if not is_person(name)}

    @property
    def names(self) -> list[str]:
        """What pages call each player, once the host has a seat: by the name of the bot or the person."""
        names = [shown_name(self.spec.name, other) for other in self.others]
        return [*names[: self.seat], self.host_name or PERSON, *names[self.seat or 0 :]]

    @property
    def people(self) -> list[int]:
        """The players who are people, the host first."""
        return sorted({*range(len(self.others) + 1)} - {*self.bots}, key=lambda player: player != self.seat)


def is_person(name: str) -> bool:
    """Return whether one of the others at a table is a person."""
    return name == PERSON or name.startswith(f"{PERSON}:")


def person_called(name: str) -> str:
    """Return how a person with a name stands among the others."""
    return f"{PERSON}:{_called(name)}" if _called(name) else PERSON


def name_of(other: str) -> str:
    """Return one of the others without the mark of a person: the bot, or the name of the person."""
    return other.removeprefix(f"{PERSON}:")


def shown_name(game: str, other: str) -> str:
    """Return what pages call one of the others: a person by their name, a bot by that under which it is offered."""
    return name_of(other) if is_person(other) else called(game, other)


def _called(name: str) -> str:
    """Return the name of a person as pages show it: one line, and not too long."""
    return " ".join(name.split())[:LONGEST_NAME]


def fair_options(options: Mapping[str, Any], spec: GameSpec) -> dict[str, Any]:
    """Return options of play with those that are fair to all, unless others are given that do not go together.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> fair_options({}, SHOGUN), fair_options({"shuffle_seats": True}, SHOGUN)
        ({'start': 'random'}, {'shuffle_seats': True})
    """
    both = {**spec.fair, **options}
    try:
        spec.check_options(both)
    except ValueError:
        return dict(options)
    return both


def _options(spec: GameSpec, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of play that a form has chosen, checked; those left out are fair to all."""
    options = {}
    for name, values in spec.option_choices.items():
        if name in form:
            by_text = {str(value): value for value in values}
            if form[name] not in by_text:
                raise ValueError(f"{label_of(name)}, {form[name]}: must be one of {', '.join(by_text)}")
            options[name] = by_text[form[name]]
    return spec.check_options({**spec.fair, **options})


def _seat(text: str, n_players: int) -> int | None:
    """Return the seat that a person has chosen, or None for any."""
    if text == ANYWHERE:
        return None
    if not text.isdecimal() or int(text) >= n_players:
        raise ValueError(f"I sit at, {text}: a game of {n_players} has the seats P0 to P{n_players - 1}")
    return int(text)


def label_of(option: str) -> str:
    """Return what the start page calls an option of play."""
    return "players" if option == "num_players" else words(option)
