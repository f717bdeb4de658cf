"""The settings of a training run, their defaults, and how config files and command lines change them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from shogun_env.batch.validation import MAX_SEED
from shogun_env.files import text_in
from shogun_env.spec import forms, settings
from shogun_env.spec.settings import Option

if TYPE_CHECKING:  # a parser is made without the engine
    from shogun_env.cli import Parser
    from shogun_env.spec.game_spec import GameSpec

CONFIGS = Path(__file__).parent / "configs"
"""Holds a folder for each game, with ``base.toml``, where all runs of the game start, and configs that change parts."""
RUN_SEEDS = 2**44
"""First seed of the games of a run with seed 0; each seed of a run has ``GAMES_OF_RUN`` of its own."""
GAMES_OF_RUN = 2**30
SEEDS_OF_RUNS = (MAX_SEED - RUN_SEEDS) // GAMES_OF_RUN
"""Seeds of runs are below this, so that those of all their games are below ``MAX_SEED``."""
EVALUATION_SEED = 2**40
"""First seed of the games of evaluations, which are not those of training."""
BASE = "base"
"""Name of the config where all runs of a game start."""
EXPORT = "export:"
"""What ``imitate`` begins with where it names a folder."""
JUDGED = "shogun"
"""The game whose plans are judged."""
EVALUATIONS = 20
"""Points of the learning curve of a run that does not say how often it is evaluated."""
MOST_SNAPSHOTS = 100
"""Seats are bytes, so that there cannot be many more policies."""
MOST_THREADS = 1024
"""Far more than helps; some way above, the system starts no more."""
RESPONSES = {"self_fraction": 0.0, "snapshot_fraction": 1.0, "snapshots": MOST_SNAPSHOTS, "average": 20_000}
"""Settings of a learner that only answers its snapshots, all of them. A response is the mean of a few updates."""

ALGORITHMS: dict[str, dict[str, Any]] = {
    "ppo": {},
    "mmd": {"magnet_coef": 0.1, "magnet_average": 500_000},
    "r-nad": {"magnet_coef": 0.1, "magnet_every": 500_000},
    "fictitious": {**RESPONSES, "snapshot_draw": "uniform", "snapshot_every": 100_000},
    "psro": {**RESPONSES, "snapshot_draw": "payoff", "snapshot_every": 200_000},
}  # fmt: skip
"""Defaults of settings by algorithm, which go over those of the config."""
GROUPS = {
    "the run": "game",
    "the network": "place_width",
    "imitation of a bot, before self-play": "imitate",
    "PPO": "games_per_update",
    "opponents": "opponents",
    "evaluation and saving": "tensorboard",
}
"""Groups of settings by the first of each. Those of PPO have the names of stable-baselines3."""


def _teacher(value: Any) -> bool:
    """A bot, or export: with a folder after it."""
    return isinstance(value, str) and value != EXPORT


@dataclass(frozen=True)
class Config:
    """The settings of a run, with defaults for every game; a file in ``configs`` holds only the differences."""

    game: Annotated[str, Option(None)] = "shogun"
    """Short name of the game."""
    options: Annotated[dict[str, Any], Option(None)] = field(default_factory=dict)
    """Options of play."""
    variants: Annotated[tuple[dict[str, Any], ...], forms.tables] = ({},)
    """Changes to the options of play, such as the number of players; games are played with each of them in turn."""
    algorithm: Annotated[str, tuple(ALGORITHMS)] = "ppo"
    """What keeps self-play from going round in circles. A name stands for defaults of other settings (``ALGORITHMS``).

    - ``ppo``: what the config says, entropy and a pool of snapshots (Schulman et al. 2017, arXiv 1707.06347);
    - ``mmd``: a reference that follows the learner slowly, from which it may not stray far: magnetic mirror descent
      with a moving magnet (Sokota et al. 2023, arXiv 2206.05825). Weights are averaged here, in the paper policies;
      PPO's clip stands for the divergence from the last policy; the entropy bonus is a second, uniform magnet;
    - ``r-nad``: the same with a reference that stays for a while and is then replaced by the learner, as in the outer
      iterations of R-NaD (Perolat et al. 2022, arXiv 2206.15378), of which short runs have a few. The divergence is a
      term of the loss here; the paper takes it from the rewards, so that it also counts in what earlier decisions are
      worth, and learns by NeuRD and v-trace instead of PPO;
    - ``fictitious``: against all snapshots alike; what it learns is their mixture, not the last one (Brown 1951; with
      learnt responses Heinrich et al. 2015);
    - ``psro``: against snapshots as often as they are played in the game of choosing one of them, whose payoffs are
      shares of the win (``opponents.py``; Lanctot et al. 2017, arXiv 1711.00832); what it learns is that mixture.

    The papers of ``mmd`` and ``r-nad`` are about self-play, which is only ``self_fraction`` of the games here. The last
    two play against ``opponents`` until there is a snapshot; their snapshots are responses, in which weights are
    averaged since the last snapshot at most."""
    seed: Annotated[int, range(SEEDS_OF_RUNS)] = 0
    """Seed of the games, the network and the learner."""
    decisions: int = 20_000_000
    """Stop after learning from this many decisions; a run limited by ``seconds`` ends earlier."""
    seconds: float = 0.0
    """Stop after this many seconds; 0 for no limit. Runs limited by seconds are not alike, even with one seed."""
    threads: Annotated[int, range(1, MOST_THREADS + 1)] = 2
    """Threads that play and learn."""
    precision: Annotated[str, ("auto", "float32", "bfloat16")] = "auto"
    """In which numbers the network is multiplied while it learns: ``bfloat16`` takes three quarters of the time on a
    processor that knows it, ``auto`` uses it there; what plays is always float32."""

    place_width: int = 32
    """Numbers by which a place of the board is described."""
    trunk_width: int = 128
    """Width of both layers of the trunk."""
    value_width: int = 64
    """Width of the hidden layer of the value."""
    features: bool = True
    """Whether the network is given the game's board features."""
    late: bool = False
    """Whether the network encodes a position once for all decisions that a player makes in it, such as the cards of a
    plan: about three times as fast, in playing and in learning."""

    start: Annotated[str, Option("--network", "PATH")] = ""
    """Folder of a run, or file, with the network to begin with; empty: new weights. Of several, separated by commas,
    the mean: averaging runs that began with the same network reduces noise (Wortsman et al. 2022). Narrower networks
    are widened, and choose as before until they learn more."""

    imitate: Annotated[str, _teacher] = "scripted"
    """The bot that is imitated; or ``export:FOLDER``, what ``shogun-env export`` wrote there of any bot."""
    imitation_fraction: Annotated[float, forms.from_0_to_1] = 0.5
    """Part of the run, at its beginning, in which it is imitated; 0 to learn from nothing."""
    imitation_rate: float = 2e-3
    """Learning rate of imitation at its beginning."""
    imitation_hold: Annotated[float, forms.from_0_to_1] = 0.0
    """Part of what it learns from an export that is the policy of the network it began with: an expert's choices are
    noisy, and a policy near the old one can only be improved safely by little (Grill et al. 2020, arXiv 2007.12509)."""
    student_fraction: Annotated[float, forms.from_0_to_1] = 0.5
    """Part of the seats that the network itself plays while it imitates, so that it learns to correct its faults."""

    games_per_update: int = 128
    """Games played between two updates."""
    collect_ahead: bool = False
    """Whether the games of the next update are played while the learner learns, by the network before the update: for a
    learner on a GPU. Without one the cores are busy either way. A run that is resumed plays these games anew, and so
    learns otherwise than one that was not stopped."""
    learning_rate: float = 3e-4
    """Learning rate at the beginning of PPO; it goes down to a tenth by the end of the run."""
    batch_size: int = 1024
    """Decisions of a minibatch."""
    n_epochs: int = 2
    """How often an update learns from each decision."""
    learnt_fraction: Annotated[float, forms.above_0_to_1] = 1.0
    """Part of the decisions that PPO learns from, and of those of judged plans: the most informative, weighted so that
    all means stay the same. A strong policy is sure of most of its actions and learns next to nothing from them.
    Minibatches shrink with it."""
    gae_lambda: Annotated[float, forms.from_0_to_1] = 0.95
    """How far returns look beyond the next values: 0 not at all, 1 to the end of the game."""
    ent_coef: float = 0.003
    """Weight of the entropy."""
    magnet_coef: float = 0.0
    """Weight of the magnet, the divergence KL(policy, reference); 0 for none. The reference begins with what imitation
    has learnt."""
    magnet_average: Annotated[int, forms.COUNT] = 0
    """Decisions over which the reference follows the weights of the learner, as ``average`` does; 0: it stays."""
    magnet_every: Annotated[int, forms.COUNT] = 0
    """Decisions after which the learner replaces the reference; 0: never."""
    clip_range: float = 0.2
    """By how much the probability of an action may change in an update before it stops counting."""
    all_shares: bool = True
    """Whether the value learns by cross-entropy what share of the win each player has in the end, as in imitation; else
    by squared error what the player to act has, by the returns of ``gae_lambda``."""
    vf_coef: float = 0.25
    """Weight of the loss of the value."""
    judged_games: Annotated[int, forms.COUNT] = 0
    """Games of Shogun after each update in which the learner's plans, specials and targets are judged side by side, and
    learnt from without their value, at a table of the ``variants`` that is drawn. 0: none. A game takes as long as
    twenty others."""
    average: int = 2_000_000
    """Decisions over which weights are averaged for the network that is evaluated, saved and played, and for snapshots:
    single updates are noisy, and the mean of many is stronger; 1 for the weights of the last update."""
    target_kl: float = 0.0
    """Stop an update when the policy has moved 1.5 times as far as this (KL divergence), as in stable-baselines3; 0 for
    no limit."""

    opponents: tuple[str, ...] = ("scripted",)
    """Bots that the learner plays against, separated by commas; games with one that is not compiled take longer."""
    self_fraction: Annotated[float, forms.from_0_to_1] = 0.3
    """Part of the games in which the learner plays all seats, and learns from each."""
    snapshot_fraction: Annotated[float, forms.from_0_to_1] = 0.3
    """Part of the opponents in the other games that are snapshots of the learner."""
    snapshot_draw: Annotated[str, ("score", "uniform", "payoff")] = "score"
    """How often each snapshot plays: the more it wins against the learner (``score``), all equally often (``uniform``),
    or as often as in the game of choosing one of them (``payoff``)."""
    payoff_games: int = 200
    """Games by which a snapshot is measured against another, for each of the ``variants``."""
    snapshot_every: int = 500_000
    """Decisions between two snapshots."""
    snapshots: Annotated[int, range(1, MOST_SNAPSHOTS + 1)] = 8
    """Number of snapshots, the latest ones, that play."""

    tensorboard: bool = False
    """Whether to write logs for TensorBoard: losses, and the share of wins at each evaluation."""
    evaluate_every: Annotated[int, forms.COUNT] = 0
    """Decisions between two evaluations; 0 for twenty in the run, evenly spread. All but the last of those are
    greedy only and play a quarter of ``evaluate_games``, so that they take a few per cent of the time."""
    evaluate_games: int = 400
    """Games of an evaluation against each bot, greedy and as many sampled, for each of the ``variants``."""
    evaluate_against: tuple[str, ...] = ("random", "scripted")
    """Bots that the learner is evaluated against, separated by commas."""
    checkpoint_seconds: float = 60.0
    """Seconds between two checkpoints, the most that is lost when a run is killed."""

    @property
    def every_options(self) -> list[dict[str, Any]]:
        """The options of play of each of the variants."""
        return [{**self.options, **variant} for variant in self.variants]

    @property
    def export(self) -> Path | None:
        """The folder of the choices that are imitated; None where a bot is."""
        return Path(self.imitate.removeprefix(EXPORT)) if self.imitate.startswith(EXPORT) else None

    @property
    def teachers(self) -> list[str]:
        """The bot that is imitated, if one is."""
        return [self.imitate] if self.imitation_fraction and self.export is None else []

    def tables(self) -> list[tuple[dict[str, Any], int]]:
        """Return the options of play of the variants, each once, with how often it is among them."""
        every = self.every_options
        return [(options, every.count(options)) for at, options in enumerate(every) if every.index(options) == at]


