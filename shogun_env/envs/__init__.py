"""The environments, once for all games on ``Batch``: PettingZoo, Gymnasium, and a masked VecEnv (``envs.sb3``)."""
