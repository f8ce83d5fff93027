package dev.avocet.core.endpoint;

/**
 * Whether a broker may send to its clients at the moment. The active node of a pair may as long as its lease lasts; a
 * broker that is alone always may.
 */
@FunctionalInterface
public interface OutputLease {
    /** Of a broker that is alone. */
    OutputLease ALWAYS = () -> true;

    /** Any thread, before each write to the network; returns at once. */
    boolean holds();
}
