"""A game looked at again by a champion: what choices cost, where it turned, and what is made of a hint."""
