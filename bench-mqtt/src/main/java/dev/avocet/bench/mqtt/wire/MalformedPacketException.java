package dev.avocet.bench.mqtt.wire;

/** The server sent what is no MQTT. */
public final class MalformedPacketException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedPacketException(String message) {
        super(message, null, false, false);
    }
}
