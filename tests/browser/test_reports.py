"""The page of an arena in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from shogun_env.benchmarks.tournament import main
from tests.browser.conftest import NEEDS_A_BROWSER
from tests.browser.test_pages import complaints

pytestmark = NEEDS_A_BROWSER


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("arena") / "run"
    main(
        [
            "--game",
            "shitenno",
            "--agents",
            "scripted,random,pool:2min",
            "--games",
            "30",
            "--out",
            str(folder),
        ]
    )
    return (folder / "report.html").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report__looked_at_by_axe__has_nothing_to_complain_of(scheme: str, browser: Any, report: str):
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.get(report)
    browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    assert complaints(browser) == []
    ids = browser.execute_script("return [...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len({*ids})
    unseen = (
        "return [...document.querySelectorAll('figure text')].filter(each => getComputedStyle(each).fill === 'none')"
    )
    assert browser.execute_script(f"{unseen}.map(each => each.textContent)") == []
