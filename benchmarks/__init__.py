"""Tournaments, speed, signatures and reports, run in a checkout: ``python -m benchmarks.tournament --help``."""
