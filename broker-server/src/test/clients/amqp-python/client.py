"""Qpid Proton for Python, one command a line on standard input, one answer a line on standard output: see AmqpProcess.java."""

import hashlib
import os
import sys
from urllib.parse import quote_plus, unquote_plus

from proton import Data, Delivery, Link, Message, SSLDomain, Terminus, symbol
from proton.handlers import MessagingHandler, TransactionHandler
from proton.reactor import AtMostOnce, Container, LinkOption, Selector
from proton.utils import BlockingConnection

PATIENCE_S = 10


class Kind(LinkOption):
    """Says whether the node is a queue or a topic."""

    def __init__(self, kind):
        self.kind = kind

    def apply(self, link):
        terminus = link.target if link.is_sender else link.source
        terminus.capabilities.put_array(False, Data.SYMBOL)
        terminus.capabilities.enter()
        terminus.capabilities.put_symbol(symbol(self.kind))
        terminus.capabilities.exit()


class Durable(LinkOption):
    def apply(self, link):
        link.source.durability = Terminus.DELIVERIES
        link.source.expiry_policy = Terminus.EXPIRE_NEVER


class Inbox(MessagingHandler):
    """Keeps what comes until it is asked for; nothing is settled and no credit given by itself."""

    def __init__(self):
        super().__init__(prefetch=0, auto_accept=False, auto_settle=False)
        self.waiting = []

    def on_message(self, event):
        self.waiting.append((event.message, event.delivery))
        event.container.yield_()


class Transactions(TransactionHandler):
    def __init__(self):
        super().__init__()
        self.transaction = None
        self.outcome = None

    def on_transaction_declared(self, event):
        self.transaction = event.transaction

    def on_transaction_committed(self, event):
        self.outcome = "committed"

    def on_transaction_aborted(self, event):
        self.outcome = "aborted"

    def on_transaction_commit_failed(self, event):
        self.outcome = "failed"

    def on_transaction_declare_failed(self, event):
        self.outcome = "failed"


def body_of(given):
    kind = given["kind"]
    if kind == "text":
        return Message(body=given["value"])
    if kind == "bytes":
        return Message(body=bytes.fromhex(given["value"]), inferred=True)
    if kind == "large":
        return Message(body=bytes(i % 251 for i in range(int(given["value"]))), inferred=True)
    return Message(body={"name": given["value"], "age": 36})


def described(message):
    body = message.body
    if isinstance(body, memoryview):
        body = bytes(body)
    if isinstance(body, bytes):
        if len(body) > 1000:
            return "large", str(len(body)) + ":" + hashlib.sha256(body).hexdigest()
        return "bytes", body.hex()
    if isinstance(body, dict):
        return "map", ";".join(f"{key}={body[key]}" for key in sorted(body))
    return "text", str(body)


