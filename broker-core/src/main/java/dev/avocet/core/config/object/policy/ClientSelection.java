package dev.avocet.core.config.object.policy;

import dev.avocet.core.config.object.field.Protocol;
import java.util.Set;

/**
 * A policy that applies to some clients: to those that fit all of these filters. An empty one is none, and every client
 * fits it.
 */
public interface ClientSelection {
    String clientId();

    UserSelection users();

    Set<Protocol> protocol();
}
