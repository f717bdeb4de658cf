"""A recipe: steps of training, such as those that make a champion, in a TOML file of ``training/recipes/GAME``.

Those of champions begin with new weights that imitate an older champion; most opponents are bots that stay as they are.
Self-play without a teacher is the config ``self`` of Shogun.

A step is a training run. It begins with what ``start`` names, and its opponents are bots; both may be earlier steps, by
their names. Besides the settings of ``training/config.py`` it may have:

- ``like = "STEP"``: it has the settings that the file gives that step, but for those that it gives itself;
- ``expert = "BOT"``, such as ``search:base=STEP``: it imitates what that bot would choose in games of the network of
  ``start``, which draws its actions, and learns who wins; once through as many decisions as the settings say. The games
  are written first (``export.py``). This is a round of expert iteration (Anthony et al. 2017, arXiv 1705.08439);
  ``imitation_hold`` holds it to the old policy, as Gumbel MuZero's is (Danihelka et al. 2022);
- ``exploits = "STEP"``: it learns to beat that step and nothing else, and begins with its weights;
- ``decisions = 0``: it learns nothing; it is the mean of the networks that ``start`` names;
- ``better_than = "STEP"``, ``margin = 0.0``: it has to win more than its part plus this against that step;
- ``over_panel = 0.48``: it has to win more than this share over the panel (``strength --against panel``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from shogun_env import FULL_GAMES
from shogun_env.agents.parts import OF_OTHERS
from shogun_env.policies import agent_names, make_agent
from shogun_env.spec.forms import above_0, blaming, check_settings, finite, from_0_to_1, table, tables
from shogun_env.spec.settings import as_json
from shogun_env.training.config import BASE, Config, changed, load_config, toml_named
from shogun_env.training.exploit import check_response, response_to

if TYPE_CHECKING:  # a parser is made without the engine
    from shogun_env.batch.batch import Batch
    from shogun_env.spec.game_spec import GameSpec

RECIPES = Path(__file__).parent / "recipes"
"""Holds a folder for each game."""
NAME = re.compile(r"[a-z0-9-]+")
MEAN = {"decisions": 1, "seconds": 0.0, "imitation_fraction": 0.0, "learning_rate": 0.0}
"""Settings of a run that learns nothing."""
GATES = {"better_than": "", "margin": 0.0, "over_panel": 0.0}
OWN = {"name": "", "expert": "", "exploits": "", **GATES}
"""What a step may have that one ``like`` it has not, with the defaults."""
OF_STEP = {**OWN, "config": BASE}
"""What a step may have besides settings, with the defaults."""
FORMS_OF_STEP = {name: str for name in OF_STEP} | {"margin": finite, "over_panel": from_0_to_1}
BOTS = ("opponents", "evaluate_against")
"""Settings that are lists of bots."""
FORMS = {"game": str, "decisions_per_second": above_0, "settings": table, "steps": tables}
"""What a file holds."""


@dataclass(frozen=True)
class Step:
    """One run of a recipe; steps are called by their names in its settings."""

    name: str
    config: Config
    expert: str = ""
    exploits: str = ""
    better_than: str = ""
    margin: float = 0.0
    over_panel: float = 0.0

    @property
    def is_mean(self) -> bool:
        """Whether it learns nothing."""
        return self.config.learning_rate == 0

    def as_json(self) -> dict[str, Any]:
        """Return the step as JSON values."""
        return {**vars(self), "config": as_json(self.config)}

    def expert_with(self, networks: Mapping[str, Path]) -> str:
        """Return the expert with networks in the place of bots named like steps; ``networks`` has their paths."""
        if self.expert in networks:
            return f"ppo:{networks[self.expert]}"
        taking = "|".join(OF_OTHERS.get(self.expert.partition(":")[0], (r"\w+",)))
        bots = re.compile(rf"(\+|\b(?:{taking})=)([^:;+]+)")
        return bots.sub(lambda bot: bot[1] + (f"ppo;{networks[bot[2]]}" if bot[2] in networks else bot[2]), self.expert)

    def config_with(self, networks: Mapping[str, Path]) -> Config:
        """Return the settings with networks in the place of the names of steps; ``networks`` has their paths."""
        bots, config = {name: f"ppo:{path}" for name, path in networks.items()}, self.config
        changes = {name: [bots.get(bot, bot) for bot in getattr(config, name)] for name in BOTS}
        start = ",".join(str(networks.get(name, name)) for name in config.start.split(","))
        return changed(config, {**changes, "start": start, "imitate": bots.get(config.imitate, config.imitate)})


@dataclass(frozen=True)
class Recipe:
    """What a file says."""

    name: str
    steps: list[Step]
    decisions_per_second: float
    """How fast all of it goes on two cores, evaluations included."""

    def minutes(self, step: Step) -> float:
        """Return how long a step is expected to take on two cores."""
        seconds = step.config.decisions / self.decisions_per_second
        return (min(seconds, step.config.seconds) if step.config.seconds else seconds) / 60.0


def load_recipe(spec: GameSpec, name: str | Path, changes: Mapping[str, Any]) -> Recipe:
    """Return a recipe for a game.

    Args:
        spec: the game.
        name: name of a recipe in the game's folder, or path of a .toml file.
        changes: settings of all steps, which go over those of the file.

    Raises: ValueError naming the recipe and the step, for anything that is wrong in the file but for its bots.
    """
    values: dict[str, Any] = {"game": spec.name, "settings": {}, "decisions_per_second": None, "steps": []}
    values |= toml_named("recipe", name, RECIPES / spec.name)
    with blaming(f"recipe {name}"):
        check_settings(values, FORMS)
        if values["game"] != spec.name:
            raise ValueError(f"game={values['game']!r}, but --game {spec.name}")
    steps: list[Step] = []
    told: dict[str, dict[str, Any]] = {}
    """What the file says of each step, for those like it."""
    for number, step_values in enumerate(values["steps"]):
        with blaming(f"recipe {name}, step {step_values.get('name', number + 1)}"):
            like = _earlier("like", step_values.pop("like", ""), told)
            step_values = {**told.get(like, {}), **step_values}
            own = {"seed": number, **values["settings"]}  # which are no reason to learn nothing from an expert
            if exploits := step_values.get("exploits"):
                if wrong := sorted(response_to("").keys() & step_values.keys()):
                    raise ValueError(f"{wrong[0]}: a best response learns against {exploits} alone")
                own |= {"start": exploits, "imitation_fraction": 0.0}
            if step_values.get("expert"):
                own |= {"imitation_fraction": 1.0}
            steps.append(_step(spec, own | step_values, told, changes))
            told[steps[-1].name] = {key: value for key, value in step_values.items() if key not in OWN}
    return Recipe(name=str(name), steps=steps, decisions_per_second=values["decisions_per_second"])


def _earlier(key: str, value: Any, earlier: Collection[str]) -> str:
    """Return a value that names an earlier step, or none; raise ValueError if it names another."""
    if value not in ("", *earlier):
        raise ValueError(f"{key}={value!r}: must be one of the steps before, {', '.join(earlier) or 'none'}")
    return str(value)


def _step(spec: GameSpec, values: dict[str, Any], earlier: Collection[str], changes: Mapping[str, Any]) -> Step:
    """Return the step that a file describes after ``earlier`` ones, with ``changes`` that go over its settings."""
    of_step: dict[str, Any] = {key: values.pop(key, default) for key, default in OF_STEP.items()}
    check_settings(of_step, FORMS_OF_STEP)
    name, exploits = of_step["name"], of_step["exploits"]
    if not NAME.fullmatch(name) or name in earlier or name in (*agent_names(), "lock"):
        raise ValueError(
            f"name={name!r}: must be new, of small letters, digits and hyphens, and neither lock nor that of a bot"
        )
    for key in ("exploits", "better_than"):
        _earlier(key, of_step[key], earlier)
    if of_step["margin"] and not of_step["better_than"]:
        raise ValueError(f"margin={of_step['margin']:g}: needs better_than")
    is_mean = values.get("decisions") == 0
    if is_mean and not values.get("start"):
        raise ValueError("decisions=0: a mean needs the networks that it is of as start")
    if of_step["expert"]:
        values |= {"imitate": of_step["expert"]}
        if is_mean or not values.get("start") or "," in values["start"]:
            raise ValueError(f"expert={of_step['expert']!r}: needs decisions, and one network as start")
    if exploits:
        values |= response_to(exploits)
    config = load_config(spec, of_step.pop("config"), {**values, **changes, **(MEAN if is_mean else {})})
    if exploits:
        check_response(config, exploits)
    return Step(config=config, **of_step)


def check(recipe: Recipe, batch_class: type[Batch]) -> None:
    """Raise ValueError naming the first step whose options, bots or networks do not fit the game; nothing is played."""
    from shogun_env.training.runs import check_playable, check_wider, sizes_of  # not above: --help needs no engine

    names = {step.name: sizes_of(step.config, batch_class.spec) for step in recipe.steps}
    for number, step in enumerate(recipe.steps):
        config = step.config
        later = {other.name for other in recipe.steps[number:]}
        with blaming(f"recipe {recipe.name}, step {step.name}"):
            named = [*config.start.split(","), config.imitate, *config.opponents, *config.evaluate_against]
            if wrong := [name for name in named if name in later]:
                raise ValueError(f"{wrong[0]!r} is no step before this one")
            known = {key: [name for name in getattr(config, key) if name not in names] for key in BOTS}
            for name in names.keys() & {*config.start.split(",")}:
                check_wider(name, names[name], names[step.name])
            files = ",".join(name for name in config.start.split(",") if name not in names)
            if step.over_panel and batch_class.spec.name not in FULL_GAMES:
                raise ValueError(f"over_panel={step.over_panel:g}: {batch_class.spec.name} has no panel")
            if step.expert:
                _check_expert(step, names.keys() - later, batch_class.spec)
            is_of_step = {"imitation_fraction": 0.0} if step.expert or config.imitate in names else {}
            check_playable(changed(config, {**known, "start": files, **is_of_step}), batch_class)


def _check_expert(step: Step, earlier: Iterable[str], spec: GameSpec) -> None:
    """Raise ValueError if the expert of a step is no bot; a network that knows nothing stands for those of steps."""
    from shogun_env.agents.network.agent import save_network
    from shogun_env.agents.network.shape import Shape
    from shogun_env.training.runs import sizes_of

    with TemporaryDirectory() as folder, blaming("expert"):
        path, shape = Path(folder) / "network.npz", Shape(spec, sizes_of(step.config, spec))
        save_network(path, spec, shape.sizes, shape.random_weights(0))
        make_agent(step.expert_with(dict.fromkeys(earlier, path)), spec)
