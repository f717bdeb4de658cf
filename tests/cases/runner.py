"""Plays the rule cases of both games and compares everything that they say."""

from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.batch.loops import NO_ACTION, advance
from shogun_env.game import Game
from shogun_env.kernel.log import ERRORS, HEAD
from tests.cases import shitenno, shogun
from tests.cases.language import Case, Line, Outcome, Setting, Vocabulary, all_items, read_cases, words_of
from tests.lines import line_text

FOLDER = Path(__file__).parent
VOCABULARIES: dict[str, Vocabulary] = {"shogun": shogun.VOCABULARY, "shitenno": shitenno.VOCABULARY}


def all_cases() -> list[Case]:
    """Return the cases of all files of both games."""
    return [
        case
        for name, vocabulary in VOCABULARIES.items()
        for path in sorted((FOLDER / name).glob("*.txt"))
        for case in read_cases(path, name, vocabulary.setting_fields)
    ]


# --- playing ---------------------------------------------------------------------------------------------------------


def play(case: Case) -> Game:
    """Set a case up and play it to its end, comparing the masks that it gives.

    Raises: AssertionError where the game is not as the case says; ValueError for a word that cannot be read, an illegal
        action, a position or an outcome that cannot be.
    """
    game = start(case)
    check(game)
    for item in case.items("choose"):
        choose(game, item)
    return game


def options_of(case: Case) -> dict[str, Any]:
    """Return the options: ``name value``, numbers as numbers; a name alone means True."""
    options: dict[str, Any] = {}
    for item in case.items("options"):
        name, *value = item.split()
        options[name] = True if not value else int(value[0]) if value[0].isdigit() else value[0]
    return options


def chance_of(case: Case) -> list[Outcome]:
    """Return the outcomes that a case gives."""
    words = VOCABULARIES[case.game].chance
    outcomes: list[Outcome] = []
    for item in case.items("chance"):
        name, *rest = item.replace(",", " ").split()
        if name not in words:
            raise ValueError(f"{item!r} in chance: must begin with one of {', '.join(words)}")
        outcomes += words[name](rest)
    return outcomes


def start(case: Case) -> Game:
    """Return the game of a case at its first decision."""
    vocabulary, chance = VOCABULARIES[case.game], chance_of(case)
    game = vocabulary.game(**options_of(case))
    setting = setting_of(case)
    if setting is None:
        game.batch.reset(seeds=[0], tapes={0: chance + vocabulary.chance_of_setup()})
    else:
        begin_at(game, setting.g, chance + setting.later_chance(chance))
    return game


def setting_of(case: Case) -> Setting | None:
    """Return the position of a case, None for one that begins with the set-up."""
    vocabulary = VOCABULARIES[case.game]
    items = list(all_items(case, vocabulary.setting_fields))
    if not items:
        return None
    spec = vocabulary.game.spec
    setting = vocabulary.setting(spec.blank_state(spec.check_options(options_of(case)))[0].copy())
    for field, item in items:
        setting.give(field, item)
    setting.finish()
    return setting


def begin_at(game: Game, state: np.void, chance: list[Outcome]) -> None:
    """Let a game go on from a state, with these outcomes to come, and run on to the first decision."""
    batch = game.batch
    batch.games[0] = state
    batch.logs[:, :HEAD] = 0
    game.force(chance)
    advance.of(batch.spec.engine)(batch.games[0], batch.rngs[0], batch.logs[0], NO_ACTION, batch.legal[0])
    if error := int(batch.games["error"][0]):
        raise ValueError(ERRORS[error])
    batch.refresh()


def choose(game: Game, item: str) -> None:
    """Play the decisions of an item, after comparing player and mask; ``?`` compares and plays nothing."""
    player, _, actions = item.partition(" ")
    for action in actions.split(","):
        name, *mask = action.split()
        legal = list(game.legal_actions())
        assert game.player == int(player), f"{item}: player {game.player} decides {game.phase} among {legal}"
        if mask:
            assert mask[0] == "of", f"{item}: the mask must follow the word of"
            assert sorted(mask[1:]) == sorted(legal), f"{item}: legal are {' '.join(legal)}"
        if name != "?":
            game.play(name)
            check(game)


def check(game: Game) -> None:
    """Check that the state is valid."""
    code = int(game.batch.check()[0])
    assert code == 0, game.spec.check_messages[code]


# --- comparing -------------------------------------------------------------------------------------------------------


def lines_to_name(case: Case, lines: list[Line]) -> list[str]:
    """Return the lines that a case has to name: of the game's main types, and of any other type that it names."""
    vocabulary = VOCABULARIES[case.game]
    types = {*vocabulary.line_types, *(item.split()[0] for item in case.items("lines"))}
    named = (line for line in lines if line["t"] in types and not vocabulary.need_not_name(case, line))
    return [line_text(line) for line in named]


def compare_lines(case: Case, lines: list[Line]) -> None:
    """Compare the record with the case's ``lines``, one by one, each field that the case gives."""
    items, texts = case.items("lines"), lines_to_name(case, lines)
    for number, item in enumerate(items):
        assert number < len(texts), f"the record ends before: {item}"
        assert set(item.split()) <= set(texts[number].split()), (
            f"the case says\n{item}\nthe record says\n{texts[number]}"
        )
    assert not items or len(items) == len(texts), f"the record goes on: {texts[len(items) :]}"


def compare_state(case: Case, game: Game) -> None:
    """Compare the position at the end with the case's ``after``."""
    for item in case.items("after"):
        actual = as_it_is(case, game, item)
        assert actual == item, f"the case says {item}; it is {actual}"


def as_it_is(case: Case, game: Game, item: str) -> str:
    """Return an item of ``after`` as it would be right."""
    vocabulary, g = VOCABULARIES[case.game], game.batch.games[0]
    name, *words = item.split()
    places = game.spec.position_format.places
    if name in AFTER:
        return f"{name} {AFTER[name](vocabulary, game, words)}"
    if name in places:
        return f"{name} {vocabulary.province(g, list(places).index(name))}"
    if name in vocabulary.after:
        return f"{name} {vocabulary.after[name](g, words)}"
    known = ", ".join((*AFTER, *vocabulary.after))
    raise ValueError(f"{item!r} in after: must begin with the name of a province, or with one of {known}")


def _decides(vocabulary: Vocabulary, game: Game, words: list[str]) -> str:
    """Return who decides what."""
    return f"{'-' if game.player is None else game.player} {game.phase}"


def _points(vocabulary: Vocabulary, game: Game, words: list[str]) -> str:
    """Return a player's points."""
    return f"{words[0]} {game.points[int(words[0])]}"


def _returns(vocabulary: Vocabulary, game: Game, words: list[str]) -> str:
    """Return the returns of all players by a reward."""
    return " ".join([words[0], *(f"{value:.2f}" for value in game.returns(words[0]))])


def _sees(vocabulary: Vocabulary, game: Game, words: list[str]) -> str:
    """Return a feature of a player's observation: names of its rows, or its numbers where rows have no names."""
    player, feature = words[:2]
    values = game.features(int(player))[feature].tolist()
    (block,) = (piece.block for piece in game.spec.obs_layout if piece.name == feature)
    rows = vocabulary.rows.get(block)
    return f"{player} {feature} {words_of(rows, values) if rows else ' '.join(map(str, values))}"


AFTER = {"decides": _decides, "points": _points, "returns": _returns, "sees": _sees}
"""Words of ``after`` that both games have."""
