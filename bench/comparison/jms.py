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
            return [f"--target={self.url if self.url.startswith('avocets:') else self.url.partition('//')[2]}"]
        return [f"--factory={self.factory}", f"--class-path={self.class_path}", f"--target={self.url}"]


def client(server):
    is_tls = server.mode == "tls"
    if server.peer in OURS:
        url = f"avocet://127.0.0.1:{server.port}"
        if is_tls:
            url = f"avocets://127.0.0.1:{server.port}?trustCertificates={server.folder}/files/security/cert.pem"
        return Client("dev.avocet.jms.AvocetConnectionFactory", url)
    path = subprocess.run([PEERS / server.peer, "class-path"], capture_output=True, text=True, check=True).stdout.strip()
    tls = "?sslEnabled=true&trustAll=true&verifyHost=false" if is_tls else ""
    return Client("org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory", f"tcp://127.0.0.1:{server.port}{tls}", path)
