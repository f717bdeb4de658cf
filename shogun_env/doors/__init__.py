"""One seat of a game, as its player may know it, for programs that speak a protocol of their own."""
