"""The engine of Shogun: masks, the phase machine, observations, redeals, checks of a state."""
