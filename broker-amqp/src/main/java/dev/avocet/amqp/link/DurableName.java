package dev.avocet.amqp.link;

import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ShareNames;

/**
 * What a durable subscription is called.
 *
 * @param containerId whose it is; empty for one that clients of all containers share
 */
public record DurableName(String containerId, String name) {
    /** Sessions of the broker's own begin so, and no client's. */
    private static final String KEEPER_PREFIX = ClientSession.RESERVED_PREFIX + "jms/";

    /** Its session in the core, which keeps it while no client is there. */
    public String sessionId() {
        return KEEPER_PREFIX + containerId + '|' + name;
    }

    /** What its queue is shared as: with MQTT clients and administrators where it belongs to no container. */
    public String group(boolean shared) {
        return isGlobal()
                ? ShareNames.durable(name)
                : ShareNames.ofClient(ClientSession.JMS_PREFIX + containerId, name, shared);
    }

    public boolean isGlobal() {
        return containerId.isEmpty();
    }

    @Override
    public String toString() {
        return name;
    }
}
