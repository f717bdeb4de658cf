"""A bot that plays at random: exec:python clients/bots/random_bot.py. The protocol is in docs/protocol.md."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        answer = {"t": "hello", "protocol": 1, "name": "random"}
    elif message["t"] == "decide":
        legal = message["legal"]
        answer = {"id": message["id"], "action": legal[message["random"] * len(legal) >> 32]}
    else:
        continue  # a game begins or is over
    print(json.dumps(answer), flush=True)
