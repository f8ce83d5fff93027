"""Subscribers beside a load that read slowly: MQTT clients at QoS 0 that take a little of what has come, again and again."""

import socket
import threading

from .packets import packet, text

STEP_SECONDS = 0.1
# Of each, in a step. The window is small, so that what they have not read waits in the server.
STEP_BYTES = 8 * 1024
WINDOW_BYTES = 16 * 1024
TIMEOUT_SECONDS = 5


class SlowSubscribers:
    """So many of them, while it is open. A server may leave out messages for them, or close their connections: they come back."""

    def __init__(self, port, count, topic_filter):
        self._port = port
        self._count = count
        self._filter = topic_filter
        self._connections = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._failure = None
        self._read = 0

    def __enter__(self):
        if self._count:
            try:
                self._connections = [self._subscribe(number) for number in range(self._count)]
                self._thread.start()
            except OSError as failure:
                self._failure = str(failure)
        return self

    def __exit__(self, *error):
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        for connection in self._connections:
            connection.close()

    @property
    def failure(self):
        """Why they were not what they ought to be; None when they were."""
        if self._count and not self._failure and not self._read:
            return "nothing came"
        return self._failure

    def _subscribe(self, number):
        connection = socket.socket()
        try:
            connection.settimeout(TIMEOUT_SECONDS)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW_BYTES)
            connection.connect(("127.0.0.1", self._port))
            connection.sendall(packet(0x10, text("MQTT") + bytes((4, 2, 0, 0)) + text(f"slow{number}")))
            _expect(connection, 0x20)
            connection.sendall(packet(0x82, b"\0\1" + text(self._filter) + b"\0"))
            _expect(connection, 0x90)
            connection.setblocking(False)
            return connection
        except OSError:
            connection.close()
            raise

    def _run(self):
        try:
            while not self._over.wait(STEP_SECONDS):
                for number, connection in enumerate(self._connections):
                    if not self._take(connection):
                        connection.close()
                        self._connections[number] = self._subscribe(number)
        except OSError as failure:
            self._failure = str(failure)

    def _take(self, connection):
        """Some of what has come; False when the server has closed the connection."""
        try:
            taken = len(connection.recv(STEP_BYTES))
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        self._read += taken
        return taken > 0


def _expect(connection, header):
    """The answer to what was sent: a short packet."""
    head = _exactly(connection, 2)
    if head[0] != header:
        raise ConnectionError(f"the server answered a slow subscriber with a packet {head[0]:#x}")
    body = _exactly(connection, head[1])
    if body[-1] >= 0x80 or header == 0x20 and body[1] != 0:
        raise ConnectionError("the server refused a slow subscriber")


def _exactly(connection, count):
    got = b""
    while len(got) < count:
        more = connection.recv(count - len(got))
        if not more:
            raise ConnectionError("the server has closed the connection of a slow subscriber that began")
        got += more
    return got
