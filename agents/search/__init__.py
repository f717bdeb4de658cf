"""Search: a bot that plays the game on many times before it decides.

- Rollouts end with the round, in Shogun's last two rounds with the game (``horizon=mixed``): from there playing on
  knows a quarter more than any value.
- In Shogun, rollouts over a network that end with the round go on to the next planning, and are worth what the network
  expects there (``Worth``). It knows more than the fitted value, but one look takes twice as long as the rollout.
- Half of the plans to try are drawn by ``scripted`` with varied numbers: in the last rounds a network draws nearly the
  same plan again and again. In Shogun ``scripted`` also plays on in rollouts, as the network takes ten times as long
  without a measurable gain.
- Others are kinds of bots, by odds that what they show changes (``others.py``): the network, which draws its
  actions, ``scripted``, and in Shogun ``pool:champion-by-hand``. There a network kind only plans for them.
- Decisions that belong together are searched as one and kept (``whole.py``); how many armies go and which items pay
  is left to the base bot.
"""
