package dev.avocet.server.config;

/** What the store's journal is made of. */
public enum JournalKind {
    /** Memory-mapped files of Chronicle Queue. */
    CHRONICLE("chronicle"),
    /** Plain files. */
    FILE("file");

    private final String jsonName;

    JournalKind(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
