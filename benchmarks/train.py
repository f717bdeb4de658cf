"""A champion by one command: ``shogun-env train --recipe champion --out runs/champion``.

The steps of a recipe (``training/recipe.py``) are trained one after the other, each in a folder of its own, and each
says in a line what it brought. That a step is better than an earlier one, or strong enough over the panel, where the
recipe asks for it, is measured by the test of ``strength --against`` before the next one begins. After Ctrl-C or a
crash the same command resumes.
"""

from __future__ import annotations

import math
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shogun_env import cli
from shogun_env.spec.forms import COUNT, blaming, finite, from_0_to_1, table
from shogun_env.training.config import EXPORT, GAMES_OF_RUN, RUN_SEEDS, Config, add_settings, changed, changes_in
from shogun_env.training.recipe import GATES, Recipe, Step, check, load_recipe

if TYPE_CHECKING:
    from shogun_env.batch.batch import Batch
    from shogun_env.spec.game_spec import GameSpec

STATE = "recipe.json"
"""Name of the file that says which steps are finished, and what each brought."""
STOPPED = 130
ROW = {"step": str, "wins": table, "parity": from_0_to_1, "decisions": COUNT, "seconds": finite}
"""What it says of a finished step."""
OF_STEPS = ("start", "imitate", "opponents", "evaluate_against")
"""Settings that each step of a recipe has of its own."""


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--recipe", default="champion", help="name in training/recipes/GAME, or a .toml file (champion)"
    )
    parser.add_game()
    parser.add_out("runs/champion", "folder of the steps; the same command resumes there")
    parser.add_argument(
        "--dry-run", action="store_true", help="only print the steps, with minutes expected on two cores"
    )
    parser.add_argument("--no-gates", action="store_true", help="go on even if a step fails its test of strength")
    parser.epilog = "Settings are those of the recipe; --set and the other options change them in all steps."
    add_settings(parser, OF_STEPS)


