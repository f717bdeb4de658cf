"""Shitennō in words: names of actions, positions, the lines of a record, the board as text."""
