"""What the rule cases of Shitennō may say: items of positions, outcomes of chance, and how things stand afterwards.

What a position does not say: it is round 3; player 0 is on turn and has the highest title, player 1 the next, and so
on; nobody has cards or tiles; provinces are empty, and the tile on each shows its native troop; troop cards are in the
pile, Koku in theirs, or out of the game where the game is to be scored.
"""

from collections.abc import Callable, Sequence

import numpy as np

from shogun_env.shitenno import Game, board
from shogun_env.shitenno import constants as c
from tests.cases.language import Outcome, Setting, Vocabulary, counts_of, number_of, words_of

TROOP_KINDS = board.KIND_NAMES[: c.N_TROOP_KINDS]
KOKU_KINDS = board.KIND_NAMES[c.N_TROOP_KINDS :]
STACK = board.STACK
"""Tiles in a province at the start: one under each position but the last."""
PHASES = {"round": c.ROUND, "division": c.DIVISION, "scoring": c.CONTROL}
OF_PLAYERS = ("hand", "known", "tiles")
KINDS_IN = {
    "hand": board.KIND_NAMES,
    "known": TROOP_KINDS,
    "tiles": board.BONUS_NAMES,
    "pool": board.KIND_NAMES,
    "discard": TROOP_KINDS,
    "spent": KOKU_KINDS,
    "used": board.BONUS_NAMES,
}
"""Fields that count cards or tiles, with the names of their kinds; ``OF_PLAYERS`` have a row for each player."""
REST_IN = ("pile", "discard", "hand", "spent")


# --- positions -------------------------------------------------------------------------------------------------------


