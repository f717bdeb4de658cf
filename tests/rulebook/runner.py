"""Rule cases: read from text files, set up, played, compared.

A case begins with a line ``case ID   rules it is about``; then come fields, each ``name: text``, which may go on in
indented
lines. In fields of items ``;`` parts them.

    about    what happens, in a sentence
    options  options of the game: ``num_players 3``, ``side moon``, ``optional_moves``; 4 players on the sun side
    otherwise
    given    the position, see ``tests/positions.py``
    plan     cards on spaces: ``0 collect_taxes Ise``; with bids the case begins when they are shown, else with the
             first of the actions named, the last of the round
    chance   the outcomes to come: ``tray 0 3, farmers 1``, ``event temple_peace``, ``bids 2 0 1``, ``drawn Kai Aki``, …
    choose   decisions: ``0 Kozuke``, or ``0 Kozuke of Izu Kozuke`` with the whole mask; ``0 ? of …`` only looks at
    the mask
    lines    what the record says: type, then fields as ``name=value``, as many as matter; every line of a fight, a
             decision, a winter must be named, but not those of players whose space is not in ``plan``
    after    the position at the end, in the words of ``given``
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.scoring import reward_so_far
from tests.positions import SPACES, Pairs, Position, colour, event_card, province
from tests.words import line_text

FOLDER = Path(__file__).parent
FIELDS = ("about", "options", "given", "plan", "chance", "choose", "lines", "after")
TOLD = ("draft", "bury", "throw", "event", "bids", "special", "do", "fight", "winter", "famine", "score", "result")
"""Types of lines that a case has to name, if it names any."""


@dataclass
class Case:
    """One rule case as it stands in a file."""

    name: str
    rules: list[str]
    fields: dict[str, list[str]] = field(default_factory=dict)

    def items(self, name: str) -> list[str]:
        """Items of a field, in order."""
        return [item.strip() for line in self.fields.get(name, []) for item in line.split(";") if item.strip()]


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases.

    Raises: ValueError naming file and line where something cannot be read.
    """
    cases: list[Case] = []
    rows: list[str] = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        head, _, rest = text.partition(":")
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("case "):
            _, name, *rules = text.replace(",", " ").split()
            cases.append(Case(name, rules))
        elif text.startswith(" ") and cases:
            rows.append(text)
        elif cases and head in FIELDS and head not in cases[-1].fields:
            rows = cases[-1].fields[head] = [rest]
        else:
            raise ValueError(
                f"{path.name}, line {number}: a case, or one of {', '.join(FIELDS)} once, expected: {text!r}"
            )
    return cases


def all_cases() -> list[Case]:
    """Cases of all files."""
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]


# --- playing ---------------------------------------------------------------------------------------------------------


def options_of(case: Case) -> dict[str, Any]:
    """Options: ``name value``, numbers as numbers; a name alone means True."""
    options: dict[str, Any] = {}
    for item in case.items("options"):
        name, *value = item.split()
        options[name] = True if not value else int(value[0]) if value[0].isdigit() else value[0]
    return options


def chance_of(item: str) -> Pairs:
    """Return the taped pairs of one outcome."""
    name, *words = item.replace(",", " ").split()
    if name == "tray":
        cubes = dict(zip(map(colour, words[::2]), map(int, words[1::2]), strict=True))
        return [(c.LOG_TRAY, cubes.get(number, 0)) for number in range(c.N_COLOURS)]
    if name == "year":
        taken: list[int] = []
        for word in words:
            taken.append(event_card(word, taken))
        return [(c.LOG_YEAR, number) for number in taken]
    kinds = {
        "seats": (c.LOG_START_POSITION, int), "place": (c.LOG_PLACE, province), "starter": (c.LOG_STARTER, int), "card":
        (c.LOG_CARD, province),
        "open": (c.LOG_OPEN, board.ACTION_NAMES.index), "specials": (c.LOG_SPECIALS, board.SPECIAL_NAMES.index),
        "event": (c.LOG_EVENT, event_card), "bids": (c.LOG_BIDS, int), "drawn": (c.LOG_DRAWN, province),
    }  # fmt: skip
    kind, number_of = kinds[name]
    return [(kind, number_of(word)) for word in words]


