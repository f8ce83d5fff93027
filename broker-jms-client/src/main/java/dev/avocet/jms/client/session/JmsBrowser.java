package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.protection.Guard;
import dev.avocet.jms.client.session.setting.ConnectionProtection;
import dev.avocet.jms.client.session.setting.ConsumerSpec;
import dev.avocet.jms.client.wire.ReceiverSpec;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a queue's messages. Each enumeration is a link of its own that gets copies, until the server has no more.
 */
final class JmsBrowser implements QueueBrowser {
    private final JmsSession session;
    private final JmsDestination queue;
    private final @Nullable String selector;
    private @Nullable BrowserLink link;
    private boolean closed;

    JmsBrowser(final JmsSession session, final JmsDestination queue, final @Nullable String selector) {
        this.session = session;
        this.queue = queue;
        this.selector = selector == null || selector.isBlank() ? null : selector;
    }

    /** A queue or a selector that the server refuses is refused when the browser is made. */
    void checkAttachable() throws JMSException {
        link = open();
    }

    private BrowserLink open() throws JMSException {
        final ReceiverSpec spec = new ReceiverSpec(
                session.connection().nextName("browser"),
                queue.name(),
                List.of(queue.kind().capability()),
                selector,
                false,
                false,
                true,
                true);
        try {
            return BrowserLink.open(session, spec);
        } catch (final JMSException e) {
            throw JmsConsumer.selectorFault(ConsumerSpec.plain(queue, selector, false), e);
        }
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw new IllegalStateException("the browser is closed");
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) queue;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector;
    }

    @Override
    public Enumeration<JmsMessage> getEnumeration() throws JMSException {
        checkOpen();
        final BrowserLink fresh = link != null && !link.isUsed() ? link : open();
        if (link != null && fresh != link) {
            link.close();
        }
        link = fresh;
        fresh.use();
        return new Browsing(fresh);
    }

    @Override
    public void close() throws JMSException {
        closed = true;
        if (link != null) {
            link.close();
            link = null;
        }
    }

    /** The messages, fetched as they are asked for. */
    @SuppressWarnings("JdkObsolete") // The interface is older than iterators.
    private final class Browsing implements Enumeration<JmsMessage> {
        private final BrowserLink from;
        private @Nullable JmsMessage next;

        Browsing(final BrowserLink from) {
            this.from = from;
        }

        @Override
        public boolean hasMoreElements() {
            if (next == null && session.connection().isStarted()) {
                next = fetch();
            }
            return next != null;
        }

        private @Nullable JmsMessage fetch() {
            try {
                final byte[] arrived = from.next();
                if (arrived == null) {
                    return null;
                }
                final JmsMessage message = opened(session.connection().reader().read(arrived));
                message.received(queue, null);
                return message;
            } catch (final JMSException | MalformedAmqpException e) {
                session.connection().tell(Failures.of(e));
                return null;
            }
        }

        /** To look at a message twice is no harm. */
        private JmsMessage opened(final JmsMessage arrived) throws JMSException {
            final Map<String, Object> terms = ConnectionProtection.terms(from.protection(), queue);
            return terms == null
                    ? arrived
                    : session.connection().protection().protector().open(arrived, queue, terms, new Guard(), true);
        }

        @Override
        public JmsMessage nextElement() {
            if (!hasMoreElements() || next == null) {
                throw new NoSuchElementException("the queue has no more messages");
            }
            final JmsMessage message = next;
            next = null;
            return message;
        }
    }
}
