package dev.avocet.jms.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** The acknowledge modes. */
enum AckMode {
    AUTO(Session.AUTO_ACKNOWLEDGE),
    CLIENT(Session.CLIENT_ACKNOWLEDGE),
    DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE),
    TRANSACTED(Session.SESSION_TRANSACTED),
    /** Our extension: acknowledge() means the one message. */
    INDIVIDUAL(101);

    private final int code;

    AckMode(final int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static AckMode of(final int code) throws JMSException {
        for (final AckMode mode : values()) {
            if (mode.code == code) {
                return mode;
            }
        }
        throw new JMSException(
                "there is no acknowledge mode " + code
                        + "; there are AUTO (1), CLIENT (2), DUPS_OK (3), SESSION_TRANSACTED (0) and, of ours, INDIVIDUAL (101)");
    }
}
