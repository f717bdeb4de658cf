"""Figures, ratios and tables of the speed command."""

from __future__ import annotations

from shogun_env.benchmarks.speed.tables import compare, leaves, ratios, summary, table


def figure(middle: float, spread: float = 0.0) -> dict[str, float]:
    return {"median": middle, "min": middle - spread, "max": middle + spread}


def test_summary__values_in_any_order__median_of_the_middle():
    assert summary([3, 1, 2]) == {"median": 2, "min": 1, "max": 3}
    assert summary([4, 1, 2, 3]) == {"median": 2.5, "min": 1, "max": 4}
    assert summary([]) is None
    assert summary([3, 1, 2], [0.5, 1, 1]) == {"median": 2, "min": 1, "max": 3, "per_core_second": 2}


STICKS = ("yardstick_per_s",)


def test_ratios__rates_are_divided_and_seconds_multiplied_round_by_round():
    samples = {STICKS: [10, 20], ("a", "all"): [5, 20], ("import_warm_s",): [2, 1], ("none",): []}
    actual = ratios(samples, {STICKS: [1, 0.5], ("a", "all"): [2, 1]})
    assert actual == {"a/all": {"median": 0.75, "min": 0.5, "max": 1.0}, "import_warm_s": summary([20, 20])}


def test_ratios__one_core_on_a_busy_machine__stays_what_it_is_on_an_idle_one():
    samples = {STICKS: [10, 20], ("a", "1"): [5, 5]}
    assert ratios(samples, {STICKS: [0.5, 1], ("a", "1"): [1, 0.5]}) == {"a/1": figure(0.375, 0.125)}


def test_compare__rounds_that_overlap__did_not_move():
    before = {"same": figure(10, 2), "up": figure(10, 2), "down": figure(10, 2), "import_warm_s": figure(10, 2)}
    now = {"same": figure(13, 2), "up": figure(15, 2), "down": figure(5, 2), "import_warm_s": figure(15, 2)}
    now["first"] = figure(1)
    verdicts = {moved.name: moved.verdict for moved in compare(now, before)}
    assert verdicts == {"same": "", "up": "faster", "down": "slower", "import_warm_s": "slower", "first": "new"}


def test_table__columns__line_up():
    lines = table(["a", "long head"], [["some words", "1"], ["b", "12,345,678,901"]]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[1].endswith("-: |")


def test_leaves__of_a_tree__are_its_figures_and_gaps():
    tree = {"a": {"1": figure(1), "all": None}, "b": figure(2)}
    assert [path for path, _ in leaves(tree)] == [("a", "1"), ("a", "all"), ("b",)]
