"""The JMS client that belongs to a server."""

import subprocess
from dataclasses import dataclass

from .servers import PEERS
from .works import PREVIOUS

# Those that our own client is measured with.
OURS = ("avocet", PREVIOUS, "pair", "jms-ceiling")


@dataclass(frozen=True)
class Client:
    factory: str
    url: str
    # None for that of the distribution.
    class_path: str = None

    def options(self):
        """For jmsbench."""
        if self.class_path is None:
            return [f"--target={self.url.partition('//')[2]}"]
        return [f"--factory={self.factory}", f"--class-path={self.class_path}", f"--target={self.url}"]


def client(server):
    if server.peer in OURS:
        return Client("dev.avocet.jms.AvocetConnectionFactory", f"avocet://127.0.0.1:{server.port}")
    path = subprocess.run([PEERS / server.peer, "class-path"], capture_output=True, text=True, check=True).stdout.strip()
    return Client("org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory", f"tcp://127.0.0.1:{server.port}", path)
