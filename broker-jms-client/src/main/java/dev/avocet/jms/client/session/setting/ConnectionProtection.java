package dev.avocet.jms.client.session.setting;

import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.MessageReader;
import dev.avocet.jms.client.message.Seal;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.protection.Guard;
import dev.avocet.jms.client.protection.Protector;
import dev.avocet.jms.client.wire.LinkProtection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a connection does about protected destinations; hardly anything where there are none. Thread-safe. */
public final class ConnectionProtection {
    private final Options options;
    private final MessageReader reader;
    private final boolean required;
    private final Map<String, Guard> guards = new ConcurrentHashMap<>();
    private @Nullable Protector protector;

    public ConnectionProtection(final Options options, final MessageReader reader) {
        this.options = options;
        this.reader = reader;
        this.required = options.flag(Option.REQUIRE_PROTECTION);
    }

    /** What is asked of the messages of a destination; null: nothing. */
    public static @Nullable Map<String, Object> terms(
            final @Nullable LinkProtection link, final JmsDestination destination) {
        return link == null ? null : link.termsOf(destination.kind().isTopic(), destination.name());
    }

    /**
     * What seals the messages to a destination; null: they go as they are.
     *
     * @throws JMSSecurityException when that cannot be, or everything has to be protected and the destination is not
     */
    public @Nullable Seal sealFor(final JmsDestination to, final @Nullable LinkProtection link) throws JMSException {
        final Map<String, Object> terms = terms(link, to);
        if (terms == null) {
            checkUnprotected(to);
            return null;
        }
        return protector().sealFor(to, terms);
    }

    /** @throws JMSSecurityException when everything has to be protected, and a destination is not */
    void checkUnprotected(final JmsDestination destination) throws JMSException {
        if (required) {
            throw new JMSSecurityException("the option requireProtection is set, and no protection policy of the server"
                    + " holds for " + destination.name());
        }
    }

    /** Asked when the server says that something is protected. */
    public synchronized Protector protector() throws JMSException {
        Protector present = protector;
        if (present == null) {
            present = Protector.of(options, reader);
            protector = present;
        }
        return present;
    }

    /** What was seen of the messages of a queue or of a subscription with a name, by any consumer. */
    Guard guard(final String source) {
        return guards.computeIfAbsent(source, unused -> new Guard());
    }
}
