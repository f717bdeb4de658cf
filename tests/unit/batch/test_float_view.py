"""Float views: every column against a slow reading of the layout, bounds, static columns, board features."""

import itertools
import pickle
from collections import defaultdict

import numpy as np
import pytest

from shogun_env.batch.float_view import FloatView
from shogun_env.shitenno import SHITENNO
from shogun_env.shitenno import board as shitenno_board
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import board as shogun_board
from shogun_env.spec.layout import Kinds
from tests.games import FEW, KINDS, batch_class, each_game, play_on
from tests.positions import BATCHES, OPTIONS, decisions_of, each_of_three, some_decisions

MOSTLY = {"shogun": 0.98, "shitenno": 0.99, "coins": 0.9}
"""Share of the values of real games that are at most 1.5, at least."""


def column_names(view, block):
    return [column.name for column in view.blocks[block][2]]


def read_slowly(spec, observation, static=True):
    """Return the values of an observation by block, row and name of the column, as the layout describes them."""
    values = defaultdict(float)
    for piece in spec.obs_layout:
        if piece.is_static and not static:
            continue
        rows = spec.block_rows[piece.block]
        numbers = observation[piece.start : piece.stop].astype(int).reshape(-1, rows).tolist()
        for copy, own in enumerate(numbers):
            name = piece.name if len(numbers) == 1 else f"{piece.name}_{copy}"
            for row, number in enumerate(own):
                if not isinstance(piece.shown, Kinds):
                    values[piece.block, row, name] = number / piece.shown
                elif number >= piece.shown.first:
                    values[piece.block, row, f"{name}_is_{number}"] = 1.0
                elif number:
                    values[piece.block, row, f"{name}_in_{piece.shown.rows_of}"] = 1.0
                    if piece.shown.seen_from:
                        values[piece.shown.rows_of, number - 1, f"{piece.shown.seen_from}_{row}"] = 1.0
    return {key: value for key, value in values.items() if value}


def by_column(view, row):
    """Return the same of a view, told from where the columns stand."""
    values, end = {}, 0
    for block, (start, rows, columns) in view.blocks.items():
        assert start == end
        end = start + rows * len(columns)
        numbers = iter(row[start:end].tolist())
        for index in range(rows):
            values.update({(block, index, column.name): value for column, value in zip(columns, numbers, strict=False)})
    assert end == view.size == len(row)
    return {key: value for key, value in values.items() if value}


@each_of_three
@pytest.mark.parametrize("static", [True, False])
def test_show__any_position__every_column_as_the_layout_says(name, static):
    spec = BATCHES[name].spec
    view = FloatView(spec, static)
    for decisions in some_decisions(name):
        chosen = decisions.observations[::37]
        for observation, row in zip(chosen, view.show(chosen), strict=True):
            assert by_column(view, row) == pytest.approx(read_slowly(spec, observation, static))


@each_of_three
def test_show__arrays_of_any_shape_place_and_size__same_values(name):
    view = FloatView(BATCHES[name].spec)
    observations = decisions_of(name, OPTIONS[name][0], games=8).observations[:24]
    plain = view.show(observations)
    assert plain.dtype == np.float32
    assert (view.show(observations.reshape(2, 3, 4, -1)) == plain.reshape(2, 3, 4, -1)).all()
    assert (view.show(observations[::-1]) == plain[::-1]).all()
    assert (view.show(observations[5]) == plain[5]).all()
    out = np.full_like(plain, 9.0)
    assert view.show(observations, out) is out
    assert (out == plain).all()


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.int8, bool])
def test_show_and_update__of_what_are_no_bytes__are_refused_and_change_nothing(dtype):
    """Other numbers were read as if they were bytes, and their views written beyond the end of the array."""
    spec = BATCHES["shitenno"].spec
    view, observations = FloatView(spec), decisions_of("shitenno", OPTIONS["shitenno"][0], games=8).observations[:9]
    before = view.show(observations)
    wrong, says = observations.astype(dtype), rf"must be uint8\[..., {spec.obs_size}\] as shitenno shows them, not "
    for call in (
        lambda: view.show(wrong),
        lambda: view.features_of(wrong),
        lambda: view.show(before[:, :-1]),
        lambda: view.show([0]),
    ):
        with pytest.raises(TypeError, match=says):
            call()
    with pytest.raises(TypeError, match=says):
        view.update(wrong, np.zeros_like(observations), np.zeros_like(before))
    assert (view.show(observations) == before).all()


