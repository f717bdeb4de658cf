"""Requests to an endpoint: what is sent, what is tried again, and one clear line for each failure."""

import json
import socket

import pytest

from shogun_env.agents.chat import endpoint as module
from shogun_env.agents.chat.endpoint import Endpoint, EndpointError
from shogun_env.agents.chat.settings import Settings
from tests.unit.agents.chat.stand_in import stand_in

HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr(module.time, "sleep", lambda seconds: None)


def test_request__with_a_key_and_more_fields__carries_them(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "abc\r\n")
    with stand_in(lambda request: "hi") as server:
        settings = Settings(
            url=f"{server.url}/chat/completions", model="m", key_variable="SOME_KEY", max_tokens=0, extra={"top_p": 0.5}
        )
        assert Endpoint(settings).ask(HELLO).text == "hi"
    (request,) = server.requests
    assert (request["path"], request["top_p"], "max_tokens" in request) == ("/v1/chat/completions", 0.5, False)
    assert server.headers[0]["Authorization"] == "Bearer abc"


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/"])
@pytest.mark.parametrize("query", ["", "?api-version=2"])
def test_address__with_a_query_or_without__ends_its_path_as_the_protocol_does(path, query):
    endpoint = Endpoint(Settings(url=f"http://127.0.0.1:1{path}{query}", model="m"))
    assert endpoint.address == f"http://127.0.0.1:1/v1/chat/completions{query}"
    with pytest.raises(ValueError, match=r"chat: the address 'http://\[::1': Invalid IPv6"):
        Endpoint(Settings(url="http://[::1", model="m"))


def test_key__not_set__is_said_at_once(monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(ValueError, match="environment variable SOME_KEY"):
        Endpoint(Settings(url="http://127.0.0.1:1", model="m", key_variable="SOME_KEY"))


def test_key__that_is_no_header__is_not_told(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "secret\nmore")
    with pytest.raises(ValueError, match="environment variable SOME_KEY holds no key") as refused:
        Endpoint(Settings(url="http://127.0.0.1:1", model="m", key_variable="SOME_KEY"))
    assert "secret" not in str(refused.value)


PARTS = [{"type": "thinking", "thinking": [{"type": "text", "text": "Kaga?"}]}, {"type": "text", "text": "No"}, "to"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"message": {"content": "hi"}}, ("hi", "")),
        ({"message": {"content": PARTS}, "finish_reason": "stop"}, ("Noto", "")),
        ({"message": {"content": [3, None, {"text": 4}]}}, ("", "")),
        ({"message": {"content": "I thi"}, "finish_reason": "length"}, ("I thi", "length")),
        ({"message": {"content": None}, "finish_reason": "content_filter"}, ("", "content_filter")),
        ({"message": {"content": "hi"}, "finish_reason": ["stop"]}, ("hi", "")),
    ],
)
def test_answer__in_parts_or_cut_off__is_text_and_why_it_ended(choice, expected):
    with stand_in(lambda request: (200, json.dumps({"choices": [choice]}))) as server:
        assert Endpoint(Settings(url=server.url, model="m")).ask(HELLO) == expected


@pytest.mark.parametrize("status", [429, 500, 503])
def test_request__that_fails_for_a_while__is_sent_again(status):
    answers = iter([(status, "busy"), (status, "busy"), "hi"])
    with stand_in(lambda request: next(answers)) as server:
        assert Endpoint(Settings(url=server.url, model="m")).ask(HELLO).text == "hi"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("answer", "count", "why"),
    [
        ((400, "no such model"), 1, "HTTP 400 no such model"),
        ((302, ""), 1, "HTTP 302"),
        ((503, "busy"), 2, "HTTP 503 busy"),
        ((200, "hello"), 1, "not a chat completion: hello"),
        ((200, '{"choices": []}'), 1, "not a chat completion"),
    ],
)
def test_request__that_cannot_succeed__names_address_and_reason(answer, count, why):
    with stand_in(lambda request: answer) as server, pytest.raises(EndpointError, match=f"/v1/chat/completions: {why}"):
        Endpoint(Settings(url=server.url, model="m", tries=2)).ask(HELLO)
    assert len(server.requests) == count


def test_request__to_nobody__says_so():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(EndpointError, match=r"chat/completions: .*refused"):
            Endpoint(Settings(url=url, model="m", tries=2)).ask(HELLO)


def test_request__that_takes_too_long__is_given_up():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(EndpointError, match="timed out"):
            settings = Settings(url=f"http://127.0.0.1:{silent.getsockname()[1]}", model="m", tries=2, seconds=0.1)
            Endpoint(settings).ask(HELLO)
