package dev.avocet.protection;

import java.util.Locale;

/** What a sealed message proves, and hides. */
public enum ProtectionLevel {
    /** Signed: it shows who made it, and that it was not changed. Its content can be read by anyone. */
    INTEGRITY(1, "Integrity"),
    /** Signed, and encrypted to its recipients. */
    PRIVACY(2, "Privacy"),
    /**
     * Encrypted to its recipients, with one key for several messages: the fastest. Not signed: any recipient, and each
     * holder of the recipients' certificates, can make such a message.
     */
    CONFIDENTIALITY(3, "Confidentiality");

    private final int code;
    private final String title;

    ProtectionLevel(int code, String title) {
        this.code = code;
        this.title = title;
    }

    /** The byte that stands for it in an envelope. */
    int code() {
        return code;
    }

    /** Its name in policies and on command lines. */
    public String title() {
        return title;
    }

    /** Whether an envelope of this level carries a signature. */
    public boolean signs() {
        return this != CONFIDENTIALITY;
    }

    /** Whether only recipients can read an envelope of this level. */
    public boolean encrypts() {
        return this != INTEGRITY;
    }

    /** Its {@link #title}. */
    @Override
    public String toString() {
        return title;
    }

    /**
     * The level with a {@link #title}, whatever the case of its letters.
     *
     * @throws IllegalArgumentException naming the levels there are
     */
    public static ProtectionLevel of(String title) {
        for (ProtectionLevel level : values()) {
            if (level.title.toLowerCase(Locale.ROOT).equals(title.toLowerCase(Locale.ROOT))) {
                return level;
            }
        }
        throw new IllegalArgumentException(
                "there is no level " + title + "; write Integrity, Privacy or Confidentiality");
    }

    static ProtectionLevel ofCode(int code) throws ProtectionException {
        for (ProtectionLevel level : values()) {
            if (level.code == code) {
                return level;
            }
        }
        throw new ProtectionException(
                ProtectionException.Reason.MALFORMED, "the envelope has the unknown protection level " + code);
    }
}
