"""Bytes of MQTT packets, for the clients beside a load."""


def packet(header, body):
    return bytes((header, len(body))) + body  # shorter than 128 bytes


def text(words):
    return len(words).to_bytes(2, "big") + words.encode()
