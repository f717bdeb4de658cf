"""Chat: a bot that puts its decisions in words to a language model, at an endpoint that the user names."""
