"""Run the command: ``shogun-env league``."""

from shogun_env.benchmarks.league.command import main

if __name__ == "__main__":
    raise SystemExit(main())
