package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.wire.SenderSpec;
import dev.avocet.jms.client.wire.WireSender;
import jakarta.jms.JMSException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links of one producer: one to its destination, or one for all destinations where the server has an anonymous
 * terminus, or one to each destination. Of the session's thread.
 */
final class ProducerLinks {
    /** Links for a server without an anonymous terminus; the least recently made goes first. */
    private static final int LINKS_MAX = 64;

    private final JmsSession session;
    private final Map<JmsDestination, WireSender> links = new LinkedHashMap<>();
    private @Nullable WireSender only;

    private ProducerLinks(final JmsSession session) {
        this.session = session;
    }

    /** @param destination null: each message names one */
    static ProducerLinks open(final JmsSession session, final @Nullable JmsDestination destination)
            throws JMSException {
        final ProducerLinks made = new ProducerLinks(session);
        if (destination != null || session.connection().wire().offers("ANONYMOUS-RELAY")) {
            made.only = made.attach(destination);
        }
        return made;
    }

    private WireSender attach(final @Nullable JmsDestination to) throws JMSException {
        final SenderSpec spec = new SenderSpec(
                session.connection().nextName("producer"),
                to == null ? null : to.name(),
                to == null ? null : to.kind().capability(),
                false,
                null);
        return session.connection()
                .onLoop(
                        () -> {
                            final WireSender sender = session.wire().sender(spec);
                            return sender.opened().thenApply(address -> sender);
                        },
                        "creating a producer");
    }

    /** The link that brings messages there. */
    WireSender to(final JmsDestination destination) throws JMSException {
        final WireSender one = only;
        if (one != null) {
            return one;
        }
        final WireSender known = links.get(destination);
        if (known != null) {
            return known;
        }
        if (links.size() >= LINKS_MAX) {
            final WireSender eldest = links.remove(links.keySet().iterator().next());
            session.window().awaitEmpty();
            session.connection().wire().run(eldest::close);
        }
        final WireSender made = attach(destination);
        links.put(destination, made);
        return made;
    }

    void close() throws JMSException {
        final WireSender one = only;
        if (one != null) {
            close(one);
        }
        for (final WireSender open : links.values()) {
            close(open);
        }
    }

    private void close(final WireSender open) throws JMSException {
        Await.of(
                session.connection().later(open::close),
                session.connection().options().ms(Option.CLOSE_TIMEOUT_MS),
                "closing a producer");
    }
}
