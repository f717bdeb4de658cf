"""Run the command: ``python -m benchmarks.league``."""

from shogun_env.benchmarks.league.command import main

if __name__ == "__main__":
    raise SystemExit(main())
