"""The command ``review``: what it prints, the page that it writes, and what it refuses."""

import json
import re
from pathlib import Path

import pytest

from shogun_env.__main__ import main
from shogun_env.records.view import unpacked
from tests.refusals import refusal


@pytest.mark.full
def test_review__of_a_record__prints_costs_and_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    main(["record", "--game", "shitenno", "--players", "2", "--seed", "7", "--out", str(tmp_path)])
    record, page = tmp_path / "7.shitenno.jsonl", tmp_path / "review.html"
    (odd := tmp_path / "odd.html").write_bytes(record.read_bytes())
    main(["review", str(record), "--player", "1", "--rollouts", "32", "--top", "2", "-o", str(page)])
    out = capsys.readouterr().out
    assert "P1: " in out
    assert "P0: " not in out
    assert "  1. Round " in out and "  2. Round " in out and "  3. " not in out
    turns = out.split("Turning points, by what the champion expects:\n")[1]
    assert len(re.findall(r"^  \w.*, lines \d+ to \d+: P\d (rises|falls) from ", turns, re.M)) == 2
    assert "the champion: " in out
    assert out.endswith("open it in a browser\n")
    assert 'id="costliest"' in page.read_text("utf-8")
    assert "chance to win" in json.dumps(unpacked(re.search('id="frames">([^<]*)', page.read_text("utf-8"))[1]))
    assert "is what is read" in refusal(capsys, "review", str(odd), "-o", str(odd))
    assert odd.read_bytes() == record.read_bytes()
    assert "champion 'random': must be a network" in refusal(capsys, "review", str(record), "--champion", "random")
