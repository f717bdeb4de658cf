"""The frame: what both games share, written once on a game's engine."""
