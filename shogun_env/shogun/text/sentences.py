"""Lines of a record in plain English (``RECORD.md``)."""

from collections.abc import Iterator, Mapping, Sequence

from shogun_env.shogun import board
from shogun_env.shogun.text.names import ACTIONS, BUILDINGS, EVENTS, SPECIALS, STARTS, at_province
from shogun_env.spec.game_spec import Line
from shogun_env.spec.voice import Passage, Teller, Voice, article, counted, listed

_PLACES = ("first", "second", "third", "fourth", "fifth")
_POINTS_FOR = ("provinces", "buildings", "castles", "temples", "theatres")


def tell(lines: Sequence[Line], voice: Voice) -> Iterator[Passage]:
    """Tell what happened, line by line; ``RecordFormat.tell`` says how."""
    return _Story(lines, voice).passages()


class _Story(Teller):
    """The lines of a game of Shogun in words; an attack or revolt, its throw and its fight are told in one."""

    actions: Sequence[str] = tuple(ACTIONS)
    """The actions in play, as far as they are known."""
    n_actions: int | None = None
    """How many actions of the round have begun, None before the first round that is told."""
    bids: Mapping[int, str] = {}
    """The cards bid in the round, in words, as far as the plans are among the lines."""

    # --- set-up ------------------------------------------------------------------------------------------------------

    def tell_header(self, line: Line) -> str:
        if line["side"] in board.SHIKOKU["sizes"]:
            self.actions = board.SHIKOKU["sizes"][line["side"]]["actions"]
            text = f"Shikoku for {line['players']} players, {line['side']} game."
        else:
            text = f"Shogun for {line['players']} players, {line['side']} side, with {STARTS[line['start']]}."
        return text + self.who_plays(line)

    def tell_place(self, line: Line) -> Passage:
        player = line["player"]
        places = self.run("place", player=player)
        first, *rest = ((place["province"], place["armies"]) for place in places)
        where = [f"{_armies(first[1])} in {first[0]}", *(f"{armies} in {name}" for name, armies in rest)]
        return Passage(f"{self.voice.does(player, 'begin')} with {listed(where)}.", player, len(places))

    def tell_draft(self, line: Line) -> str:
        player, others = line["player"], [name for name in line["open"] if name != line["province"]]
        armies = _armies(line["armies"])
        if line["from"] == "deck":
            what = f"the top card of the deck, {line['province']},"
            instead = f", and not {listed(others, 'or')}" if others else ""
        else:
            what, instead = line["province"], f", and not {others[0]}" if others else ""
        return f"{self.voice.does(player, 'take')} {what} and {self.voice.verb(player, 'put')} {armies} there{instead}."

    def tell_bury(self, line: Line) -> str:
        return f"{self.voice.does(line['player'], 'put')} the open cards, {listed(line['provinces'])}, under the deck."

    def tell_throw(self, line: Line) -> str | Passage:
        if self.next_is(1, "fight"):
            return Passage(self._fight(line, self.lines[self.at + 1]), None, 2)
        cubes = listed([self._cubes(colour, count) for colour, count in line["tray"].items()])
        if line["why"] == "fill":
            return f"The tower is filled: {f'{cubes} fall' if cubes else 'nothing falls'} out, back to the supplies."
        return f"The tower is used: {f'{cubes} lie' if cubes else 'nothing lies'} in its tray."

    # --- a round -----------------------------------------------------------------------------------------------------

    def tell_year(self, line: Line) -> str:
        events = "; ".join(f"{EVENTS[card['event']]} ({card['rice_loss']} rice)" for card in line["events"])
        rule = "One of its events comes in each season, and the one left over costs rice in winter"
        return f"Year {line['year']} begins. {rule}: {events}."

    def tell_round(self, line: Line) -> str:
        self.n_actions, self.bids = 0, {}
        return f"{line['season'].capitalize()} of year {line['year']} begins."

    def tell_actions(self, line: Line) -> str:
        actions = [ACTIONS[name] for name in line["open"]]
        what = "The first five actions are" if len(actions) > 1 else "The first action is"
        return f"{what}: {listed(actions)}."

    def tell_open(self, line: Line) -> str:
        return f"Action {line['position']} will be: {ACTIONS[line['action']]}."

    def tell_specials(self, line: Line) -> str:
        order = ", ".join(f"{SPECIALS[name]} {place}" for name, place in zip(line["order"], _PLACES, strict=False))
        return f"The specials, each with a place in the turn order: {order}."

    def tell_plan(self, line: Line) -> str:
        player = line["player"]
        self.bids = {**self.bids, player: _card(line["bid"]) if line["bid"] else "no card"}
        if not self.voice.knows(player):
            return f"{self.voice.does(player, 'make')} a plan, face down."
        cards = {name: line[name] for name in self.actions}
        carried_out = {name: card for name, card in cards.items() if card is not None and not _chest(card)}
        doing = [f"{ACTIONS[name]} {at_province(name, card)}" for name, card in carried_out.items()]
        bluff = [f"{ACTIONS[name]} ({_card(card)})" for name, card in cards.items() if _chest(card)]
        empty = [ACTIONS[name] for name, card in cards.items() if card is None]
        planned = f"{self.voice.verb(player, 'plan')} to {listed(doing) or 'do nothing'}"
        text = f"{self.voice.does(player, 'bid')} {_card(line['bid'])} and {planned}."
        text += f" Not carried out: {listed(bluff)}." if bluff else ""
        text += f" Without a card: {listed(empty)}." if empty else ""
        return text

    def tell_event(self, line: Line) -> str:
        return f"The event of the season: {EVENTS[line['event']]}."

    def tell_bids(self, line: Line) -> str:
        shown = [self.bids.get(player) or _chests(line["paid"][player]) for player in line["order"]]
        bids = [f"{self.voice.name(player)} with {bid}" for player, bid in zip(line["order"], shown, strict=True)]
        return f"The bids, best first: {listed(bids)}."

    def tell_special(self, line: Line) -> str:
        player, special = line["player"], SPECIALS[line["special"]]
        return f"{self.voice.does(player, 'take')} place {line['position']} in the turn order, with {special}."

    def tell_action(self, line: Line) -> str:
        number = ""
        if self.n_actions is not None:
            self.n_actions += 1
            number = f" {self.n_actions}"
        return f"Action{number}: {ACTIONS[line['action']]}."

    # --- what a player does ------------------------------------------------------------------------------------------

    def tell_do(self, line: Line) -> str | Passage:
        text = getattr(self, f"_{line['result']}")(line)
        if not (self.next_is(1, "throw") and self.next_is(2, "fight")):
            return f"{text}."
        throw, fight = self.lines[self.at + 1 : self.at + 3]
        return Passage(f"{text}. {self._fight(throw, fight)}", line["player"], 3)

    def _built(self, line: Line) -> str:
        built = article(BUILDINGS[line["action"]])
        return f"{self.voice.does(line['player'], 'build')} {built} in {line['province']} for {_chests(line['paid'])}"

    def _collected(self, line: Line) -> str:
        taxes = line["action"] == "collect_taxes"
        amount = _chests(line["amount"]) if taxes else f"{line['amount'] or 'no'} rice"
        text = f"{self.voice.does(line['player'], 'collect' if taxes else 'confiscate')} {amount} in {line['province']}"
        if line["unrest"] == "revolt":
            return f"{text}, where there is unrest already: the farmers revolt"
        return f"{text}, which gets a revolt marker"

    def _deployed(self, line: Line) -> str:
        player, armies = line["player"], _armies(line["armies"])
        text = f"{self.voice.does(player, 'deploy')} {armies} in {line['province']} for {_chests(line['paid'])}"
        if line.get("to") is None:
            return text
        return f"{text} and {self.voice.verb(player, 'move')} {_armies(line['armies_moved'])} on to {line['to']}"

    def _moved(self, line: Line) -> str:
        armies = _armies(line["armies"])
        return f"{self.voice.does(line['player'], 'move')} {armies} from {line['province']} to {line['to']}"

    def _attacked(self, line: Line) -> str:
        bonus, defender = line["bonus"], line["defender"]
        armies = _armies(line["armies"])
        armies += f" and {bonus['attacker']} from the supply" if bonus["attacker"] else ""
        target = line["to"] if defender is not None else f"neutral {line['to']}"
        text = f"{self.voice.does(line['player'], 'attack')} {target} from {line['province']} with {armies}"
        if defender is None:
            farmers = bonus["farmers"]
            return f"{text}; {counted(farmers, 'farmer')} {'stands' if farmers == 1 else 'stand'} against them"
        if bonus["defender"]:
            return f"{text}; {self.voice.does(defender, 'get')} {bonus['defender']} more from the supply"
        return text

    def _skipped(self, line: Line) -> str:
        player, act, where = line["player"], line["action"], line["province"]
        doing = "move or attack" if act.startswith("battle") else ACTIONS[act]
        cannot = f"{self.voice.name(player)} cannot {doing} {at_province(act, where)}"
        built = BUILDINGS.get(act, "building")
        return {
            "no_card": f"{self.voice.does(player, 'do')} nothing, having no province card on it",
            "cannot_pay": f"{cannot}: there are too few chests",
            "no_site": f"{cannot}: no building site is free there",
            "kind_present": f"{cannot}: {article(built)} stands there already",
            "none_left": f"{cannot}: no {built} is left",
            "supply_short": f"{cannot}: too few armies are left in the supply",
            "too_few_armies": f"{cannot}: too few armies stand there",
            "no_target": f"{cannot}: there is nowhere to go",
            "declined": f"{self.voice.does(player, 'send')} no armies from {where}",
        }[line["why"]]

    # --- fights ------------------------------------------------------------------------------------------------------

    def _cubes(self, colour: str, count: int) -> str:
        """Return cubes of a colour in words."""
        if colour == "farmers":
            return "a farmer" if count == 1 else f"{count or 'no'} farmers"
        return f"{count or 'none'} of {self.voice.theirs(int(colour))}"

    def _fight(self, throw: Line, fight: Line) -> str:
        """Return what the tower gives back in a fight, and what comes of it."""
        attacker, defender, farmers = fight["attacker"], fight["defender"], fight["tray_farmers"]
        where = fight["province"]
        cubes = [] if attacker is None else [self._cubes(str(attacker), fight["tray_attacker"])]
        cubes += [] if defender is None else [self._cubes(str(defender), fight["tray_defender"])]
        if farmers or defender is None or attacker is None:
            cubes.append(self._cubes("farmers", farmers) + self._side(attacker, defender, farmers, fight["farmers_in"]))
        begin = f"Farmers revolt in {where}. " if throw["why"] == "winter_revolt" else ""
        return f"{begin}The tower gives back {listed(cubes)}: {self._outcome(fight)}."

    def _side(self, attacker: int | None, defender: int | None, farmers: int, are_in: bool) -> str:
        """Return on whose side farmers are who came out of the tower in a battle between players."""
        if attacker is None or defender is None:
            return ""
        if not are_in:
            return ", who " + ("stays" if farmers == 1 else "stay") + " out of it for the revolt marker"
        return f", who {'helps' if farmers == 1 else 'help'} {self.voice.name(defender)}"

    def _outcome(self, fight: Line) -> str:
        """Return what comes of a fight."""
        where, attacker, defender, remaining = (fight[key] for key in ("province", "attacker", "defender", "remaining"))
        if fight["outcome"] == "attacker" and attacker is not None:
            return f"{self.voice.does(attacker, 'take')} {where} with {remaining}"
        if fight["outcome"] == "defender" and defender is not None:
            return f"{self.voice.does(defender, 'hold')} {where} with {remaining}"
        if defender is None:
            return f"{where} stays neutral"
        return f"{self.voice.does(defender, 'lose')} {where}, which is bare and neutral now"

    def tell_fight(self, line: Line) -> str:
        """Tell about a fight whose throw is missing, as the lines begin with it."""
        return f"In {line['province']} there was a fight: {self._outcome(line)}."

    # --- winter and end ----------------------------------------------------------------------------------------------

    def tell_winter(self, line: Line) -> str:
        short = [f"{self.voice.does(player, 'be')} {rice} short" for player, rice in enumerate(line["short"]) if rice]
        loss = f"everybody loses {line['rice_loss']} rice" if line["rice_loss"] else "nobody loses any rice"
        need = f"Each province needs 1: {listed(short)}." if short else "Everybody has enough for their provinces."
        return f"Winter of year {line['year']}: {loss}. {need}"

    def tell_famine(self, line: Line) -> str:
        player, count = line["player"], len(line["order"])
        those = f"{counted(count, 'province')} of {self.voice.theirs(player)} {'revolts' if count == 1 else 'revolt'}"
        return f"For want of rice {those}: {listed(line['order'])}."

    def tell_score(self, line: Line) -> str:
        rows = []
        for player, total in enumerate(line["total"]):
            parts = [f"{line[name][player]} for {name}" for name in _POINTS_FOR if line[name][player]]
            what_for = f" ({', '.join(parts)})" if parts else ""
            rows.append(f"{self.voice.does(player, 'score')} {counted(total, 'point')}{what_for}")
        return f"At the end of year {line['year']} {'; '.join(rows)}."

    def tell_state(self, line: Line) -> str:
        rows = []
        for player, points in enumerate(line["points"]):
            armies = [place[1] for place in line["provinces"].values() if place[0] == player]
            land = f"{counted(len(armies), 'province')} with {_armies(sum(armies))}"
            rice = f"{line['rice'][player] or 'no'} rice"
            goods = f"{_chests(line['chests'][player])}, {rice} and {counted(points, 'point')}"
            rows.append(f"{self.voice.does(player, 'have')} {land}, {goods}")
        return f"The standing: {'; '.join(rows)}."

    def tell_result(self, line: Line) -> str | Passage:
        names = [self.voice.name(player) for player in line["winners"]]
        alone = line["winners"][0] if len(names) == 1 else None
        won = f"{listed(names)} share the win" if alone is None else self.voice.does(alone, "win")
        order = sorted(range(len(line["points"])), key=lambda p: (-line["points"][p], -line["chests"][p]))
        ends = [
            f"{self.voice.name(p)} {counted(line['points'][p], 'point')} and {_chests(line['chests'][p])}"
            for p in order
        ]
        return Passage(f"{won}. The end: {', '.join(ends)}.", alone)


def _armies(number: int) -> str:
    return counted(number, "army", "armies")


def _chests(number: int) -> str:
    return counted(number, "chest")


def _chest(card: str | None) -> bool:
    return card is not None and card.startswith("chest_")


def _card(card: str | None) -> str:
    """Return a card in words."""
    if card is None:
        return "nothing"
    return f"chest card {card.removeprefix('chest_')}" if _chest(card) else f"the card of {card}"
