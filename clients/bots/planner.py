"""A bot that plans a little: exec:python clients/bots/planner.py. The protocol is in docs/protocol.md.

In Shogun it makes a whole plan when it is asked for its first card, from what its provinces have, and then plays it
card by card. In Shitennō it places Kamon whenever it can. Elsewhere it plays at random.
"""

import json
import sys

GREEDY = ("_by_troops", "_by_koku")
"""Parts of names of actions that come first in Shitennō: placements on provinces."""
plans: dict[int, list[int]] = {}  # of each game: the cards still to be laid, in the order of the spaces


def plan(fields: dict[str, list[int]], actions: list[str]) -> list[int]:
    """Return a card for every space after the bid: provinces are given as their action, 1 and up, and 0 for none."""
    own = [place for place, owner in enumerate(fields["owner_self"]) if owner and not fields["planned"][place]]

    def take(worth) -> int:
        """Return the province that is worth most for a space, and use it up."""
        if not own:
            return actions.index("chest_0")
        best = max(own, key=worth)
        own.remove(best)
        return 1 + best

    def sites(place: int) -> int:
        """Return how many buildings a province has room for."""
        built = fields["castle"][place] + fields["temple"][place] + fields["no_theatre"][place]
        return fields["sites"][place] - built

    spaces = {
        8: lambda place: fields["armies"][place],  # attack from where most armies are
        9: lambda place: fields["armies"][place],
        0: sites,
        1: sites,
        2: sites,
        3: lambda place: fields["rice"][place] - 3 * fields["revolts"][place],
        4: lambda place: fields["tax"][place] - 3 * fields["revolts"][place],
        5: lambda place: -fields["armies"][place],  # new armies where few are
        6: lambda place: -fields["armies"][place],
        7: lambda place: -fields["armies"][place],
    }
    chosen = {space: take(worth) for space, worth in spaces.items()}
    return [chosen[space] for space in range(10)]


def choose(message: dict, actions: list[str]) -> int:
    """Return the number of a legal action."""
    legal, game = message["legal"], message["game"]
    if message["phase"] == "plan" and not any(message["fields"]["own_card"]):
        plans[game] = plan(message["fields"], actions)
        return actions.index("chest_1") if actions.index("chest_1") in legal else legal[0]
    if message["phase"] == "plan" and plans.get(game):
        card = plans[game].pop(0)
        return card if card in legal else legal[0]
    if message["phase"] == "number":
        return legal[-1]  # as many armies as may go
    for part in GREEDY:
        for action in legal:
            if part in actions[action]:
                return action
    return legal[message["random"] * len(legal) >> 32]


def main() -> None:
    """Answer line by line."""
    actions: list[str] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "hello":
            actions = message["actions"]
            answer = {"t": "hello", "protocol": 1, "name": "planner", "wants": ["fields"]}
        elif message["t"] == "decide":
            answer = {"id": message["id"], "action": choose(message, actions)}
        else:
            plans.pop(message["game"], None)
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
