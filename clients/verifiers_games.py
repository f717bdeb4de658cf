"""verifiers: games of the environment in ``verifiers_shogun``, with a model of this file that answers by chance."""

import asyncio
import json
import os
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import verifiers.v1 as vf
from verifiers_shogun import load_environment


class ChanceModel(BaseHTTPRequestHandler):
    """An endpoint of chat completions that names any of the legal actions of the last prompt."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        legal = re.findall(r"^- ([^:\n]+)", request["messages"][-1]["content"], re.MULTILINE)
        message = {"role": "assistant", "content": random.choice(legal)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        head = {"id": "completion", "object": "chat.completion", "created": 0, "model": "chance"}
        body = json.dumps({**head, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


async def play(env: vf.Env, url: str, steps: int) -> int:
    """Play the games of tasks until the model has decided ``steps`` times; return how often it did."""
    client = vf.EvalClientConfig(base_url=url, api_key_var="CHANCE_KEY")
    taken = 0
    async with env.serving():
        for task in env.taskset:
            episode = await env.run_episode(task, vf.ModelContext(model="chance", client=client))
            taken += sum(int(trace.metrics["questions"]) for trace in episode.traces)
            if taken >= steps:
                break
    return taken


def use(game: str, steps: int) -> int:
    """Play games against bots, each card of a plan as a question of its own."""
    os.environ["CHANCE_KEY"] = "none"
    server = ThreadingHTTPServer(("127.0.0.1", 0), ChanceModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        env = load_environment(game=game, opponents=["scripted"], plans="cards", seeds=1000)
        return asyncio.run(play(env, f"http://127.0.0.1:{server.server_port}/v1", steps))
    finally:
        server.shutdown()
