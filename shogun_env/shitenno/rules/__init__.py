"""The rules of Shitennō, a file for each part of them."""
