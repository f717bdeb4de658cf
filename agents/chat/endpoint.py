"""An endpoint that speaks the chat-completions protocol, asked with the standard library alone."""

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, NamedTuple, Self

from shogun_env.agents.chat.settings import Settings
from shogun_env.spec.forms import blaming, json_of

Message = dict[str, str]
"""``role`` (system, user or assistant) and ``content``."""
PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Status codes after which the same request is sent again."""
LONGEST_WAIT = 30.0
"""Seconds between two tries at most."""
MOST_BYTES = 10_000_000
"""Length of an answer that is read."""
SHOWN = 200
"""Characters of an endpoint's own words that an error repeats."""
CUT_OFF = ("length", "max_tokens", "content_filter")
"""Values of ``finish_reason`` of an answer that was not written to its end."""
TEXT_PARTS = ("text", "output_text", None)
"""Types of the parts of an answer that are said; others are thoughts, or calls of tools."""


class Answer(NamedTuple):
    """What a model answered."""

    text: str
    cut_off: str
    """The ``finish_reason`` if the answer was not written to its end, else empty."""


class EndpointError(OSError):
    """An endpoint that gives no answer, with its address and the reason."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow no redirect: the key is for the address that the user named."""

    def redirect_request(self, *arguments: Any) -> None:
        """Leave the redirect to be reported as an error."""


class Endpoint:
    """An endpoint and the model behind it.

    Args: settings: address, model, key and limits.
    Raises: ValueError if the address is none, or the environment variable of the key is not set.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        with blaming(f"chat: the address {settings.url!r}"):
            url = urllib.parse.urlsplit(settings.url)
        path = url.path.rstrip("/").removesuffix("/chat/completions")
        self.address = url._replace(path=f"{path}/chat/completions").geturl()
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if name := settings.key_variable:
            key = os.environ.get(name, "").strip()
            if not key:
                raise ValueError(f"chat: the environment variable {name}, which is to hold the key, is not set")
            if not (key.isascii() and key.isprintable()):  # or an error about the request would tell it
                raise ValueError(f"chat: the environment variable {name} holds no key: it must be one line of ASCII")
            self._headers["Authorization"] = f"Bearer {key}"

    def __reduce__(self) -> tuple[type[Self], tuple[Settings]]:
        """Copy and pickle an endpoint by its settings: a copy reads the key again, which is never written down."""
        return type(self), (self.settings,)

    def ask(self, messages: list[Message]) -> Answer:
        """Return the model's answer to a conversation.

        Raises: EndpointError if none comes in all tries, or if the endpoint refuses the request.
        """
        limit = {"max_tokens": self.settings.max_tokens} if self.settings.max_tokens else {}
        body = {"model": self.settings.model, "messages": messages, "temperature": self.settings.temperature}
        data = json.dumps({**body, **limit, **self.settings.extra}).encode()
        why = ""
        for number in range(self.settings.tries):
            try:
                return _answer(self._send(data))
            except urllib.error.HTTPError as error:
                why = f"HTTP {error.code} {_words(error)}"
                if error.code not in PASSING:
                    break
                wait = error.headers.get("Retry-After", "")
            except (OSError, http.client.HTTPException) as error:
                why, wait = str(getattr(error, "reason", error)) or type(error).__name__, ""
            except ValueError as error:
                why = f"not a chat completion: {error}"
                break
            if number + 1 < self.settings.tries:
                time.sleep(min(LONGEST_WAIT, float(wait) if wait.isdecimal() else 0.5 * 2**number))
        raise EndpointError(f"{self.address}: {why}")

    def _send(self, data: bytes) -> bytes:
        """Send a request; return what comes within the limit of time."""
        end = time.monotonic() + self.settings.seconds
        request = urllib.request.Request(self.address, data, self._headers)
        with self._opener.open(request, timeout=self.settings.seconds) as answer:
            text = bytearray()
            while part := answer.read1(1 << 16):
                text += part
                if time.monotonic() > end:
                    raise TimeoutError(f"no whole answer within {self.settings.seconds:g} s")
                if len(text) > MOST_BYTES:
                    raise ValueError(f"more than {MOST_BYTES} bytes")
        return bytes(text)


def _answer(data: bytes) -> Answer:
    """Return the answer in a chat completion; ValueError if it is not one."""
    try:
        choice = json_of(data)["choices"][0]
        content = choice["message"]["content"]
    except (ValueError, LookupError, TypeError):
        raise ValueError(data[:SHOWN].decode("utf-8", "replace")) from None
    reason = choice.get("finish_reason")
    return Answer(_text(content), reason if reason in CUT_OFF else "")


def _text(content: Any) -> str:
    """Return content as text: that of its parts, without thoughts, if it comes in parts; empty if it is neither."""
    if isinstance(content, list):
        parts = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
        texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in TEXT_PARTS]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _words(error: urllib.error.HTTPError) -> str:
    """Return what an endpoint says about an error, in one line."""
    with error:
        try:
            text = error.read(MOST_BYTES).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            text = ""
    return " ".join((text or str(error.reason)).split())[:SHOWN]