def play(case: Case) -> Position:
    """Set a case up and play it to its end."""
    options = options_of(case)
    position = Position(**options)
    chance = [pair for item in case.items("chance") for pair in chance_of(item)]
    if case.items("given") or case.items("plan"):
        for item in case.items("given"):
            position.give(item)
        for item in case.items("plan"):
            position.give_plan(*item.split())
        position.start(chance)
    else:
        position.reset(chance)
    check(position)
    for item in case.items("choose"):
        choose(position, item)
    return position


def choose(position: Position, item: str) -> None:
    """Check the mask where the case gives it, then play the decision."""
    player, name, *mask = item.split()
    if mask:
        found = position.legal()
        assert (int(position.batch.player[0]), sorted(found)) == (int(player), sorted(mask[1:])), (
            f"{item}: the mask is {found}"
        )
    if name != "?":
        position.choose(int(player), name)
        check(position)


def check(position: Position) -> None:
    """Check that the record is valid."""
    code = int(position.batch.check()[0])
    assert code == 0, position.batch.spec.check_messages[code]


# --- comparing -------------------------------------------------------------------------------------------------------


def is_told(case: Case, line: dict[str, Any]) -> bool:
    """Say whether a case must name a line."""
    planned = [f"{line.get('player')} {line.get('action')} " in f"{item} " for item in case.items("plan")]
    return line["t"] in TOLD and (line.get("why") != "no_card" or any(planned))


def compare_lines(case: Case, lines: list[dict[str, Any]]) -> None:
    """Compare the record with the case's ``lines``, one by one, field by field as far as they are named."""
    wanted = case.items("lines")
    found = [line for line in lines if is_told(case, line)]
    texts = [line_text(line) for line in found]
    for number, item in enumerate(wanted):
        assert number < len(found), f"the record ends before: {item}"
        missing = set(item.split()) - set(texts[number].split())
        assert not missing, f"{item}\nwanted, but the record says\n{texts[number]}"
    assert not wanted or len(wanted) == len(found), f"the record goes on: {texts[len(wanted) :]}"


def state_of(position: Position, item: str) -> str:
    """Say in the words of ``given`` how an item stands now."""
    g = position.g
    name, *words = item.split()
    if name in board.PROVINCE_NAMES:
        return f"{name} {describe_province(g, province(name))}"
    if name in ("chests", "rice", "points"):
        return f"{name} {words[0]} {g[name][int(words[0])]}"
    if name in ("supply", "tray"):
        return f"{name} {words[0]} {g[name][colour(words[0])]}"
    if name == "tower":
        return f"{name} {words[0]} {g[name][:, colour(words[0])].sum()}"
    if name == "box":
        return f"{name} {words[0]} {g['kinds_left'][board.KIND_NAMES.index(words[0])]}"
    if name == "shown":
        return f"{name} {words[0]} {words[1]} {card_shown(int(g[name][int(words[0]), SPACES.index(words[1])]))}"
    if name == "emptied":
        spaces = [space for number, space in enumerate(SPACES) if g[name][int(words[0]), number]]
        return " ".join([name, words[0], *(spaces or ["-"])])
    if name == "returns":
        reward = c.REWARDS.index(words[0])
        values = [reward_so_far(g, player, reward) for player in range(position.n)]
        return " ".join([name, words[0], *(f"{value:.2f}" for value in values)])
    raise ValueError(f"{item!r}: cannot say how this stands")


def describe_province(g: Any, prov: int) -> str:
    """Owner, armies and what stands in a province."""
    words = ["neutral"] if g["owner"][prov] == c.NONE else [str(g["owner"][prov]), str(g["armies"][prov])]
    words += [kind for number, kind in enumerate(board.KIND_NAMES) if g["building"][number, prov]]
    return " ".join(words + ([f"revolts {g['revolts'][prov]}"] if g["revolts"][prov] else []))


def card_shown(number: int) -> str:
    """A card on a space as all see it."""
    if number in (c.NOT_SHOWN, c.EMPTY):
        return "hidden" if number == c.NOT_SHOWN else "-"
    return board.PROVINCE_NAMES[number] if number < c.CHEST_0 else f"chest_{number - c.CHEST_0}"


def compare_state(case: Case, position: Position) -> None:
    """Compare the position at the end with the case's ``after``."""
    for item in case.items("after"):
        found = state_of(position, item)
        assert found == item, f"{found}, but the case says {item}"


def run(case: Case) -> None:
    """Play a case and compare everything it says."""
    position = play(case)
    compare_lines(case, position.lines())
    compare_state(case, position)
