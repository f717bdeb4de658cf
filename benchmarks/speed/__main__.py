"""The command ``python -m benchmarks.speed``."""

from shogun_env.benchmarks.speed.command import main

if __name__ == "__main__":
    raise SystemExit(main())
