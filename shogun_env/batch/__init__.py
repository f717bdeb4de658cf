"""Many games as arrays: ``Batch``, the loops over its rows, and the checks and storage of its data."""
