package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.latency.LatencyRecorder;

/** How long things took in one lane. Its loop records; the report takes them. */
final class LaneLatencies {
    /** From when a message was meant to be sent until it, or the reply to it, has come. */
    final LatencyRecorder message = new LatencyRecorder();

    /** From PUBLISH to PUBACK or PUBCOMP. */
    final LatencyRecorder acknowledge = new LatencyRecorder();

    /** From the TCP SYN to the CONNACK. */
    final LatencyRecorder connect = new LatencyRecorder();

    /** From the TCP SYN until CONNECT can be sent: TCP, TLS, WebSocket. */
    final LatencyRecorder transport = new LatencyRecorder();

    /** The same for clients that went through all of the TLS handshake; only where others resume sessions. */
    final LatencyRecorder full = new LatencyRecorder();

    /** The same for clients that resumed a TLS session. */
    final LatencyRecorder resumed = new LatencyRecorder();

    /** From CONNECT to CONNACK. */
    final LatencyRecorder connack = new LatencyRecorder();

    /** From SUBSCRIBE to SUBACK. */
    final LatencyRecorder subscribe = new LatencyRecorder();

    /** Of those that come back: from the TCP SYN until they can receive and send again. */
    final LatencyRecorder reconnect = new LatencyRecorder();
}
