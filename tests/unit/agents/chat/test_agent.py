"""The bot that asks a language model: whole games against a stand-in server, faults, plans, and what is sent."""

import json
import warnings

import numpy as np
import pytest

from shogun_env.agents.chat.agent import make_chat
from shogun_env.agents.chat.answers import UnusableError
from shogun_env.agents.chat.plans import plan_of
from shogun_env.agents.parts import parts_of
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.cli import game_class
from shogun_env.policies import FaultError, View, ask, make_agent, play_on
from shogun_env.records.story import sentences
from shogun_env.records.text import full_rules, prompt_text, short_rules
from shogun_env.shogun import constants as c
from shogun_env.spec.bots import FAULTS
from tests.games import batch_class, each_game
from tests.unit.agents.chat.stand_in import player_by_chance, stand_in


def bot_at(server, folder, spec, **settings):
    """Return the bot for a stand-in, made from a file."""
    values = {"url": server.url, "model": "stand-in", "rules": "none", "tries": 1, **settings}
    file = folder / "model.toml"
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items()))
    return make_agent(f"chat:{file}", spec)


@pytest.mark.full
@each_game
@pytest.mark.parametrize("plans", ["whole", "cards"])
def test_chat__whole_games_by_any_legal_answers__end_without_a_fault(name, plans, tmp_path):
    engine = batch_class(name)
    with stand_in(player_by_chance(3)) as server:
        bot = bot_at(server, tmp_path, engine.spec, plans=plans)
        batch = engine(2, num_players=3, seed=5)
        referee = Referee(bot, 2, 3)
        play_on(batch, [referee, make_agent("scripted", engine.spec)], np.array([[0, 1, 1], [1, 0, 1]], np.int8))
        assert batch.over.all()
        assert referee.faults.sum() == 0
        asked = int(referee.asked.sum())
    if plans == "whole" and name == "shogun":
        assert len(server.requests) < asked / 2
    else:
        assert len(server.requests) == asked
    assert not any("seed" in json.dumps(request) for request in server.requests)


def decision(name, rows=1):
    """Return a batch at its first decision, and the view of it."""
    batch = batch_class(name)(rows, num_players=3, seed=1)
    return batch, View.of(batch, np.arange(rows))


@each_game
def test_rules__full__are_those_of_players_alone(name):
    text = full_rules(batch_class(name).spec)
    assert len(text) > 10_000 and ".py" not in text


@each_game
@pytest.mark.parametrize(("rules", "text"), [("short", short_rules), ("full", full_rules)])
def test_chat__prompt__is_that_of_the_player_with_the_rules_before_it(name, rules, text, tmp_path):
    batch, view = decision(name)
    player = int(view.players[0])
    with stand_in(player_by_chance(1)) as server:
        bot = bot_at(server, tmp_path, batch.spec, plans="cards", rules=rules, instructions="Play to win.")
        bot.act(view, batch.policy_rngs[:, player].copy())
    (request,) = server.requests
    system, user = request["messages"]
    assert user == {"role": "user", "content": prompt_text(batch, 0, player)}
    assert system["content"] == f"{text(batch.spec)}\n\nPlay to win."
    assert (request["path"], request["model"], request["temperature"]) == ("/v1/chat/completions", "stand-in", 0)


@each_game
def test_chat__story__is_what_its_player_was_told_last(name, tmp_path):
    game = game_class(name)(seed=1, num_players=3)
    while len(game.lines()) < 60 or len(game.moves) < 40:
        game.play(game.suggest("random"))
    with stand_in(player_by_chance(1)) as server:
        game.suggest(bot_at(server, tmp_path, game.spec, plans="cards", story=4))

        text = server.requests[0]["messages"][-1]["content"]
        game.suggest(bot_at(server, tmp_path, game.spec, plans="cards"))
        assert "What has happened" not in server.requests[-1]["messages"][-1]["content"]
    told = [one.text for one in sentences(game.spec, game.lines(), game.player)]
    assert text.splitlines()[1:5] == [f"* {one}" for one in told[-4:]]


