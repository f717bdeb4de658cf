"""Strict auditor of game records: every line must be what the rules make of the decisions and the chance in them."""

from ..auditor import AuditError, Auditor
from ..chance import Chance
from ..game import Line
from . import board
from .oracle import OracleGame
from .outcomes import chance_of
from .payment import Items


class Audit(Auditor):
    """Reads the decisions of Shitenno."""

    game: OracleGame

    def start(self) -> OracleGame:
        """Set the game up."""
        return OracleGame(players=self.lines[0]["players"], chance=Chance(chance_of(self.lines)))

    def line_of(self, player: int, *kinds: str) -> tuple[int, Line]:
        """Line of the player who decides."""
        number, line = self.next_line(*kinds)
        self.check_player(number, line, player)
        return number, line

    def read_lot(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Next card of a lot, or its tile."""
        number, line = self.line_of(player, "lot")
        return number, self.next_of_lot(line)

    def next_of_lot(self, lot: Line) -> int:
        """Action that goes on with a lot."""
        done = len(self.game.table.lot)
        if done < len(lot["cards"]):
            return board.add_action(lot["cards"][done])
        return board.tile_action(lot["seals"])

    def read_divide(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Next card of lot A, its tile, or the tile of lot B."""
        number, line = self.line_of(player, "divide")
        if self.game.table.lot_seals:
            return number, board.tile_action(line["b"]["seals"])
        return number, self.next_of_lot(line["a"])

    def read_answer(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Accept or refuse."""
        number, line = self.line_of(player, "answer")
        return number, board.ACCEPT if line["accepts"] else board.REFUSE

    def read_choose(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Lot A or B."""
        number, line = self.line_of(player, "pick")
        return number, board.PICK_A if line["lot"] == "a" else board.PICK_B

    def read_turn(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Draw, place, or end the turn."""
        number, line = self.line_of(player, "draw", "control", "end_turn")
        if line["t"] == "control":
            return number, board.control_action(line["province"], line["by"])
        return number, board.USE_DRAW_TILE if line["t"] == "draw" else board.END_TURN

    def read_pay(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Next item of a payment."""
        number, line = self.line_of(player, "control")
        items = Items(int(line["joker"]), min(line["exchanges"], 99), min(line["plus_ones"], 99), tuple(line["cards"]))
        done = len(self.game.table.paid)
        if done == len(items.actions()):
            raise AuditError(number, "the payment does not suffice")
        return number, items.actions()[done]

    def read_sensei(self, player: int, legal: list[int]) -> tuple[int, int]:
        """Province where a Kamon is turned, or none."""
        number, line = self.line_of(player, "sensei")
        return number, board.SENSEI_SKIP if line["province"] is None else board.flip_action(line["province"])
