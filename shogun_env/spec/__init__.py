"""What a game has to provide for the shared code to run it: ``GameSpec``, ``Engine``, layouts, options."""
