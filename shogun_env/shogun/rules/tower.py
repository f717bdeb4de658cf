"""The cube tower: one throw (rules 5.1, R10). ``exact.chance`` has its law in fractions."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import ASK_MORE, ERR_TAPE, ask, is_asking, is_taped, log_entry, next_taped
from shogun_env.kernel.rng import ALWAYS, below, bernoulli, high_half, low_half, next_uint64
from shogun_env.kernel.types import Bool, Float, Int, Log, Rng, Row, Rows, State
from shogun_env.shogun import constants as c


@kernel
def cubes_on_floor(g: State, floor: Int) -> Int:
    """Return the number of cubes that rest on a floor."""
    total = np.int64(0)
    for colour in range(c.N_COLOURS):
        total += np.int64(g["tower"][floor, colour])
    return total


@kernel
def cubes_falling(g: State, floor: Int) -> Int:
    """Return the number of cubes that wait to pass a floor."""
    total = np.int64(0)
    for colour in range(c.N_COLOURS):
        total += np.int64(g["falling"][floor, colour])
    return total


@kernel
def pick_colour(counts: Row, index: Int) -> Int:
    """Return the colour of cube number ``index`` when the cubes of a row lie sorted by colour.

    There is no branch: the colour is random, so the processor would mispredict a branch half of the time.
    """
    colour = np.int64(0)
    below_it = np.int64(0)
    for other in range(c.N_COLOURS - 1):
        below_it += np.int64(counts[other])
        colour += np.int64(index >= below_it)
    return colour


@kernel
def next_loosened(rng: Rng, half: Int, first: Int, resting: Int, chance: Int) -> Int:
    """Return the first of the cubes ``first .. resting - 1`` that comes loose, or ``resting`` if none does.

    Each comes loose with probability p = ``chance`` / 2^32. One draw is nearly always enough for all of them: ``half``
    falls into one of disjoint strips of width ``chance``, and strip i names cube i as the candidate. It is accepted if
    the i cubes before it stay, which takes a draw for each. So cube i is the first with probability (1 - p)^i p, as
    with one draw per cube, which took 45 us per game instead of 18. If the strips do not fit into 32 bits, each cube
    takes its own draw.
    """
    n = resting - first
    if n * chance < ALWAYS:
        if half >= n * chance:
            return resting
        candidate = half // chance
        for _ in range(candidate):
            if bernoulli(high_half(next_uint64(rng)), chance):
                return resting
        return first + candidate
    for i in range(n):
        if bernoulli(high_half(next_uint64(rng)), chance):
            return first + i
    return resting


@kernel
def loosen(g: State, rng: Rng, floor: Int, half: Int, chance: Int) -> Int:
    """Let each cube that rests on ``floor`` fall with probability ``chance`` / 2^32, and return how many fell.

    They then wait above the next floor or lie in the tray. ``half`` holds the first 32 random bits; each cube that
    falls takes one draw more.
    """
    resting = cubes_on_floor(g, floor)
    fallen = np.int64(0)
    at = np.int64(0)
    last = floor + 1 == np.int64(g["floors"])
    while at < resting:
        at = next_loosened(rng, half, at, resting, chance)
        if at < resting:
            colour = pick_colour(g["tower"][floor], at)
            g["tower"][floor, colour] -= 1
            if last:
                g["tray"][colour] += 1
            else:
                g["falling"][floor + 1, colour] += 1
            resting -= 1
            fallen += 1
            half = high_half(next_uint64(rng))
    return fallen


@kernel
def drop(g: State, rng: Rng) -> None:
    """Let the cubes that wait above the top floor fall through the tower, in random order (R10).

    A cube that loosens others waits on its floor until they have fallen through the tower. That is rare: for most
    floors one comparison says that no cube comes loose.
    """
    floors = np.int64(g["floors"])
    stick, dislodge = np.int64(g["stick"]), np.int64(g["dislodge"])
    waiting = cubes_falling(g, 0)
    while waiting > 0:
        colour = pick_colour(g["falling"][0], below(rng, waiting))
        g["falling"][0, colour] -= 1
        waiting -= 1
        floor = np.int64(0)
        while floor < floors:
            u = next_uint64(rng)
            may_loosen = bernoulli(high_half(u), cubes_on_floor(g, floor) * dislodge)
            if may_loosen and loosen(g, rng, floor, high_half(u), dislodge) > 0:
                drop_from(g, rng, floor + 1)
            if bernoulli(low_half(u), stick):
                break
            floor += 1
        if floor == floors:
            g["tray"][colour] += 1
        else:
            g["tower"][floor, colour] += 1


@kernel
def drop_from(g: State, rng: Rng, top: Int) -> None:
    """Let the cubes that wait above floor ``top`` pass it and the floors below, in random order (R10).

    A cube that is not held follows those that it loosened: it is the straggler of the next floor, which passes last.
    Kernels have no recursion, so the loop goes down and up through the floors; the stragglers of the floors above the
    current one are on a stack, one octal digit per floor (colour + 1, 0 for none). The number of cubes that wait above
    ``top`` is kept in ``above``.
    """
    floors = np.int64(g["floors"])
    stick, dislodge = np.int64(g["stick"]), np.int64(g["dislodge"])
    floor = np.int64(top)
    if floor >= floors:
        return
    waiting = cubes_falling(g, floor)
    above = waiting
    straggler = np.int64(c.NONE)
    stack = np.int64(0)
    while True:
        if waiting > 0:
            colour = pick_colour(g["falling"][floor], below(rng, waiting))
            g["falling"][floor, colour] -= 1
            waiting -= 1
        elif straggler != c.NONE:
            colour = straggler
            straggler = np.int64(c.NONE)
        elif floor == top:
            return
        else:
            floor -= 1
            waiting = above if floor == top else cubes_falling(g, floor)
            straggler = (stack & 7) - 1
            stack >>= 3
            continue
        u = next_uint64(rng)
        fallen = loosen(g, rng, floor, high_half(u), dislodge)
        held = bernoulli(low_half(u), stick)
        if held:
            g["tower"][floor, colour] += 1
        if floor + 1 == floors:
            if not held:
                g["tray"][colour] += 1
        elif fallen > 0 or not held:
            if floor == top:
                above = waiting
            stack = (stack << 3) | (straggler + 1)
            straggler = np.int64(c.NONE) if held else colour
            waiting = fallen
            floor += 1


@kernel
def shake(g: State, rng: Rng) -> None:
    """Let resting cubes fall before a throw, from the top floor down; one may be shaken again where it stuck (R10)."""
    for floor in range(np.int64(g["floors"])):
        loosen(g, rng, floor, high_half(next_uint64(rng)), np.int64(g["shake"]))
        drop_from(g, rng, floor + 1)


@kernel
def cubes_inside(g: State, colour: Int) -> Int:
    """Return the number of cubes of a colour inside the tower (5.1).

    Args:   colour, a player or FARMERS

    Reads:  tower
    """
    total = np.int64(0)
    for floor in range(c.MAX_FLOORS):
        total += np.int64(g["tower"][floor, colour])
    return total


@kernel
def spread(g: State, rng: Rng, colour: Int, cubes: Int) -> None:
    """Make ``cubes`` the number of cubes of a colour inside the tower, each on a random floor (5.1, R10).

    Why the floors are equally likely: a passing cube adds ``stick`` cubes to a floor on average and takes away
    ``dislodge`` times the cubes on it, and as many cubes leave a floor as enter it; so in the long run each floor holds
    the same number. If nothing ever falls, the floors do not matter. This is not the exact posterior given the history.

    Args:   colour, a player or FARMERS
    Reads:  floors
    Writes: tower
    Draws:  one per cube
    """
    g["tower"][:, colour] = 0
    for _ in range(cubes):
        g["tower"][below(rng, np.int64(g["floors"])), colour] += 1


@kernel
def can_come_out(g: State, inside: Int, thrown: Int, out: Int) -> Bool:
    """Say whether ``out`` cubes of a colour can come out of this tower, of those inside and those thrown (R10).

    Only probabilities of 0 and 1 rule anything out. If nothing sticks, all cubes thrown come out. If every resting cube
    is shaken loose, all cubes inside come out. If none is ever loosened, no cube inside comes out, and none of those
    thrown if they always stick.
    """
    fewest = (inside if g["shake"] == ALWAYS else 0) + (thrown if g["stick"] == 0 else 0)
    most = np.int64(0)
    if g["dislodge"] > 0 or g["shake"] > 0:
        most += inside
    if g["dislodge"] > 0 or g["stick"] != ALWAYS:
        most += thrown
    return fewest <= out <= most


@kernel
def can_stay_inside(g: State, before: Int, after: Int) -> Bool:
    """Say whether ``after`` cubes can rest inside if ``before`` did and at least one was thrown (R10).

    If cubes always stick, the last one rests on the top floor. If they always dislodge, no floor that a cube has passed
    holds two.
    """
    if g["stick"] == ALWAYS and after == 0:
        return False
    return not (g["dislodge"] == ALWAYS and after > max(before, np.int64(g["floors"])))


@kernel
def throw_taped(g: State, rng: Rng, log: Log) -> None:
    """Take from the tape which cubes lie in the tray after a throw; the others rest inside.

    Nobody knows the floors, so a replayed game equals the original in all that can be seen; ``spread`` gives a game
    that is played on from there the right odds. A throw that this tower cannot yield does not fit the game.
    """
    if is_asking(log):
        ask(log, c.LOG_TRAY, np.int64(0))
        for floor in range(np.int64(g["floors"])):
            row = g["tower"][floor]
            first, second, third = np.int64(row[0]), np.int64(row[1]), np.int64(row[2])
            log_entry(log, ASK_MORE, first, second, third, np.int64(row[3]), np.int64(row[4]), np.int64(row[5]), floor)
    before = np.int64(0)
    after = np.int64(0)
    cubes = np.int64(0)
    for colour in range(c.N_COLOURS):
        inside, thrown = cubes_inside(g, colour), np.int64(g["tray"][colour])
        out = next_taped(log, c.LOG_TRAY)
        if not can_come_out(g, inside, thrown, out):
            g["error"] = ERR_TAPE
            out = np.int64(0)
        g["tray"][colour] = out
        spread(g, rng, colour, inside + thrown - out)
        before += inside
        after += inside + thrown - out
        cubes += thrown
    if cubes > 0 and not can_stay_inside(g, before, after):
        g["error"] = ERR_TAPE


@kernel
def log_cubes(log: Log, kind: Int, row: Row, more: Int) -> None:
    """Log the number of cubes of each colour (5.1), and one number more.

    Args:   kind of the log entry; row of six counts by colour; more, the number after them
    """
    if log.shape[0] > 1:
        first, second, third = np.int64(row[0]), np.int64(row[1]), np.int64(row[2])
        log_entry(log, kind, first, second, third, np.int64(row[3]), np.int64(row[4]), np.int64(row[5]), more)


@kernel
def throw(g: State, rng: Rng, log: Log, why: Int) -> None:
    """Throw every cube that lies in the tray into the tower; the tray then holds the cubes that fell out.

    The caller has put the cubes of the fight into the tray, with those that lay there already.

    Rule:   5.1, R10.
    Args:   why, one of the WHY_ constants
    Reads:  floors, stick, dislodge, shake, falling, tower, tray
    Writes: error, tray, tower, falling; ``falling`` is zero again afterwards
    Draws:  one per floor that is shaken, one per cube thrown, one per floor that a cube comes to, and more for cubes
            that come loose; with a tape one per cube inside, for its floor
    """
    tray = g["tray"]
    log_cubes(log, c.LOG_THROWN, tray, why)
    if is_taped(log):
        throw_taped(g, rng, log)
    else:
        for colour in range(c.N_COLOURS):
            g["falling"][0, colour] = tray[colour]
            tray[colour] = 0
        if g["shake"] > 0:
            shake(g, rng)
        drop(g, rng)
    log_cubes(log, c.LOG_TRAY, tray, 0)


@kernel
def share_of(n: Int, k: Int, chance: Int) -> Float:
    """Return the probability that k of n cubes fall if each does with probability ``chance`` / 2^32."""
    p = 1.0 if chance == ALWAYS else chance / 4294967296.0
    share = 1.0
    for i in range(k):
        share *= p * (n - i) / (i + 1)
    for _ in range(n - k):
        share *= 1.0 - p
    return share


@kernel
def share_out(g: State, inside: Int, thrown: Int, out: Int) -> Float:
    """Return the probability that ``out`` cubes of a colour come out of a tower of one floor (5.1, R10).

    Those inside are shaken loose one by one, those thrown stick one by one; no cube loosens another.

    Reads:  stick, shake
    """
    falls = np.int64(ALWAYS) + 1 - np.int64(g["stick"])
    total = 0.0
    for shaken in range(max(np.int64(0), out - thrown), min(inside, out) + 1):
        fallen = 1.0
        if g["stick"] == ALWAYS:
            fallen = 1.0 if out == shaken else 0.0
        elif g["stick"] == 0:
            fallen = 1.0 if out - shaken == thrown else 0.0
        else:
            fallen = share_of(thrown, out - shaken, falls)
        total += share_of(inside, shaken, np.int64(g["shake"])) * fallen
    return total


@kernel
def throw_outcomes(g: State, thrown: Row, inside: Row, values: Rows, shares: Row) -> Int:
    """Write what may lie in the tray after a throw into a tower of one floor without loosening, with its odds (5.1).

    Args:   thrown and inside, cubes by colour; values int16[n, 6], shares float64[n], written
    Reads:  floors, stick, dislodge, shake
    Returns int: how many outcomes were written; -1 if the tower is another one or there is no room for all.
    """
    if g["floors"] != 1 or g["dislodge"] != 0:
        return np.int64(-1)
    count = np.int64(1)
    values[0, :] = 0
    shares[0] = 1.0
    for colour in range(c.N_COLOURS):
        most = np.int64(inside[colour]) + np.int64(thrown[colour])
        if most > 0:
            if count * (most + 1) > shares.shape[0]:
                return np.int64(-1)
            for old in range(count - 1, -1, -1):  # from the last down: row ``old`` is free once it has been spread
                share = shares[old]
                for step in range(most + 1):
                    out = most - step
                    target = old * (most + 1) + out
                    for other in range(c.N_COLOURS):
                        values[target, other] = values[old, other]
                    values[target, colour] = out
                    shares[target] = share * share_out(g, np.int64(inside[colour]), np.int64(thrown[colour]), out)
            count *= most + 1
    kept = np.int64(0)
    for index in range(count):
        if shares[index] > 0.0:
            for colour in range(c.N_COLOURS):
                values[kept, colour] = values[index, colour]
            shares[kept] = shares[index]
            kept += 1
    return kept
