package dev.avocet.server.monitor;

/**
 * What waits in the subscriptions that were made under a policy.
 *
 * @param subscriptions how many they are; shared ones count once
 * @param bufferedMessages messages that wait or are in flight
 * @param fullestPercent how full the fullest of them is
 */
public record PolicyLoad(long subscriptions, long bufferedMessages, double fullestPercent) {
    PolicyLoad plus(PolicyLoad other) {
        return new PolicyLoad(
                subscriptions + other.subscriptions,
                bufferedMessages + other.bufferedMessages,
                Math.max(fullestPercent, other.fullestPercent));
    }
}
