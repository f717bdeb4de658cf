"""What players of Shogun do, counted from the lines of a record: how they bid, plan, build, fight and starve."""

from collections.abc import Sequence

from shogun_env.spec.game_spec import Line
from shogun_env.spec.pages import Habits, Tally

BUILDINGS = {"build_castle": "castles", "build_temple": "temples", "build_no_theatre": "theatres"}
YEARS = (1, 2)
PER_GAME = (
    "chests paid for bids",
    *(f"{kind} built in year {year}" for year in YEARS for kind in BUILDINGS.values()),
    "attacks on players",
    "attacks on neutral provinces",
    "provinces lost to players",
    "revolts",
    "provinces laid waste by revolts",
    "rice short in winter",
    "actions skipped that could not be paid",
    "provinces at the end",
    "armies at the end",
    "chests left at the end",
    "points for provinces",
    "points for buildings",
    "points for majorities",
)
PER_OCCASION = (
    "bids of a province",
    "bids of chest 0",
    "plans with confiscated rice, with less rice than provinces",
    "plans with confiscated rice, with enough",
    "attacks on players that take the province",
    "games won by the sole leader after year 1",
    "games won by the others",
    "attacks suffered in year 2 by the sole leader after year 1",
    "attacks suffered in year 2 by the others",
)


class _Counter:
    """Goes through a record line by line; ``count_TYPE`` counts lines of a type."""

    def __init__(self, players: int) -> None:
        self.tally = Tally(players, PER_GAME, PER_OCCASION)
        self.players = range(players)
        self.year = 0
        self.state: Line = {}
        self.leader: int | None = None
        self.suffered = [0] * players

    def count_year(self, line: Line) -> None:
        self.year = line["year"]

    def count_plan(self, line: Line) -> None:
        player, bid = line["player"], line["bid"]
        self.tally.occasion("bids of a province", player, bid is not None and not bid.startswith("chest_"))
        self.tally.occasion("bids of chest 0", player, bid == "chest_0")
        card = line["confiscate_rice"]
        is_short = self.state["rice"][player] < self._provinces(player)
        need = "less rice than provinces" if is_short else "enough"
        has_card = card is not None and not card.startswith("chest_")
        self.tally.occasion(f"plans with confiscated rice, with {need}", player, has_card)

    def count_bids(self, line: Line) -> None:
        self.tally.add_all("chests paid for bids", line["paid"])

    def count_do(self, line: Line) -> None:
        player, result = line["player"], line["result"]
        if result == "built":
            self.tally.add(f"{BUILDINGS[line['action']]} built in year {self.year}", player)
        elif result == "skipped" and line["why"] == "cannot_pay":
            self.tally.add("actions skipped that could not be paid", player)
        elif result == "attacked":
            on = "neutral provinces" if line["defender"] is None else "players"
            self.tally.add(f"attacks on {on}", player)
            if line["defender"] is not None:
                self.suffered[line["defender"]] += 1

    def count_fight(self, line: Line) -> None:
        attacker, defender, outcome = line["attacker"], line["defender"], line["outcome"]
        if attacker is None:
            self.tally.add("revolts", defender)
            self.tally.add("provinces laid waste by revolts", defender, outcome != "defender")
        elif defender is not None:
            self.tally.occasion("attacks on players that take the province", attacker, outcome == "attacker")
            self.tally.add("provinces lost to players", defender, outcome != "defender")

    def count_winter(self, line: Line) -> None:
        self.tally.add_all("rice short in winter", line["short"])

    def count_score(self, line: Line) -> None:
        self.tally.add_all("points for provinces", line["provinces"])
        self.tally.add_all("points for buildings", line["buildings"])
        for kind in BUILDINGS.values():
            self.tally.add_all("points for majorities", line[kind])

    def count_state(self, line: Line) -> None:
        self.state = line
        if self.year == 1:  # the last such line of the year is that of its winter
            best = max(line["points"])
            self.leader = line["points"].index(best) if line["points"].count(best) == 1 else None
            self.suffered = [0] * len(self.players)

    def count_result(self, line: Line) -> None:
        armies = [0] * len(self.players)
        for owner, count, *_ in self.state["provinces"].values():
            if owner is not None:
                armies[owner] += count
        self.tally.add_all("armies at the end", armies)
        self.tally.add_all("provinces at the end", map(self._provinces, self.players))
        self.tally.add_all("chests left at the end", line["chests"])
        if self.leader is None:
            return
        for player in self.players:
            won = (player in line["winners"]) / len(line["winners"])
            whom = "sole leader after year 1" if player == self.leader else "others"
            self.tally.occasion(f"games won by the {whom}", player, won)
            self.tally.occasion(f"attacks suffered in year 2 by the {whom}", player, self.suffered[player])

    def _provinces(self, player: int) -> int:
        return sum(owner == player for owner, *_ in self.state["provinces"].values())


def habits(lines: Sequence[Line]) -> Habits:
    """Return what each player did in a game.

    Args: lines: the record of a game that is over, header first.
    """
    counter = _Counter(lines[0]["players"])
    for line in lines:
        getattr(counter, f"count_{line['t']}", lambda line: None)(line)
    return counter.tally.habits


def scorings(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Return the points of each player by year.

    Args: lines: the record of a game that is over, header first.
    """
    return {f"year {line['year']}": line["total"] for line in lines if line["t"] == "score"}
