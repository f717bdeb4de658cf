"""The board of Shogun drawn."""
