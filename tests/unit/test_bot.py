"""Bots: defaults for all they can do, settings, actions by name, and errors for what is nearly right."""

import copy
import inspect
import os
import pickle
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import shogun_env
from shogun_env.bot import METHODS, VALUES, Bot, Compiled, Wrapped, bot_of
from shogun_env.files import error_text
from shogun_env.policies import PartlyLostError, ask, make_agent, play_on, policy, uniform
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.spec.bots import FaultError
from shogun_env.spec.forms import UnknownNameError
from shogun_env.views import TOLD, View


class Plain:
    """An object with what the protocol asks for, and nothing else."""

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        return view.masks.argmax(1)


class Frugal(Bot):
    """Bids nothing if it can, and lays the cards of the provinces with the most chests first."""

    @dataclass(frozen=True)
    class Settings:
        greed: float = 0.5
        depth: int = 2

    def decide(self, decision):
        if decision.phase == "plan" and decision.by_row("running")["bid"] and "chest_0" in decision.names:
            return "chest_0"
        tax = decision.by_row("tax")
        return max(decision.names, key=lambda name: tax.get(name, -1) * self.settings.greed)


def test_compiled__of_a_plain_function__says_how_it_is_made():
    with pytest.raises(ValueError, match="must be a pair: a function under @policy, and float64"):
        Compiled(lambda observation, legal, rng, params: 0)


def test_make_agent__function_of_a_file_that_returns_a_policy__is_a_bot(tmp_path):
    text = "from shogun_env.policies import uniform\n\n\ndef make(game_spec):\n    return uniform\n"
    (tmp_path / "mine.py").write_text(text)
    assert make_agent(f"{tmp_path}/mine.py:make", SHOGUN).compiled[0] is uniform
    with pytest.raises(ValueError, match=r"is a policy; name a function make\(game_spec\) that returns it"):
        make_agent(f"{tmp_path}/mine.py:uniform", SHOGUN)


@pytest.mark.parametrize("answer", [None, 1.0, True, {"action": "chest_0"}])
def test_decide__answer_that_is_neither_name_nor_number__is_named(answer):
    class Odd(Bot):
        def decide(self, decision):
            return answer

    batch = Batch(1, seed=0)
    with pytest.raises(FaultError, match=re.escape(f"{answer!r} is not the name or the number of an action")):
        Odd().act(View.of(batch, np.arange(1)), np.zeros((1, 2), np.uint64))


def test_bot_of__end_that_would_never_be_called_or_a_wrong_replayable__is_refused():
    for wants in ((), ("story",)):
        with pytest.raises(ValueError, match=r'Mine.end: is called if .*; write wants = \("result",\)'):
            bot_of(defined(end=lambda self, ends: None, wants=wants)())
    assert bot_of(defined(end=lambda self, ends: None, wants=("result",))())
    with pytest.raises(ValueError, match=r"Plain\.end: is called if"):
        bot_of(type("Plain", (), {"act": Plain.act, "end": lambda self, ends: None})())
    for replayable in (True, False, None):
        assert bot_of(defined(replayable=replayable)()).replayable is replayable
    with pytest.raises(ValueError, match=r"Mine\.replayable='no': must be True, False or None"):
        bot_of(defined(replayable="no")())


def defined(**more: Any) -> type:
    return type("Mine", (Bot,), {"act": Plain.act, **more})


def misspelt(hook: str) -> str:
    return {"wants": "want", "settings": "setting", "Settings": "Setting", "recall": "recal"}.get(
        hook, hook[:-2] + hook[-1] + hook[-2] if len(hook) > 4 else f"{hook}s"
    )


@pytest.mark.parametrize("hook", [*METHODS, *VALUES, "Settings"])
def test_bot__misspelt_method_or_attribute__is_an_error_with_the_right_one(hook):
    """A hook that was misspelt was silence: ``explian``, ``ends``."""
    wrong, value = misspelt(hook), (lambda self, view: None) if hook in (*METHODS, "Settings") else True
    with pytest.raises(ValueError, match=f"Mine.{wrong}: bots have no such name; did you mean {hook}?"):
        defined(**{wrong: value})
    plain = type("Mine", (Plain,), {wrong: value})()
    with pytest.raises(ValueError, match=f"Mine.{wrong}: bots have no such name; did you mean {hook}?"):
        make_agent(plain, SHOGUN)


