"""How bots are named, and what an answer of theirs can be that cannot be used.

In a name commas separate bots, colons the parts of one, semicolons those of a bot within another.
"""

import re
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from shogun_env.spec.forms import one_line, shown

IN_A_FILE = "path/to/file.py:make, where the path holds no comma, colon or semicolon"
"""How a bot in a file is named; a path cannot hold what separates."""
FAULTS = ("illegal", "form", "nan", "error", "late", "crash")
"""Kinds of faults: an illegal action; an answer that is not an array of n whole numbers; one with not-a-numbers in it;
an exception; an answer after the limit of time; an answer lost because the process of the agent died. One fault is
counted for every decision that is lost by it."""
MOST_SECONDS = 1_000_000
"""For an answer nobody waits longer; clocks of the system take little more."""


def _split(text: str, separator: str) -> list[str]:
    """Return the parts of a text between separators; one in a word in quotation marks separates nothing."""
    parts, begin = [], 0
    for match in re.finditer(rf"""(?<!\w)(?:"[^"]*"|'[^']*')|{re.escape(separator)}""", text):
        if match[0] == separator:
            parts.append(text[begin : match.start()])
            begin = match.end()
    return [*parts, text[begin:]]


def specs_in(text: str) -> list[str]:
    """Return the specs of bots in a text that separates them by commas, and perhaps blanks.

    Example:
        >>> specs_in("random, exec:python bot.py '--level=a:b,c'")
        ['random', "exec:python bot.py '--level=a:b,c'"]
    """
    return [part.strip() for part in _split(text, ",")]


def different(text: str) -> bool:
    """Different bots, separated by commas."""
    return all(specs := specs_in(text)) and len({*specs}) == len(specs)


def specs_for(text: str, count: int, who: str = "players") -> list[str]:
    """Return the spec of the bot of each of ``count`` players; ValueError unless a text has one for each, or one."""
    specs = specs_in(text)
    if len(specs) not in (1, count):
        raise ValueError(
            f"{len(specs)} agents for {count} {who}: give one for each, or one for all, not {shown(specs)}"
        )
    return specs * count if len(specs) == 1 else specs


def split_spec(spec: str) -> list[str]:
    """Return the parts of the spec of a bot, which colons separate.

    Example:
        >>> split_spec("exec:seconds=5:python bot.py '--level=a:b,c'")
        ['exec', 'seconds=5', "python bot.py '--level=a:b,c'"]
    """
    return _split(spec, ":")


def inner_spec(text: str) -> str:
    """Return the spec of a bot that another one is made of, in which colons are written as semicolons.

    Example:
        >>> inner_spec("exec;./bot '--level=a;b'")
        "exec:./bot '--level=a;b'"
    """
    return ":".join(_split(text, ";"))


def inner_specs(text: str) -> list[str]:
    """Return the specs of several bots that another one is made of, which plus signs separate.

    Example:
        >>> inner_specs("champion;greedy=false+scripted")
        ['champion:greedy=false', 'scripted']
    """
    return [inner_spec(part) for part in _split(text, "+")]


class FaultError(Exception):
    """An answer that cannot be used: a kind, one of ``FAULTS``, and what was wrong."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class PartlyLostError(FaultError):
    """An answer to several decisions of which some cannot be used, and the others count.

    Args:
        actions: int64[n], the answer; what it holds for the lost decisions does not matter.
        lost: for each decision the kind of fault that it is lost by, or an empty text.
        texts: for each kind that occurs what was wrong first.
    """

    def __init__(self, actions: np.ndarray, lost: Sequence[str], texts: Mapping[str, str]) -> None:
        super().__init__(*next(iter(texts.items())))
        self.actions, self.lost, self.texts = actions, tuple(lost), dict(texts)

    @classmethod
    def in_rows(cls, actions: np.ndarray, rows: np.ndarray, error: BaseException) -> Self:
        """Return the fault of an answer int64[n] of which a bot was to give the part ``rows`` int64[k], and raised."""
        lost = [""] * len(actions)
        if isinstance(error, PartlyLostError):
            kinds, texts, actions[rows] = error.lost, error.texts, error.actions
        else:
            kind, text = fault_of(error)
            kinds, texts = (kind,) * len(rows), {kind: text}
        for row, kind in zip(rows.tolist(), kinds, strict=True):
            lost[row] = kind
        return cls(actions, lost, texts)


def fault_of(error: BaseException) -> tuple[str, str]:
    """Return the kind of fault that an exception of a bot is, and its text."""
    if isinstance(error, FaultError) and error.kind in FAULTS:
        return error.kind, text_of(error)
    return "error", first_line(error)


def first_line(error: BaseException) -> str:
    """Return an exception as one short line of text, such as ``OSError: no such file (bot.py, line 3)``."""
    where = raised_in(error)
    return one_line(f"{type(error).__name__}: {text_of(error)}") + (f" ({where})" if where else "")


def raised_in(error: BaseException) -> str:
    """Return the line of a bot in which an exception arose, such as ``bot.py, line 3``; empty for one of this package.

    That is the last one in the first file that is neither of this package nor of Python.
    """
    package, python = Path(__file__).parents[1], Path(traceback.__file__).parent
    lines = [
        (file, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if package not in (file := Path(frame.filename)).parents and not file.name.startswith(("<frozen", "<string>"))
        if python not in file.parents or "site-packages" in file.parts
    ]
    own = [line for file, line in lines if file == lines[0][0]]
    return f"{lines[0][0].name}, line {own[-1]}" if own else ""


def text_of(error: BaseException) -> str:
    """Return the text of an exception as one line, whatever it does when it is printed."""
    try:
        return one_line(f"{error} ")
    except Exception:
        return "a text that cannot be printed"


class MachineError(ValueError):
    """What keeps bots from being asked is this machine, not a bot: too few file handles, or no sandbox any more."""


def checked(answer: Any, count: int) -> np.ndarray:
    """Return an agent's answer as int64[count], a copy.

    Raises: FaultError of the kind ``form`` or ``nan`` if it is anything but one whole number per decision.

    Example:
        >>> checked([3, 4], 2).tolist()
        [3, 4]
    """
    values = np.array(answer)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise FaultError("nan", "the answer holds numbers that are not a number")
    if values.shape != (count,) or values.dtype.kind not in "iu":
        raise FaultError("form", f"an array of shape {values.shape} and type {values.dtype}, not int64[{count}]")
    return values.astype(np.int64)


def legal_or_lowest(actions: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Replace illegal actions by the lowest legal ones.

    Args:
        actions: int64[n].
        masks: int8[n, A], 1 where an action is legal.

    Returns: legal actions int64[n], and bool[n], which of them were replaced.

    Example:
        >>> actions, illegal = legal_or_lowest(np.array([2, 0]), np.array([[0, 1, 1], [0, 1, 1]], np.int8))
        >>> actions.tolist(), illegal.tolist()
        ([2, 1], [False, True])
    """
    inside = np.minimum(np.maximum(actions, 0), masks.shape[1] - 1)  # np.clip takes 20 us for one action
    illegal = (inside != actions) | (masks[np.arange(len(actions)), inside] == 0)
    return (np.where(illegal, masks.argmax(axis=1), actions) if illegal.any() else actions), illegal
