"""What the rule cases of Shogun may say: items of positions, outcomes of chance, and how things stand afterwards.

What a position does not say: nobody owns anything, all cubes are in the supplies, chests are as at the start, it is
spring of the first year, and no event has an effect.
"""

from collections.abc import Callable, Sequence

import numpy as np

from shogun_env.shogun import Game, board
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import SPACE_NAMES
from tests.cases.language import Case, Line, Outcome, Setting, Vocabulary, number_of

COLOURS = (*map(str, range(c.MAX_PLAYERS)), "farmers")
IDLE_SPECIALS = (c.SIX_ARMIES, c.PLUS_1_CHEST, c.PLUS_1_RICE, c.PLUS_1_DEFENCE, c.PLUS_1_ATTACK)
"""In which order specials go to players for whom none is named: those that change least come first."""
TRACKS = ("chests", "rice", "points")
PHASES = {"planning": c.PLAN, "scoring": c.SCORE}


def province(name: str) -> int:
    """Return the number of a province."""
    return number_of(board.PROVINCE_NAMES, name)


def colour(name: str) -> int:
    """Return the number of a colour of cubes: a player, or ``farmers``."""
    return number_of(COLOURS, name)


def card(name: str) -> int:
    """Return the card of a name: a province, ``chest_0`` … ``chest_4``, or ``-`` for none."""
    if name == "-":
        return c.EMPTY
    return c.CHEST_0 + int(name[-1]) if name.startswith("chest_") else province(name)


def event_card(name: str, used: Sequence[int] = ()) -> int:
    """Return the first event card of an effect, or of a rice loss given as a number, that is not among ``used``."""
    for number, (effect, loss) in enumerate(board.EVENT_CARDS):
        if name in (effect, str(loss)) and number not in used:
            return number
    raise ValueError(f"no event card {name!r} is left; effects are {', '.join(board.EVENT_NAMES)}")


# --- positions -------------------------------------------------------------------------------------------------------


