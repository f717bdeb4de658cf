"""The environments, written once for all games on ``Batch``: PettingZoo, Gymnasium, and a VecEnv (``envs.sb3``).

What all games share is described here; ``shogun_v0``, ``shitenno_v0`` and ``shikoku_v0`` have the spaces, the rewards
and the options of play of each.

## Observations

PettingZoo's observations are dicts of ``observation`` and ``action_mask``; Gymnasium's are the observation alone (see
the option ``mask``). With ``observation="flat"`` an observation is a vector of numbers, with ``entities`` a dict of
arrays of the same numbers, and with ``bytes`` the uint8[D] that both are made of, for learners that make the same
numbers on their device (``device_view``). An observation holds what the player may know, the player first and the
others in turn after. Numbers are counted in natural units, so that most are from 0 to 1; the bounds of the space are
those that can occur.

## Mask

An ``action_mask`` int8[A] is 1 where an action is legal. A player with nothing to decide may only play action 0, which
is legal at no other time; so a mask is never all zeros. An illegal action is replaced by the lowest legal one, and
``illegal_action`` in the infos says so (of the first one a process also warns); ``illegal_action="raise"`` raises
ValueError instead.

## Options

Of all environments, with defaults in parentheses:
    reward: one of the game's rewards (``win``).
    observation: ``flat``, ``entities`` or ``bytes``, as above (``flat``).
    static_columns: True or False, whether observations have the columns that never change in a game (True).
    board_features: True or False, whether observations have the game's board features, such as the strongest army next
        door (False).
    illegal_action: ``fallback`` or ``raise``, as above (``fallback``).
    mask: where the mask is, ``observation``, ``info`` (in the infos) or ``both`` (``both``; in Gymnasium's
        environments ``info``).
    info_text: True or False, whether infos hold texts; without, ``phase`` is a number, for libraries that make tensors
        of infos (True).
    max_cycles: truncate the game after this many steps (in the AEC environment after as many rounds of decisions); None
        for no limit (None).
    render_mode: ``ansi`` (``render()`` returns text), ``human`` (prints it), ``rgb_array`` (returns the board drawn,
        uint8[height, width, 3]; needs the extra ``viz``) or None; the vector environment has no ``human`` (None).
    record: True or False, whether to keep the log that ``unwrapped.record()`` needs; not of the vector environment
        (False).

Of Gymnasium's environments:
    opponents: one bot for all, or a list of P - 1 bots in player order after the learner; each is a name, such as
        ``scripted``, or an agent (``random``). Or a mapping of bots, each for all, and tuples of P - 1 bots to weights,
        as ``{"scripted": 0.5, ("scripted", "random"): 0.5}``: one is drawn for each game, from its seed. Weights that
        are changed in the mapping count for the games that begin from then on.
    learner_seat: the player that the learner plays, or ``rotate``: player s mod P in the game with seed s (0).

Of the vector environment:
    num_envs: number of games, N (1).
    autoreset_mode: when a game that is over is replaced, ``SAME_STEP``, ``NEXT_STEP`` or ``DISABLED`` of
        ``gymnasium.vector.AutoresetMode`` (``SAME_STEP``).
    num_threads: threads that share the games (1).
    copy: True or False, as in Gymnasium's own vector environments: with False, observations are read-only arrays that
        the next step overwrites, which is faster with many games (True).

``reset(options={"position": text})`` begins in the position that ``batch.position()`` returned, with the chance of the
seed; the vector environment also takes a list of texts, one for each row. After a step in which an opponent fails, or
that is interrupted, only a reset or ``set_state`` is accepted.

A bad value raises OptionError (a ValueError), which says what would be right; an unknown keyword raises TypeError.

The suffix v0 of environments changes when the games or the actions do; ``shogun_env.RULES_VERSION`` and
``shogun_env.OBS_VERSION`` number rules and observations.
"""
