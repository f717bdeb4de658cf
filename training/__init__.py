"""Self-play training, run in a checkout: ``python -m training.selfplay --help``."""
