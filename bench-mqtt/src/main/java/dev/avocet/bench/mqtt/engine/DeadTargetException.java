package dev.avocet.bench.mqtt.engine;

/** Nobody takes connections at the target of a run, so there is nothing to measure; the message is for the user. */
public final class DeadTargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadTargetException(String why) {
        super(
                "nobody takes connections: " + why + "; does the broker run there? --target names another",
                null,
                false,
                false);
    }
}
