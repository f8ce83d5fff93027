package dev.avocet.core.config.object.server;

/** Where the audit log goes. */
public enum AuditLogTarget {
    /** Into a file of the data directory. */
    FILE("File"),
    /** To a syslog server. */
    SYSLOG("Syslog"),
    /** Nowhere. */
    NONE("None");

    private final String word;

    AuditLogTarget(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
