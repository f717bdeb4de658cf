"""The file of the bot ``chat``: what is wrong with it is said in one line."""

import pytest

from shogun_env.agents.chat.settings import load_settings

GOOD = 'url = "http://127.0.0.1:1/v1"\nmodel = "m"\n'


def test_file__with_extra_fields__is_read(tmp_path):
    file = tmp_path / "m.toml"
    file.write_text(GOOD + 'seconds = 5\n[extra]\nreasoning_effort = "low"\n')
    settings = load_settings(file, {"parallel": "2"})
    assert (settings.seconds, settings.parallel, settings.extra) == (5, 2, {"reasoning_effort": "low"})


@pytest.mark.parametrize(
    ("text", "changes", "why"),
    [
        ("", {}, "url=None: must be an address that begins with http:// or https://"),
        ("url = ", {}, "must be a TOML file"),
        ('url = "file:///etc"\nmodel = "m"', {}, "url='file:///etc': must be an address that begins with http"),
        (GOOD + "colour = 1", {}, "unknown setting 'colour'; known are url, model"),
        (GOOD + "tries = true", {}, "tries=True: must be a whole number, at least 1"),
        (GOOD, {"tries": "0"}, "tries=0: must be a whole number, at least 1"),
        (GOOD, {"plans": "some"}, 'plans=.some.: must be one of "whole", "cards"'),
        (GOOD, {"rules": "all"}, 'rules=.all.: must be one of "short", "full", "none"'),
        (GOOD, {"temperature": "-1"}, "temperature=-1: must be a finite number, 0 or more"),
    ],
)
def test_file__wrong__names_itself_and_the_setting(text, changes, why, tmp_path):
    file = tmp_path / "m.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"m.toml: .*{why}"):
        load_settings(file, changes)
