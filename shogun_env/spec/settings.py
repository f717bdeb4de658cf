"""Settings: a frozen dataclass says once what the options of a command, a TOML file and the JSON of a file may hold.

A field has a name, a type, a default and a docstring, whose first sentence is the help of its option. The type may
bring a form (``spec.forms``) and an ``Option``, as in ``threads: Annotated[int, range(1, 1025)] = 2``; without a form
whole numbers are at least 1, and others at least 0. Lists are tuples, written with commas, and tables are TOML.
"""

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import MISSING, Field, fields, replace
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from shogun_env.spec import forms

S = TypeVar("S")


class Option(NamedTuple):
    """How a setting is given on a command line, where that does not follow from its name and type."""

    flag: str | None = ""
    """The option, ``--NAME`` if empty; None: none."""
    metavar: str = ""
    read: Callable[[str], Any] | None = None
    """Returns the value of a text; raises ArgumentTypeError for a wrong one."""
    const: Any = None
    """The value of the option without a text; None: it needs one."""
    default: str = ""
    """The default in words, where the value does not say it."""


class Setting(NamedTuple):
    """A field of settings."""

    name: str
    type: Any
    """Its type, or that of a list: ``tuple``."""
    item: Any
    """Type of the values of a list."""
    form: Any
    """Of a value that is given; where the default is None, that is allowed as well."""
    option: Option
    default: Any
    text: str
    """Its docstring."""

    @property
    def help(self) -> str:
        """What ``--help`` says of it: the first sentence of its docstring."""
        text = re.split(r"(?<=[.:;]) (?=[A-Z])|\n\n", self.text.replace("``", ""))[0]
        text = " ".join(text.split()).rstrip(".:")
        return text if text[1:2].isupper() else text[:1].lower() + text[1:]

    def read(self, text: str) -> Any:
        """Return the value that a text stands for; ArgumentTypeError for a wrong one."""
        return self.option.read(text) if self.option.read else self.kept(reader(self._value_of, self.form)(text))

    def _value_of(self, text: str) -> Any:
        if self.type is dict or self.item is dict:
            return forms.toml_of(f"x = {text}")["x"]
        if self.type is tuple:
            return [READ[self.item](part) for part in text.split(",")] if text else []
        return READ[self.type](text)

    def kept(self, value: Any) -> Any:
        """Return a value of JSON or TOML that has the form, as the field keeps it."""
        return value if value is None or self.type not in (tuple, float, Path) else self.type(value)


def reader(value_of: Callable[[str], Any], form: Any) -> Callable[[str], Any]:
    """Return a function that reads the text of an option: it raises ArgumentTypeError unless the value has the form.

    Example:
        >>> reader(float, forms.above_0)("0")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: '0' must be a finite number above 0
    """

    def read(text: str) -> Any:
        with suppress(ValueError, KeyError):
            if forms.fits(value := value_of(text), form):
                return value
        raise argparse.ArgumentTypeError(f"{text!r} must be {forms.in_words(form)}")

    return read


def whole_number(text: str) -> int:
    """Return a whole number without spaces, signs or underscores; ValueError for another text."""
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


READ: dict[Any, Callable[[str], Any]] = {int: whole_number, float: float, str: str, Path: str}
FORM_OF_TYPE: dict[Any, Any] = {
    bool: forms.BOOLEAN, int: forms.count, float: forms.from_0, str: str, Path: str, dict: forms.table,
}  # fmt: skip
"""The form of a setting whose type brings none."""
METAVAR_OF_TYPE = {int: "N", float: "X", Path: "PATH", dict: "TOML", tuple: "A,B"}


@cache
def settings_of(kind: Any) -> dict[str, Setting]:
    """Return the fields of a dataclass of settings by name."""
    hints, texts = get_type_hints(kind, include_extras=True), docstrings_of(kind)
    return {each.name: _setting(each, hints[each.name], texts.get(each.name, "")) for each in fields(kind)}


def _setting(each: Field[Any], hint: Any, text: str) -> Setting:
    default = each.default if each.default_factory is MISSING else each.default_factory()
    hint, extras = _bare(hint)
    if get_origin(hint) in (Union, UnionType):  # or None
        hint, more = _bare(next(part for part in get_args(hint) if part is not type(None)))
        extras = [*more, *extras]
    option = Option()
    for extra in extras:
        if isinstance(extra, Option):  # a name for a type may bring one, and the field another
            named = {name: value for name, value in extra._asdict().items() if value != Option._field_defaults[name]}
            option = option._replace(**named)
    kind = get_origin(hint) or hint
    item, inner = _bare(get_args(hint)[0]) if kind is tuple else (None, [])
    item = get_origin(item) or item
    form = next((extra for extra in extras if not isinstance(extra, Option)), MISSING)
    if form is MISSING:
        form = [inner[0] if inner else FORM_OF_TYPE[item]] if kind is tuple else FORM_OF_TYPE.get(kind, forms.anything)
    return Setting(each.name, kind, item, form, option, default, text)


