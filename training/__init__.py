"""Self-play training, from a checkout: ``python -m training.selfplay --help``."""
