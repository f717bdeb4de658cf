"""The bot ``exec``: a program in any language, which is asked in lines of JSON (``docs/protocol.md``); and ``serve``,
which makes such a program of a bot in Python.
"""
