"""The start page: a game to go on with, another one, the games that are over, ratings, and a record of one's own.

It is made of forms, and needs no JavaScript: what is chosen is sent to the addresses next to it (``server.py``).
"""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shogun_env import GAMES, cli
from shogun_env.play.house import ANYWHERE, House, Saved
from shogun_env.play.opponents import Opponent
from shogun_env.play.saving import PERSON
from shogun_env.records.document import own_style
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.voice import words

__all__ = ["start_page"]

FIRST = ("num_players", "side", "start")
"""Options of play that are shown at once; the others unfold."""
STARTS = {
    "random": "random provinces, the same chances for all",
    "preset": "as printed; the rows are not equally good",
    "draft": "provinces are picked in turn",
}
"""What the choices of the option ``start`` mean."""


def start_page(house: House, game: str, error: str = "") -> str:
    """Return the start page, filled in with what was chosen last.

    Args: house; game, the one whose form is shown; error, what was wrong with the last request, empty for nothing.
    """
    spec, games = cli.batch_class(game).spec, house.games()
    going, over = [each for each in games if not each.end], [each for each in games if each.end]
    alert = f'<p role="alert">{html.escape(error)}</p>' if error else ""
    parts = [
        "<h1>Games against bots</h1>",
        alert,
        _going(going),
        _form(house, spec),
        _over(over),
        _standings(house, game),
        _open(),
    ]
    return own_style(__package__, "start", "Start – shogun-env", f"<main>{''.join(parts)}</main>")


# --- parts -----------------------------------------------------------------------------------------------------------


def _going(games: Sequence[Saved]) -> str:
    """Return the games that go on, each with a button."""
    if not games:
        return ""
    rows = (
        f'<li><form method="post" action="resume"><button name="game" value="{each.name}">go on</button> '
        f"{html.escape(each.title)} against {_names(each.opponents)}, {each.moves} decisions, {_date(each.when)}"
        "</form></li>"
        for each in games
    )
    return f"<section><h2>Games that go on</h2><ul>{''.join(rows)}</ul></section>"


def _form(house: House, spec: GameSpec) -> str:
    """Return the form for another game."""
    name = house.choices.get("name", "")
    own = house.choices if house.choices.get("game", GAMES[0]) == spec.name else {"name": name}
    links = " · ".join(
        f'<a href="start?game={other}"{" aria-current=true" if other == spec.name else ""}>'
        f"{html.escape(cli.batch_class(other).spec.title)}</a>"
        for other in GAMES
    )
    usual = {**spec.option_defaults, **spec.fair}
    options = {
        each: _option(spec, each, own.get(each, str(usual[each]))) for each in spec.option_choices if each != "reward"
    }
    first = "".join(options.pop(each) for each in FIRST if each in options)
    more = f"<details><summary>More options of play</summary>{''.join(options.values())}</details>" if options else ""
    seats = [(ANYWHERE, "drawn by lot"), *((str(player), f"P{player}") for player in range(max(spec.players)))]
    bots = house.opponents(spec.name)
    return (
        f'<section><h2>Another game</h2><p>{links}</p><form method="post" action="begin" id="another">'
        f'<input type="hidden" name="game" value="{spec.name}">'
        f'<label>My name <input name="name" value="{html.escape(name)}" maxlength="40" '
        'autocomplete="nickname"></label>'
        f"{first}{_select('seat', 'I sit at', seats, own.get('seat', ANYWHERE))}"
        f"<fieldset><legend>Against</legend>{_seats(spec, bots, own)}</fieldset>{more}"
        f"{_tick('learn', 'explain what I meet for the first time', own)}"
        f"{_tick('rated', 'rated: the seat in turn, fair starts, no hints, nothing taken back once it is seen', own)}"
        f'<button class="begin">begin</button></form>{_bots(bots)}</section>'
    )


def _option(spec: GameSpec, name: str, chosen: str) -> str:
    """Return the choices of an option of play."""
    yes_no = {"True": "yes", "False": "no"}
    texts = STARTS if name == "start" else yes_no
    choices = [(str(value), texts.get(str(value), words(str(value)))) for value in spec.option_choices[name]]
    return _select(name, "players" if name == "num_players" else words(name), choices, chosen)


def _seats(spec: GameSpec, bots: Sequence[Opponent], chosen: Mapping[str, str]) -> str:
    """Return a choice for each of the others, a bot or a person; a style sheet hides those who are too many."""
    choices = [(each.name, f"{each.name} – {each.rating}" if each.rating else each.name) for each in bots]
    choices.append((PERSON, "a person, on a page of their own"))
    least = min(spec.players)
    return "".join(
        _select(
            f"bot{number}", f"opponent {number}", choices, chosen.get(f"bot{number}", "scripted"),
            "" if number < least else f"from{number + 1}",
        )
        for number in range(1, max(spec.players))
    )  # fmt: skip


