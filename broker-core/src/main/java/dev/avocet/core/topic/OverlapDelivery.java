package dev.avocet.core.topic;

/** What a client gets whose subscriptions overlap. */
public enum OverlapDelivery {
    /** One copy, at the highest quality of service, with every matching subscription identifier. */
    ONCE,
    /** One copy for each matching subscription, each with its own quality of service and identifier. */
    EACH
}
