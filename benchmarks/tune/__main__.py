"""Run the command: ``shogun-env tune``."""

from shogun_env.benchmarks.tune.command import main

if __name__ == "__main__":
    raise SystemExit(main())