def test_chat__answer_that_was_cut_off__is_corrected_and_not_played(tmp_path):
    batch, view = decision("shitenno")
    first, last = (batch.spec.action_name(int(batch.legal[0].nonzero()[0][at])) for at in (0, -1))
    cut = {"choices": [{"message": {"content": f"Perhaps\n{first}"}, "finish_reason": "length"}]}
    answers = iter([(200, json.dumps(cut)), last])
    with stand_in(lambda request: next(answers)) as server:
        (action,) = bot_at(server, tmp_path, batch.spec).act(view, batch.policy_rngs[:1, int(view.players[0])].copy())
    assert batch.spec.action_name(int(action)) == last
    assert "cut off before its end (finish_reason 'length')" in server.requests[1]["messages"][-1]["content"]


def test_chat__unusable_answer__is_asked_again_with_what_was_wrong(tmp_path):
    batch, view = decision("shitenno")
    answers = iter(["I attack the moon", "add_bushi or accept", "add_bushi"])
    legal = [batch.spec.action_name(action) for action in np.flatnonzero(view.masks[0])]
    with stand_in(lambda request: next(answers).replace("accept", legal[-1]).replace("add_bushi", legal[0])) as server:
        bot = bot_at(server, tmp_path, batch.spec, log=str(tmp_path / "talk.jsonl"))
        actions = bot.act(view, batch.policy_rngs[:, 0].copy())
    assert [batch.spec.action_name(int(action)) for action in actions] == legal[:1]
    said = [message["content"] for message in server.requests[-1]["messages"]]
    assert "'I attack the moon', names none of the legal actions" in said[2]
    assert "names 2 actions" in said[4]
    (line,) = map(json.loads, (tmp_path / "talk.jsonl").read_text().splitlines())
    assert (line["action"], len(line["answers"]), line["why"]) == (legal[0], 3, "")
    assert bot.explain(view) == [legal[0]]


def test_chat__never_a_usable_answer__is_a_fault_and_the_game_goes_on(tmp_path):
    batch, view = decision("shitenno", rows=2)
    with stand_in(lambda request: "no idea") as server:
        bot = bot_at(server, tmp_path, batch.spec, corrections=1)
        referee = Referee(bot, 2, 3)
        actions = referee.act(view, np.zeros((2, 2), np.uint64))
        assert len(server.requests) == 4
        said = f"{server.url}/chat/completions: no usable answer: its last line, 'no idea', names none of the legal"
        with pytest.raises(FaultError, match=said):
            ask(bot, batch, np.arange(2))
    assert actions.tolist() == view.masks.argmax(1).tolist()
    assert referee.faults.sum(axis=(0, 1)).tolist() == [2 * (kind == "form") for kind in FAULTS]
    assert referee.texts["form"].startswith(said)


def test_chat__some_answers_without_use_and_some_lost__are_faults_of_two_kinds_and_the_others_count(tmp_path):
    batch, view = decision("shitenno", rows=3)
    last = int(np.flatnonzero(view.masks[0])[-1])
    answers = iter([batch.spec.action_name(last), "no idea", (401, '{"error": "wrong key"}')])
    with stand_in(lambda request: next(answers)) as server:
        referee = Referee(bot_at(server, tmp_path, batch.spec, corrections=0, parallel=1), 3, 3)
        actions = referee.act(view, np.zeros((3, 2), np.uint64))
    assert actions.tolist() == [last, *view.masks.argmax(1)[1:]]
    assert referee.faults.sum(axis=(0, 1)).tolist() == [kind in ("form", "error") for kind in FAULTS]
    assert "no idea" in referee.texts["form"] and "HTTP 401" in referee.texts["error"]


@pytest.mark.parametrize("chain", [["one"], ["one", "two"]])
def test_chat__own_substitute_perhaps_of_another__is_refused(tmp_path, chain):
    for name, other in zip(chain, [*chain[1:], chain[0]], strict=True):
        text = f'url = "http://x"\nmodel = "x"\nsubstitute = "chat:{tmp_path / other}.toml"\n'
        (tmp_path / f"{name}.toml").write_text(text)
    with pytest.raises(ValueError, match=r"one\.toml: it is its own substitute; name another bot, or none"):
        make_agent(f"chat:{tmp_path / 'one.toml'}", batch_class("shitenno").spec)
    assert len([*parts_of(f"chat:{tmp_path / 'one'}.toml")]) == len(chain)
    make_agent(f"chat:{tmp_path / 'one.toml'}:substitute=random", batch_class("shitenno").spec)


