"""Exact solutions: the whole tree of a small game, expected values, best responses, equilibria."""