class Position(Setting):
    """A position of Shitennō in the making."""

    def __init__(self, g: np.void) -> None:
        """Begin with an empty board and no cards in any hand."""
        super().__init__(g)
        g["round"] = 3
        g["seals"][: self.n_players] = range(c.N_TITLES, c.N_TITLES - self.n_players, -1)
        self.phase = "turn"
        self.player = 0
        """Who is on turn."""
        self.named_provinces: set[int] = set()
        self.kamon_left: dict[int, int] = {}
        """Kamon that a player has left, where an item says so."""
        self.piles: dict[str, np.ndarray] = {}
        """Cards of the troop pile and of the Koku pile, where items name them: int64[17]."""
        self.rest = {"troops": ["pile"], "koku": ["pile"]}
        """Where the cards are that no item names."""

    def give(self, field: str, item: str) -> None:
        """Add what an item says."""
        name, *words = item.split()
        if name in board.PROVINCE_NAMES:
            self.give_province(board.PROVINCE_NAMES.index(name), words)
        elif name in KINDS_IN:
            self.give_cards(name, *words)
        else:
            self.give_word(name, words)

    def give_province(self, prov: int, words: list[str]) -> None:
        """Put a tile on the stack of a province, and Kamon on its positions from the left, golden ones with a star."""
        top, *kamon = words
        if (top == "-") != (len(kamon) >= STACK):
            name = board.PROVINCE_NAMES[prov]
            raise ValueError(f"{name} {' '.join(words)}: must have - for the tile from {STACK} Kamon on, else a troop")
        self.named_provinces.add(prov)
        self.g["top"][prov] = c.NONE if top == "-" else number_of(board.TROOP_NAMES, top)
        for position, word in enumerate(kamon):
            self.g["owner"][prov, position] = int(word[0])
            self.g["golden"][prov, position] = word.endswith("*")

    def give_titles(self, *seals: str) -> None:
        """Give every player a title, by its seals."""
        self.g["seals"][: self.n_players] = [int(number) for number in seals]

    def give_turn(self, player: str) -> None:
        """Begin with the turn of a player."""
        self.player = int(player)

    def give_round(self, number: str) -> None:
        """Set the round."""
        self.g["round"] = int(number)

    def give_phase(self, name: str) -> None:
        """Begin with a new round, with a division whose pool is given, or with the last turn of the game over."""
        number_of(tuple(PHASES), name)
        self.phase = name
        if name == "scoring":
            self.rest["koku"] = ["spent"]

    def give_points(self, player: str, number: str) -> None:
        """Set a player's points."""
        self.g["points"][int(player)] = int(number)

    def give_kamon(self, player: str, number: str) -> None:
        """Leave a player so many Kamon; the others lie on provinces that no item names."""
        self.kamon_left[int(player)] = int(number)

    def give_cards(self, field: str, *words: str) -> None:
        """Add cards or tiles to a field; of one by player the first word is the player."""
        names, row = KINDS_IN[field], self.g[field]
        if field in OF_PLAYERS:
            row, words = row[int(words[0])], words[1:]
        row += counts_of(names, words).astype(np.uint8)

    def give_pile(self, *cards: str) -> None:
        """Name cards of the troop pile or the Koku pile, so that the rest of the cards may be elsewhere."""
        self.piles["pile"] = counts_of(board.KIND_NAMES, cards)

    def give_rest(self, cards: str, *place: str) -> None:
        """Say where the troop cards, or the Koku, are that no item names."""
        number_of(tuple(self.rest), cards)
        number_of(REST_IN, place[0])
        self.rest[cards] = list(place)

    # --- completing --------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Lay out Kamon, tiles and cards that no item has named, and begin the phase."""
        g = self.g
        self.lay_kamon()
        self.lay_tiles()
        self.lay_cards()
        if self.phase == "turn":
            g["phase"], g["rank"] = c.CONTROL, g["seals"][self.player] + 1
        else:
            lowest = g["seals"][: self.n_players].min()
            g["phase"], g["rank"] = PHASES[self.phase], 0 if self.phase == "round" else lowest
        Game.spec.position_format.fill(g)
        if self.phase == "division":
            g["n_left"], g["tile_free"], g["rank"] = self.n_players, 1, 0

    def lay_kamon(self) -> None:
        """Put the Kamon that are said to be used on unnamed provinces, the last ones first, three in each."""
        g = self.g
        free = [
            (prov, position)
            for prov in reversed(range(c.N_PROVINCES))
            if prov not in self.named_provinces
            for position in range(STACK)
        ]
        for player, left in self.kamon_left.items():
            missing = int(board.START_KAMON[self.n_players]) - left - np.count_nonzero(g["owner"] == player)
            if not 0 <= missing <= len(free):
                raise ValueError(f"kamon {player} {left}: {missing} Kamon do not fit on the provinces not named")
            for place in free[:missing]:
                g["owner"][place] = player
            del free[:missing]

    def lay_tiles(self) -> None:
        """Show the native troop on stacks that are not named, and choose which tiles have been turned."""
        g = self.g
        n_filled = (g["owner"] != c.NONE).sum(1)
        for prov in set(range(c.N_PROVINCES)) - self.named_provinces:
            g["top"][prov] = board.NATIVE[prov] if n_filled[prov] < STACK else c.NONE
        g["unturned"] = board.TILE_COPIES
        n_turned = int(np.minimum(n_filled, STACK).sum())
        bonuses = [int(bonus) for tiles in g["tiles"] for bonus in np.repeat(np.arange(c.N_BONUSES), tiles)]
        if len(bonuses) > n_turned:
            raise ValueError(
                f"{len(bonuses)} tiles are in front of players, but Kamon are only on {n_turned} positions that had "
                "one: name more Kamon"
            )
        for bonus in bonuses + [None] * (n_turned - len(bonuses)):
            self.turn_tile(bonus)

    def turn_tile(self, bonus: int | None) -> None:
        """Take a tile of a bonus, or any, out of those not yet turned: of the troop that can spare most."""
        g = self.g
        shown = np.bincount(g["top"][g["top"] != c.NONE], minlength=c.N_TROOPS)
        spare = (g["unturned"].sum(1) - shown)[:, None] * (g["unturned"] > 0)
        if bonus is not None:
            spare = spare * (np.arange(c.N_BONUSES) == bonus)
        if spare.max() <= 0:
            raise ValueError("the tiles in front of players and on the stacks are more than there are")
        choice = np.where(spare > 0, 3 * spare + g["unturned"], 0).argmax()  # where both copies are left, if possible
        g["unturned"][np.unravel_index(choice, spare.shape)] -= 1

    def lay_cards(self) -> None:
        """Put the cards that no item names where they belong."""
        g = self.g
        placed = g["hand"].sum(0, dtype=np.int64) + g["pool"] + np.concatenate([g["discard"], g["spent"]])
        left = board.COPIES - placed - self.piles.get("pile", 0)
        if left.min() < 0:
            raise ValueError(f"more than there are: {words_of(board.KIND_NAMES, np.maximum(0, -left))}")
        parts = {"troops": slice(0, c.N_TROOP_KINDS), "koku": slice(c.N_TROOP_KINDS, c.N_KINDS)}
        for name, part in parts.items():
            place, *player = self.rest[name]
            cards = left[part].astype(np.uint8)
            if place == "hand":
                g["hand"][int(player[0]), part] += cards
            elif place in ("discard", "spent"):
                g[place] += cards

    def later_chance(self, chance: Sequence[Outcome]) -> list[Outcome]:
        """Return outcomes for the pool of the next round: the first cards, by kind, that the piles then hold."""
        drawn = [value for kind, value in chance if kind in (c.LOG_DRAW, c.LOG_POOL_TROOP)]
        troops = self.g["pile"] - np.bincount(drawn, minlength=c.N_TROOP_KINDS)
        spent = [value for kind, value in chance if kind == c.LOG_POOL_KOKU]
        koku = self.g["koku_pile"] - np.bincount(spent, minlength=c.N_KOKU_KINDS)
        first_troops = np.repeat(np.arange(c.N_TROOP_KINDS), np.maximum(troops, 0))[: board.POOL_TROOPS[self.n_players]]
        first_koku = np.repeat(np.arange(c.N_KOKU_KINDS), np.maximum(koku, 0))[: board.POOL_KOKU[self.n_players]]
        return [
            *((c.LOG_POOL_TROOP, int(kind)) for kind in first_troops),
            *((c.LOG_POOL_KOKU, int(kind)) for kind in first_koku),
        ]


