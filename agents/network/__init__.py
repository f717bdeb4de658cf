"""Networks as bots: ``ppo:PATH`` plays what ``training.selfplay`` has trained, as a compiled policy."""
