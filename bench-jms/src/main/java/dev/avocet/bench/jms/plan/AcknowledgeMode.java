package dev.avocet.bench.jms.plan;

import static java.util.Locale.ROOT;

import jakarta.jms.Session;
import java.util.Locale;
import java.util.Map;

/**
 * The mode of a session.
 *
 * @param number what {@code createSession} takes: one of the API's, or one of a client's own, such as 100 or 101
 */
public record AcknowledgeMode(int number) {
    public static final AcknowledgeMode TRANSACTED = new AcknowledgeMode(Session.SESSION_TRANSACTED);
    public static final AcknowledgeMode AUTO = new AcknowledgeMode(Session.AUTO_ACKNOWLEDGE);
    public static final AcknowledgeMode CLIENT = new AcknowledgeMode(Session.CLIENT_ACKNOWLEDGE);
    public static final AcknowledgeMode DUPS_OK = new AcknowledgeMode(Session.DUPS_OK_ACKNOWLEDGE);

    private static final Map<String, AcknowledgeMode> NAMES =
            Map.of("transacted", TRANSACTED, "auto", AUTO, "client", CLIENT, "dups-ok", DUPS_OK);

    /** By name or by number. */
    public static AcknowledgeMode of(String text) {
        AcknowledgeMode named = NAMES.get(text.toLowerCase(Locale.ROOT));
        if (named != null) {
            return named;
        }
        try {
            return new AcknowledgeMode(Integer.parseInt(text));
        } catch (NumberFormatException neither) {
            throw new IllegalArgumentException(String.format(
                    ROOT, "acknowledge mode '%s': auto, client, dups-ok, or the number of a client's own mode", text));
        }
    }

    public boolean isTransacted() {
        return number == Session.SESSION_TRANSACTED;
    }

    /** Whether messages are acknowledged by a call, as in the modes that only some clients have. */
    public boolean isExplicit() {
        return number == Session.CLIENT_ACKNOWLEDGE || number == INDIVIDUAL;
    }

    /** Individual acknowledgement has this number in the clients that have it, ours among them. */
    private static final int INDIVIDUAL = 101;
}
