package dev.avocet.jms.client.session;

import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** The acknowledge modes. */
public enum AckMode {
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

    Acknowledgement acknowledgement(final JmsSession session) {
        return switch (this) {
            case AUTO -> new AutoAcknowledgement(session);
            case CLIENT -> new ClientAcknowledgement(session);
            case DUPS_OK -> new LazyAcknowledgement(session);
            case TRANSACTED -> new LocalTransaction(session);
            case INDIVIDUAL -> new IndividualAcknowledgement(session);
        };
    }

    /** What a session with it says of itself. */
    static int code(final Acknowledgement acknowledgement) {
        if (acknowledgement.isTransacted()) {
            return TRANSACTED.code;
        }
        if (acknowledgement instanceof LazyAcknowledgement) {
            return DUPS_OK.code;
        }
        if (acknowledgement instanceof ClientAcknowledgement) {
            return CLIENT.code;
        }
        return acknowledgement instanceof IndividualAcknowledgement ? INDIVIDUAL.code : AUTO.code;
    }

    public static AckMode of(final int code) throws JMSException {
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
