"""A table in a terminal: the board as text, the legal actions by number or name."""

from collections.abc import Callable
from textwrap import wrap
from typing import Any

from shogun_env.play.table import Table
from shogun_env.play.view import end_of
from shogun_env.spec.bots import FaultError
from shogun_env.spec.voice import words

WIDTH = 118
"""Characters of a line."""
HELP = (
    "a number or a name chooses; u undoes, c or return confirms, h asks for a hint, q leaves (the game is saved);\n"
    "l explains what you meet for the first time, or no more; e repeats the explanations"
)


def play_in_terminal(table: Table, read: Callable[[str], str], write: Callable[[str], object]) -> None:
    """Play to the end of the game, or until the person leaves or the input ends.

    Args: table, with one person; read, a function that asks with a prompt and returns a line; write, prints text.
    Raises: ValueError for a table with several people.
    """
    if len(table.people) != 1:
        raise ValueError(f"{len(table.people)} people: a terminal is for one; leave out --terminal")
    (player,) = table.people
    start = f"; your start: {table.starts[player]}" if table.starts[player] else ""
    write(f"{HELP}\nyou are player {player}{start}; shogun-env rules --short prints the rules\n\n")
    version, titles = -1, set[str]()
    while not table.game.is_over:
        if table.versions[player] != version:
            write(_board(table, player) + _explanations(table, player, titles))
            version = table.versions[player]
        table.ponder()
        try:
            answer = read("confirm? " if table.draft(player).is_held else "> ").strip()
        except EOFError:
            return
        if answer in ("q", "quit"):
            return
        try:
            write(_obey(table, player, answer))
        except (ValueError, OSError, FaultError) as error:
            write(f"{error}\n")
    write(_board(table, player) + _explanations(table, player, titles) + _end(table, player))


def _end(table: Table, player: int) -> str:
    """Return who came where, with points by what they were for and by year."""
    lines = []
    for each in end_of(table.game):
        name = "you" if each["player"] == player else f"player {each['player']} ({table.bots[each['player']]})"
        sources = ", ".join(f"{count:g} for {words}" for words, count in each["sources"])
        years = ", ".join(f"{count} in {words}" for words, count in each["years"])
        because = "; ".join(filter(None, [sources, years]))
        lines.append(f"{each['place']}. {name}: {each['points']} points ({because})\n")
    record = f"The record: {table.record_path}\n" if table.record_path else ""
    return f"The game is over.\n{''.join(lines)}{record}"


def _board(table: Table, player: int) -> str:
    """Return what has happened, the board, and the legal actions."""
    view = table.view(player)
    news = "".join(f"{_wrapped(news['text'])}\n" for news in view["news"]) if not view["chosen"] else ""
    chosen = f"chosen: {', '.join(view['chosen'])}\n" if view["chosen"] else ""
    actions = "   ".join(f"{number}\u00a0{name}" for number, name in enumerate(view["legal"], 1))
    legal = "\n".join(wrap(actions, WIDTH)).replace("\u00a0", " ") if not view["held"] else "confirm (c) or undo (u)"
    return f"{news}\n{view['text']}\n{chosen}{legal}\n"


def _explanations(table: Table, player: int, titles: set[str]) -> str:
    """Return the explanations of what is new but for those with ``titles``, to which theirs are added."""
    new = [lesson for lesson in table.lessons(player) if lesson["new"] and lesson["title"] not in titles]
    titles.update(lesson["title"] for lesson in new)
    return "".join(map(_explanation, new))


def _explanation(lesson: dict[str, Any]) -> str:
    """Return an explanation."""
    lines = [lesson["text"], f"Usually good: {lesson['advice']}"]
    lines += [f"{word}: {meaning}" for word, meaning in lesson["words"]]
    if advice := lesson.get("suggestion"):
        effect = f": {advice['effect']}" if advice["effect"] else ""
        lines.append(f"A suggestion, not a rule: {advice['bot']} would choose {words(advice['action'])}{effect}")
    return f"\n  * {lesson['title']} *\n" + "".join(f"{_wrapped(line)}\n" for line in lines)


def _wrapped(text: str) -> str:
    """Return a text in lines that fit a terminal."""
    return "\n".join(wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    "))


def _obey(table: Table, player: int, answer: str) -> str:
    """Carry out what the person wrote, and return what to write."""
    if answer in ("u", "undo"):
        table.undo(player)
    elif answer in ("h", "hint"):
        return f"{table.adviser} would choose {table.hint(player)}\n"
    elif answer in ("c", "confirm") or (not answer and table.draft(player).is_held):
        table.confirm(player)
    elif answer in ("l", "learn"):
        table.explain(player, player not in table.learners)
        return "" if player in table.learners else "no more explanations; l brings them back\n"
    elif answer in ("e", "explain"):
        return "".join(map(_explanation, table.lessons(player))) or "no explanations; l brings them\n"
    elif answer in ("", "?", "help"):
        return f"{HELP}\n"
    else:
        legal = table.view(player)["legal"]
        number = int(answer) if answer.isdecimal() else 0
        table.choose(player, legal[number - 1] if 0 < number <= len(legal) else answer)
    return ""