def load_config(spec: GameSpec, name: str | Path = BASE, changes: Mapping[str, Any] | None = None) -> Config:
    """Return the settings for a game: those of its base, with the changes of a config and further changes.

    Args:
        spec: the game.
        name: name of a config in the game's folder, or path of a .toml file.
        changes: values by name of the setting.

    Raises: ValueError naming an unknown config or setting, a value of the wrong type, or a config for another game.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> load_config(SHOGUN, "quick", {"games_per_update": 64}).games_per_update
        64
    """
    of_files = {"game": spec.name}, *(toml_named("config", each, CONFIGS / spec.name) for each in (BASE, name))
    values = _laid_over(*of_files, changes or {})
    if (game := values["game"]) != spec.name:
        raise ValueError(f"config {name}: game={game!r} in the settings, which asks for --game {game}, not {spec.name}")
    with forms.blaming(f"config {name}"):
        changed(Config(), _laid_over(*of_files))
    return changed(Config(), values)


def _laid_over(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of which later ones hold; the algorithm's defaults are under those of the layer that names it."""
    values: dict[str, Any] = {}
    named = max((at for at, layer in enumerate(layers) if "algorithm" in layer), default=None)
    for at, layer in enumerate(layers):
        values |= {**(ALGORITHMS.get(str(layer["algorithm"]), {}) if at == named else {}), **layer}
    return values


def toml_named(what: str, name: str | Path, folder: Path) -> dict[str, Any]:
    """Return the values of a TOML file, given by its path or by its name in the folder of a game.

    Raises: ValueError, which begins with ``what`` it is, if the file does not exist or is not valid TOML.
    """
    path = Path(name) if str(name).endswith(".toml") else folder / f"{name}.toml"
    with forms.blaming(f"{what} {name}"):
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in folder.glob("*.toml"))) or "none"
            raise ValueError(f"no such file; known names for {folder.name} are {known}")
        return forms.toml_of(text_in(path))