@pytest.mark.parametrize(
    ("old", "new"), [("wants_stories", "story"), ("want_lines", "lines"), ("wants_ends", "result")]
)
def test_bot__attribute_of_earlier_versions__is_an_error_with_the_new_one(old, new):
    bot = Plain()
    setattr(bot, old, True)
    for take_in in (
        lambda: defined(**{old: True}),
        lambda: make_agent(bot, SHOGUN),
        lambda: play_on(Batch(1), [bot], []),
    ):
        with pytest.raises(ValueError, match=rf'{old}: bots have no such attribute; write wants = \("{new}",\)'):
            take_in()


def test_bot__names_of_its_own__are_left_alone():
    own = {"weights": np.zeros(2), "closest": len, "beginning": len, "compile": len, "act_two": 1, "_ends": len}
    plain = Plain()
    vars(plain).update(own)
    assert isinstance(defined(**own)(), Bot) and isinstance(make_agent(plain, SHOGUN), Wrapped)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"wants": ("storys",)}, "wants: 'storys' cannot be wanted; did you mean story?"),
        ({"wants": "story"}, "must be a tuple of words"),
        ({"compiled": 5}, "compiled: must be a pair: a function under @policy"),
        ({"Settings": int}, "Settings: must be a class under @dataclass"),
    ],
)
def test_bot__attribute_that_cannot_be_used__is_an_error(changes, says):
    with pytest.raises(ValueError, match=says):
        make_agent(defined(**changes)(), SHOGUN)


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        (Frugal, r"or Frugal\(\)"),
        (5, "an object with act"),
        (type("Empty", (Bot,), {})(), "Empty: a bot needs decide"),
        (os.fsdecode(b"bot-\xff.py:make"), r"-\\udcff\.py:make': must be text in UTF-8"),
    ],
)
def test_make_agent__what_is_no_bot__is_refused(agent, says):
    with pytest.raises(ValueError, match=says):
        make_agent(agent, SHOGUN)


def test_settings__are_frozen_and_parameters_by_name(tmp_path):
    bot = Frugal(greed=0.25)
    assert (bot.settings.greed, bot.settings.depth, bot.name) == (0.25, 2, "Frugal")
    with pytest.raises(AttributeError):
        bot.settings.greed = 1.0
    with pytest.raises(TypeError, match="unknown setting 'gred'; did you mean greed"):
        Frugal(gred=1)
    assert list(inspect.signature(Frugal).parameters) == ["game_spec", "greed", "depth"]
    source = inspect.getsource(Frugal)
    (tmp_path / "bots.py").write_text(f"from dataclasses import dataclass\nfrom shogun_env import Bot\n\n\n{source}")
    made = make_agent(f"{tmp_path / 'bots.py'}:Frugal:depth=7", SHOGUN)
    assert (made.settings.greed, made.settings.depth) == (0.5, 7)
    (tmp_path / "own.py").write_text(
        "from shogun_env import Bot\nclass Own(Bot):\n    def __init__(self, game_spec=None, *values, **settings):\n"
        "        super().__init__(game_spec, *values, **settings)\n    def decide(self, decision):\n        return 0\n"
    )
    assert make_agent(f"{tmp_path / 'own.py'}:Own", SHOGUN).name == f"{tmp_path / 'own.py'}:Own"
    for wrong, says in {
        "dept=7": "unknown parameter 'dept'; did you mean depth?",
        "depth=x": "must be a whole",
    }.items():
        with pytest.raises(ValueError, match=says):
            make_agent(f"{tmp_path / 'bots.py'}:Frugal:{wrong}", SHOGUN)


