"""Strict auditor of game records: every line must be what the rules make of the decisions and the chance in them."""

from ..auditor import AuditError, Auditor
from ..chance import Chance
from ..game import Line
from . import board
from .oracle import OracleGame
from .outcomes import chance_of, seats_of


def check_places(lines: list[Line]) -> None:
    """Check the `place` lines, which may stand in any order (rules 2)."""
    header = lines[0]
    if header["start"] == "draft":
        return
    players = range(header["players"])
    sizes = {player: board.groups(header["players"]) for player in players}
    free = board.provinces_in_play(header["side"], header["players"])
    for number in range(2, 2 + sum(map(len, sizes.values()))):
        line = lines[number - 1] if number <= len(lines) else {"t": "end of the record"}
        if line["t"] != "place":
            raise AuditError(number, f"is {line['t']}, must be place")
        player, name, armies = line["player"], line["province"], line["armies"]
        if player not in players or name not in free or armies not in sizes[player]:
            raise AuditError(number, f"{armies} armies of player {player} cannot start in {name}")
        if header["start"] == "preset" and not fits_table(lines[:number], line):
            raise AuditError(number, f"{armies} armies of player {player} in {name} are not in the start table")
        free.remove(name)
        sizes[player].remove(armies)


def fits_table(lines: list[Line], line: Line) -> bool:
    """Return whether a `place` line fits its player's row, and no row has two players (rules 2)."""
    header, player = lines[0], line["player"]
    rows = board.start_rows(header["players"])
    mine = seats_of(header, [one for one in lines if one["t"] == "place" and one["player"] == player])
    others = seats_of(header, [one for one in lines if one["t"] == "place" and one["player"] != player])
    if not mine or mine[0] in others or (not header["options"]["shuffle_seats"] and mine[0] != player):
        return False
    return rows[mine[0]].get(line["province"]) == line["armies"]


class Audit(Auditor):
    """Reads the decisions of Shogun."""

    game: OracleGame
    free = ("place",)

    def start(self) -> OracleGame:
        """Check the starting provinces and set the game up."""
        check_places(self.lines)
        header, chance = self.lines[0], Chance(chance_of(self.lines))
        names = ("players", "side", "start")
        return OracleGame(**{name: header[name] for name in names}, **header["options"], chance=chance)

    def read_draft(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Card taken, or both buried."""
        number, line = self.next_line("draft", "bury")
        self.check_player(number, line, player)
        if line["t"] == "bury":
            return number, board.BURY
        return number, board.TOP_OF_DECK if line["from"] == "deck" else board.province_action(line["province"])

    def read_group(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Army group put on the card."""
        number, line = self.next_line("draft")
        return number, board.number_action(line["armies"])

    def read_plan(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Card on the space that is being filled; all plans are checked first, in the record's order."""
        table = self.game.table
        if table.space == "bid":
            for other in range(player + 1):
                self.check_plan(other)
        number = self.compared + 2 + player
        return number, board.card_action(self.lines[number - 1][table.space])

    def check_plan(self, player: int) -> None:
        """Check a `plan` line by itself: own cards, each once, payable bid, as many empty as lacking (rules 3.3)."""
        table, number = self.game.table, self.compared + 2 + player
        line = self.lines[number - 1] if number <= len(self.lines) else {"t": "end of the record"}
        if line["t"] != "plan" or line["player"] != player:
            raise AuditError(number, f"must be the plan of player {player}")
        cards = [line[space] for space in board.SPACES if line[space] is not None]
        own = [*table.provinces_of(player), *board.CHEST_CARDS]
        if len(set(cards)) < len(cards) or not set(cards) <= set(own):
            raise AuditError(number, "a card twice, or of another player")
        if board.CHEST_CARDS.get(line["bid"], 0) > table.chests[player]:
            raise AuditError(number, "the player cannot pay the bid")
        if len(cards) != min(len(own), len(board.SPACES)):
            raise AuditError(number, "wrong number of empty spaces")

    def read_special(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Special card taken."""
        number, line = self.next_line("special")
        self.check_player(number, line, player)
        return number, board.FIRST_SPECIAL - 1 + line["position"]

    def read_do(self, player: int) -> tuple[int, Line]:
        """Line that tells how the player carried the running action out."""
        number, line = self.next_line("do")
        self.check_player(number, line, player)
        if line["action"] != self.game.table.action:
            raise AuditError(number, f"is of {line['action']}, but {self.game.table.action} is running")
        return number, line

    def read_target(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Where armies move, or that they stay."""
        number, line = self.read_do(player)
        if line.get("why") == "declined" or ("to" in line and line["to"] is None):
            return number, board.NONE
        if "to" not in line:
            raise AuditError(number, f"is {line['result']}, but a move is possible")
        return number, board.province_action(line["to"])

    def read_number(self, player: int, legal: list[int]) -> tuple[int, int]:
        """How many armies move."""
        number, line = self.read_do(player)
        return number, board.number_action(line["armies_moved"] if "armies_moved" in line else line["armies"])

    def read_order(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Which province revolts next."""
        number, line = self.next_line("famine")
        done = len(line["drawn"]) - len(legal)
        if len(line["order"]) != len(line["drawn"]):
            raise AuditError(number, "order and drawn differ in length")
        return number, board.province_action(line["order"][done])