def changed(config: Config, values: Mapping[str, Any]) -> Config:
    """Return ``config`` with other values for some settings; ValueError naming an unknown one, or a wrong value."""
    return settings.changed(config, _laid_over(values))


def add_config(parser: Parser, fixed: Collection[str] = ()) -> None:
    """Add ``--config``, and ``add_settings``."""
    parser.add_argument("--config", default=BASE, help=f"name in training/configs/GAME, or a .toml file ({BASE})")
    add_settings(parser, fixed)


def add_settings(parser: Parser, fixed: Collection[str] = ()) -> None:
    """Add ``--set``, and an option for each setting that is not ``fixed``."""
    words = "change a setting as in a config, before the options below; the value is TOML"
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=words)
    names = list(settings.settings_of(Config))
    starts = [names.index(name) for name in GROUPS.values()]
    for title, first, end in zip(GROUPS, starts, [*starts[1:], None], strict=True):
        if own := [name for name in names[first:end] if name not in fixed]:
            group = parser.add_argument_group(f"settings: {title}")
            settings.add_options(group, Config, own, given_only=True)


def changes_in(args: Namespace) -> dict[str, Any]:
    """Return the settings by name that a command line gives, with those of ``--set`` below its other options.

    Raises: ValueError for a text of ``--set`` that is not TOML.
    """
    changes: dict[str, Any] = {}
    for text in args.set:
        try:
            changes.update(forms.toml_of(text))
        except ValueError:
            raise ValueError(
                f"--set {text}: must be NAME=VALUE in TOML, such as games_per_update=64 or 'imitate=\"random\"'"
            ) from None
    return {**changes, **settings.given(args, Config)}


def with_options(config: Config, options: Mapping[str, Any]) -> Config:
    """Return ``config`` with other values for some options of play, which are not checked yet."""
    return replace(config, options={**config.options, **options})
