"""Shogun in words: actions, positions, the lines of a record, the board as text."""