# --- chance ----------------------------------------------------------------------------------------------------------


def pool(words: list[str]) -> list[Outcome]:
    """Return the cards of a pool: troop cards, then Koku."""
    troops = [(c.LOG_POOL_TROOP, TROOP_KINDS.index(word)) for word in words if word not in KOKU_KINDS]
    return troops + [(c.LOG_POOL_KOKU, KOKU_KINDS.index(word)) for word in words if word in KOKU_KINDS]


def each(kind: int, names: Sequence[str]) -> Callable[[list[str]], list[Outcome]]:
    """Return the reader of outcomes of one kind, one per word."""
    return lambda words: [(kind, number_of(names, word)) for word in words]


CHANCE: dict[str, Callable[[list[str]], list[Outcome]]] = {
    "top": each(c.LOG_TOP, board.TROOP_NAMES),
    "deal": each(c.LOG_DEAL, TROOP_KINDS),
    "titles": each(c.LOG_TITLE, tuple(str(seals) for seals in range(1, c.N_TITLES + 1))),
    "pool": pool,
    "draw": each(c.LOG_DRAW, TROOP_KINDS),
    "bonus": each(c.LOG_BONUS, board.BONUS_NAMES),
}
"""Words with which items of ``chance`` begin."""


# --- how things stand ------------------------------------------------------------------------------------------------


def province_text(g: np.void, prov: int) -> str:
    """Return the troop on the stack of a province and the Kamon on its positions."""
    top = "-" if g["top"][prov] == c.NONE else board.TROOP_NAMES[g["top"][prov]]
    positions = zip(g["owner"][prov].tolist(), g["golden"][prov].tolist(), strict=True)
    return " ".join([top, *(f"{owner}{'*' * golden}" for owner, golden in positions if owner != c.NONE)])


def cards_text(field: str) -> Callable[[np.void, list[str]], str]:
    """Return the reader of how many of each kind are in a field, of one by player for the player named."""
    if field in OF_PLAYERS:
        return lambda g, words: f"{words[0]} {words_of(KINDS_IN[field], g[field][int(words[0])])}"
    return lambda g, words: words_of(KINDS_IN[field], g[field])


AFTER: dict[str, Callable[[np.void, list[str]], str]] = {
    "titles": lambda g, words: " ".join(map(str, g["seals"][: g["n_players"]])),
    "gained": lambda g, words: " ".join(map(str, g["gained"][: g["n_players"]])),
    "kamon": lambda g, words: f"{words[0]} {g['kamon'][int(words[0])]}",
    **{field: cards_text(field) for field in KINDS_IN},
    "pile": lambda g, words: words_of(board.KIND_NAMES, [*g["pile"], *g["koku_pile"]]),
    "unturned": lambda g, words: str(g["unturned"].sum()),
    "covered": lambda g, words: str(g["covered"].sum()),
}
"""Words with which items of ``after`` begin, besides provinces and the words of both games."""


# --- lines -----------------------------------------------------------------------------------------------------------

LINE_TYPES = ("lot", "answer", "divide", "pick", "take", "draw", "control", "sensei", "score", "result")
"""Types of which every line has to be named."""


VOCABULARY = Vocabulary(
    game=Game,
    setting=Position,
    setting_fields=("given",),
    chance=CHANCE,
    chance_of_setup=list,
    line_types=LINE_TYPES,
    after=AFTER,
    province=province_text,
    rows={"cards": board.KIND_NAMES, "provinces": board.PROVINCE_NAMES},
)
"""What the rule cases of Shitennō may say."""