def test_show_and_update__into_what_is_no_array_for_their_views__are_refused():
    """Views were written beyond the end of a smaller array, and into a copy of one with gaps."""
    view, observations = FloatView(BATCHES["shitenno"].spec), BATCHES["shitenno"](4).observe()
    gaps = np.zeros((2, 3, 2, view.size), np.float32)[:, 1]
    for out in (gaps, np.zeros((3, view.size), np.float32), np.zeros((4, view.size))):
        shown = observations.reshape(*out.shape[:-1], -1) if out is gaps else observations
        with pytest.raises(TypeError, match=rf"^out: must be float32\[.*{view.size}\], C-contiguous and not read-only"):
            view.show(shown, out)
    full = np.zeros((4, view.size), np.float32)
    for seen, out in ((observations.copy(), full[:3]), (observations[:3].copy(), full)):
        with pytest.raises(TypeError, match=r"^out: must be float32"):
            view.update(observations, seen, out)


@each_of_three
def test_show__games_of_many_options_at_once__each_as_if_alone(name):
    """What never changes in a game is copied from another one, but only if it is the same there."""
    spec = BATCHES[name].spec
    mixed = np.concatenate([decisions.observations[::97] for decisions in some_decisions(name)])
    view = FloatView(spec)
    for observations in (mixed[:1], mixed, mixed[::-1], mixed[-1:], mixed):
        alone = [FloatView(spec).show(observation) for observation in observations]
        assert (view.show(observations) == alone).all()


@each_of_three
@pytest.mark.parametrize(("static", "features"), [(True, False), (False, False), (True, True)])
def test_update__one_position_after_another__as_if_shown_anew(name, static, features):
    spec = BATCHES[name].spec
    view = FloatView(spec, static, features)
    mixed = np.concatenate([decisions.observations[::31] for decisions in some_decisions(name)])
    rng = np.random.default_rng(1)
    seen, out = np.zeros((40, spec.obs_size), np.uint8), np.zeros((40, view.size), np.float32)
    for _ in range(20):
        observations = rng.choice(mixed, 40)
        view.update(observations, seen, out)
        assert (seen == observations).all()
        assert (out == view.show(observations)).all()


@each_of_three
def test_update__any_bytes__as_if_shown_anew(name):
    """Of several bytes that show a value by the same flag, one may lose the value while another keeps it."""
    spec = BATCHES[name].spec
    view, rng = FloatView(spec), np.random.default_rng(2)
    highest = np.concatenate([np.full(piece.stop - piece.start, min(piece.high, 3)) for piece in spec.obs_layout])
    seen, out = np.zeros((9, spec.obs_size), np.uint8), np.zeros((9, view.size), np.float32)
    for _ in range(30):
        observations = np.where(rng.random(seen.shape) < 0.3, rng.integers(highest + 1, size=seen.shape), seen)
        view.update(observations.astype(np.uint8), seen, out)
        assert (out == view.show(seen)).all()


@each_of_three
@pytest.mark.parametrize("features", [True, False])
def test_bounds__whole_games__hold_and_most_values_are_about_one(name, features):
    spec = BATCHES[name].spec
    view = FloatView(spec, features=features)
    small, count = 0, 0
    for number, options in enumerate(OPTIONS[name]):
        views = view.show(decisions_of(name, options, games=3, seed=number).observations)
        assert (views >= view.low).all() and (views <= view.high).all()
        small, count = small + int((np.abs(views) <= 1.5).sum()), count + views.size
    assert small / count >= MOSTLY[name]


@each_of_three
def test_bounds__highest_bytes__are_reached(name):
    spec = BATCHES[name].spec
    view = FloatView(spec)
    highest = np.zeros((1, spec.obs_size), np.uint8)
    for piece in spec.obs_layout:
        highest[0, piece.start : piece.stop] = piece.high
    (row,) = view.show(highest)
    flags = np.concatenate(
        [np.tile(["_is_" in c.name or "shown_" in c.name or "_in_" in c.name for c in columns], rows)
         for _, rows, columns in view.blocks.values()]
    )  # fmt: skip
    assert (view.low == 0).all()
    assert (row[~flags] == view.high[~flags]).all()
    assert (view.high[flags] == 1).all()


