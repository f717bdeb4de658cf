"""What the JavaScript of the pages says of the data that it receives, and servers of pages."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import Any

from tests.tree import ROOT


def declared(script: str, name: str) -> set[str]:
    """Return the properties of an object that a script receives, as its ``@typedef`` lists them."""
    (path,) = (ROOT / "shogun_env").glob(f"*/{script}")
    text = re.search(rf"@typedef \{{object\}} {name}\b(.*?)(?:@typedef|\*/)", path.read_text("utf-8"), re.DOTALL)
    assert text, f"{script} does not declare {name}"
    return set(re.findall(r"@property \{.*\} \[?(\w+)", text[1]))


@contextmanager
def running(server: BaseServer) -> Iterator[Any]:
    """Let a server answer as long as the block lasts."""
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
