"""Redeals follow the stated law, and leave nothing behind of what they replaced (rules 8; Shitennō 7)."""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from shogun_env.shitenno import constants as shitenno
from shogun_env.shogun import constants as shogun
from tests.games import batch_class, content, each_game

ROWS = 20_000
Z_LIMIT = 5.0
"""Standard deviations that a chi-square statistic may lie above its mean: fixed seeds, one in a million by chance."""


def played(name: str, decisions: int, phase: int) -> Batch:
    """Play a seeded random game for so many decisions and on to the next one of ``phase``; copies in every row."""
    batch: Batch = batch_class(name)(1, seed=5)
    choices = np.random.default_rng(5)
    while batch.decisions[0] < decisions or batch.games["phase"][0] != phase:
        batch.step(choices.choice(np.flatnonzero(batch.legal[0]), 1))
    return batch.take(np.zeros(ROWS, int))


def chi_square_z(observed: np.ndarray, expected: np.ndarray) -> float:
    """Return how many standard deviations chi-square lies above its mean."""
    degrees = len(observed) - 1
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return (statistic - degrees) / (2 * degrees) ** 0.5


@pytest.mark.full
def test_redeal__two_spaces_filled__all_legal_pairs_equally_likely():
    batch = played("shogun", 10, shogun.PLAN)
    game = batch.games[0]
    assert game["space"] == 2
    observer, other = int(game["player"]), (int(game["player"]) + 1) % 4
    batch.redeal(None, observer, 11)
    pairs = Counter(map(tuple, batch.games["plan"][:, other, :2].tolist()))
    cards = int(game["n_owned"][other]) + shogun.N_CHEST_CARDS
    bids = cards - max(0, shogun.N_CHEST_CARDS - 1 - int(game["chests"][other]))
    assert cards > shogun.N_SPACES
    assert len(pairs) == bids * (cards - 1)
    observed = np.array(list(pairs.values()))
    assert chi_square_z(observed, np.full(len(observed), ROWS / len(observed))) < Z_LIMIT


def test_redeal__unknown_cards_of_a_hand__are_any_cards_not_seen_with_equal_chance():
    batch = batch_class("shitenno")(1, num_players=2, seed=3)
    copies = batch.take(np.zeros(ROWS, np.int64))
    copies.redeal(None, 0, 1)
    hands = copies.games["hand"][:, 1, : shitenno.N_TROOP_KINDS].astype(np.int64)
    assert (hands.sum(1) == 2).all()
    at = next(piece.start for piece in batch.spec.obs_layout if piece.name == "unseen")
    unseen = batch.observe_for(0)[0][at : at + shitenno.N_TROOP_KINDS].astype(np.float64)
    expected = 2 * unseen / unseen.sum()
    error = np.sqrt(2 * expected / ROWS) + 1e-9
    assert (np.abs(hands.mean(0) - expected) / error).max() < Z_LIMIT


def plans(batch: Batch, observer: int) -> Iterator[np.ndarray]:
    """Cards on the spaces of the others."""
    for player in set(range(batch.num_players)) - {observer}:
        yield from batch.games["plan"][:, player].T


def hands(batch: Batch, observer: int) -> Iterator[np.ndarray]:
    """Troop cards of the others by kind."""
    for player in set(range(batch.num_players)) - {observer}:
        yield from batch.games["hand"][:, player, : shitenno.N_TROOP_KINDS].T


HIDDEN: dict[str, Callable[[Batch, int], Iterator[np.ndarray]]] = {"shogun": plans, "shitenno": hands}
"""What only its owner knows, as numbers from -1 on: an int[B] for each place."""
STATES = [
    ("shogun", 20, shogun.PLAN, 0),
    ("shogun", 52, shogun.TARGET, 0),
    ("shogun", 170, shogun.TARGET, 0),
    ("shogun", 300, shogun.NUMBER, 0),
    ("shitenno", 8, shitenno.FORM_LOT, 0),
    ("shitenno", 20, shitenno.TURN, 1),
    ("shitenno", 60, shitenno.TURN, 2),
    ("shitenno", 90, shitenno.PAY, 3),
]
"""Game, decisions at least, phase, and how many seats behind the player who decides the observer sits."""


@pytest.mark.full
@pytest.mark.parametrize(("name", "decisions", "phase", "behind"), STATES)
def test_redeal__states_that_look_equal__same_distribution(name: str, decisions: int, phase: int, behind: int):
    first = played(name, decisions, phase)
    observer = (int(first.player[0]) + behind) % first.num_players
    observation = first.observe_for(observer)[0].copy()
    second = type(first).load(first.save())
    second.redeal(None, observer, 99)
    second.copy_games(np.zeros(ROWS, int), np.arange(ROWS))
    assert (second.observe_for(observer)[0] == observation).all()
    first.redeal(None, observer, 1)
    second.redeal(None, observer, 2)
    for batch in (first, second):
        assert (batch.observe_for(observer) == observation).all()
        assert not batch.check().any()
    samples = zip(HIDDEN[name](first, observer), HIDDEN[name](second, observer), strict=True)
    assert all([same_law(one, other) for one, other in samples])


def same_law(one: np.ndarray, other: np.ndarray) -> bool:
    """Compare two samples of small numbers by a two-sample chi-square."""
    samples = [sample.astype(np.int64) + 1 for sample in (one, other)]
    size = 1 + max(int(sample.max()) for sample in samples)
    counts = np.array([np.bincount(sample, minlength=size) for sample in samples], float)
    counts = counts[:, counts.sum(0) > 0]
    if counts.shape[1] == 1:
        return True
    statistic = float(((counts[0] - counts[1]) ** 2 / counts.sum(0)).sum())
    degrees = counts.shape[1] - 1
    return (statistic - degrees) / (2 * degrees) ** 0.5 < Z_LIMIT


@each_game
def test_redeal__batch_that_keeps_records__is_refused_and_changes_nothing(name: str):
    batch = batch_class(name)(2, record=True)
    before = content(batch)
    with pytest.raises(ValueError, match=r"redeal.*records.*take"):
        batch.redeal(None, 0, 1)
    assert content(batch) == before
    batch.take().redeal(None, 0, 1)
