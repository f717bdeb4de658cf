"""A scripted person in front of a page, who knows no more of it than what it says: roles, names and texts.

What a person sees is the accessibility tree, which a screen reader reads out: no element is found by an id, a class or
an attribute of the page's own. A person clicks, or taps on a phone, at the middle of what they see; if something covers
it, nothing happens.
"""

import random
import time
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

LAPTOP, HAND = (1366, 768), (390, 844)
"""Width and height of what shows the page, in pixels; narrower than 500 is a phone, which is touched."""


SETTLED = "return typeof page !== 'undefined' && !!page.view && !page.busy && `${page.view.version}`"
"""JavaScript: the version that the page shows, false while it waits for an answer."""
WAIT = 60.0
"""Seconds after which a person gives up that a page opens."""
PATIENCE = 4.0
"""Seconds after which a person does something again: a click ends what unfolds on the board, and nothing else."""


class Thing(NamedTuple):
    """Something on the page."""

    role: str
    name: str
    groups: tuple[str, ...]
    """Names of the regions, groups and lists that it is in, the outermost first."""
    is_enabled: bool
    node: int
    """What the browser calls it."""


def each_scheme(one: str, other: str) -> Any:
    """Return the decorator of a test of two pages ``name``, one light, the other dark; slow the other way round."""
    pairs = [(one, "light"), (other, "dark")]
    crossed = [pytest.param(name, scheme, marks=pytest.mark.slow) for name, scheme in ((one, "dark"), (other, "light"))]
    return pytest.mark.parametrize(("name", "scheme"), [*pairs, *crossed])


def show_at(driver: Any, size: tuple[int, int], is_mobile: bool = False) -> None:
    """Give the browser a window of this width and height, or the screen of a phone."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": is_mobile}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def show_in(driver: Any, scheme: str) -> None:
    """Give the browser a light or a dark scheme."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


