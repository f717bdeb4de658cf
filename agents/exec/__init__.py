"""The bot ``exec``: a program in any language, which is asked in lines of JSON (``docs/protocol.md``)."""
