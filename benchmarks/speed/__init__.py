"""How fast everything is: ``python -m benchmarks.speed``."""
