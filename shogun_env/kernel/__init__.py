"""Compiled functions: decorators, their cache, random numbers, the log; numba's undocumented names: ``private``."""
