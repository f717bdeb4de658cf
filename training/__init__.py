"""Self-play training, run in a checkout: ``shogun-env selfplay --help``."""
