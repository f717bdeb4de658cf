"""The rules of Shogun, a file for each part of them."""
