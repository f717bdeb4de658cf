"""What a command answers to wrong arguments."""

from collections.abc import Callable, Sequence

import pytest

from shogun_env.commands import run_command


def refusal(
    capsys: pytest.CaptureFixture[str], command: str | Callable[[Sequence[str]], object], *arguments: str
) -> str:
    """Return the one line that a command says before it ends with status 2; it is named, or a function."""
    with pytest.raises(SystemExit) as left:
        run_command(command, arguments) if isinstance(command, str) else command(arguments)
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line
