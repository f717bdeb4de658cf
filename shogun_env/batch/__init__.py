"""Many games as arrays: ``Batch``, the loops that run its rows, and what checks and keeps its data."""
