"""The rule cases of Shogun and their vocabulary."""

from tests.cases.shogun.vocabulary import VOCABULARY

__all__ = ["VOCABULARY"]
