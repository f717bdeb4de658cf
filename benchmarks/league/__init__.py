"""A league: bots enter whenever they like, games are chosen where they tell most, and everybody can check them."""
