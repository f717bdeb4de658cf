"""Masked PPO in plain JAX: 256 games of one learner in a Gymnasium vector environment, observed as bytes.

The network begins with the float view (``shogun_env.envs.device_view``), so observations go to the device as bytes;
acting and a whole update are one compiled function each. ``python -m clients jax --here --steps 400000`` learns for a
minute and says how often it wins, before and after.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax

from clients import env_id, wins_of
from shogun_env.batch.float_view import FloatView
from shogun_env.cli import game_class
from shogun_env.envs.device_view import view_function

NUM_ENVS, NUM_STEPS, EPOCHS, MINIBATCHES, WIDTH = 256, 32, 3, 8, 128
GAMMA, GAE_LAMBDA, CLIP, ENTROPY, VALUE, LEARNING_RATE, MAX_NORM = 1.0, 0.95, 0.2, 0.01, 0.5, 1e-3, 0.5
OPTIONS = {"observation": "bytes", "learner_seat": "rotate", "opponents": "random", "reward": "margin"}

Params = dict[str, jax.Array]


class Rollout(NamedTuple):
    """Decisions, each array with the axes [step, game]."""

    observations: Any
    """uint8[T, B, D]."""
    masks: Any
    actions: Any
    log_probs: Any
    values: Any
    rewards: Any
    ended: Any


def make_params(key: jax.Array, n_values: int, n_actions: int) -> Params:
    """Return the weights of a network of two layers with an actor and a critic."""
    sizes = {"one": (n_values, WIDTH), "two": (WIDTH, WIDTH), "actor": (WIDTH, n_actions), "critic": (WIDTH, 1)}
    keys = jax.random.split(key, len(sizes))
    scale = {"actor": 0.01, "critic": 1.0}
    return {
        name: jax.random.normal(each, size) * (scale.get(name, 1.0) / np.sqrt(size[0]))
        for each, (name, size) in zip(keys, sizes.items(), strict=True)
    }


class Learner:
    """The network of a game, its ``first`` weights, and the compiled functions that act with it and improve it."""

    def __init__(self, game: str, n_actions: int, key: jax.Array) -> None:
        view = FloatView(game_class(game).spec)
        self.show: Callable[[Any], Any] = view_function(view, jnp)
        self.optimizer = optax.chain(optax.clip_by_global_norm(MAX_NORM), optax.adam(LEARNING_RATE, eps=1e-5))
        self.first = make_params(key, view.size, n_actions)
        self.act = jax.jit(self._act)
        self.best = jax.jit(lambda params, observations, masks: self.forward(params, observations, masks)[0].argmax(-1))
        self.learn = jax.jit(self._learn)

    def forward(self, params: Params, observations: Any, masks: Any) -> tuple[jax.Array, jax.Array]:
        """Return the logarithms of the probabilities of actions, and the values."""
        hidden = jnp.tanh(jnp.tanh(self.show(observations) @ params["one"]) @ params["two"])
        logits = jnp.where(masks == 0, -1e9, hidden @ params["actor"])
        return jax.nn.log_softmax(logits), (hidden @ params["critic"])[..., 0]

    def _act(self, params: Params, key: jax.Array, observations: Any, masks: Any) -> tuple[Any, Any, Any]:
        log_probs, values = self.forward(params, observations, masks)
        actions = jax.random.categorical(key, log_probs)
        return actions, jnp.take_along_axis(log_probs, actions[:, None], 1)[:, 0], values

    def loss(self, params: Params, rows: Rollout, advantages: jax.Array, returns: jax.Array) -> jax.Array:
        """Return the loss of PPO over some decisions."""
        log_probs, values = self.forward(params, rows.observations, rows.masks)
        chosen = jnp.take_along_axis(log_probs, rows.actions[:, None], 1)[:, 0]
        ratio = jnp.exp(chosen - rows.log_probs)
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = jnp.minimum(ratio * scaled, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * scaled).mean()
        entropy = -(jnp.exp(log_probs) * jnp.where(rows.masks == 0, 0.0, log_probs)).sum(-1).mean()
        return VALUE * jnp.square(values - returns).mean() - gain - ENTROPY * entropy

    def _learn(self, params: Params, state: Any, key: jax.Array, rollout: Rollout, last: Any) -> tuple[Params, Any]:
        advantages = advantages_of(rollout, last)
        everything = (rollout, advantages, advantages + rollout.values)
        flat = jax.tree.map(lambda part: part.reshape(-1, *part.shape[2:]), everything)

        def step(carry: tuple[Params, Any], rows: jax.Array) -> tuple[tuple[Params, Any], None]:
            params, state = carry
            gradients = jax.grad(self.loss)(params, *jax.tree.map(lambda part: part[rows], flat))
            changes, state = self.optimizer.update(gradients, state, params)
            return (optax.apply_updates(params, changes), state), None

        n_rows = NUM_STEPS * NUM_ENVS
        orders = [jax.random.permutation(each, n_rows) for each in jax.random.split(key, EPOCHS)]
        rows = jnp.concatenate(orders).reshape(EPOCHS * MINIBATCHES, -1)
        return jax.lax.scan(step, (params, state), rows)[0]


def advantages_of(rollout: Rollout, last: Any) -> jax.Array:
    """Return the generalised advantages; the step that ends a game returns the first observation of the next one."""

    def step(carry: tuple[Any, Any], each: tuple[Any, Any, Any]) -> tuple[tuple[Any, Any], Any]:
        advantage, following = carry
        reward, ended, value = each
        delta = reward + GAMMA * following * (1 - ended) - value
        advantage = delta + GAMMA * GAE_LAMBDA * (1 - ended) * advantage
        return (advantage, value), advantage

    rows = (rollout.rewards, rollout.ended, rollout.values)
    return jax.lax.scan(step, (jnp.zeros_like(last), last), rows, reverse=True)[1]


def train(game: str, steps: int, seed: int = 1) -> tuple[Learner, Params, int]:
    """Learn from at least this many decisions; return learner, weights and the number of decisions."""
    envs = gymnasium.make_vec(env_id(game), num_envs=NUM_ENVS, **OPTIONS)
    key, own = jax.random.split(jax.random.key(seed))
    learner = Learner(game, int(envs.single_action_space.n), own)
    params = learner.first
    state = learner.optimizer.init(params)
    current, infos = envs.reset(seed=seed)
    updates = -(-steps // (NUM_ENVS * NUM_STEPS))
    for _ in range(updates):
        rows = []
        for _ in range(NUM_STEPS):
            key, own = jax.random.split(key)
            seen, mask = current, infos["action_mask"]
            actions, log_probs, values = learner.act(params, own, seen, mask)
            current, rewards, terminated, truncated, infos = envs.step(np.asarray(actions))
            ended = (terminated | truncated).astype(np.float32)
            rows.append(Rollout(seen, mask, actions, log_probs, values, rewards.astype(np.float32), ended))
        key, own = jax.random.split(key)
        last = learner.act(params, own, current, infos["action_mask"])[2]
        rollout = Rollout(*(np.stack(part) for part in zip(*rows, strict=True)))
        params, state = learner.learn(params, state, own, rollout, last)
    return learner, params, updates * NUM_ENVS * NUM_STEPS


def use(game: str, steps: int) -> int:
    """Learn, and print the share of wins before and after, unless it is a short run; the speed is that of learning."""
    learner, params, taken = train(game, steps)
    if taken > 100_000:
        for name, weights in (("before", learner.first), ("after", params)):
            wins = wins_of(functools.partial(learner.best, weights), game, observation="bytes")
            print(f"{game}: {name} learning wins {wins}")
    return taken
