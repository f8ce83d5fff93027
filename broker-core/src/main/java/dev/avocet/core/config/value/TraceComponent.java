package dev.avocet.core.config.value;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A part of the broker that is traced in a detail of its own. */
public enum TraceComponent {
    /** Endpoints and connections before anything is known of the client. */
    TCP,
    /** Encryption and certificates. */
    TLS,
    /** The packets of clients that speak MQTT. */
    MQTT,
    /** The frames of clients that speak AMQP, as JMS clients do. */
    JMS,
    /** Sessions, subscriptions, queues. */
    ENGINE,
    /** What is on the disk. */
    STORE,
    /** Users, logins and policies. */
    SECURITY,
    /** The administration, and everything else. */
    ADMIN;

    /** The component of that name. */
    static Optional<TraceComponent> named(String name) {
        return Arrays.stream(values())
                .filter(component -> component.toString().equals(name))
                .findFirst();
    }

    /** All names with commas between. */
    static String names() {
        return Arrays.stream(values()).map(TraceComponent::toString).collect(Collectors.joining(", "));
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
