"""Serving an application to this machine: a thread per request, and no more connections than can be served."""

from __future__ import annotations

import socket
import socketserver
import sys
import threading
from contextlib import suppress
from typing import Any
from wsgiref import simple_server

__all__ = ["serve"]

MOST_CONNECTIONS = 64
"""Connections that are served at once; pages hold two or three each."""
PATIENCE = 20.0
"""Seconds that a client may be silent within a request."""


class _Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """A server with a thread per request; when there are too many, the oldest is ended, as a slow client's would be."""

    daemon_threads = True

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._connections: dict[socket.socket, None] = {}
        self._connections_lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a request in a new thread."""
        with self._connections_lock:
            self._connections[request] = None
            too_many = len(self._connections) > MOST_CONNECTIONS
            oldest = next(iter(self._connections)) if too_many else None
            if oldest is not None:
                del self._connections[oldest]
        if oldest is not None:
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._connections_lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless a client went away or was too slow."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Quiet(simple_server.WSGIRequestHandler):
    """A handler that logs nothing: addresses hold tokens."""

    timeout = PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


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
