"""Tournaments, speed and signature, from a checkout: ``python -m benchmarks.tournament --help``."""
