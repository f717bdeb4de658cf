"""The map is made from the data alone."""

from __future__ import annotations

import pytest

from shogun_env.shogun.draw import geometry
from tests.unit.shogun.draw import tessellate


@pytest.mark.full
def test_map__computed_again__is_the_file():
    again = tessellate.make_map()
    assert [line[:2] for line in again["lines"]] == [line[:2] for line in geometry.MAP["lines"]]
    for name in ("labels", "routes"):
        for row, kept in zip(again[name], geometry.MAP[name], strict=True):
            assert all(abs(a - b) <= 2 for a, b in zip(row, kept, strict=True))
