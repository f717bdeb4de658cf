"""A program that keeps what it is told: ``keeper.py FILE HELLO``; it plays the highest legal action, by name if it may.

Each process has a file of its own, ``FILE.PROCESS``; ``HELLO`` is what its hello says besides its name.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any


def keeper(file: Path, **hello: Any) -> str:
    """Return the spec of the bot."""
    return f"exec:python {__file__} {file} '{json.dumps(hello)}'"


def kept(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the messages that each process was sent."""
    return {
        path.suffix[1:]: list(map(json.loads, path.read_text("utf-8").splitlines()))
        for path in file.parent.glob(f"{file.name}.*")
    }


def main(file: str, hello: str) -> None:
    with open(f"{file}.{os.getpid()}", "w") as log:
        for line in sys.stdin:
            log.write(line)
            log.flush()
            message = json.loads(line)
            if message["t"] == "hello":
                print(json.dumps({"t": "hello", "protocol": 1, "name": "keeper", **json.loads(hello)}), flush=True)
            elif message["t"] == "decide":
                action = message.get("names", message["legal"])[-1]
                print(json.dumps({"id": message["id"], "action": action}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
