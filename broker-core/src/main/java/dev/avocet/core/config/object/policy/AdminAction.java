package dev.avocet.core.config.object.policy;

/** What a configuration policy allows. */
public enum AdminAction {
    /** To change the configuration, files included. */
    CONFIGURE("Configure"),
    /** To read the configuration. */
    VIEW("View"),
    /** To read statistics. */
    MONITOR("Monitor"),
    /** To start, stop and export, and what else is service. */
    MANAGE("Manage");

    private final String word;

    AdminAction(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
