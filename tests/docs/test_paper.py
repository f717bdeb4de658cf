"""The paper: every work cited is in the list, every figure is that of the results."""

import json
import re

from tests.games import batch_class
from tests.tree import ROOT

PAPER = (ROOT / "paper" / "paper.md").read_text("utf-8")
WORKS = (ROOT / "paper" / "paper.bib").read_text("utf-8")
MADE = re.compile(r"<!-- made by .*?<!-- end of .*? -->", re.S)


def prose() -> str:
    """The paper without its metadata, generated tables, and comments."""
    text = PAPER.split("---\n", 2)[2]
    return " ".join(re.sub(r"<!--.*?-->", "", MADE.sub("", text), flags=re.S).split())


def test_paper__works_cited__are_those_of_the_list():
    assert sorted(set(re.findall(r"@(\w+)", prose()))) == sorted(re.findall(r"^@\w+\{(\w+),$", WORKS, re.M))


def test_paper__rates_in_the_text__are_those_of_the_results():
    runs = json.loads((ROOT / "benchmarks" / "speed.json").read_text("utf-8"))["runs"]
    figures = next(run["figures"] for run in runs if run["game"] == "shogun")
    random, observed = (figures[f"{name}_decisions_per_s"]["per_core_second"] / 1e6 for name in ("random", "observed"))
    size = batch_class("shogun").spec.obs_size
    assert (
        f"One core plays {random:.1f} million random decisions per second in compiled code, legal actions included, "
        f"and {observed:.1f} million with an observation of {size:,} bytes for each"
    ) in prose()
    assert re.findall(r"\d+\.\d+", prose()) == [f"{random:.1f}", f"{observed:.1f}"], "a figure without its results"
