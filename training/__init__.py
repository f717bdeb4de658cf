"""Self-play training: ``shogun-env selfplay --help``."""
