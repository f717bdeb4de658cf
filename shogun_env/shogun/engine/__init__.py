"""The engine of Shogun: masks, the phase machine, observations, redeals, and checks of a state."""
