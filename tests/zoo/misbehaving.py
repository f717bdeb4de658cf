"""A program that misbehaves in the way that its argument names; ``random`` plays like the bot of that name."""

import json
import os
import sys
import time

WAY = sys.argv[1]
HELLO = {"t": "hello", "protocol": 1, "name": WAY}
HELLOS = {
    "version": {**HELLO, "protocol": 2},
    "nameless": {"t": "hello", "protocol": 1},
    "wishes": {**HELLO, "wants": ["everything"]},
    "no hello": {"id": 1, "action": 1},
    "blind": {**HELLO, "wants": ["fields", "position"]},
    "called": {**HELLO, "name": sys.argv[-1]},
}


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(number: int, action: float | str) -> str:
    return json.dumps({"id": number, "action": action}) + "\n"


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        if WAY == "stillborn":
            sys.exit("no licence")
        if WAY != "mute":
            say(json.dumps(HELLOS.get(WAY, HELLO)) + "\n")
        if WAY == "blind":
            time.sleep(1000)
    elif message["t"] == "decide":
        good = answer(message["id"], message["legal"][0])
        if WAY == "half":
            say(good[:-3])
            sys.exit(3)
        elif WAY == "silent":
            time.sleep(1000)
        elif WAY == "dribbles":
            while True:
                say(" ")
                time.sleep(0.01)
        elif WAY == "deaf":
            os.close(0)
            time.sleep(1000)
        elif WAY == "dies":
            print("something\nsegmentation fold", file=sys.stderr)
            os.kill(os.getpid(), 9)
        elif WAY == "shuts":
            os.close(1)
            time.sleep(1000)
        elif WAY == "late":
            time.sleep(1)
            say(good)
        elif WAY == "noisy":
            while True:
                os.write(2, b"noise " * 10_000)
        elif WAY == "chatty":
            os.write(2, b"noise\n" * 500_000)
            say(good)
        elif WAY == "latin":
            os.write(1, b'{"id": 1, "action": "Sh\xf4gun"}\n')
        elif WAY == "empty lines":
            while True:
                say("\n")
                time.sleep(0.01)
        elif WAY == "again and again":
            while message["id"] > 1:
                say(answer(1, message["legal"][0]))
                time.sleep(0.01)
            say(good)
        elif WAY == "one wrong":
            say(good if message["id"] % 4 != 2 else answer(message["id"], "castle_everywhere"))
        elif WAY == "two":
            say(good + good)
        elif WAY == "long":
            say("x" * 10_000_000 + "\n")
        elif WAY == "little too long":
            say("x" * 1_049_000 + "\n")
        elif WAY == "error":
            say(json.dumps({"id": message["id"], "error": "I give\n\x1b[2Jup"}) + "\n")
        elif WAY == "deep":
            say("[" * 100_000 + "\n")
        elif WAY == "text":
            say("thinking\n" + good)
        elif WAY == "other":
            say(answer(message["id"] + 7, message["legal"][0]))
        elif WAY == "unknown":
            say(answer(message["id"], "castle_everywhere"))
        elif WAY == "illegal":
            say(answer(message["id"], 10_000))
        elif WAY == "huge":
            say(answer(message["id"], 1 << 70))
        elif WAY == "float":
            say(answer(message["id"], 1.5))
        elif WAY == "random":
            legal = sorted(message["legal"], key=lambda action: (action % 8, action))  # the order of kernel.rng.choose
            say(answer(message["id"], legal[message["random"] * len(legal) >> 32]))
        else:
            say(good)
