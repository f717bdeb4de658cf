"""Arenas, measures of strength and speed, tables of documents, run in a checkout: ``shogun-env tournament --help``."""