@each_of_three
def test_static__whole_games__never_changes_and_is_all_that_is_left_out(name):
    spec = BATCHES[name].spec
    static = [piece for piece in spec.obs_layout if piece.is_static]
    full, part = FloatView(spec), FloatView(spec, static=False)
    for decisions in some_decisions(name):
        games = decisions.rows * 10 + decisions.players
        first = np.array([np.flatnonzero(games == game)[0] for game in games])
        for piece in static:
            own = decisions.observations[:, piece.start : piece.stop]
            assert (own == own[first]).all(), piece.name
        views, fewer = full.show(decisions.observations[:9]), part.show(decisions.observations[:9])
        for block, rows in spec.block_rows.items():
            kept = [index for index, own in enumerate(column_names(full, block)) if own in column_names(part, block)]
            whole = full.block(views, block).reshape(9, rows, -1)
            assert (whole[:, :, kept] == part.block(fewer, block).reshape(9, rows, -1)).all()
    left_out = {own for block in spec.block_rows for own in column_names(full, block)}
    left_out -= {own for block in spec.block_rows for own in column_names(part, block)}
    names = {piece.name for piece in static}
    assert {own.split("_is_")[0].rstrip("_0123456789") for own in left_out} == {n.rstrip("_0123456789") for n in names}


@each_of_three
def test_pickle__of_a_view__shows_the_same(name):
    observations = decisions_of(name, OPTIONS[name][0]).observations[:20]
    for static, features in ((True, True), (False, False), (False, True)):
        view = FloatView(BATCHES[name].spec, static, features)
        again = pickle.loads(pickle.dumps(view))
        assert again.blocks == view.blocks
        assert (again.show(observations) == view.show(observations)).all()


def features_of(batch):
    """Return the board features of each game for the player who decides: by name, float32[B, places]."""
    view = FloatView(batch.spec, features=True)
    block = view.block(view.show(batch.observe()), batch.spec.board.block)
    names = column_names(view, batch.spec.board.block)
    return {feature.name: block[:, :, names.index(feature.name)] for feature in batch.spec.board.features}


def test_neighbours__of_shogun__are_the_printed_borders():
    pairs = set()
    for one, other in shogun_board.DATA["land_borders"] + shogun_board.DATA["sea_routes"]:
        i, j = shogun_board.PROVINCE_NAMES.index(one), shogun_board.PROVINCE_NAMES.index(other)
        pairs |= {(i, j), (j, i)}
    assert {(i, j) for i, others in enumerate(SHOGUN.board.neighbours) for j in others} == pairs


def shogun_features(g, observer):
    """Return the board features of a position by the descriptions alone: by name, one value per province."""
    data, names = shogun_board.DATA, shogun_board.PROVINCE_NAMES
    players, side = int(g["n_players"]), ("sun", "moon")[g["side"]]
    used = {
        i for i, own in enumerate(data["provinces"])
        if players > 3 or not own["out_of_play_with_3_players"][side]
    }  # fmt: skip
    near = [set() for _ in names]
    for one, other in data["land_borders"] + data["sea_routes"]:
        i, j = names.index(one), names.index(other)
        if {i, j} <= used:
            near[i].add(j)
            near[j].add(i)
    owner, armies = g["owner"].tolist(), g["armies"].tolist()
    region = [own["region"][side] for own in data["provinces"]]
    out = defaultdict(list)
    for p, around in enumerate(near):
        rivals = [armies[q] for q in around if owner[q] not in (-1, observer)]
        out["own_near"].append(max([armies[q] for q in around if owner[q] == observer], default=0) / 4)
        out["strongest_near"].append(max(rivals, default=0) / 4)
        out["weakest_near"].append(min(rivals, default=0) / 4)
        out["neutral_near"].append(sum(owner[q] == -1 for q in around) / 4)
        # One army stays behind when others leave; neutral provinces attack nobody, and can be attacked.
        attackers = [armies[q] - 1 for q in around if owner[q] not in (-1, owner[p])]
        targets = [armies[q] for q in around if owner[q] != owner[p]]
        is_owned = owner[p] != -1
        out["danger"].append(max(0, max(attackers, default=0) - armies[p]) / 4 if is_owned else 0)
        out["reach"].append(max(0, armies[p] - 1 - min(targets)) / 4 if is_owned and targets else 0)
        for kind, name in enumerate(("castle", "temple", "no_theatre")):
            counts = [0] * players
            for q in range(len(names)):
                if region[q] == region[p] and g["building"][kind, q] and owner[q] != -1:
                    counts[owner[q]] += 1
            mine = counts.pop(observer)
            out[f"{name}_lead"].append((mine - max(counts)) / 2)
    return out


