"""The rule cases of Shitennō and their vocabulary."""

from tests.cases.shitenno.vocabulary import VOCABULARY

__all__ = ["VOCABULARY"]
