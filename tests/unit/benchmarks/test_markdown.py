"""Markdown: tables that are aligned, one format of numbers, and marks."""

import pytest

from shogun_env.benchmarks.markdown import (
    BEGIN,
    END,
    columns_of,
    markdown_table,
    number,
    percent,
    percent_interval,
    with_parts,
)

MARKED = f"# Title\n{BEGIN.format('x')}old\n{END.format('x')}\nend\n"


def test_markdown_table__numbers__are_aligned_to_the_right_and_words_to_the_left():
    assert markdown_table(
        ["words", "n", "what"], [["a", "−7", "a long sentence"], ["long word", "1,234 %", "b"]]
    ).splitlines() == [
        "| words     |       n | what |",
        "| --------- | ------: | --- |",
        "| a         |      −7 | a long sentence |",
        "| long word | 1,234 % | b   |",
    ]


def test_numbers__of_every_size__have_one_format():
    assert [number(value) for value in (1234567.8, 99.95, 0.123456)] == ["1,230,000", "100", "0.123"]
    assert (percent(0.3604), percent(1, 0)) == ("36.0 %", "100 %")
    assert percent_interval(0.36, 0.354, 0.366) == "36.0 % (35.4–36.6)"


def test_with_parts__part__is_replaced_and_the_rest_stays():
    assert with_parts(MARKED, {"x": "new\n"}) == MARKED.replace("old", "new")


def test_with_parts__marks_missing__is_an_error():
    with pytest.raises(ValueError, match="y --> and <!-- end of y --> are missing"):
        with_parts(MARKED, {"y": "table"})


def test_columns_of__first_table_with_all_headings__is_cut_to_them():
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\ntext\n\n| b | c | a |\n|---|---|---|\n| x | y | 5 |\n"
    assert columns_of(text, "a", "c") == markdown_table(["a", "c"], [["5", "y"]])
    with pytest.raises(ValueError, match="no table has the columns a, d"):
        columns_of(text, "a", "d")