def shitenno_features(g, observer):
    """Return the board features of a position by the descriptions alone."""
    players = int(g["n_players"])
    out = defaultdict(list)
    troops = dict.fromkeys(shitenno_board.TROOP_NAMES, 0)
    for kind, copies in zip(shitenno_board.DATA["card_kinds"]["order"], g["hand"][observer].tolist(), strict=True):
        for troop in kind["troops"]:
            troops[troop] += copies
    observation = batch_class("shitenno")(1, num_players=players)
    observation.games[0] = g
    observation.refresh()
    (reached,) = observation.observe_for(observer)
    need = {
        piece.name.removeprefix("need_"): reached[piece.start : piece.stop].tolist()
        for piece in SHITENNO.obs_layout
        if piece.name.startswith("need_")
    }
    for prov, owners in enumerate(g["owner"].tolist()):
        own = owners.count(observer)
        out["own_kamon"].append(own / 2)
        out["lead"].append((own - max(owners.count(p) for p in range(players) if p != observer)) / 2)
        out["troops_missing"].append(sum(max(0, need[troop][prov] - troops[troop]) for troop in troops) / 2)
    return out


@each_game
def test_board_features__any_position__as_worked_out_slowly(name):
    slow = {"shogun": shogun_features, "shitenno": shitenno_features}[name]
    reached = defaultdict(set)
    for options in KINDS[name][:FEW]:
        batch = batch_class(name)(2, seed=8, **options)
        for number, _ in enumerate(play_on(batch, 4)):
            if number % 19:
                continue
            observed = features_of(batch)
            for row in np.flatnonzero(~batch.over):
                expected = slow(batch.games[row], int(batch.player[row]))
                assert set(expected) == set(observed)
                for feature, values in expected.items():
                    assert observed[feature][row].tolist() == pytest.approx(values), feature
                    reached[feature] |= set(values)
    assert all(len(values) > 2 for values in reached.values())


@each_game
def test_board_features__slices_that_they_do_not_read__change_nothing(name):
    spec = batch_class(name).spec
    read = set(spec.board.features_read)
    view = FloatView(spec, features=True)
    kept = slice(-len(spec.board.features), None)
    observations = decisions_of(name, KINDS[name][0]).observations[::29]
    plain = view.block(view.show(observations), spec.board.block)[..., kept]
    assert read <= {piece.name for piece in spec.obs_layout}
    others = observations.copy()
    for piece in spec.obs_layout:
        if piece.name not in read:
            others[:, piece.start : piece.stop] = piece.high - others[:, piece.start : piece.stop]
    assert (view.block(view.show(others), spec.board.block)[..., kept] == plain).all()
    for name_read in read:
        piece = next(piece for piece in spec.obs_layout if piece.name == name_read)
        others = observations.copy()
        others[:, piece.start : piece.stop] = piece.high - others[:, piece.start : piece.stop]
        assert (view.block(view.show(others), spec.board.block)[..., kept] != plain).any(), name_read


@each_of_three
@pytest.mark.parametrize("features", [True, False])
def test_flat_names__of_each_column__say_where_it_is(name, features):
    view = FloatView(BATCHES[name].spec, features=features)
    names = view.flat_names()
    assert len(names) == len(set(names)) == view.size
    for block, (_, rows, columns) in view.blocks.items():
        for row, column in itertools.product(range(rows), columns):
            assert names.index(f"{block}.{row}.{column.name}") == view.place_of(column.name, block, row)[0]
