"""The start page: a game to go on with, another one, the games that are over, wins, and a record of one's own.

It is made of forms, and needs no JavaScript: what is chosen is sent to the addresses next to it (``server.py``).
``start.html`` is a template of bottle's.
"""

import html
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources

from shogun_env import GAMES, cli
from shogun_env.play.house import SHOWN, House, wins_against
from shogun_env.play.new_game import ANYWHERE
from shogun_env.play.opponents import PLAYS
from shogun_env.play.saving import PERSON
from shogun_env.records.document import own_style
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.voice import words

FIRST = ("num_players", "side", "start")
"""Options of play that are shown at once; the others unfold."""
STARTS = {
    "random": "random provinces, the same chances for all",
    "preset": "as printed; the rows are not equally good",
    "draft": "provinces are picked in turn",
}
"""What the choices of the option ``start`` mean."""
FOREIGN_BOTS = """<main>
<h1>Start these bots?</h1>
<p>This game names bots that are not part of this package. Started, they run on this machine with all your rights:
programs as commands, Python files as code, others with the files that they name. Start only what you know.</p>
<ul>
% for name in names:
<li><code>{{name}}</code></li>
% end
</ul>
<form method="post">
% for key, value in form.items():
<input type="hidden" name="{{key}}" value="{{value}}">
% end
<button name="allowed" value="{{allowed}}">start them</button>
% if can_replace:
<button name="allowed" value="[]">play against scripted instead</button>
% end
</form></main>"""
"""The page of ``foreign_bots_page``."""
Choice = tuple[str, str, list[tuple[str, str]], str, str]
"""A choice in a form: its name, its label, values with texts, the value chosen, and a class for the style sheet."""


def start_page(house: House, game: str, error: str = "") -> str:
    """Return the start page, filled in with what was chosen last.

    Args: house; game, the one whose form is shown; error, what was wrong with the last request, empty for nothing.
    """
    from bottle import SimpleTemplate

    spec, games = cli.batch_class(game).spec, house.games()
    chosen = house.choices if house.choices.get("game", GAMES[0]) == game else {}
    options = {choice[0]: choice for choice in _options(spec, chosen)}
    seats = [(ANYWHERE, "drawn by lot"), *((str(player), f"P{player}") for player in range(max(spec.players)))]
    bots = PLAYS[game]
    body = SimpleTemplate(
        resources.files(__package__).joinpath("start.html").read_text("utf-8"), escape_func=html.escape
    ).render(
        error=error, game=game, chosen=chosen, bots=bots, names=_names,
        date=lambda when: time.strftime("%d %b %Y, %H:%M", time.localtime(when)),
        going=[each for each in games if not each.end][:SHOWN], over=[each for each in games if each.end][:SHOWN],
        titles={other: cli.batch_class(other).spec.title for other in GAMES},
        first=[options.pop(each) for each in FIRST if each in options]
        + [("seat", "I sit at", seats, chosen.get("seat", ANYWHERE), "")],
        more=options.values(), seats=_seats(spec, bots, chosen),
        wins=wins_against(games, game),
    )  # fmt: skip
    return own_style(__package__, "start", "Start – shogun-env", body)


def foreign_bots_page(names: Sequence[str], form: Mapping[str, str], can_replace: bool) -> str:
    """Return a page that says which bots of a file are not of this package, and asks whether they may be started.

    Args: names, their specs; form, what was sent, to be sent again to the same address with the answer ``allowed``;
        can_replace, whether the bot ``scripted`` can play in their place.
    """
    from bottle import SimpleTemplate

    body = SimpleTemplate(FOREIGN_BOTS, escape_func=html.escape).render(
        names=[name if name.isprintable() else repr(name) for name in names], form=form, allowed=json.dumps(names),
        can_replace=can_replace,
    )  # fmt: skip
    return own_style(__package__, "start", "Start these bots? – shogun-env", body)


def _options(spec: GameSpec, chosen: Mapping[str, str]) -> Iterator[Choice]:
    """Yield the choices of the options of play."""
    usual = {**spec.option_defaults, **spec.fair}
    for name, values in spec.option_choices.items():
        if name != "reward":
            texts = STARTS if name == "start" else {"True": "yes", "False": "no"}
            choices = [(str(value), texts.get(str(value), words(str(value)))) for value in values]
            label = "players" if name == "num_players" else words(name)
            yield name, label, choices, chosen.get(name, str(usual[name])), ""


def _seats(spec: GameSpec, bots: Iterable[str], chosen: Mapping[str, str]) -> Iterator[Choice]:
    """Yield a choice for each of the others, a bot or a person; a style sheet hides those who are too many."""
    choices = [(name, name) for name in bots]
    choices.append((PERSON, "a person, on a page of their own"))
    for number in range(1, max(spec.players)):
        kind = "" if number < min(spec.players) else f"from{number + 1}"
        yield f"bot{number}", f"opponent {number}", choices, chosen.get(f"bot{number}", "scripted"), kind


def _names(bots: Sequence[str]) -> str:
    """Return the names of bots, with a number where several are the same."""
    counted = ((name, bots.count(name)) for name in dict.fromkeys(bots))
    return ", ".join(name if n == 1 else f"{n} × {name}" for name, n in counted)