class Client:
    def __init__(self):
        self.links = {}
        self.inboxes = {}
        self.taken = {}
        self.connection = None
        self.transactions = None

    def connect(self, given):
        domain = None
        scheme = "amqp"
        if "trust" in given:
            scheme = "amqps"
            domain = SSLDomain(SSLDomain.MODE_CLIENT)
            domain.set_trusted_ca_db(given["trust"])
            domain.set_peer_authentication(SSLDomain.VERIFY_PEER_NAME)
        login = {}
        if "user" in given:
            login = {"user": given["user"], "password": given["password"]}
        container = Container()
        container.container_id = given["container"]
        self.connection = BlockingConnection(
            f"{scheme}://localhost:{given['port']}",
            timeout=PATIENCE_S,
            container=container,
            ssl_domain=domain,
            allowed_mechs=given["mechanism"],
            allow_insecure_mechs=True,
            sasl_enabled=True,
            **login,
        )
        return {}

    def sender(self, given):
        options = [Kind(given["type"])] + ([AtMostOnce()] if given.get("settled") == "true" else [])
        self.links[given["id"]] = self.connection.create_sender(given["address"], options=options)
        return {}

    def receiver(self, given):
        options = [Kind(given["type"])]
        if given.get("settled") == "true":
            options.append(AtMostOnce())
        if "selector" in given:
            options.append(Selector(given["selector"]))
        if given.get("durable") == "true":
            options.append(Durable())
        inbox = Inbox()
        self.inboxes[given["id"]] = inbox
        self.links[given["id"]] = self.connection.create_receiver(
            given["address"], credit=0, handler=inbox, name=given.get("name"), options=options
        )
        return {}

    def send(self, given):
        message = body_of(given)
        message.durable = True
        if "colour" in given:
            message.properties = {"colour": given["colour"]}
        sender = self.links[given["id"]]
        if given.get("in") == "transaction":
            delivery = self.transactions.transaction.send(sender.link, message)
            self.connection.wait(lambda: delivery.remote_state == Delivery.TRANSACTIONAL_STATE, timeout=PATIENCE_S)
            return {"outcome": "transactional"}
        if sender.link.snd_settle_mode == Link.SND_SETTLED:
            sender.link.send(message)
            self.connection.wait(lambda: sender.link.queued == 0, timeout=PATIENCE_S)
            return {"outcome": "settled"}
        delivery = sender.send(message, timeout=PATIENCE_S)
        return {"outcome": "accepted" if delivery.remote_state == Delivery.ACCEPTED else str(delivery.remote_state)}

    def credit(self, given):
        self.links[given["id"]].link.flow(int(given["count"]))
        return {}

    def drain(self, given):
        link = self.links[given["id"]].link
        link.drain(int(given["count"]))
        self.connection.wait(lambda: link.credit == 0, timeout=PATIENCE_S)
        return self.held(given)

    def held(self, given):
        return {"count": len(self.inboxes[given["id"]].waiting)}

    def receive(self, given):
        inbox = self.inboxes[given["id"]]
        self.connection.wait(lambda: inbox.waiting, timeout=PATIENCE_S)
        message, delivery = inbox.waiting.pop(0)
        self.taken[given["id"]] = delivery
        kind, value = described(message)
        return {"kind": kind, "value": value, "count": message.delivery_count, "settled": str(delivery.settled).lower()}

    def settle(self, given):
        delivery = self.taken.pop(given["id"])
        outcome = given["outcome"]
        if given.get("in") == "transaction":
            self.transactions.transaction.accept(delivery)
        elif outcome == "modified":
            delivery.local.failed = True
            delivery.update(Delivery.MODIFIED)
            delivery.settle()
        else:
            delivery.update({"accepted": Delivery.ACCEPTED, "released": Delivery.RELEASED, "rejected": Delivery.REJECTED}[outcome])
            delivery.settle()
        self.flush()
        return {}

    def flush(self):
        self.connection.wait(lambda: self.connection.conn.transport.pending() == 0, timeout=PATIENCE_S)

    def declare(self, given):
        self.transactions = Transactions()
        self.connection.container.declare_transaction(self.connection.conn, handler=self.transactions)
        self.connection.wait(lambda: self.transactions.transaction or self.transactions.outcome, timeout=PATIENCE_S)
        return {}

    def discharge(self, given):
        if given["fail"] == "true":
            self.transactions.transaction.abort()
        else:
            self.transactions.transaction.commit()
        self.connection.wait(lambda: self.transactions.outcome, timeout=PATIENCE_S)
        return {"outcome": self.transactions.outcome}

    def detach(self, given):
        self.links.pop(given["id"]).detach()
        return {}

    def close(self, given):
        self.links.pop(given["id"]).close()
        return {}

    def disconnect(self, given):
        if self.connection:
            self.connection.close()
        self.__init__()
        return {}


def main():
    client = Client()
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split(" ")
        given = {key: unquote_plus(value) for key, value in (word.split("=", 1) for word in words)}
        try:
            answer = getattr(client, command)(given)
            text = "ok" + "".join(f" {key}={quote_plus(str(value))}" for key, value in answer.items())
        except Exception as problem:
            text = "error " + quote_plus(f"{type(problem).__name__}: {problem}")
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
