"""What comes from outside: JSON and TOML that somebody else may have written, forms that values must have, and texts
of strangers as people may see them.

How a form is read:

- a range: a whole number in it; a tuple: one of its forms; ``str``: any text;
- a list of one form: a list of such values; with a number after the form: a list of that length; a list of several
  forms: a list with one value for each; an empty list: itself;
- a dict: an object with exactly these fields; with a tuple as its only key: an object with any of these fields, in this
  order; with a frozenset: in any order;
- a function: a value that it accepts, described by its docstring; anything else: this value, of this type.
"""

import ast
import difflib
import inspect
import json
import textwrap
import tomllib
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

COUNT = range(2**53)
"""The form of a number of things: a whole number that every JSON reader holds exactly."""
BOOLEAN = (False, True)
"""The form of what is so or not."""
LARGEST = 1e38
"""Numbers up to this are finite as float32, too."""
TOO_DEEP = "too many values inside one another"


def anything(value: Any) -> bool:
    """Anything."""
    return True


def finite(value: Any) -> bool:
    """A finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def from_0(value: Any) -> bool:
    """A finite number, 0 or more."""
    return finite(value) and value >= 0


def above_0(value: Any) -> bool:
    """A finite number above 0."""
    return finite(value) and value > 0


def from_0_to_1(value: Any) -> bool:
    """A number from 0 to 1."""
    return finite(value) and 0 <= value <= 1


def above_0_to_1(value: Any) -> bool:
    """A number above 0, at most 1."""
    return from_0_to_1(value) and value > 0


def count(value: Any) -> bool:
    """A whole number, at least 1."""
    return type(value) is int and value >= 1


def table(value: Any) -> bool:
    """A table of values by name."""
    return isinstance(value, dict)


def tables(value: Any) -> bool:
    """A list of tables, at least one."""
    return isinstance(value, list) and bool(value) and all(map(table, value))


def json_of(text: str | bytes, **hooks: Any) -> Any:
    """Return the value of a JSON text; ``hooks`` are those of ``json.loads``.

    Raises: ValueError for any other text, also one that is nested too deeply, or holds half of a surrogate pair, which
        could not be written anywhere.
    """
    try:
        value = json.loads(text, **hooks)
        if ("\\ud" if isinstance(text, str) else b"\\ud") in text.lower():  # type: ignore[operator]
            json.dumps(value, ensure_ascii=False, default=str).encode()
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except UnicodeEncodeError:
        raise ValueError("a text holds half of a surrogate pair") from None
    return value


def toml_of(text: str) -> dict[str, Any]:
    """Return the values of a TOML text; ValueError for any other text, also one that is nested too deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def fault_of(values: Any, forms: dict[str, Any], name: str = "it") -> str | None:
    """Return the first of the named ``values`` that does not have its form, and what it must be; None if all have.

    Example:
        >>> fault_of({"player": 7}, {"player": range(5)})
        'player is 7, must be a whole number from 0 to 4'
    """
    if not isinstance(values, dict) or set(values) != set(forms):
        return f"{name} is {short(values)}, must be an object of {', '.join(forms)}"
    for each, form in forms.items():
        if not fits(values[each], form):
            return f"{each} is {short(values[each])}, must be {in_words(form)}"
    return None


