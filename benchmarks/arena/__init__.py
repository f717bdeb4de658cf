"""Seat-balanced matches between agents, and what their results say."""
