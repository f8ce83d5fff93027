package dev.avocet.jms.client.protection;

import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.message.MessageReader;
import dev.avocet.jms.client.message.Seal;
import dev.avocet.jms.client.options.Options;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.util.Map;

/**
 * What the sessions of a connection ask about protected destinations. It names nothing of the library, which an
 * application without such destinations does not have. Thread-safe.
 */
public interface Protector {
    /**
     * The one of a connection.
     *
     * @throws JMSSecurityException when the library is not there
     */
    static Protector of(final Options options, final MessageReader reader) throws JMSException {
        try {
            Class.forName("dev.avocet.protection.Sealer");
            Class.forName("org.bouncycastle.cms.CMSSignedData");
            return new MessageProtection(options, reader);
        } catch (final ClassNotFoundException | NoClassDefFoundError e) {
            final JMSSecurityException refused = new JMSSecurityException(
                    "the server protects destinations, and the library for that is not on the class path; add the jars of"
                            + " client/protection, or the artifact dev.avocet:message-protection");
            refused.initCause(e);
            throw refused;
        }
    }

    /**
     * What seals messages to a destination.
     *
     * @param terms what the server asks of them
     */
    Seal sealFor(JmsDestination to, Map<String, Object> terms) throws JMSException;

    /**
     * The message that was sealed.
     *
     * @param from where it was sent to
     * @param guard of the way on which it came
     * @throws JMSSecurityException when it is not sealed as it has to be
     */
    JmsMessage open(
            JmsMessage arrived, JmsDestination from, Map<String, Object> terms, Guard guard, boolean redelivered)
            throws JMSException;

    /** @throws JMSSecurityException when the keys are not there */
    void checkKeys(Map<String, Object> terms) throws JMSException;
}