@contextmanager
def blaming(what: object) -> Iterator[None]:
    """Begin the message of a ValueError in the block with what it is about, such as a file, and a colon."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def check_settings(values: Mapping[str, Any], forms: Mapping[str, Any]) -> None:
    """Raise ValueError for the first of some settings that is none of ``forms``, or that does not have its form.

    Example:
        >>> check_settings({"threads": 0}, {"threads": count})
        Traceback (most recent call last):
        ValueError: threads=0: must be a whole number, at least 1
    """
    for name, value in values.items():
        if name not in forms:
            raise ValueError(f"unknown setting {name!r}; {meant(name, forms)}")
        if not fits(value, forms[name]):
            raise ValueError(f"{name}={shown(value)}: must be {in_words(forms[name])}")


def fits(value: Any, form: Any) -> bool:
    """Say whether a form allows a value."""
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, tuple):  # a text is most often one of many: a third of the time of reading a record
        return (type(value) is str and value in form) or any(fits(value, one) for one in form)
    if isinstance(form, list):
        return isinstance(value, list) and _fits_list(value, form)
    if isinstance(form, dict):
        return isinstance(value, dict) and _fits_object(value, form)
    if form is str:
        return isinstance(value, str)
    if callable(form):
        return bool(form(value))
    return type(value) is type(form) and value == form


def _fits_list(value: list[Any], form: list[Any]) -> bool:
    if not form:
        return not value
    if len(form) == 1 or isinstance(form[1], int):
        return all(fits(item, form[0]) for item in value) and len(value) == (form[1] if len(form) > 1 else len(value))
    return len(value) == len(form) and all(map(fits, value, form))


def _fits_object(value: dict[str, Any], form: dict[Any, Any]) -> bool:
    if not form:
        return not value
    names = next(iter(form))
    if isinstance(names, tuple) and list(value) != [name for name in names if name in value]:
        return False
    if isinstance(names, tuple | frozenset):
        return all(name in names and fits(item, form[names]) for name, item in value.items())
    return set(value) == set(form) and all(fits(item, form[name]) for name, item in value.items())


def whole(text: str) -> str:
    """Return a text without halves of letters, which JSON can hold and files cannot.

    Example:
        >>> whole("half a smile: " + chr(0xD83D))
        'half a smile: ?'
    """
    return text.encode("utf-8", "replace").decode()


def in_words(form: Any) -> str:
    """Return in words what a form allows."""
    if isinstance(form, range):
        return f"a whole number from {form[0]} to {form[-1]}"
    if isinstance(form, tuple):
        return f"one of {', '.join(map(in_words, form))}"
    if isinstance(form, list):
        if len(form) == 2 and isinstance(form[1], int):
            return f"a list of {form[1]}, each {in_words(form[0])}"
        return "an empty list" if not form else f"a list of {' and '.join(map(in_words, form))}"
    if isinstance(form, dict):
        return f"an object of {', '.join(map(_names_in_words, form))}"
    if callable(form):
        return "text" if form is str else docstring_of(form).rstrip(".").lower()
    return json.dumps(form)


def docstring_of(function: Any) -> str:
    """Return the docstring of a function, from its source where ``python -OO`` has taken it away; "" without one."""
    if function.__doc__:
        return str(function.__doc__)
    source = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return ast.get_docstring(source.body[0]) or ""  # type: ignore[arg-type]


def _names_in_words(names: str | tuple[str, ...] | frozenset[str]) -> str:
    """Return in words which names an object may have for its fields."""
    if isinstance(names, str) or not names:
        return str(names or "no fields")
    return f"{'/'.join(names)}, in this order" if isinstance(names, tuple) else "/".join(sorted(names))


def shown(value: Any) -> str:
    """Return any value as one line of at most 100 characters, for messages."""
    return cut(" ".join(repr(value).split()))


def cut(text: str, most: int = 100) -> str:
    """Return a text of at most ``most`` letters; of a longer one the last is an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def short(value: Any) -> str:
    r"""Return a value as one printable line of JSON of at most 100 characters; a longer text is cut.

    Example:
        >>> short("one\x85two")
        '"one\\x85two"'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return TOO_DEEP
    return cut("".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text))


def check_order(constants: ModuleType, names: Sequence[str], first: int = 0) -> None:
    """Check that constants number things in the order of the data: ``names`` are first, first + 1, …

    Raises: ValueError naming the constant that is missing or has another number.
    """
    for number, name in enumerate(names, first):
        if (value := getattr(constants, name.upper(), None)) != number:
            raise ValueError(f"{constants.__name__}.{name.upper()} is {value}, in the data {name} is number {number}")


def one_line(text: str, most: int = 250) -> str:
    r"""Return a text as one line of at most ``most`` letters, without what a terminal or a page would act on.

    Example:
        >>> one_line("the \x1b[2Jfirst\nline \u202eends")
        'the [2Jfirst line ends'
    """
    return cut("".join(letter for letter in " ".join(text.split()) if letter.isprintable()), most)


def compared(name: str) -> str:
    """Return the form in which names are compared: two that look the same to a reader are one.

    Example:
        >>> compared(" Random ") == compared("random")
        True
    """
    return unicodedata.normalize("NFKC", one_line(name)).strip().casefold()


def meant(word: str, known: Collection[str]) -> str:
    """Return what a wrong word may have been meant to be, or what is known, for an error.

    Example:
        >>> meant("gred", ["greed", "depth"])
        'did you mean greed?'
    """
    near = difflib.get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}" if known else "there are none"


class UnknownNameError(KeyError, ValueError):
    """A name that is not known, with the one that was meant."""

    def __str__(self) -> str:
        return str(self.args[0])


class Named(dict[str, Any]):
    """Values by name; a wrong name is an error that says which one may have been meant."""

    def __missing__(self, name: str) -> Any:
        """Raise UnknownNameError."""
        raise UnknownNameError(f"there is no {name!r}; {meant(str(name), self)}")