class Position(Setting):
    """A position of Shogun in the making."""

    def __init__(self, g: np.void) -> None:
        """Begin with an empty board."""
        super().__init__(g)
        g["chests"][: self.n_players] = board.START_CHESTS[0, self.n_players]
        g["year"] = 1
        g["special_at"] = range(c.N_SPECIALS)
        g["space"] = c.N_SPACES
        self.supply: dict[int, int] = {}
        """Cubes that are to be in a supply, by colour."""
        self.order: list[int] = []
        """Players in turn order."""
        self.specials: dict[int, int] = {}
        self.event, self.rice_loss = "", ""
        self.actions: list[int] = []
        """Actions under test, in the order in which they are carried out."""
        self.hidden: list[int] = []
        """Action cards that are face down."""
        self.has_bids = False
        self.phase = c.ACTION

    def give(self, field: str, item: str) -> None:
        """Add what an item says; in the field ``plan`` it is a card on a space."""
        name, *words = item.split()
        if field == "plan":
            self.give_plan(*item.split())
        elif name in board.PROVINCE_NAMES:
            self.give_province(province(name), words)
        elif name in TRACKS:
            self.g[name][int(words[0])] = int(words[1])
        elif name in ("supply", "tower", "tray"):
            self.give_cubes(name, *words)
        else:
            self.give_word(name, words)

    def give_province(self, prov: int, words: list[str]) -> None:
        """Put an owner, armies, buildings and markers into a province."""
        player, armies, *rest = words
        self.g["owner"][prov], self.g["armies"][prov] = int(player), int(armies)
        while rest:
            word = rest.pop(0)
            if word == "revolts":
                self.g["revolts"][prov] = int(rest.pop(0))
            else:
                self.g["building"][number_of(board.KIND_NAMES, word), prov] = 1

    def give_cubes(self, place: str, who: str, number: str) -> None:
        """Put cubes into the tower or the tray, or leave so many in a supply and hide the others in the tower."""
        if place == "supply":
            self.supply[colour(who)] = int(number)
        else:
            cubes = self.g["tower"][0] if place == "tower" else self.g["tray"]
            cubes[colour(who)] += int(number)

    def give_provinces(self, player: str, number: str, *words: str) -> None:
        """Let a player own so many provinces, one army and what else is said in each new one."""
        missing = int(number) - np.count_nonzero(self.g["owner"] == int(player))
        for prov in self.free_provinces()[:missing]:
            self.give_province(prov, [player, "1", *words])

    def give_box(self, kind: str, number: str, player: str) -> None:
        """Leave so many buildings of a kind in the box; the others are in provinces of ``player``."""
        index = number_of(board.KIND_NAMES, kind)
        missing = int(board.SUPPLY_OF_KIND[index]) - int(self.g["building"][index].sum()) - int(number)
        for prov in self.free_provinces()[:missing]:
            self.give_province(prov, [player, "1", kind])

    def free_provinces(self) -> list[int]:
        """Return the provinces in play that nobody owns, the last ones first."""
        in_play = board.IN_PLAY[self.g["side"], self.n_players]
        return [prov for prov in reversed(range(c.N_PROVINCES)) if in_play[prov] and self.g["owner"][prov] == c.NONE]

    def give_plan(self, player: str, space: str, name: str) -> None:
        """Put a card on a space; actions are carried out in the order in which they are named first."""
        number = number_of(SPACE_NAMES, space)
        self.g["plan"][int(player), number] = card(name)
        if number == c.BID_SPACE:
            self.has_bids = True
        elif number - 1 not in self.actions:
            self.actions.append(number - 1)
        if int(player) not in self.order:
            self.order.append(int(player))

    def give_special(self, player: str, name: str) -> None:
        """Give a player a special card."""
        self.specials[int(player)] = number_of(board.SPECIAL_NAMES, name)
        if int(player) not in self.order:
            self.order.append(int(player))

    def give_order(self, *players: str) -> None:
        """Set the turn order."""
        self.order = [int(player) for player in players]

    def give_season(self, name: str) -> None:
        """Set the season."""
        self.g["season"] = number_of(board.SEASON_NAMES, name)

    def give_year(self, number: str) -> None:
        """Set the year."""
        self.g["year"] = int(number)

    def give_phase(self, name: str) -> None:
        """Begin with planning or scoring instead of an action."""
        number_of(tuple(PHASES), name)
        self.phase = PHASES[name]

    def give_event(self, name: str) -> None:
        """Let an event be in force."""
        event_card(name)
        self.event = name

    def give_rice_loss(self, number: str) -> None:
        """Let the last open event card of the year have this rice loss."""
        event_card(number)
        self.rice_loss = number

    # --- completing --------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Fill the supplies and lay out what no item has said."""
        g = self.g
        Game.spec.position_format.fill(g)
        for who, number in self.supply.items():
            g["tower"][0, who] += g["supply"][who] - number
        if self.has_bids:
            self.phase = c.SHOW_PLANS
        g["phase"] = self.phase
        if self.phase == c.SCORE:
            g["season"] = c.N_SEASONS
        self.lay_events()
        self.lay_actions()
        if self.phase == c.PLAN:
            g["space"], g["player"] = c.BID_SPACE, 0
        elif self.phase == c.ACTION:
            self.lay_specials()
        Game.spec.position_format.fill(g)

    def lay_events(self) -> None:
        """Lay out the event cards: used ones by time of year, one in force in mid-round, the others of the year
        open.
        """
        state, acting = self.g["event_card"], self.phase == c.ACTION
        last = [event_card(self.rice_loss)] if self.rice_loss else []
        force = [event_card(self.event, last)] if self.event else []
        spare = [number for number in range(c.N_EVENT_CARDS) if number not in last + force]
        if acting and force:
            self.g["event"] = board.EVENT_NAMES.index(self.event)
        elif acting:
            force = [spare.pop()]
        past = c.N_YEAR_EVENTS if self.phase == c.SCORE else int(self.g["season"])
        n_used = c.N_YEAR_EVENTS * (int(self.g["year"]) - 1) + past
        state[spare[:n_used]] = c.EVENT_USED
        rest = last + spare[n_used:] if acting else last + force + spare[n_used:]
        state[rest[: c.N_YEAR_EVENTS - past - acting]] = c.EVENT_OPEN
        state[force if acting else []] = c.EVENT_IN_FORCE

    def lay_actions(self) -> None:
        """Lay out the action cards: those under test come last, or the first five are open before the round's
        actions.
        """
        others = [act for act in range(c.N_ACTION_CARDS) if act not in self.actions]
        early = self.phase in (c.PLAN, c.SHOW_PLANS)
        order = self.actions + others if early else others + self.actions
        shown = c.N_OPEN_ACTIONS if early else c.N_ACTION_CARDS
        self.g["action_at"][:shown] = order[:shown]
        if not early:
            under_test = max(1, len(self.actions)) if self.phase == c.ACTION else 0
            self.g["running"] = c.N_ACTION_CARDS - under_test
        self.hidden = order[shown:]

    def lay_specials(self) -> None:
        """Put the players who act in turn order, each with their special or one that changes little."""
        g = self.g
        order = self.order or list(range(self.n_players))
        spare = [special for special in IDLE_SPECIALS if special not in self.specials.values()]
        for position, player in enumerate(order):
            g["holder"][position] = player
            g["special_at"][position] = self.specials[player] if player in self.specials else spare.pop(0)
        held = set(g["special_at"][: len(order)].tolist())
        g["special_at"][len(order) :] = [special for special in range(c.N_SPECIALS) if special not in held]

    def later_chance(self, chance: Sequence[Outcome]) -> list[Outcome]:
        """Return outcomes that open what is still hidden in this round, and a plain next round."""
        g = self.g
        outcomes = [(c.LOG_OPEN, act) for act in self.hidden]
        if g["season"] >= c.N_SEASONS - 1:
            if g["year"] == c.N_YEARS:
                return outcomes
            deck = np.flatnonzero(g["event_card"] == c.EVENT_IN_DECK)
            outcomes += [(c.LOG_YEAR, int(number)) for number in deck[: c.N_YEAR_EVENTS]]
        return outcomes + plain_round()


