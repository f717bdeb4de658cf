"""Drawings as SVG text, and as pixels with the extra ``viz``."""
