"""Training: imitation, then PPO against bots, itself and its past: ``shogun-env selfplay --help``."""

if __name__ == "training":  # as ``python -m training.selfplay`` imports it, which would do nothing
    raise ImportError("training.NAME is shogun_env.training.NAME; its command is shogun-env NAME")