def plain_round() -> list[Outcome]:
    """Return the outcomes that open a round: actions and specials in the order of the data."""
    outcomes = [(c.LOG_OPEN, act) for act in range(c.N_OPEN_ACTIONS)]
    return outcomes + [(c.LOG_SPECIALS, special) for special in range(c.N_SPECIALS)]


def chance_of_setup() -> list[Outcome]:
    """Return the outcomes that follow a set-up: four events, a plain round."""
    return [(c.LOG_YEAR, number) for number in range(c.N_YEAR_EVENTS)] + plain_round()


# --- chance ----------------------------------------------------------------------------------------------------------


def tray(words: list[str]) -> list[Outcome]:
    """Return what lies in the tray after a throw: colour and number, all others 0."""
    cubes = dict(zip(map(colour, words[::2]), map(int, words[1::2]), strict=True))
    return [(c.LOG_TRAY, cubes.get(number, 0)) for number in range(c.N_COLOURS)]


def year(words: list[str]) -> list[Outcome]:
    """Return the events of a year, each by its effect or its rice loss."""
    cards: list[int] = []
    for word in words:
        cards.append(event_card(word, cards))
    return [(c.LOG_YEAR, number) for number in cards]


def each(kind: int, number: Callable[[str], int]) -> Callable[[list[str]], list[Outcome]]:
    """Return the reader of outcomes of one kind, one per word."""
    return lambda words: [(kind, number(word)) for word in words]


