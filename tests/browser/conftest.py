"""The browser of the tests, and what they need to have one."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NEEDS_A_BROWSER = [
    pytest.mark.full,
    pytest.mark.skipif(
        not (shutil.which("chromium") and shutil.which("chromedriver")),
        reason="needs a browser: apt-get install chromium chromium-driver",
    ),
]
"""Marks of a module of tests."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """The browser with an empty page of the usual size, which at the end has logged no fault."""
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    chromium.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    chromium.set_window_size(1280, 900)
    chromium.get("about:blank")
    chromium.get_log("browser")
    yield chromium
    faults = [entry["message"] for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]
    assert [fault for fault in faults if "409" not in fault] == []