class Person:
    """Somebody who plays on a page, by chance but with legal moves only.

    Args:
        driver: the browser, of Selenium.
        size: width and height of the window in pixels.
        seed: of the person's choices.
    """

    def __init__(self, driver: Any, size: tuple[int, int], seed: int = 0) -> None:
        self.driver, self.is_phone, self.chance = driver, size[0] < 500, random.Random(seed)
        show_at(driver, size, self.is_phone)
        self._cdp("Emulation.setTouchEmulationEnabled", enabled=self.is_phone)
        self._cdp("Accessibility.enable")
        self.in_vain = 0  # how often in a row nothing has happened

    def leave(self) -> None:
        """Leave the browser as it was."""
        self.driver.get("about:blank")
        self._cdp("Emulation.setTouchEmulationEnabled", enabled=False)
        self._cdp("Accessibility.disable")

    def _cdp(self, command: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(command, arguments)

    # --- seeing ------------------------------------------------------------------------------------------------------

    def look(self) -> list[Thing]:
        """Return what is on the page, in the order of reading."""
        nodes = {node["nodeId"]: node for node in self._cdp("Accessibility.getFullAXTree")["nodes"]}
        things: list[Thing] = []

        def read(node: dict[str, Any], groups: tuple[str, ...]) -> None:
            inside = groups
            if not node["ignored"]:
                role, name = (str(node.get(key, {}).get("value", "")) for key in ("role", "name"))
                states = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
                disabled = bool(states.get("disabled"))
                things.append(Thing(role, name, groups, not disabled, node.get("backendDOMNodeId", 0)))
                inside = (*groups, name) if role in ("region", "group", "list") and name else groups
            for child in node.get("childIds", []):
                if child in nodes:
                    read(nodes[child], inside)

        read(next(iter(nodes.values())), ())
        return things

    def button(self, name: str, things: list[Thing] | None = None) -> Thing | None:
        """Return the button or link with a name that can be used; None if there is none."""
        for thing in self.look() if things is None else things:
            if thing.role in ("button", "link") and thing.name == name and thing.is_enabled:
                return thing
        return None

    # --- doing -------------------------------------------------------------------------------------------------------

    def press(self, thing: Thing) -> None:
        """Click something, or tap it."""
        if self.is_phone:  # a person scrolls what they want to tap to the middle, clear of the bars above and below
            node = self._cdp("DOM.resolveNode", backendNodeId=thing.node)["object"]["objectId"]
            scroll = "function() { this.scrollIntoView({ block: 'center' }); }"
            self._cdp("Runtime.callFunctionOn", objectId=node, functionDeclaration=scroll)
        self._cdp("DOM.scrollIntoViewIfNeeded", backendNodeId=thing.node)
        quad = self._cdp("DOM.getContentQuads", backendNodeId=thing.node)["quads"][0]
        x, y = sum(quad[::2]) / 4, sum(quad[1::2]) / 4
        if self.is_phone:
            self._cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            self._cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            return
        self._cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self._cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, thing: Thing) -> None:
        """Move the focus to something, and press return."""
        self._cdp("DOM.focus", backendNodeId=thing.node)
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        self._cdp("Input.dispatchKeyEvent", type="keyDown", **key)
        self._cdp("Input.dispatchKeyEvent", type="keyUp", **key)

    def open(self, address: str) -> None:
        """Open a page and wait for its board."""
        self.driver.get(address)
        end = time.monotonic() + WAIT
        while not self.driver.execute_script(SETTLED):
            if time.monotonic() > end:
                raise AssertionError(f"nothing happened; the page says {self.text()}")
            time.sleep(0.01)

    def text(self) -> str:
        """Return all that is written on the page, cut."""
        return " ".join(thing.name for thing in self.look() if thing.role == "StaticText")[:2000]

    def act(self) -> bool:
        """Do the next thing that the page offers, by chance; return whether the game goes on."""
        things = self.look()
        if any("The game is over" in thing.name for thing in things):
            return False
        from selenium.common.exceptions import WebDriverException

        # explanations, and what has happened event by event
        if passing := next(filter(None, (self.button(name, things) for name in ("next", "got it", "skip"))), None):
            with suppress(WebDriverException):  # the last event may have passed since the person looked
                self.press(passing)
            return True
        thing = self._command(things) or self._choice(things)
        before = self.driver.execute_script(SETTLED)
        by_key = self.chance.random() < 0.3 and not self.is_phone
        with suppress(WebDriverException):  # the page has changed since the person looked
            self.type(thing) if by_key else self.press(thing)
        end = time.monotonic() + PATIENCE
        while self.driver.execute_script(SETTLED) in (before, False) and time.monotonic() < end:
            time.sleep(0.01)
        self.in_vain = self.in_vain + 1 if time.monotonic() >= end else 0
        if self.in_vain > 2:
            raise AssertionError(f"{thing.name!r}: nothing happened; the page says {self.text()}")
        return True

    def _command(self, things: list[Thing]) -> Thing | None:
        """Return the button that confirms, or at times the one that undoes; None where nothing waits for it."""
        confirm, undo = self.button("confirm", things), self.button("undo", things)
        return undo if confirm and undo and self.chance.random() < 0.05 else confirm

    def _choice(self, things: list[Thing]) -> Thing:
        """Return one of the choices, in the panel or on the board; cards that are on a space stay there."""
        buttons = [thing for thing in things if thing.role == "button" and thing.is_enabled]
        offered = [thing for thing in buttons if "legal actions" in thing.groups]
        offered += [thing for thing in buttons if any("lot" in name for name in thing.groups)]
        fresh = [thing for thing in offered if " from " not in thing.name and not thing.name.endswith(" back")]
        marked = [thing for thing in buttons if "the board" in thing.groups]
        if not fresh:
            names = [thing.name for thing in offered]
            raise AssertionError(f"there is nothing to choose among {names}; the page says {self.text()}")
        return self.chance.choice(marked if marked and self.chance.random() < 0.3 else fresh)

    def play(self, address: str) -> None:
        """Play a whole game."""
        self.open(address)
        while self.act():
            pass
