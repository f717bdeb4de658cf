"""The start page: a game to go on with, another one, the games that are over, wins, and a record of one's own.

It is made of forms, and needs no JavaScript: what is chosen is sent to the addresses next to it (``server.py``).
``start.html`` is a template of bottle's.
"""

import html
import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources

from shogun_env import FULL_GAMES, GAMES, cli
from shogun_env.play.house import SHOWN, House, Saved, wins_against
from shogun_env.play.new_game import ANYWHERE, LONGEST_NAME, label_of, shown_name
from shogun_env.play.opponents import OFFERED, easiest
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
Choice = tuple[str, str, list[tuple[str, str]], str]
"""A choice in a form: its name, its label, values with texts, and the value chosen."""


def start_page(house: House, game: str, filled: Mapping[str, str], error: str = "") -> str:
    """Return the start page.

    Args: house; game, the one whose form is shown; filled, what is chosen and typed in the form, if it is of that game;
        error, what was wrong with the last request, empty for nothing.
    """
    from bottle import SimpleTemplate

    spec, files = cli.batch_class(game).spec, house.files()
    games = [each for each in files if isinstance(each, Saved)]
    chosen = filled if filled.get("game", GAMES[0]) == game else {}
    options = {choice[0]: choice for choice in _options(spec, chosen)}
    wins = wins_against(games, game)
    bots = OFFERED[game][:: -1 if any(won for won, _ in wins.values()) else 1]
    body = SimpleTemplate(
        resources.files(__package__).joinpath("start.html").read_text("utf-8"), escape_func=html.escape
    ).render(
        error=error, game=game, chosen=chosen, bots=bots, person=PERSON, names=_names, longest=LONGEST_NAME,
        page=secrets.token_urlsafe(9),  # new for each: what is sent twice from one is a button pressed twice
        date=lambda when: time.strftime("%d %b %Y, %H:%M", time.localtime(when)),
        going=[each for each in games if not each.end][:SHOWN], over=[each for each in games if each.end][:SHOWN],
        titles={other: cli.batch_class(other).spec.title for other in GAMES},
        first=[options.pop(each) for each in FIRST if each in options], more=options.values(),
        players=spec.players, seat=chosen.get("seat", ANYWHERE), anywhere=ANYWHERE,
        others={number: chosen.get(f"bot{number}", easiest(game)) for number in range(1, max(spec.players))},
        beyond=lambda number: "" if number < min(spec.players) else f"from{number + 1}",
        reviewed=FULL_GAMES, wins=wins, damaged=[each for each in files if isinstance(each, str)],
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
        texts = STARTS if name == "start" else {"True": "yes", "False": "no"}
        choices = [(str(value), texts.get(str(value), words(str(value)))) for value in values]
        yield name, label_of(name), choices, chosen.get(name, str(usual[name]))


def _names(game: str, others: Sequence[str]) -> str:
    """Return the names of the others at a table, with a number where several are the same."""
    names = [shown_name(game, other) for other in others]
    counted = ((name, names.count(name)) for name in dict.fromkeys(names))
    return ", ".join(name if n == 1 else f"{n} × {name}" for name, n in counted)
