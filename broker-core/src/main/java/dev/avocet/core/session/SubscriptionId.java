package dev.avocet.core.session;

/**
 * The one name of a subscription, for people: the same in every list, log line and command.
 *
 * @param owner the client identifier, or what stands for it where a shared subscription belongs to no client
 * @param name what the client calls it: an MQTT client by its filter, a JMS client by the subscription's name
 */
public record SubscriptionId(String owner, String name) {
    /** As log lines have it. */
    @Override
    public String toString() {
        return owner + ' ' + name;
    }
}
