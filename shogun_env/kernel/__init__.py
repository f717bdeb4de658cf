"""Compiled functions: decorators, their cache, random numbers, the log. Only ``jit`` imports numba."""
