"""Arenas, measures of strength and speed, tables of documents: ``shogun-env tournament --help``."""
