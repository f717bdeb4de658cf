"""rl_zoo3: its training script with the name of the environment, our package named by ``--gym-packages``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from clients import loops
from clients.measure import report

SETTINGS = """
atari:
  policy: MlpPolicy
{env}:
  policy: MlpPolicy
  n_timesteps: 2000
  n_envs: 4
  n_steps: 128
"""

# --- use -------------------------------------------------------------------------------------------------------------


def use(game: str, steps: int) -> int:
    """Run the training script for PPO, which plays the lowest legal action in the place of an illegal one."""
    env = loops.env_id(game)
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "settings.yml"
        settings.write_text(SETTINGS.format(env=env))
        arguments = ["--algo", "ppo", "--env", env, "--gym-packages", "shogun_env", "--n-timesteps", str(steps)]
        arguments += ["--conf-file", str(settings), "--log-folder", folder, "--env-kwargs", "reward:'margin'"]
        command = [sys.executable, "-m", "rl_zoo3.train", *arguments, "--eval-freq", "-1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        assert list(Path(folder).rglob("*.zip"))
    return steps


if __name__ == "__main__":
    report(__file__, "rl_zoo3", use, loops.single, 8_000)
