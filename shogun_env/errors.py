"""Errors of this package that a caller may want to tell apart."""


class OptionError(ValueError, TypeError):
    """An option that does not exist, or a value it cannot have.

    It is a TypeError too, as if the keyword were unknown: libraries that try options out (stable-baselines3 offers
    ``render_mode="rgb_array"``, TorchRL ``frameskip``) go on without one when they catch that.
    """
