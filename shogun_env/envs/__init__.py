"""The environments, written once for all games on ``Batch``: PettingZoo, Gymnasium, and a VecEnv (``envs.sb3``)."""
