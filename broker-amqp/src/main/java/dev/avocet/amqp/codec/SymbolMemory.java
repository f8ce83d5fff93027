package dev.avocet.amqp.codec;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.qpid.protonj2.types.transport.AmqpError;

/**
 * The symbols that clients have used in performatives. ProtonJ2 remembers each short one that it decodes for ever, so
 * no more are let through than sane clients use; those that AMQP, its JMS mapping and the usual clients have come
 * through in any case. Thread-safe.
 */
public final class SymbolMemory {
    /** Some three megabytes at worst. */
    public static final int MOST = 10_000;
    /** ProtonJ2 remembers no longer ones. */
    private static final int REMEMBERED_BYTES = 64;

    private static final Set<String> USUAL = Set.of(
            "sole-connection-for-container",
            "DELAYED_DELIVERY",
            "ANONYMOUS-RELAY",
            "SHARED-SUBS",
            "product",
            "version",
            "platform",
            "queue",
            "topic",
            "temporary-queue",
            "temporary-topic",
            "shared",
            "global",
            "copy",
            "move",
            "jms-selector",
            "no-local",
            "lifetime-policy",
            "link-detach",
            "session-end",
            "connection-close",
            "never",
            "amqp:accepted:list",
            "amqp:rejected:list",
            "amqp:released:list",
            "amqp:modified:list",
            "amqp:local-transactions",
            "avocet:prefix",
            "avocet:all-or-nothing",
            "avocet:xa",
            "avocet:xa-start:list",
            "avocet:xa-prepare:list",
            "avocet:xa-commit:list",
            "avocet:xa-rollback:list",
            "avocet:xa-forget:list",
            "avocet:xa-recover:list",
            "PLAIN",
            "ANONYMOUS",
            "EXTERNAL",
            "SCRAM-SHA-256",
            "OAUTHBEARER",
            "XOAUTH2");

    private final int most;
    private final Set<String> others = ConcurrentHashMap.newKeySet();

    /** @param most symbols besides the usual ones */
    public SymbolMemory(int most) {
        this.most = most;
    }

    /** A client uses the symbol of those bytes. */
    void use(byte[] bytes, int from, int to) throws AmqpException {
        if (to - from > REMEMBERED_BYTES) {
            return;
        }
        String symbol = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        if (USUAL.contains(symbol) || others.contains(symbol)) {
            return;
        }
        if (others.size() >= most) {
            throw new AmqpException(
                    AmqpError.RESOURCE_LIMIT_EXCEEDED,
                    "clients have used " + most + " different symbols, and what was sent holds another");
        }
        others.add(symbol);
    }
}