def _bare(hint: Any) -> tuple[Any, list[Any]]:
    """Return a type without what it is annotated with, and that."""
    return (hint.__origin__, list(hint.__metadata__)) if get_origin(hint) is Annotated else (hint, [])


def docstrings_of(kind: type) -> dict[str, str]:
    """Return the docstrings of the fields of a class by name, with those of its bases."""
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__[:-1]):
        with suppress(OSError, TypeError):  # a class without a source
            (body,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            for field, after in zip(body.body, body.body[1:], strict=False):  # type: ignore[attr-defined]
                if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
                    texts[field.target.id] = inspect.cleandoc(after.value.value)  # type: ignore
    return texts


# --- on a command line -----------------------------------------------------------------------------------------------


def add_options(
    parser: argparse._ActionsContainer, kind: type, names: Collection[str] | None = None, given_only: bool = False
) -> None:
    """Add the options of the settings of a dataclass to a parser.

    Args: parser, or a group of it; the dataclass; names of the settings, all of them if left out; given_only, whether
        an option that is not given leaves no value, where defaults come from a file.
    """
    for setting in settings_of(kind).values():
        name, option, flag = setting.name, setting.option, setting.option.flag
        if flag is None or name not in (names or [name]):
            continue
        flags = [flag or f"--{name.replace('_', '-')}"]
        if flags == ["--out"]:
            flags.insert(0, "-o")
        words = setting.help.replace("%", "%%")
        shown = option.default or _shown(setting.default).replace("%", "%%")
        more: dict[str, Any] = {"help": f"{words} ({shown})" if shown and not given_only else words}
        if setting.type is bool:
            more["action"] = argparse.BooleanOptionalAction if given_only or setting.default else "store_true"
        else:
            is_choice = isinstance(setting.form, tuple) and all(isinstance(each, str) for each in setting.form)
            metavar = option.metavar or METAVAR_OF_TYPE.get(dict if setting.item is dict else setting.type)
            more |= {"choices": setting.form} if is_choice else {"type": setting.read, "metavar": metavar}
            if option.const is not None:
                more |= {"nargs": "?", "const": option.const}
        parser.add_argument(*flags, dest=name, default=argparse.SUPPRESS if given_only else setting.default, **more)


def _shown(default: Any) -> str:
    """Return a default as it would be given on a command line; empty where there is none."""
    if default is None or isinstance(default, bool):
        return ""
    if isinstance(default, tuple):
        return "" if any(isinstance(each, dict) for each in default) else ",".join(map(str, default))
    return f"{default:g}" if isinstance(default, float) else str(default)


def given(args: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return the settings that a command line gives, by name; others are left out."""
    options = [name for name, each in settings_of(kind).items() if each.option.flag is not None]
    return {name: getattr(args, name) for name in options if hasattr(args, name)}


# --- values from outside ---------------------------------------------------------------------------------------------


def changed(settings: S, values: Mapping[str, Any]) -> S:
    """Return settings with other values, also as JSON or TOML holds them.

    Raises: ValueError naming the first that is wrong or unknown.


    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Run:
        ...     games: int = 100
        ...     bots: tuple[str, ...] = ()
        >>> changed(Run(), {"bots": ["random"]})
        Run(games=100, bots=('random',))
        >>> changed(Run(), {"games": 0})
        Traceback (most recent call last):
        ValueError: games=0: must be a whole number, at least 1
    """
    known = settings_of(type(settings))  # type: ignore[arg-type]
    try:
        values = _plain(values)
    except RecursionError:
        raise ValueError(forms.TOO_DEEP) from None
    allowed = {name: (each.form, None) if each.default is None else each.form for name, each in known.items()}
    forms.check_settings(values, allowed)
    return replace(settings, **{name: known[name].kept(value) for name, value in values.items()})  # type: ignore[type-var]


def as_json(settings: Any) -> dict[str, Any]:
    """Return settings as JSON values by name."""
    return {name: _plain(getattr(settings, name)) for name in settings_of(type(settings))}  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return str(value) if isinstance(value, Path) else value
