package dev.avocet.jms.connection;

/**
 * What a durable subscription is called.
 *
 * @param containerId whose it is; empty for one that clients of all containers share
 */
record DurableName(String containerId, String name) {
    /** Its session in the core, which keeps it while no client is there. */
    String sessionId() {
        return OpenProcess.SESSION_PREFIX + containerId + '|' + name;
    }

    /** Its queue. */
    String group() {
        return "jms/" + containerId + '/' + name + " (durable)";
    }

    @Override
    public String toString() {
        return name;
    }
}
