"""The README's Python runs as printed, and its commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
MODULES = sorted(set(re.findall(r"python -m ((?:training|benchmarks)\.\w+)", README)))


@pytest.mark.full
@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_readme__python_block__runs(number):
    subprocess.run([sys.executable, "-c", BLOCKS[number]], cwd=ROOT, check=True, timeout=300)


@pytest.mark.full
@pytest.mark.parametrize("module", MODULES)
def test_readme__command__has_a_help_text(module):
    said = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, check=True, timeout=60, capture_output=True, text=True
    )
    assert module in said.stdout


@pytest.mark.full
def test_readme__record_command__writes_what_view_reads(tmp_path):
    command = re.search(r"`python -m (shogun_env record .*?) --out games`", README).group(1)
    subprocess.run([sys.executable, "-m", *command.split(), "--out", str(tmp_path)], cwd=ROOT, check=True, timeout=300)
    file = sorted(tmp_path.glob("*.jsonl"))[0]
    subprocess.run([sys.executable, "-m", "shogun_env", "view", str(file)], cwd=ROOT, check=True, timeout=300)
    assert file.with_name("7.shogun.html").stat().st_size > 10_000


def test_readme__make_targets__exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"make ([a-z][a-z-]+)", README))
    assert targets >= {"demo", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
