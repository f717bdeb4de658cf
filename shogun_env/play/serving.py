"""The server of the pages: on which port and address, and what it says to requests that are none."""

import errno
import ipaddress
import socketserver
import sys
from typing import Any
from wsgiref import simple_server

from shogun_env.play.notes import note
from shogun_env.play.server import Pages

PATIENCE = 20.0
"""Seconds that a client may be silent within a request."""
FAILED_PAGE = note("This did not work", "MESSAGE", []).replace("%", "%%").replace("MESSAGE", "%(message)s")
"""What is said where a request is too odd to be answered by a page."""


class _Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """Take the port, without asking a network what this machine is called, which may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless a client went away or was too slow."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Quiet(simple_server.WSGIRequestHandler):
    timeout = PATIENCE
    error_message_format = FAILED_PAGE

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: addresses hold tokens."""


def serve(pages: Pages, port: int, host: str = "127.0.0.1") -> simple_server.WSGIServer:
    """Return a server of the pages, with a thread per request; ``serve_forever`` runs it.

    Args: pages; port, 0 for any that is free; host, the address of this machine in the network that may open the pages.
    Raises: OSError naming the port if it is in use, or the address if it is not of this machine; ValueError for what is
        no port or address.
    """
    if not 0 <= port < 65536:
        raise ValueError(f"port {port}: must be from 0, for any that is free, to 65535")
    try:
        is_one = not ipaddress.IPv4Address(host).is_unspecified
    except ValueError:
        is_one = False
    if not is_one:
        raise ValueError(f"--host {host}: must be an address of this machine, such as 192.168.1.5")
    try:
        server = simple_server.make_server(host, port, pages.app, _Server, _Quiet)
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise OSError(f"--host {host}: this machine does not have the address; give one that it has") from None
        raise OSError(f"port {port}: {error.strerror}; give another one with --port, or 0 for any") from None
    pages.server = host, server.server_port
    return server
