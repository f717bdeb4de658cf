"""What a command answers to wrong arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest


def refusal(capsys: pytest.CaptureFixture[str], main: Callable[[Sequence[str]], object], *arguments: str) -> str:
    """Return the one line that a command says before it ends with status 2."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line
