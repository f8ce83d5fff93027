package dev.avocet.core.config.object.policy;

/** What a subscription policy allows. */
public enum SubscriptionAction {
    /** To receive from a subscription that is there. */
    RECEIVE("Receive"),
    /** To create and delete subscriptions. */
    CONTROL("Control");

    private final String word;

    SubscriptionAction(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