def _bots(bots: Iterable[Opponent]) -> str:
    """Return what the bots play like."""
    rows = (
        f"<tr><th scope=row>{html.escape(each.name)}</th><td>{each.rating or '–'}</td>"
        f"<td>{html.escape(each.plays)}</td></tr>"
        for each in bots
    )
    return (
        "<table><caption>The bots: rating with its 95 % interval, 400 points for odds of ten to one</caption>"
        f"<thead><tr><th scope=col>bot</th><th scope=col>rating</th><th scope=col>plays</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _over(games: Sequence[Saved]) -> str:
    """Return the games that are over, with places, and ways to see them again and to play the same once more."""
    if not games:
        return "<section><h2>My games</h2><p>None is over yet.</p></section>"
    return (
        "<section><h2>My games</h2><table><thead><tr><th scope=col>game</th><th scope=col>place</th>"
        "<th scope=col>points</th><th scope=col>against</th><th scope=col>when</th><th scope=col>see it again</th>"
        f"</tr></thead><tbody>{''.join(map(_row, games))}</tbody></table></section>"
    )


def _row(saved: Saved) -> str:
    """Return a game that is over."""
    mine = next(each for each in saved.end if each["player"] == saved.host)
    others = ", ".join(str(each["points"]) for each in saved.end if each is not mine)
    return (
        f"<tr><th scope=row>{html.escape(saved.title)}</th><td>{mine['place']} of {len(saved.end)}</td>"
        f"<td>{mine['points']} ({others})</td><td>{_names(saved.opponents)}</td><td>{_date(saved.when)}</td>"
        f'<td><a href="game/{saved.name}/replay">replay</a> · <a href="game/{saved.name}/review">review</a> '
        f"{_same_again(saved)}</td></tr>"
    )


def _same_again(saved: Saved) -> str:
    """Return a button that begins such a game."""
    hidden = "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in saved.choices.items()
    )
    return f'<form method="post" action="begin">{hidden}<button>the same again</button></form>'


def _standings(house: House, game: str) -> str:
    """Return the person among the bots of the ladder; nothing before the first rated game."""
    name = house.choices.get("name", "")
    rows = house.ladder.standings(house.folder, name, game) if name else []
    if not any(n_games for *_, n_games in rows):
        return ""
    lines = (
        f'<tr class="{"you" if n_games else ""}"><th scope=row>{html.escape(who)}</th><td>{rating or "–"}</td>'
        f"<td>{n_games or ''}</td></tr>"
        for who, rating, n_games in rows
    )
    return (
        "<section><h2>My rating</h2><table><thead><tr><th scope=col>who</th><th scope=col>rating</th>"
        f"<th scope=col>rated games</th></tr></thead><tbody>{''.join(lines)}</tbody></table></section>"
    )


def _open() -> str:
    """Return the form for a record from elsewhere."""
    return (
        '<section><h2>Open a record</h2><form method="post" action="open" enctype="multipart/form-data">'
        '<label>A file such as 7.GAME.jsonl, chosen or dropped here <input type="file" name="record" required>'
        '</label> <button>replay</button> <button formaction="open?review=1">review</button></form></section>'
    )


# --- pieces ----------------------------------------------------------------------------------------------------------


def _select(name: str, label: str, choices: Iterable[tuple[str, str]], chosen: str, kind: str = "") -> str:
    """Return a choice with its label."""
    options = "".join(
        f'<option value="{html.escape(value)}"{" selected" if value == chosen else ""}>{html.escape(text)}</option>'
        for value, text in choices
    )
    return f'<label class="{kind}">{html.escape(label)} <select name="{name}">{options}</select></label>'


def _tick(name: str, label: str, chosen: Mapping[str, Any]) -> str:
    """Return something to tick."""
    ticked = " checked" if chosen.get(name) else ""
    return f'<label><input type="checkbox" name="{name}" value="1"{ticked}> {html.escape(label)}</label>'


def _names(bots: Sequence[str]) -> str:
    """Return the names of bots, with a number where several are the same."""
    counted = ((name, bots.count(name)) for name in dict.fromkeys(bots))
    return html.escape(", ".join(name if n == 1 else f"{n} × {name}" for name, n in counted))


def _date(when: float) -> str:
    """Return a time of this machine, to the minute."""
    return time.strftime("%d %b %Y, %H:%M", time.localtime(when))
