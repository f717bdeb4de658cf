"""Tuning the numbers of a bot by CMA-ES."""
