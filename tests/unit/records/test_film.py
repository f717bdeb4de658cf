"""A record as a film: cubes fall one by one before the step shows what came of it."""

import json
import sys
from html import escape
from itertools import islice, pairwise
from textwrap import wrap

import numpy as np
import pytest

from shogun_env.__main__ import main
from shogun_env.records.film import LAST_CUBE_SECONDS, LETTERS, LINES, STEP_SECONDS, caption, film_times, pictures_of
from tests.refusals import refusal
from tests.unit.records.played import frames_played

pytest.importorskip("resvg_py")


def test_film__of_shogun__shows_every_cube():
    data = frames_played("shogun")[1]
    throws = [throw for frame in data["frames"] for throw in frame.get("throws", ())]
    times = film_times(data)
    assert len(times) == len(data["frames"]) + sum(len(throw["cubes"]) + 1 for throw in throws)
    assert times.count(STEP_SECONDS) == len(data["frames"])
    assert times.count(LAST_CUBE_SECONDS) == len(throws)


@pytest.mark.full
def test_film__of_a_throw__puts_one_cube_after_the_other_on_the_board():
    data = frames_played("shogun")[1]
    n_cubes = len(data["frames"][1]["throws"][0]["cubes"])
    pictures = list(islice(pictures_of(data, range(1, 2)), n_cubes + 2))
    differing = [int((a != b).any(2).sum()) for a, b in pairwise(pictures)]
    assert all(20 < count < 400 for count in differing[:-1])  # a cube has 12 x 12 pixels
    assert differing[-1] > 10_000  # the throw is taken off


@pytest.mark.full
def test_view__film__is_written(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("shogun_env.recording.pictures_of", lambda *arguments: islice(pictures_of(*arguments), 12))
    main(["record", "--game", "shitenno", "--players", "2", "--seed", "7", "--out", str(tmp_path)])
    lines = (tmp_path / "7.shitenno.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["players"] == 2
    main(["view", str(tmp_path / "7.shitenno.jsonl"), "--gif", str(tmp_path / "film.gif")])
    assert b"GIF8" in (tmp_path / "film.gif").read_bytes()[:12]
    assert "film.gif written, " in capsys.readouterr().out


def test_caption__of_a_step__is_the_end_of_what_happened():
    frame = next(frame for frame in frames_played("shogun")[1]["frames"] if len(frame["told"]) > LINES)
    text = caption(frame, 1000, 500, 90)
    last = "".join(piece for piece, _ in frame["told"][-1][0])
    assert text.count("<text") == LINES
    assert escape(wrap(last, LETTERS)[-1], quote=False) in text
    assert "".join(piece for piece, _ in frame["told"][0][0]) not in text


def test_view__film_without_its_extra__names_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    main(["record", "--game", "shitenno", "--players", "2", "--seed", "7", "--out", str(tmp_path)])
    line = refusal(capsys, "view", str(tmp_path / "7.shitenno.jsonl"), "--gif", str(tmp_path / "film.gif"))
    assert "pip install 'shogun-env[viz]'" in line
    assert not (tmp_path / "7.shitenno.html").exists()  # it is said before the work is done


def test_pictures__of_a_film__have_one_size():
    sizes = {picture.shape for picture in islice(pictures_of(frames_played("shitenno")[1]), 3)}
    assert len(sizes) == 1
    assert next(iter(sizes))[1:] == (960, 3)
    assert next(pictures_of(frames_played("shitenno")[1])).dtype == np.uint8