def test_parameters__of_an_init_of_its_own__are_its_own_and_settings_that_it_hands_on(tmp_path):
    """A text ``false`` would count as true."""
    lines = (
        "from dataclasses import dataclass", "from shogun_env import Bot", "class Plain(Bot):",
        "    def decide(self, decision):", "        return 0", "class Loaded(Plain):",
        "    def __init__(self, game_spec=None, path='w.pt'):", "        super().__init__(game_spec)",
        "        self.path = path", "class Handed(Plain):", "    @dataclass(frozen=True)", "    class Settings:",
        "        greedy: bool = True", "        depth: int = 2",
        "    def __init__(self, game_spec=None, depth=3, **more):",
        "        super().__init__(game_spec, depth=depth, **more)", "class Heir(Handed):", "    pass",
    )  # fmt: skip
    (tmp_path / "bots.py").write_text("\n".join(lines))
    assert make_agent(f"{tmp_path / 'bots.py'}:Loaded:path=v.pt", SHOGUN).path == "v.pt"
    for name in ("Handed", "Heir"):
        settings = make_agent(f"{tmp_path / 'bots.py'}:{name}:greedy=false", SHOGUN).settings
        assert (settings.greedy, settings.depth) == (False, 3)
        for wrong, says in {
            "greedy=no!": "must be true or false",
            "gredy=no": "unknown setting 'gredy'; did you",
        }.items():
            with pytest.raises(ValueError, match=says):
                make_agent(f"{tmp_path / 'bots.py'}:{name}:{wrong}", SHOGUN)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("weights = np.zeros(3)", "cannot be imported: NameError: name 'np' is not defined (bots.py, line 6)"),
        ("def __init__(self, game_spec):\n  {}['w']", "cannot be made: KeyError: 'w' (bots.py, line 7)"),
        ("def __init__(self, game_spec):\n  open('no.pt')", "No such file or directory (agent '{}', bots.py, line 7)"),
        (
            "@dataclass(frozen=True)\n class Settings:\n  def __post_init__(self):\n   raise ValueError('lost')",
            "lost (agent '{}', bots.py, line 9)",
        ),
        ("def decide(self, decision):\n  raise RuntimeError('lost')", "lost (agent '{}', bots.py, line 7)"),
        ("def begin(self, rows):\n  raise RuntimeError('lost')", "lost (agent '{}', bots.py, line 7)"),
        (
            "wants = ('result',)\n def end(self, ends):\n  raise RuntimeError('lost')",
            "lost (agent '{}', bots.py, line 8)",
        ),
    ],
)
def test_exception__of_a_bot__is_told_with_its_line(body: str, says: str, tmp_path):
    head = "from dataclasses import dataclass", "from shogun_env import Bot", "class Mine(Bot):"
    lines = *head, " def decide(self, decision):", "  return decision.names[0]"
    (tmp_path / "bots.py").write_text("\n".join([*lines, f" {body}\n"]))
    batch, spec = Batch(1, num_players=3), f"{tmp_path / 'bots.py'}:Mine"
    with pytest.raises((ValueError, OSError, RuntimeError)) as error:
        play_on(batch, [make_agent(spec, SHOGUN)], np.zeros((1, 3), np.int8))
    assert error_text(error.value).endswith(says.replace("{}", spec))


def test_decide__names__are_played_like_numbers():
    class Numbers(Frugal):
        def decide(self, decision):
            return SHOGUN.actions[super().decide(decision)]

    played = []
    for bot in (Frugal(), Numbers()):
        batch = Batch(2, num_players=3, seed=4)
        play_on(batch, [bot, make_agent("random", SHOGUN)], np.array([[0, 1, 1]] * 2, np.int8))
        played.append(batch.save())
    assert shogun_env.Bot is Bot
    assert played[0] == played[1]


def test_settings__by_place__are_refused():
    """The first was taken for the game, and nobody was told."""
    with pytest.raises(TypeError, match=r"Frugal\(0.25\): settings are given by name"):
        Frugal(0.25)


