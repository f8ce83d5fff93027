"""Subscriptions that come and go beside a load: one MQTT client that subscribes and unsubscribes at a steady rate."""

import socket
import threading
import time

from .packets import packet, text

STEP_SECONDS = 0.01
TIMEOUT_SECONDS = 5


class Churn:
    """Does so many subscriptions a second while it is open, in all parts of the tree; each is undone by the next packet."""

    def __init__(self, port, rate):
        self._port = port
        self._rate = rate
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.failure = None
        self.done = 0

    def __enter__(self):
        if self._rate:
            self._thread.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        if self._rate:
            self._thread.join()

    def _run(self):
        try:
            with socket.create_connection(("127.0.0.1", self._port), TIMEOUT_SECONDS) as connection:
                connection.sendall(packet(0x10, text("MQTT") + bytes((4, 2, 0, 0)) + text("churn")))
                connection.recv(4)
                connection.settimeout(0)
                self._subscribe(connection)
        except OSError as failure:
            self.failure = str(failure)

    def _subscribe(self, connection):
        begin = time.monotonic()
        while not self._over.wait(STEP_SECONDS):
            due = int((time.monotonic() - begin) * self._rate)
            packets = b"".join(_pair(number) for number in range(self.done, due))
            self.done = due
            connection.setblocking(True)
            connection.sendall(packets)
            connection.setblocking(False)
            _swallow(connection)


def _pair(number):
    """SUBSCRIBE and UNSUBSCRIBE. Every tenth filter begins with a wildcard, so it concerns all topics."""
    topic_filter = text(f"+/churn{number}/x" if number % 10 == 9 else f"p{number % 10}/churn{number}/x")
    identifier = (number % 65_535 + 1).to_bytes(2, "big")
    return packet(0x82, identifier + topic_filter + b"\0") + packet(0xA2, identifier + topic_filter)


def _swallow(connection):
    try:
        while True:
            if not connection.recv(65_536):
                raise ConnectionError("the server has closed the connection of the client that subscribes")
    except BlockingIOError:
        pass
