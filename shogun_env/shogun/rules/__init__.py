"""The rules of Shogun, one file per part of ``RULES.md``."""
