"""The speed of everything: ``python -m benchmarks.speed``."""
