package dev.avocet.ha.trust;

import java.security.cert.CertificateException;

/** The other end of a connection is no member, or not the one that was meant. */
public final class NoMemberException extends CertificateException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    NoMemberException(Kind kind, String text) {
        super(text);
        this.kind = kind;
    }

    /** Why it is none; the message says it in words, after the subject of the sentence, with what to do. */
    public Kind kind() {
        return kind;
    }

    /** Why it is none. */
    public enum Kind {
        WRONG_SECRET,
        OTHER_GROUP,
        OTHER_NODE,
        CERTIFICATE,
        /** It does not take this node for a member. */
        REFUSES,
        /** One end speaks TLS, and the other one does not. */
        TLS,
        FOREIGN,
        TOO_SLOW
    }
}
