package dev.avocet.core.session;

/** Makes the states that a front end keeps with sessions. Any thread. */
@FunctionalInterface
public interface ProtocolStates {
    ProtocolState create();
}