CHANCE: dict[str, Callable[[list[str]], list[Outcome]]] = {
    "seats": each(c.LOG_START_POSITION, int),
    "place": each(c.LOG_PLACE, province),
    "starter": each(c.LOG_STARTER, int),
    "card": each(c.LOG_CARD, province),
    "tray": tray,
    "year": year,
    "open": each(c.LOG_OPEN, board.ACTION_NAMES.index),
    "specials": each(c.LOG_SPECIALS, board.SPECIAL_NAMES.index),
    "event": each(c.LOG_EVENT, event_card),
    "bids": each(c.LOG_BIDS, int),
    "drawn": each(c.LOG_DRAWN, province),
}
"""Words with which items of ``chance`` begin."""


# --- how things stand ------------------------------------------------------------------------------------------------


def province_text(g: np.void, prov: int) -> str:
    """Return owner, armies, buildings and markers of a province."""
    words = ["neutral"] if g["owner"][prov] == c.NONE else [str(g["owner"][prov]), str(g["armies"][prov])]
    words += [kind for number, kind in enumerate(board.KIND_NAMES) if g["building"][number, prov]]
    return " ".join(words + ([f"revolts {g['revolts'][prov]}"] if g["revolts"][prov] else []))


def track_text(name: str) -> Callable[[np.void, list[str]], str]:
    """Return the reader of a player's number on a track."""
    return lambda g, words: f"{words[0]} {g[name][int(words[0])]}"


def cubes_text(name: str) -> Callable[[np.void, list[str]], str]:
    """Return the reader of a number of cubes; those of the tower are summed over its floors."""
    return lambda g, words: f"{words[0]} {np.atleast_2d(g[name])[:, colour(words[0])].sum()}"


def box_text(g: np.void, words: list[str]) -> str:
    """Return how many buildings of a kind are in the box."""
    return f"{words[0]} {g['kinds_left'][number_of(board.KIND_NAMES, words[0])]}"


def shown_text(g: np.void, words: list[str]) -> str:
    """Return a card on a space as all see it."""
    number = int(g["shown"][int(words[0]), number_of(SPACE_NAMES, words[1])])
    if number in (c.NOT_SHOWN, c.EMPTY):
        text = "hidden" if number == c.NOT_SHOWN else "-"
    else:
        text = board.PROVINCE_NAMES[number] if number < c.CHEST_0 else f"chest_{number - c.CHEST_0}"
    return f"{words[0]} {words[1]} {text}"


def emptied_text(g: np.void, words: list[str]) -> str:
    """Return the spaces of a player from which a lost province's card was taken away."""
    spaces = [space for number, space in enumerate(SPACE_NAMES) if g["emptied"][int(words[0]), number]]
    return " ".join([words[0], *(spaces or ["-"])])


AFTER: dict[str, Callable[[np.void, list[str]], str]] = {
    "chests": track_text("chests"),
    "rice": track_text("rice"),
    "supply": cubes_text("supply"),
    "tower": cubes_text("tower"),
    "tray": cubes_text("tray"),
    "box": box_text,
    "shown": shown_text,
    "emptied": emptied_text,
}
"""Words with which items of ``after`` begin, besides provinces and the words of both games."""


# --- lines -----------------------------------------------------------------------------------------------------------

LINE_TYPES = (
    "draft", "bury", "throw", "event", "bids", "special", "do", "fight", "winter", "famine", "score", "result",
)  # fmt: skip
"""Types of which every line has to be named."""


def need_not_name(case: Case, line: Line) -> bool:
    """Say whether a line is of a player who skips an action because the case has given them no card for it."""
    planned = (f"{line.get('player')} {line.get('action')} " in f"{item} " for item in case.items("plan"))
    return line.get("why") == "no_card" and not any(planned)


VOCABULARY = Vocabulary(
    game=Game,
    setting=Position,
    setting_fields=("given", "plan"),
    chance=CHANCE,
    chance_of_setup=chance_of_setup,
    line_types=LINE_TYPES,
    need_not_name=need_not_name,
    after=AFTER,
    province=province_text,
    rows={"provinces": board.PROVINCE_NAMES},
)
"""What the rule cases of Shogun may say."""
