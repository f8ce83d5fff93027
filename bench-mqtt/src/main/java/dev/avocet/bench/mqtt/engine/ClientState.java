package dev.avocet.bench.mqtt.engine;

/** How far a client has come, from its first connection to its end. */
enum ClientState {
    NEW,
    CONNECTING,
    SUBSCRIBING,
    READY,
    /** It left to come back. */
    AWAY,
    CLOSED
}
