"""Lines of a record in plain English (``RECORD.md``)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from shogun_env.shitenno.text.names import BONUSES, PROVINCES, TITLES, TITLES_BY_POINTS, TROOPS, kind_name
from shogun_env.spec.game_spec import Line
from shogun_env.spec.voice import Passage, Teller, Voice, article, counted, listed


def tell(lines: Sequence[Line], voice: Voice) -> Iterator[Passage]:
    """Tell what happened, line by line; ``RecordFormat.tell`` says how."""
    return _Story(lines, voice).passages()


def cards_text(cards: Sequence[str], *others: str) -> str:
    """Return cards in words, and other things after them.

    Example:
        >>> cards_text(["bushi", "bushi", "samurai_sohei", "koku_1", "koku_3"]), cards_text([])
        ('2 Bushi, a Samurai-Sōhei and Koku 1 + 3', 'no cards')
    """
    koku = [card.removeprefix("koku_") for card in cards if card.startswith("koku_")]
    troops = Counter(card for card in cards if not card.startswith("koku_"))
    items = [article(kind_name(kind)) if count == 1 else f"{count} {kind_name(kind)}" for kind, count in troops.items()]
    items += [f"Koku {' + '.join(koku)}"] if koku else []
    return listed([*items, *others]) or "no cards"


class _Story(Teller):
    """The lines of a game of Shitennō in words; a placement is told with the tile that is turned, and what it shows."""

    # --- set-up ------------------------------------------------------------------------------------------------------

    def tell_header(self, line: Line) -> str:
        return f"Shitennō for {line['players']} players." + self.who_plays(line)

    def tell_top(self, line: Line) -> Passage:
        tops = self.run("top")
        tiles = [f"{TROOPS[top['troop']]} in {PROVINCES[top['province']]}" for top in tops]
        return Passage(f"The top {'tiles show' if len(tops) > 1 else 'tile shows'} {listed(tiles)}.", None, len(tops))

    def tell_deal(self, line: Line) -> str:
        player, cards = line["player"], line["cards"]
        what = cards_text(cards) if self.voice.knows(player) else f"{len(cards)} troop cards"
        return f"{self.voice.does(player, 'be')} dealt {what}."

    def tell_titles(self, line: Line) -> str:
        order = sorted(range(len(line["seals"])), key=lambda player: -line["seals"][player])
        titles = [f"{self.voice.does(player, 'be')} {TITLES[line['seals'][player]]}" for player in order]
        return f"{listed(titles)}."

    # --- the even year -----------------------------------------------------------------------------------------------

    def tell_round(self, line: Line) -> str:
        return f"Round {line['round']} begins."

    def tell_pool(self, line: Line) -> str:
        again = " The discard was shuffled, as the pile of troops was empty." if line["reshuffled"] is not None else ""
        return f"The pool is {cards_text([*line['troops'], *line['koku']])}.{again}"

    def tell_lot(self, line: Line) -> str:
        return f"{self.voice.does(line['player'], 'offer')} a lot: {_lot(line)}."

    def tell_answer(self, line: Line) -> Passage:
        player, takes = line["player"], self.next_is(1, "take")
        if line["accepts"]:
            return Passage(f"{self.voice.does(player, 'accept')} the lot.", player, 2 if takes else 1)
        text = f"{self.voice.does(player, 'refuse')} the lot"
        if takes:
            text += f", and {self.voice.name(self.lines[self.at + 1]['player'])} must keep it"
        return Passage(f"{text}.", player, 2 if takes else 1)

    def tell_divide(self, line: Line) -> str:
        player = line["player"]
        return f"{self.voice.does(player, 'divide')} what is left. Lot A: {_lot(line['a'])}. Lot B: {_lot(line['b'])}."

    def tell_pick(self, line: Line) -> Passage:
        player = line["player"]
        takes = [after for after in self.lines[self.at + 1 : self.at + 3] if after["t"] == "take"]
        text = f"{self.voice.does(player, 'choose')} lot {line['lot'].upper()}"
        others = [f"{self.voice.does(take['player'], 'get')} {_lot(take)}" for take in takes]
        return Passage(f"{text}: {listed(others)}." if others else f"{text}.", player, 1 + len(takes))

    def tell_take(self, line: Line) -> str:
        return f"{self.voice.does(line['player'], 'take')} {_lot(line)}."

    # --- the odd year ------------------------------------------------------------------------------------------------

    def tell_turn(self, line: Line) -> str:
        return f"It is {self.voice.possessive(line['player'])} turn."

    def tell_draw(self, line: Line) -> str:
        player = line["player"]
        card = article(kind_name(line["card"])) if self.voice.knows(player) else "a troop card"
        again = " from the pile, for which the discard was shuffled" if line["reshuffled"] else ""
        return f"{self.voice.does(player, 'use')} a Draw tile and {self.voice.verb(player, 'draw')} {card}{again}."

    def tell_control(self, line: Line) -> Passage:
        player, n_lines = line["player"], 1
        others = ["the joker"] if line["joker"] else []
        for name, bonus in (("exchanges", "Exchange"), ("plus_ones", "+1")):
            if count := line[name]:
                others.append(article(f"{bonus} tile") if count == 1 else f"{count} {bonus} tiles")
        points = counted(line["points"], "point")
        if more := line["title_points"]:
            points += f" and {more} more as {TITLES_BY_POINTS[more]}"
        where = f"position {line['position']} of {PROVINCES[line['province']]}"
        text = f"{self.voice.does(player, 'place')} a Kamon on {where} for {points}"
        text += f", paid with {cards_text(line['cards'], *others)}."
        if self.next_is(n_lines, "bonus"):
            text += f" {self.tell_bonus(self.lines[self.at + n_lines])}"
            n_lines += 1
        if self.next_is(n_lines, "top"):
            text += f" The tile below it shows {TROOPS[self.lines[self.at + n_lines]['troop']]}."
            n_lines += 1
        return Passage(text, player, n_lines)

    def tell_bonus(self, line: Line) -> str:
        return f"{self.voice.does(line['player'], 'take')} the tile, which is {article(BONUSES[line['bonus']])}."

    def tell_end_turn(self, line: Line) -> str:
        return f"{self.voice.does(line['player'], 'end')} the turn."

    def tell_sensei(self, line: Line) -> str:
        player, where = line["player"], line["province"]
        what = "no Kamon" if where is None else f"a Kamon in {PROVINCES[where]} to its golden side"
        return f"As Sensei {self.voice.does(player, 'turn')} {what}."

    # --- the end -----------------------------------------------------------------------------------------------------

    def tell_score(self, line: Line) -> str:
        won = []
        for player, (koku, points) in enumerate(zip(line["koku"], line["majorities"], strict=True)):
            both = f"{counted(koku, 'point')} for Koku and {counted(points, 'point')} for majorities"
            won.append(f"{self.voice.does(player, 'get')} {both}")
        held = [
            f"{PROVINCES[name]} {self.voice.name(player)}"
            for name, player in line["holders"].items()
            if player is not None
        ]
        where = f" The majorities: {', '.join(held)}." if held else ""
        return f"At the end {'; '.join(won)}.{where}"

    def tell_state(self, line: Line) -> str:
        rows = []
        for player, points in enumerate(line["points"]):
            both = f"{counted(points, 'point')} and {line['kamon'][player] or 'no'} Kamon left"
            rows.append(f"{self.voice.does(player, 'have')} {both}")
        return f"The standing: {'; '.join(rows)}."

    def tell_result(self, line: Line) -> Passage:
        winner, points = line["winner"], line["points"]
        order = sorted(range(len(points)), key=lambda p: (-points[p], -line["seals"][p]))
        ends = [f"{self.voice.name(p)} {counted(points[p], 'point')} ({TITLES[line['seals'][p]]})" for p in order]
        return Passage(f"{self.voice.does(winner, 'win')}. The end: {', '.join(ends)}.", winner)


def _lot(line: Line) -> str:
    """Return the cards and the title of a lot in words."""
    return f"{cards_text(line['cards'])} with the title of the {TITLES[line['seals']]}"
