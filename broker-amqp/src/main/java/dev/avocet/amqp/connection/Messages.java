package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.message.IncomingMessage;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.policy.Limits;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/** Makes the core's messages of what clients send. */
final class Messages {
    private Messages() {}

    static Message of(
            OpenConnection connection,
            TopicName name,
            boolean forQueue,
            IncomingMessage incoming,
            boolean settled,
            Decision decision)
            throws AmqpException {
        boolean persistent = incoming.properties().isPersistent();
        if (persistent && !connection.rights().connection().allowPersistentMessages()) {
            throw Destinations.unauthorized("send persistent messages");
        }
        requireOwnName(connection, incoming.properties().userId());
        return new Message(
                name,
                forQueue,
                qos(persistent, settled),
                !forQueue && incoming.properties().isRetained(),
                incoming.body(),
                incoming.properties(),
                Math.min(incoming.expiryDeadlineNs(), latestDeadlineNs(connection, decision)),
                connection.publisher());
    }

    /** A user does not send in another one's name [AMQP 1.0 part 3, 3.2.4]. */
    private static void requireOwnName(OpenConnection connection, @Nullable String userId) throws AmqpException {
        String proved = connection.identity().userName();
        if (userId != null && proved != null && !Objects.equals(userId, proved)) {
            throw new AmqpException(AmqpError.UNAUTHORIZED_ACCESS, "the user-id of a message is not the sender's");
        }
    }

    private static QualityOfService qos(boolean persistent, boolean settled) {
        if (persistent) {
            return QualityOfService.EXACTLY_ONCE;
        }
        return settled ? QualityOfService.AT_MOST_ONCE : QualityOfService.AT_LEAST_ONCE;
    }

    private static long latestDeadlineNs(OpenConnection connection, Decision decision) {
        long seconds = decision.maxTimeToLiveSeconds();
        return seconds == Limits.UNLIMITED || seconds > TimeUnit.NANOSECONDS.toSeconds(Long.MAX_VALUE)
                ? Message.NEVER
                : connection.loop().clock().nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
