"""Doors for programs that speak a protocol of their own: one seat of a game, as its player may know it."""
