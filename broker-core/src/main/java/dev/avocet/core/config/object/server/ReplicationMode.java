package dev.avocet.core.config.object.server;

/** What the standby of a pair has when a message is acknowledged. */
public enum ReplicationMode {
    /** It has the message on its disk, as the active node has. */
    BOTH("Both"),
    /** It has received the message; the active node has it on its disk. */
    BOTH_MEMORY("BothMemory");

    private final String word;

    ReplicationMode(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
