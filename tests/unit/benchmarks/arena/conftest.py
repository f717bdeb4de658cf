"""What bots of the zoo leave behind here is put back; Ctrl-C works where tests run in the background, too."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def process_as_it_was() -> Iterator[None]:
    environment, handler = dict(os.environ), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)
    os.environ.clear()
    os.environ.update(environment)
