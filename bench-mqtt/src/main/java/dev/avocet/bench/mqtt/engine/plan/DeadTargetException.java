package dev.avocet.bench.mqtt.engine.plan;

/** No connection to the target of a run can be made, so there is nothing to measure; the message is for the user. */
public final class DeadTargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DeadTargetException(String why) {
        super(
                "no connection can be made: " + why + "; does the broker run there? --target names another",
                null,
                false,
                false);
    }
}
