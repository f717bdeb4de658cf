"""What a valid state is: ``check_game`` says which condition fails first.

What it accepts can be played to its end: a state that is valid between two decisions is valid between all that follow
(``tests/property/test_positions.py`` looks for one that is not).
"""
