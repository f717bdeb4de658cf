"""Seat-balanced matches between agents, and the standings that follow from their results."""
