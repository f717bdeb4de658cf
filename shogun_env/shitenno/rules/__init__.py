"""The rules of Shitennō, one file per family of rules."""
