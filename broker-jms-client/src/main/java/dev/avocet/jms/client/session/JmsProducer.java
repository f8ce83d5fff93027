package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.message.MessageCopy;
import dev.avocet.jms.client.message.Seal;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.session.setting.ProducerSettings;
import dev.avocet.jms.client.wire.Outgoing;
import dev.avocet.jms.client.wire.WireSender;
import dev.avocet.jms.client.wire.WireTransaction;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends, to one destination or to those that the messages name. */
public final class JmsProducer implements QueueSender, TopicPublisher {
    private final JmsSession session;
    private final @Nullable JmsDestination destination;
    private final ProducerLinks links;
    private final ProducerSettings settings;
    private final boolean asynchronous;
    private final boolean transactedAsynchronous;

    private volatile boolean closed;

    private JmsProducer(
            final JmsSession session, final @Nullable JmsDestination destination, final ProducerLinks links) {
        final Options options = session.connection().options();
        this.session = session;
        this.destination = destination;
        this.links = links;
        this.settings = new ProducerSettings(options, session.connection().messageIdPrefix());
        this.asynchronous = options.flag(Option.ALLOW_ASYNCHRONOUS_SEND);
        this.transactedAsynchronous = options.flag(Option.ASYNC_TRANSACTION_SEND);
    }

