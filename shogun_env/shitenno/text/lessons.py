"""What a newcomer to Shitennō is told at the first meeting of each kind of decision and event."""

from __future__ import annotations

from shogun_env.shitenno import board
from shogun_env.spec.pages import Lesson

LESSONS = (
    Lesson(
        title="What the game is about",
        text="You place Kamon in provinces, which bring points at once, and more at the end for most weight in a "
        "province. The cards to pay with are divided among all beforehand.",
        advice="Points come from placing every Kamon you can: collect cards that pay together, not many kinds.",
        rule="Rounds of two years",
        words=("kamon", "position", "majority"),
    ),
    Lesson(
        title="Your hand",
        text="You have been dealt cards that nobody else sees. Troops and Koku pay for positions.",
        advice="Look for provinces whose own type you hold: there you need the fewest other cards.",
        rule="**Cards.**",
        words=("koku", "tile"),
        lines=("deal",),
        own=True,
    ),
    Lesson(
        title="Division: you make a lot",
        text="You are the Tairō. Put any cards of the pool and one title into a lot. The others may take it; if "
        "nobody does, it is yours.",
        advice="Make the lot that you would like to keep, just bad enough that the others refuse it. If another "
        "takes it, the rest of the pool has to be worth more to you.",
        rule="- **More than two left**",
        words=("tairo", "pool", "lot"),
        phases=("form_lot",),
    ),
    Lesson(
        title="An offer",
        text="A lot is offered to you: take it with its title, or refuse it and get something of the rest later.",
        advice="Compare it with an equal share of all that is still to be divided, the title included, and with what "
        "pays together with your hand. Take what is better than your share.",
        rule="- **More than two left**",
        words=("lot", "tairo"),
        phases=("answer",),
    ),
    Lesson(
        title="Division: two are left",
        text="Divide all that is left into two lots with a title each: you fill lot A, the rest is lot B. The other "
        "player chooses.",
        advice="Make them equally good for the other player, but not for you: what only you need may lie anywhere, so "
        "both lots can please you.",
        rule="- **Two left**",
        words=("lot", "seals"),
        phases=("divide",),
    ),
    Lesson(
        title="Choosing a lot",
        text="The rest is divided in two lots. Choose one; the other player gets the other.",
        advice="Count which positions you can pay with each, then add what its title brings.",
        rule="- **Two left**",
        words=("lot", "seals"),
        phases=("choose",),
    ),
    Lesson(
        title="Titles",
        text="You have a title for the odd year. Its seals say when you play, and it gives you a privilege.",
        advice="Before others you find the tiles and positions you need; the first two titles bring points for each "
        "Kamon, so place as many as you can with them.",
        rule="Everybody takes the title",
        words=tuple(board.TITLE_NAMES),
        lines=("take",),
        own=True,
    ),
    Lesson(
        title="Your turn",
        text="Place Kamon, use Draw tiles, or end your turn. A Kamon goes on the first free position of a province, "
        "paid in its troops or in Koku.",
        advice="Troops pay for dear positions as for cheap ones, so use them where the number is high. Cards kept for "
        "later are useful only while the game lasts.",
        rule="On your turn",
        words=("position", "tile", "pile"),
        phases=("turn",),
    ),
    Lesson(
        title="Paying",
        text="Choose what pays, card by card or tile by tile, until the price is paid. Nothing paid may be needless.",
        advice="Use doubles where both of their units count, as what is too much is lost. Koku kept are points at the "
        "end.",
        rule="A province has four positions",
        words=("koku", "joker", "exchange", "plus_one"),
        phases=("pay",),
    ),
    Lesson(
        title="A Kamon is placed",
        text="It brings the number of its position at once, and counts for the majority at the end.",
        advice="The next position of the same province is dearer and worth more: watch what becomes free for those "
        "who play after.",
        rule="A province has four positions",
        words=("kamon", "position"),
        lines=("control",),
    ),
    Lesson(
        title="Tiles",
        text="With the position you took the tile on top of the province. It is turned, and shows what it can do once.",
        advice="Use tiles when they spare you a card that you lack; at the end Exchange and +1 still bring Koku.",
        rule="- **Exchange**",
        lines=("bonus",),
        own=True,
        named="bonus",
    ),
    Lesson(
        title="Majorities",
        text="You have a Kamon in a province. At the end the player with most weight there gets the majority.",
        advice="A second Kamon where others have one each is often worth more than its number; ties go to the "
        "leftmost, so the first one there has an advantage.",
        rule="- **Majorities**",
        words=("majority", "golden"),
        lines=("control",),
        own=True,
    ),
    Lesson(
        title="Sensei: the golden side",
        text="As Sensei you may turn one of your Kamon on the board to its golden side after your turn.",
        advice="Turn one where it makes or secures a majority; one that leads safely gains nothing.",
        rule="| Sensei",
        words=("golden", "majority"),
        phases=("sensei",),
    ),
    Lesson(
        title="The end",
        text="What is left in Koku and the majorities of all provinces are counted.",
        advice="Next time watch the Kamon of the others: who places the last one decides when the game ends.",
        rule="After the odd year",
        words=("koku", "majority"),
        lines=("score",),
    ),
)
"""In the order in which they come when several do at once."""
