"""What a game has to provide so that the shared code can run it: ``GameSpec``, ``Engine``, layouts, options."""
