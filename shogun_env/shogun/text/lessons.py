"""What a newcomer to Shogun is told at the first meeting of each kind of decision and event."""

from __future__ import annotations

from shogun_env.shogun.text.kinds import SKIP_NAMES
from shogun_env.shogun.text.names import ACTIONS, SPECIALS
from shogun_env.spec.pages import Lesson

LESSONS = (
    Lesson(
        title="What the game is about",
        text="You own the provinces in which your armies stand. Season by season you plan in secret what they do: "
        "collect, build, deploy, attack. Points are counted in each winter.",
        advice="Look for neutral neighbours, which are easy to take, and for a region in which you already own much: "
        "buildings of a kind count together there.",
        rule="Two years",
        words=("points", "region", "neutral"),
    ),
    Lesson(
        title="Draft: where you begin",
        text="Take one of the two open cards, or the unknown card on top of the deck: the province becomes yours.",
        advice="Provinces side by side protect each other, and in one region your buildings count together. "
        "Those at the edge of the map have fewer neighbours.",
        rule="**Start.**",
        words=("region",),
        phases=("draft_card",),
    ),
    Lesson(
        title="Draft: how many armies",
        text="Choose which of your groups of armies begins in the province. Each group is used once.",
        advice="Large groups belong where others can reach you, and where you want to attack first.",
        rule="**Start.**",
        phases=("draft_group",),
    ),
    Lesson(
        title="Planning a season",
        text="All plan at once, in secret. Choose a space, then the card of the province that is to carry it out. "
        "Spaces are in the order of play; where a question mark stands, nobody knows it yet.",
        advice="Give taxes and rice the provinces that bring most, each once a year: the second time farmers revolt. "
        "Plan only what you can pay by then, as the rest is lost. Chest cards fill what you do not need.",
        rule="2. **Plan**",
        words=("bid", "chests", "rice", "revolt"),
        phases=("plan",),
    ),
    Lesson(
        title="The event of the season",
        text="One of the year's four events has been drawn, and holds for everybody in this season.",
        advice="The one that is never drawn costs rice in winter: the number next to each says how much, so keep rice "
        "for the dearest that may be left over.",
        rule="3. One of the year's",
        words=("rice",),
        lines=("event",),
        named="event",
    ),
    Lesson(
        title="Bids",
        text="The bids are open, and the chest cards among them are paid. In this order all take a special.",
        advice="A high bid is worth its chests when a privilege or an early turn helps the plan. Otherwise bid the "
        "card of a province that has nothing to do: it costs nothing.",
        rule="4. **Bids**",
        words=("bid",),
        lines=("bids",),
    ),
    Lesson(
        title="Taking a special",
        text="Choose a special that is left: its position is your place in the turn order, its privilege is yours.",
        advice="Take a privilege that your plan uses. An early place is good before an attack or the last free site; "
        "a late one shows you what the others have done.",
        rule="4. **Bids**",
        words=tuple(SPECIALS),
        phases=("special",),
    ),
    Lesson(
        title="The actions",
        text="The plans are carried out: one action after the other, each by all players in turn order.",
        advice="Watch who comes before you. A province taken from you carries out nothing any more, and chests spent "
        "on one action are missing for the next.",
        rule="5. **Actions**",
        lines=("action",),
    ),
    Lesson(
        title="Where to march",
        text="A card of yours lets armies leave its province. To a neighbour of your own they move; anybody else's, "
        "or a neutral one, they attack.",
        advice="Attack where you have clearly more than stand there, as the tower keeps some cubes. A neutral "
        "province is the safest gain; one of a leader costs them points too.",
        rule="| battle/move",
        words=("neutral", "farmers", "tower"),
        phases=("target",),
    ),
    Lesson(
        title="How many go",
        text="Choose how many armies march. At least one has to stay.",
        advice="Every army makes the fight surer, and what is left over holds the new province. Keep more at home only "
        "if a neighbour still has an attack.",
        rule="| battle/move",
        words=("supply",),
        phases=("number",),
    ),
    Lesson(
        title="A battle",
        text="The cubes of both sides went into the tower with those of the tray. What came out has fought, one "
        "against one, and the rest holds the province.",
        advice="Cubes that stuck come out in a later fight, for whoever owns them. The table counts how many of yours "
        "are inside: many make your next attack stronger.",
        rule="**Fights.**",
        words=("tower", "tray", "farmers"),
        lines=("throw battle",),
    ),
    Lesson(
        title="A revolt",
        text="A province with a revolt marker had to give again, and its farmers rose: they fight its armies by way "
        "of the tower.",
        advice="Take rice or taxes from each province only once a year, or first put more armies there than it has "
        "markers.",
        rule="**Fights.**",
        words=("revolt", "farmers"),
        lines=("throw revolt",),
    ),
    Lesson(
        title="A card without effect",
        text="One of your actions could not be carried out. What has happened says why; the card is spent, and "
        "nothing was paid.",
        advice="The order of play decides: chests that come late cannot pay what comes first, and a site can be "
        "taken before your turn.",
        rule="5. **Actions**",
        lines=tuple(f"do {why}" for why in SKIP_NAMES if why not in ("no_card", "declined")),
        own=True,
    ),
    Lesson(
        title="Winter",
        text="Rice is lost by the event left over. Then every province needs rice, and where it is short, provinces "
        "revolt.",
        advice="Confiscate rice by autumn for all provinces that you will own, and for the dearest loss that may come.",
        rule="The event not drawn",
        words=("winter", "rice"),
        lines=("winter",),
    ),
    Lesson(
        title="Famine",
        text="Somebody has too little rice, and provinces drawn at random revolt. The fewer armies stand there, the "
        "more likely one is lost.",
        advice="A rice too many costs nothing; a province that is lost takes its points and its buildings with it.",
        rule="The event not drawn",
        words=("famine",),
        lines=("famine",),
    ),
    Lesson(
        title="Which revolt comes first",
        text="Several of your provinces revolt. Choose the one that fights next.",
        advice="Cubes that stick in one fight may come out in the next, so leave the province that you need most for "
        "the end.",
        rule="The event not drawn",
        words=("tower",),
        phases=("revolt_order",),
    ),
    Lesson(
        title="Points",
        text="The points of the year are counted: provinces, buildings, and most buildings of each kind in a region.",
        advice="Sharing a majority costs a point. One building more where you are tied or just behind brings more "
        "than another where you lead.",
        rule="**Points**",
        words=("points", "region", *(name for name in ACTIONS if name.startswith("build"))),
        lines=("score",),
    ),
)
"""In the order in which they come when several do at once."""
