"""The drawn map agrees with the data."""

from itertools import pairwise

from shogun_env.shogun.board import DATA, PROVINCE_NAMES
from shogun_env.shogun.draw import geometry


def test_map__provinces_that_touch__are_those_with_a_border_on_land():
    touching = {frozenset(PROVINCE_NAMES[prov] for prov in (one, other)) for one, other, _ in geometry.BORDERS}
    assert touching == {frozenset(pair) for pair in DATA["land_borders"]}


def is_inside(outline: str, x: float, y: float) -> bool:
    """Say whether a point is inside a path: a ray to the right crosses it an odd number of times."""
    points = [tuple(map(float, point.split(","))) for point in outline.strip("MZ").split("L")]
    crossings = 0
    for (x0, y0), (x1, y1) in pairwise(points):
        crossings += (y0 > y) != (y1 > y) and x0 + (y - y0) * (x1 - x0) / (y1 - y0) > x
    return crossings % 2 == 1


def test_map__every_province__has_a_closed_outline_around_its_label_and_no_other():
    assert all(outline.endswith("Z") for outline in geometry.OUTLINES)
    for x, y in geometry.PLACES:
        around = [prov for prov, outline in enumerate(geometry.OUTLINES) if is_inside(outline, x, y)]
        assert around == [geometry.PLACES.index((x, y))]


def test_map__sea_routes__are_those_of_the_data():
    ends = [[tuple(route[:2]), tuple(route[4:])] for route in geometry.ROUTES]
    assert [[PROVINCE_NAMES[geometry.PLACES.index(end)] for end in pair] for pair in ends] == DATA["sea_routes"]
