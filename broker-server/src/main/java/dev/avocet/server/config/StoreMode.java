package dev.avocet.server.config;

/** Where messages and sessions are kept. */
public enum StoreMode {
    /** On disk, and safe there before a publisher is acknowledged. */
    SYNC("sync"),
    /** On disk, when the operating system gets to it. */
    OS("os"),
    /** In memory; nothing survives a restart. */
    MEMORY("memory");

    private final String jsonName;

    StoreMode(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
