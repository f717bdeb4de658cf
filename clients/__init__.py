"""One file per library that learns, searches or plays with these environments; ``python -m clients`` tries them all."""