def test_decide__that_fails__loses_its_own_decision_and_raises_what_it_raised():
    class Rare(Bot):
        def decide(self, decision):
            return {0: 10**30, 1: decision.names[0], 2: "no name"}[decision.index] if decision.index < 3 else 1 // 0

    batch = Batch(4)
    view = View.of(batch, np.arange(4))
    with pytest.raises(PartlyLostError) as lost:
        Rare().act(view, batch.policy_rngs[np.arange(4), view.players])
    assert lost.value.lost == ("form", "", "form", "error")
    assert lost.value.actions[1] == SHOGUN.actions[view.decision(1).names[0]]
    with pytest.raises(FaultError, match=r"10{30} is not the name or the number of an action"):
        ask(Rare(), batch, np.arange(4))


def test_names__wrong__are_errors_with_the_right_one():
    view = View.of(Batch(1), np.arange(1))
    decision = view.decision(0)
    assert view.actions["Kaga"] == view.batch.legal[0].nonzero()[0][view.legal_names(0).index("Kaga")]
    for wrong, meant in (
        (lambda: view.actions["Kagga"], "Kaga"),
        (lambda: decision.by_row("runing"), "running"),
        (lambda: decision.by_row("running")["bidd"], "bid"),
    ):
        with pytest.raises(UnknownNameError, match=f"did you mean {meant}"):
            wrong()
    wrong_name = type("Wrong", (Bot,), {"decide": lambda self, decision: "Kagga"})()
    with pytest.raises(FaultError, match="did you mean Kaga") as fault:
        wrong_name.act(view, np.zeros((1, 2)))
    assert fault.value.kind == "form"
    with pytest.raises(UnknownNameError, match="season has no rows"):
        decision.by_row("season")


def test_row_names__spaces__are_in_the_order_of_the_plan():
    """A bot laid its best tax province on rice, because the order stood nowhere."""
    batch, seen = Batch(1, seed=1), []
    while batch.phase[0] == SHOGUN.plan_phase:
        decision = View.of(batch, np.arange(1)).decision(0)
        if decision.player == 0:
            seen += [row for row, is_now in decision.by_row("running").items() if is_now]
        batch.step(batch.legal.argmax(1))
    assert seen == list(SHOGUN.row_names["spaces"][: len(seen)]) and len(seen) > 8
    assert {layer.block for layer in SHOGUN.obs_layout} == set(SHOGUN.row_names)


@policy
def lowest(observation, legal, rng, params):
    """Plays the lowest legal action."""
    return np.int64(legal.argmax())


def test_wrapped__all_that_a_bot_can_do__is_that_of_the_inner_one():
    class Rich(Bot):
        wants = TOLD
        replayable = True

        def act(self, view, rng):
            return view.masks.argmax(1)

        def explain(self, view):
            return ["why"]

        def weigh(self, view):
            return [5]

    class Loud(Wrapped):
        def explain(self, view):
            return [text.upper() for text in self.inner.explain(view)]

    view, rich = View.of(Batch(1), np.arange(1)), Rich()
    loud = Loud(rich)
    assert (loud.wants, loud.replayable, loud.compiled, loud.name) == (TOLD, True, None, "Rich")
    assert (loud.explain(view), loud.weigh(view)) == (["WHY"], [5])
    rich.wants = ("story",)
    assert loud.wants == ("story",)
    assert Loud(Compiled(lowest)).compiled[0] is lowest
    plain = bot_of(Plain())
    assert (plain.wants, plain.explain(view), plain.weigh(view), plain.name) == ((), [""], None, "Plain")
    assert plain.begin(np.arange(1)) is plain.close() is plain.appraise(view.observations[0], []) is None
    for again in (copy.deepcopy(plain), pickle.loads(pickle.dumps(plain))):
        assert again.act(view, np.zeros((1, 2), np.uint64)).tolist() == view.masks.argmax(1).tolist()
    assert bot_of(loud) is loud and bot_of(Compiled(uniform)).name == "uniform"
