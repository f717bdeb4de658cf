"""The board of Shitennō drawn."""
