"""Shogun in words: actions, positions, the lines of a record, a game as text."""
