"""Reviews of a game by a champion: what choices cost, where the game turned, and hints."""
