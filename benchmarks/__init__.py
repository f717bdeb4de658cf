"""Tournaments, speed, signatures and reports, run in a checkout: ``shogun-env tournament --help``."""