class Plan(NamedTuple):
    """What is to be done."""

    recipe: Recipe
    batch_class: type[Batch]
    out: Path
    has_gates: bool
    command: str

    @property
    def networks(self) -> dict[str, Path]:
        """By step where its network is, or will be."""
        return {step.name: self.out / step.name for step in self.recipe.steps}

    def question(self, finished: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """What a run must share with an earlier one to be resumed: the steps that are begun.

        Args: finished, the rows of the steps that share their gates too, as these are not tested again.
        """
        begun = [each.as_json() for each in self.recipe.steps if (self.out / each.name / "run.json").exists()]
        passed = [row["step"] for row in finished]
        for each in begun:
            for gate in GATES if each["name"] not in passed else ():
                del each[gate]
        return {"steps": {each["name"]: each for each in begun}}


def plan_of(args: Namespace) -> Plan:
    """Return what the arguments ask for; ValueError for anything that is wrong in them or in the recipe."""
    batch_class = cli.batch_class(args.game)
    recipe = load_recipe(batch_class.spec, args.recipe, changes_in(args))
    return Plan(
        recipe=recipe, batch_class=batch_class, out=args.out, has_gates=not args.no_gates, command=args.command_line
    )


# --- steps -----------------------------------------------------------------------------------------------------------


def taught(step: Step, config: Config, plan: Plan) -> str:
    """Write down what the expert of a step would choose, as ``export`` does, or resume it; return what to imitate."""
    from shogun_env.batch.collecting import collect
    from shogun_env.commands import parser_of
    from shogun_env.policies import compiled_policy
    from shogun_env.training import export

    folder, tables = plan.networks[step.name] / "expert", config.every_options
    first = RUN_SEEDS + config.seed * GAMES_OF_RUN
    player, teacher = f"ppo:{config.start}:greedy=false", step.expert_with(plan.networks)
    decisions = config.decisions / len(config.variants) / (1 - export.HELD_OUT)
    for number, options in enumerate(tables):  # some may be the same, so each has seeds of its own
        out, seed = folder / str(number), first + number * (GAMES_OF_RUN // len(tables))
        if (out / "README.md").exists():
            continue
        batch = plan.batch_class(export.GAMES_PER_FILE, seed=seed, num_threads=config.threads, **options)
        each = len(collect(batch, [compiled_policy(player, batch.spec, "start")], 0)) / batch.num_games
        games = math.ceil(decisions / each)
        words = ["--game", batch.spec.name, "--agents", player, "--teacher", teacher, "--games", str(games)]
        words += ["--seed", str(seed), *cli.option_arguments(options), "--out", str(out)]
        args = parser_of("export", batch.spec.name).parse_args([*words, "--processes", str(config.threads)])
        args.command_line = shlex.join([cli.SCRIPT, "export", *words])
        export.main(args)
    return f"{EXPORT}{folder}"


def trained(step: Step, plan: Plan) -> dict[str, Any]:
    """Train a step, or resume it where it was stopped; return what it brought. KeyboardInterrupt if it is stopped."""
    from shogun_env.shares import parity
    from shogun_env.training.runs import Run, read_progress
    from shogun_env.training.trainer import train

    config, folder = step.config_with(plan.networks), plan.networks[step.name]
    if step.expert:
        config = changed(config, {"imitate": taught(step, config, plan)})
    is_begun = (folder / "run.json").exists()
    if is_begun:
        run = Run.open(folder, plan.batch_class)
        run.config = config  # the same, but for folders that have been moved
    else:
        run = Run.create(folder, config, plan.batch_class, plan.command)
    if not train(run, is_begun, plan.command):
        raise KeyboardInterrupt
    line = read_progress(folder)[-1]
    named = zip(config.evaluate_against, step.config.evaluate_against, strict=True)
    wins = {own: [line["win_share"][name], line["win_share_95"][name]] for name, own in named}
    about = {"decisions": line["decisions"], "seconds": line["seconds"]}
    return {"step": step.name, "wins": wins, "parity": parity(run.batch_class.spec, config.every_options), **about}


def line_of(row: Mapping[str, Any], plan: Plan, is_mean: bool) -> str:
    """Return in a line what a step brought."""
    wins = ", ".join(
        f"{100 * share:.1f} ± {100 * half:.1f} % against {name}" for name, (share, half) in row["wins"].items()
    )
    cost = "" if is_mean else f" {row['decisions']:,} decisions in {row['seconds'] / 60:.1f} minutes;"
    return f"{row['step']}: wins {wins} (parity {100 * row['parity']:.1f} %);{cost} ppo:{plan.networks[row['step']]}"


# --- gates -----------------------------------------------------------------------------------------------------------


def gates_of(step: Step, spec: GameSpec) -> dict[str, float]:
    """Return the share of the win that a step has to exceed, by the names of its gates."""
    from shogun_env.benchmarks.strength import variants  # not above: --help needs no engine
    from shogun_env.shares import parity

    tables = [{"num_players": n, **options} for options in variants(spec) for n in spec.players]
    shares = {"better_than": parity(spec, tables) + step.margin, "over_panel": step.over_panel}
    return {gate: share for gate, share in shares.items() if getattr(step, gate)}


def check_gates(plan: Plan) -> None:
    """Raise ValueError naming the first step with a gate that cannot be tested."""
    from shogun_env.benchmarks.strength import ZONE
    from shogun_env.shares import Bounds

    for step in plan.recipe.steps:
        for gate, share in gates_of(step, plan.batch_class.spec).items():
            with blaming(f"recipe {plan.recipe.name}, step {step.name}: {gate}"):
                Bounds(low=share, high=share + ZONE).check()


def why_not(step: Step, plan: Plan) -> str:
    """Return what a step promised and does not do; empty if there is nothing."""
    if not plan.has_gates:
        return ""
    from shogun_env.benchmarks.strength import PANEL

    if step.better_than:
        against, share = f"ppo:{plan.networks[step.better_than]}", gates_of(step, plan.batch_class.spec)["better_than"]
        if (verdict := strength_verdict(step, plan, against, share, "strength")) != "yes":
            margin = f" by {100 * step.margin:g} points" if step.margin else ""
            return f"is it better than {step.better_than}{margin}? {verdict}"
    if step.over_panel and (verdict := strength_verdict(step, plan, PANEL, step.over_panel, "panel")) != "yes":
        return f"does it win more than {100 * step.over_panel:g} % over the panel? {verdict}"
    return ""


def strength_verdict(step: Step, plan: Plan, against: str, share: float, name: str) -> str:
    """Test whether a step wins more than a share; return the verdict. The values are kept next to its network.

    Another share has another file: the gate may have been changed since the step failed.
    """
    from shogun_env.benchmarks.documents import read_json
    from shogun_env.benchmarks.strength import TEST, Settings

    path = plan.networks[step.name] / f"{name}-{100 * share:g}.json"
    settings = Settings(
        game=plan.batch_class.spec.name, agent=f"ppo:{plan.networks[step.name]}", against=against, better_than=share,
        threads=step.config.threads,
    )  # fmt: skip
    if TEST.run(settings, path, plan.command) == STOPPED:
        raise KeyboardInterrupt
    return str(read_json(path, "verdict")["verdict"])


# --- the command -----------------------------------------------------------------------------------------------------


def follow(plan: Plan) -> int:
    """Train the steps that are not finished; return the exit status: 1 if a step does not do what it promised."""
    from shogun_env.benchmarks.experiment import earlier

    state = plan.out / STATE
    finished = earlier(state, plan.question(), "finished", [ROW], "--out")
    finished = earlier(state, plan.question(finished), "finished", [ROW], "--out")
    steps = {step.name: step.as_json() for step in plan.recipe.steps}
    about = {"command": plan.command, "machine": cli.origin(), "steps": steps}
    cli.write_json(state, about | {"finished": finished})
    rows = {row["step"]: row for row in finished}
    for step in plan.recipe.steps:
        row = rows.get(step.name) or trained(step, plan)
        print(line_of(row, plan, step.is_mean), flush=True)
        if step.name not in rows:
            if fault := why_not(step, plan):
                print(f"stopped: {step.name} {fault}; all is kept, and --no-gates goes on", flush=True)
                return 1
            finished.append(row)
            cli.write_json(state, about | {"finished": finished})
    return 0


def main(args: Namespace) -> int:
    """Run the command; return its exit status."""
    plan = plan_of(args)
    check(plan.recipe, plan.batch_class)
    check_gates(plan)
    if args.dry_run:
        for step in plan.recipe.steps:
            decisions = "" if step.config.seconds else f"{step.config.decisions:,} decisions, "
            words = f"{decisions}{plan.recipe.minutes(step):.0f} minutes"
            print(f"{step.name}: {f'the mean of {step.config.start}' if step.is_mean else words}")
        print(f"about {sum(map(plan.recipe.minutes, plan.recipe.steps)):.0f} minutes on two cores")
        return 0
    import shogun_env.training.trainer  # noqa: F401  (what is not installed is said before a folder is made)

    plan.out.mkdir(parents=True, exist_ok=True)
    with cli.only_run(plan.out):
        return follow(plan)
