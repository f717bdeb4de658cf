"""Arenas, measures of strength and speed, tables of documents: ``shogun-env tournament --help``."""

if __name__ == "benchmarks":  # as ``python -m benchmarks.tournament`` imports it, which would do nothing
    raise ImportError("benchmarks.NAME is shogun_env.benchmarks.NAME; its command is shogun-env NAME")