    static JmsProducer open(final JmsSession session, final @Nullable JmsDestination destination) throws JMSException {
        if (destination != null) {
            session.connection().temporaries().checkSendable(destination);
        }
        return new JmsProducer(session, destination, ProducerLinks.open(session, destination));
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw new IllegalStateException("the producer is closed");
        }
    }

    // ----- Sending.

    @Override
    public void send(final Message message) throws JMSException {
        send(message, settings.deliveryMode(), settings.priority(), settings.timeToLiveMs());
    }

    @Override
    public void send(final Message message, final int mode, final int withPriority, final long timeToLive)
            throws JMSException {
        send(ownDestination(), message, mode, withPriority, timeToLive, null);
    }

    @Override
    public void send(final Destination to, final Message message) throws JMSException {
        send(to, message, settings.deliveryMode(), settings.priority(), settings.timeToLiveMs());
    }

    @Override
    public void send(
            final Destination to, final Message message, final int mode, final int withPriority, final long timeToLive)
            throws JMSException {
        send(givenDestination(to), message, mode, withPriority, timeToLive, null);
    }

    @Override
    public void send(final Message message, final CompletionListener listener) throws JMSException {
        send(message, settings.deliveryMode(), settings.priority(), settings.timeToLiveMs(), listener);
    }

    @Override
    public void send(
            final Message message,
            final int mode,
            final int withPriority,
            final long timeToLive,
            final CompletionListener listener)
            throws JMSException {
        send(ownDestination(), message, mode, withPriority, timeToLive, checked(listener));
    }

    @Override
    public void send(final Destination to, final Message message, final CompletionListener listener)
            throws JMSException {
        send(to, message, settings.deliveryMode(), settings.priority(), settings.timeToLiveMs(), listener);
    }

    @Override
    public void send(
            final Destination to,
            final Message message,
            final int mode,
            final int withPriority,
            final long timeToLive,
            final CompletionListener listener)
            throws JMSException {
        send(givenDestination(to), message, mode, withPriority, timeToLive, checked(listener));
    }

    private static CompletionListener checked(final @Nullable CompletionListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("an asynchronous send needs a completion listener");
        }
        return listener;
    }

    private JmsDestination ownDestination() throws JMSException {
        checkOpen();
        if (destination == null) {
            throw new UnsupportedOperationException("the producer has no destination; name one with each message");
        }
        return destination;
    }

    private JmsDestination givenDestination(final @Nullable Destination to) throws JMSException {
        checkOpen();
        if (destination != null) {
            throw new UnsupportedOperationException(
                    "the producer is made for " + destination.name() + "; it sends to no other");
        }
        final JmsDestination given = JmsDestination.from(to);
        if (given == null) {
            throw new InvalidDestinationException("a message needs a destination");
        }
        return given;
    }

    private void send(
            final JmsDestination to,
            final @Nullable Message message,
            final int mode,
            final int withPriority,
            final long timeToLive,
            final @Nullable CompletionListener listener)
            throws JMSException {
        if (message == null) {
            throw new MessageFormatException("there is no message to send");
        }
        session.connection().temporaries().checkSendable(to);
        final JmsMessage ours = MessageCopy.of(message);
        settings.stamp(ours, to, mode, withPriority, timeToLive);
        ours.onSend();
        final WireSender by = links.to(to);
        final Seal seal = session.connection().protection().sealFor(to, by.protection());
        final byte[] bytes = seal == null
                ? session.writer().write(ours, timeToLive)
                : session.writer().writeSealed(ours, timeToLive, seal);
        if (ours != message) {
            tellForeign(ours, message);
        }
        transmit(by, to, bytes, mode == DeliveryMode.PERSISTENT, message, listener);
    }

    /** What a send sets in a message is set in another provider's too, section 3.4.11. */
    private static void tellForeign(final JmsMessage from, final Message to) throws JMSException {
        to.setJMSDeliveryMode(from.getJMSDeliveryMode());
        to.setJMSPriority(from.getJMSPriority());
        to.setJMSDestination(from.getJMSDestination());
        to.setJMSMessageID(from.getJMSMessageID());
        to.setJMSTimestamp(from.getJMSTimestamp());
        to.setJMSExpiration(from.getJMSExpiration());
        to.setJMSDeliveryTime(from.getJMSDeliveryTime());
    }

    private void transmit(
            final WireSender to,
            final JmsDestination destinationOfMessage,
            final byte[] bytes,
            final boolean durable,
            final Message message,
            final @Nullable CompletionListener listener)
            throws JMSException {
        final WireTransaction transaction = session.acknowledgement().transaction();
        final boolean transacted = transaction != null;
        final int cost = session.window().enter(bytes.length);
        if (listener != null) {
            session.usesCompletions();
            transmit(
                    to,
                    new Outgoing(
                            bytes,
                            false,
                            durable,
                            transaction,
                            false,
                            failure -> complete(message, listener, transaction, failure, cost)),
                    false);
            return;
        }
        if (transacted ? transactedAsynchronous : asynchronous || !durable) {
            final boolean settled =
                    !durable && !transacted && session.connection().disablesAck(destinationOfMessage);
            final boolean batchable =
                    !durable && !transacted && !settled && session.window().isUnhurried(cost);
            transmit(
                    to,
                    new Outgoing(
                            bytes,
                            settled,
                            durable,
                            transaction,
                            batchable,
                            failure -> sent(transaction, failure, cost)),
                    false);
            return;
        }
        final CompletableFuture<Void> taken = new CompletableFuture<>();
        transmit(
                to,
                new Outgoing(bytes, false, durable, transaction, false, failure -> {
                    session.window().leave(cost);
                    if (failure == null) {
                        taken.complete(null);
                    } else {
                        taken.completeExceptionally(failure);
                    }
                }),
                true);
        Await.of(taken, session.connection().requestTimeoutMs(), "sending");
    }

    private void transmit(final WireSender to, final Outgoing outgoing, final boolean awaited) {
        session.connection().wire().send(() -> to.send(outgoing), awaited);
    }

    /** What became of a send that no caller waits for; on the event loop. */
    private void sent(final @Nullable WireTransaction in, final @Nullable WireException failure, final int cost) {
        if (failure != null) {
            session.acknowledgement().sendFailed(in, failure);
        }
        session.window().leave(cost);
    }

    private void complete(
            final Message message,
            final CompletionListener listener,
            final @Nullable WireTransaction in,
            final @Nullable WireException failure,
            final int cost) {
        session.completions().execute(() -> {
            if (failure == null) {
                listener.onCompletion(message);
            } else {
                listener.onException(message, Failures.of(failure));
            }
        });
        if (failure != null && in != null) {
            session.acknowledgement().sendFailed(in, failure);
        }
        session.window().leave(cost);
    }

    @Override
    public void publish(final Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(final Message message, final int mode, final int withPriority, final long timeToLive)
            throws JMSException {
        send(message, mode, withPriority, timeToLive);
    }

    @Override
    public void publish(final Topic topic, final Message message) throws JMSException {
        send((Destination) topic, message);
    }

    @Override
    public void publish(
            final Topic topic, final Message message, final int mode, final int withPriority, final long timeToLive)
            throws JMSException {
        send((Destination) topic, message, mode, withPriority, timeToLive);
    }

    @Override
    public void send(final Queue queue, final Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(
            final Queue queue, final Message message, final int mode, final int withPriority, final long timeToLive)
            throws JMSException {
        send((Destination) queue, message, mode, withPriority, timeToLive);
    }

    // ----- Settings.

    @Override
    public void setDisableMessageID(final boolean value) throws JMSException {
        checkOpen();
        settings.disableMessageId(value);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return settings.isMessageIdDisabled();
    }

    @Override
    public void setDisableMessageTimestamp(final boolean value) throws JMSException {
        checkOpen();
        settings.disableTimestamp(value);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return settings.isTimestampDisabled();
    }

    @Override
    public void setDeliveryMode(final int mode) throws JMSException {
        checkOpen();
        settings.deliveryMode(mode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return settings.deliveryMode();
    }

    @Override
    public void setPriority(final int to) throws JMSException {
        checkOpen();
        settings.priority(to);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return settings.priority();
    }

    @Override
    public void setTimeToLive(final long timeToLive) throws JMSException {
        checkOpen();
        settings.timeToLiveMs(timeToLive);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return settings.timeToLiveMs();
    }

    @Override
    public void setDeliveryDelay(final long deliveryDelay) throws JMSException {
        checkOpen();
        settings.deliveryDelayMs(deliveryDelay);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return settings.deliveryDelayMs();
    }

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        checkOpen();
        return destination;
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        return (Queue) getDestination();
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        return (Topic) getDestination();
    }

    /** Waits for the sends that are under way. */
    @Override
    public void close() throws JMSException {
        if (session.completions().isCurrentThread()) {
            throw new IllegalStateException("a completion listener cannot close the producer that it belongs to");
        }
        if (closed) {
            return;
        }
        closed = true;
        session.remove(this);
        session.awaitSends();
        links.close();
    }

    void closeLocally() {
        closed = true;
    }
}
