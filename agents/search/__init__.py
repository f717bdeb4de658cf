"""Search: a bot that plays on from where it is, many times, before it decides."""