def test_chat__never_a_usable_answer_and_a_substitute__it_decides(tmp_path):
    batch, view = decision("shitenno", rows=2)
    expected = make_agent("scripted", batch.spec).act(view, np.zeros((2, 2), np.uint64))
    with stand_in(lambda request: "no idea") as server, pytest.warns(RuntimeWarning, match="scripted decides"):
        bot = bot_at(server, tmp_path, batch.spec, corrections=0, substitute="scripted")
        assert bot.act(view, np.zeros((2, 2), np.uint64)).tolist() == expected.tolist()
    said = "no usable answer: its last line, 'no idea', names none of the legal actions"
    assert bot.explain(view) == [said] * 2, "what the model said was not played"


def test_chat__substitute_that_fails_too__loses_only_its_decisions(tmp_path):
    """An answer of the length of its part ended the tournament, or took what the model had answered with it."""
    bots = (
        "class Half(Bot):",
        "    def decide(self, decision):",
        "        return 0 / 0 if decision.view.rows[decision.index] % 2 else decision.names[-1]",
        "class Fail(Bot):",
        "    def act(self, view, rng):",
        "        raise KeyError('moon')",
    )
    (tmp_path / "bots.py").write_text("\n".join(["from shogun_env import Bot", *bots]) + "\n")
    batch, view = decision("shitenno", rows=4)
    last = [int(np.flatnonzero(mask)[-1]) for mask in view.masks]
    for name, errors in {"Half": [1, 3], "Fail": [1, 2, 3]}.items():
        answers = iter([batch.spec.action_name(last[0]), *["no idea"] * 3])
        with stand_in(lambda request, answers=answers: next(answers)) as server, pytest.warns(RuntimeWarning):
            bot = bot_at(
                server, tmp_path, batch.spec, corrections=0, parallel=1, substitute=f"{tmp_path / 'bots.py'}:{name}"
            )
            referee = Referee(bot, 4, 3)
            actions = referee.act(view, np.zeros((4, 2), np.uint64))
        lowest = view.masks.argmax(1)
        assert actions.tolist() == [lowest[row] if row in errors else last[row] for row in range(4)]
        assert referee.faults.sum(axis=(0, 1)).tolist() == [len(errors) * (kind == "error") for kind in FAULTS]
        assert ("ZeroDivisionError" if name == "Half" else "KeyError") in referee.texts["error"]


def test_chat__substitute_that_wants_to_be_told__is_told(tmp_path):
    told = (
        "class Told(Bot):",
        "    wants = ('result', 'story')",
        "    heard = []",
        "    begin = lambda self, rows: self.heard.append(rows.tolist())",
        "    end = lambda self, ends: self.heard.append(ends.rows.tolist())",
        "    close = lambda self: self.heard.append('close')",
        "    def decide(self, decision):",
        "        self.heard.append(len(decision.story))",
        "        return decision.names[0]",
    )
    (tmp_path / "told.py").write_text("\n".join(["from shogun_env import Bot", *told]) + "\n")
    batch = batch_class("shitenno")(1, num_players=2, seed=5, record=True)
    with stand_in(lambda request: "no idea") as server, pytest.warns(RuntimeWarning):
        bot = bot_at(server, tmp_path, batch.spec, corrections=0, substitute=f"{tmp_path / 'told.py'}:Told")
        play_on(batch, [bot, make_agent("scripted", batch.spec)], np.array([[0, 1]], np.int8))
    bot.close()
    first, *lengths, last, close = bot.substitute.heard
    assert first == last == [0] and lengths[-1] > 20 and close == "close"


def test_chat__log_in_a_folder_that_is_not_there__is_written(tmp_path):
    batch, view = decision("shitenno")
    log = tmp_path / "new" / "talk.jsonl"
    with stand_in(player_by_chance(1)) as server:
        bot = bot_at(server, tmp_path, batch.spec, log=str(log))
        bot.act(view, batch.policy_rngs[:, 0].copy())
        assert len(log.read_text().splitlines()) == 1
        log.unlink()
        log.mkdir()
        with pytest.warns(RuntimeWarning, match="nothing is logged: .*talk.jsonl: Is a directory"):
            assert (bot.act(view, batch.policy_rngs[:, 0].copy()) >= 0).all()


