"""Serving an application to this machine, with a thread per request."""

from __future__ import annotations

import socketserver
import sys
from typing import Any
from wsgiref import simple_server

__all__ = ["serve"]

PATIENCE = 20.0
"""Seconds that a client may be silent within a request."""


class _Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless a client went away or was too slow."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Quiet(simple_server.WSGIRequestHandler):
    timeout = PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: addresses hold tokens."""


def serve(pages: Any, port: int) -> simple_server.WSGIServer:
    """Return a server of the pages on 127.0.0.1; ``serve_forever`` runs it.

    Args: pages, whose ``app`` is a WSGI application; port, 0 for any that is free.
    Raises: OSError naming the port if it is in use; ValueError if it is not a port.
    """
    if not 0 <= port < 65536:
        raise ValueError(f"port {port}: must be from 0, for any that is free, to 65535")
    try:
        return simple_server.make_server("127.0.0.1", port, pages.app, _Server, _Quiet)
    except OSError as error:
        raise OSError(f"port {port}: {error.strerror}; give another one with --port, or 0 for any") from None
