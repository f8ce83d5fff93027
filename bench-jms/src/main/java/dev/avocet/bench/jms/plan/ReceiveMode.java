package dev.avocet.bench.jms.plan;

/** How messages come to a consumer; numbered as in the short form of the options. */
public enum ReceiveMode {
    /** {@code receive()}: the thread waits for its one consumer. */
    BLOCKING,
    /** {@code receive(timeout)}: the thread asks its consumers in turn. */
    TIMED,
    /** {@code receiveNoWait()}: the same without waiting. */
    NO_WAIT,
    /** A message listener, on the client's threads. */
    LISTENER
}
