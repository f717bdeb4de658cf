"""The engine of Shitennō: masks, the phase machine, observations, redeals, checks of a state."""
