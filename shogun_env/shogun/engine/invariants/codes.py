"""The conditions that a valid state fulfils: a code for each, and what it means.

VALID is 0, so that checks are chained with ``or``: the code of the first condition that fails is the result.
"""

from __future__ import annotations

(
    VALID, BAD_CUBES, BAD_SUPPLY, BAD_SCRATCH, BAD_OWNER, BAD_OUT_OF_PLAY, BAD_COUNT, BAD_BUILDING, BAD_BOX,
    BAD_MARKERS, BAD_TRACKS, BAD_ACTIONS, BAD_SPECIALS, BAD_TURN_ORDER, BAD_EVENTS, BAD_PLAN, BAD_HAND, BAD_PHASE,
    BAD_DRAFT, BAD_RANGE, BAD_DECISION, BAD_SHOWN, BAD_WINTER, BAD_ABSENT,
) = range(24)  # fmt: skip

CHECKS = {
    BAD_CUBES: "cubes of a colour do not add up to 62 (farmers 20)",
    BAD_SUPPLY: "a supply or the tray holds more cubes than there are",
    BAD_SCRATCH: "cubes are still falling, or rest on a floor that the tower does not have",
    BAD_OWNER: "an owned province has no armies, or a neutral one has",
    BAD_OUT_OF_PLAY: "a province out of play is owned or marked",
    BAD_COUNT: "the number of provinces owned is wrong",
    BAD_BUILDING: "more buildings than sites, or buildings in a neutral province",
    BAD_BOX: "buildings on the board and in the box do not add up",
    BAD_MARKERS: "revolt markers in a neutral province, or more than six",
    BAD_TRACKS: "chests, rice or points are negative or larger than any game can make them",
    BAD_ACTIONS: "an action card lies on two positions, or a position to be seen is face down",
    BAD_SPECIALS: "the specials are not a permutation",
    BAD_TURN_ORDER: "bids, holders, positions and the player on turn do not fit",
    BAD_EVENTS: "event cards of the year, used ones and the event in force do not fit the time of year",
    BAD_PLAN: "a card lies on two spaces, a province card is not its owner's, or a bid cannot be paid",
    BAD_HAND: "hand, plan and counts of cards do not fit",
    BAD_PHASE: "a field is set that the phase does not know, or the decider is wrong",
    BAD_DRAFT: "the draft's cards, groups or turns do not fit",
    BAD_RANGE: "a number is not one that its field can hold",
    BAD_DECISION: "a decision with fewer than two legal actions is put to a player",
    BAD_SHOWN: "a card is shown that was not played, or one that was shown lies hidden elsewhere",
    BAD_WINTER: "rice that is short, provinces drawn and their order do not fit",
    BAD_ABSENT: "the row of a player who does not play is used",
}