def test_chat__endpoint_that_refuses__is_an_error_that_names_it(tmp_path):
    batch, view = decision("shitenno")
    with stand_in(lambda request: (401, '{"error": "wrong key"}')) as server:
        bot = bot_at(server, tmp_path, batch.spec)
        with pytest.raises(OSError, match=rf"{server.url}/chat/completions: HTTP 401 .*wrong key"):
            bot.act(view, batch.policy_rngs[:, 0].copy())
        referee = Referee(bot, 1, 3)
        referee.act(view, np.zeros((1, 2), np.uint64))
    assert "HTTP 401" in referee.texts["error"]


def test_plan__with_wrong_cards__says_which_space_and_what_is_possible(tmp_path):
    batch, view = decision("shogun")
    spec, player = batch.spec, int(view.players[0])
    cards = [spec.action_name(action) for action in np.flatnonzero(view.masks[0])]
    spaces: list[str] = []

    def reply(request):
        text = request["messages"][1]["content"] if request["messages"][0]["role"] == "system" else ""
        text = text or request["messages"][0]["content"]
        spaces[:] = text.partition("these spaces: ")[2].partition(".")[0].split(", ")
        tries = len(request["messages"]) // 2
        plan = dict(zip(spaces, [*cards[1:], *["none"] * 11], strict=False))
        wrong = [{"bid": cards[0]}, {**plan, "flight": "Kaga"}, {**plan, spaces[1]: plan["bid"]}, {**plan, "bid": 7}]
        return json.dumps(wrong[tries]) if tries < 4 else "no plan"

    with stand_in(reply) as server:
        bot = bot_at(server, tmp_path, spec, corrections=4)
        with pytest.raises(FaultError, match="no usable answer"):
            bot.act(view, batch.policy_rngs[:, player].copy())
    said = [message["content"] for message in server.requests[-1]["messages"][2::2]]
    assert spaces[0] == "bid"
    assert len(spaces) == 11
    assert f"the space {spaces[1]} has no card" in said[0]
    assert "'flight' is not a space" in said[1]
    assert f"the space {spaces[1]} cannot have {cards[1]!r}; with the cards before it, possible are" in said[2]
    assert "the space bid cannot have 7" in said[3]


def test_plan__of_who_has_few_cards__names_each_space_that_stays_empty():
    batch, chance = batch_class("shogun")(64, num_players=5, seed=1), np.random.default_rng(1)
    while not (few := (batch.phase == c.PLAN) & (batch.legal[:, c.A_NO_CARD] == 1)).any():
        batch.step((batch.legal * chance.random(batch.legal.shape)).argmax(1))
    one = batch.take(np.flatnonzero(few)[:1])
    with pytest.raises(UnusableError, match="has no card; with the cards before it, possible are"):
        plan_of(one, int(one.player[0]), {})


def test_plan__asked_once__is_played_card_by_card(tmp_path):
    engine = batch_class("shogun")
    batch = engine(1, num_players=3, seed=1)
    with stand_in(player_by_chance(2)) as server, warnings.catch_warnings():
        warnings.simplefilter("error")
        bot = bot_at(server, tmp_path, engine.spec)
        planning = engine.spec.plan_phase
        while batch.phase[0] == planning:
            view = View.of(batch, np.array([0]))
            agent = bot if batch.player[0] == 0 else make_agent("random", engine.spec)
            batch.step(agent.act(view, batch.policy_rngs[:, int(batch.player[0])].copy()))
    assert len(server.requests) == 1
    assert bot.explain(view) == ["part of the plan that was made before"]


def test_chat__file_with_settings_in_the_spec__are_those_of_the_spec(tmp_path):
    file = tmp_path / "model.toml"
    file.write_text('url = "http://127.0.0.1:1/v1"\nmodel = "a"\n')
    bot = make_chat(batch_class("shogun").spec, str(file), model="7", temperature="0.5", rules="none")
    assert (bot.settings.model, bot.settings.temperature, bot.settings.rules) == ("7", 0.5, "none")
