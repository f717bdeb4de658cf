"""The environments against the conventions of PettingZoo, Gymnasium and stable-baselines3, and against ``Batch``."""
