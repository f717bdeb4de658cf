"""What a command answers to wrong arguments."""

from collections.abc import Callable, Sequence

import pytest

from shogun_env.commands import run_command


def refusal(
    capsys: pytest.CaptureFixture[str],
    command: str | Callable[[Sequence[str]], object],
    *arguments: str,
    status: int = 2,
) -> str:
    """Return the one line that a command says before it ends with a status; it is named, or a function."""
    capsys.readouterr()  # what was said before
    with pytest.raises(SystemExit) as left:
        run_command(command, arguments) if isinstance(command, str) else command(arguments)
    assert left.value.code == status
    (line,) = capsys.readouterr().err.splitlines()
    return line
