"""The engine of Shitennō: legal actions, the phase machine, observations, redeals, checks of a state."""
