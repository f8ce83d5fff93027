package dev.avocet.amqp.codec;

import dev.avocet.amqp.frame.Frame;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The described types that a performative may hold: what AMQP 1.0 and its JMS mapping define, and our requests for XA
 * (docs/amqp.md).
 */
public final class Descriptors {
    private static final int SMALL_ULONG = 0x53;
    private static final int ULONG = 0x80;
    private static final int SYMBOL_8 = 0xA3;
    private static final int SASL_INIT = 0x41;
    private static final long WITHIN_DOMAIN_MAX = 0xFF;
    /** The number that is Apache's, in which the filters of the JMS mapping are. */
    private static final long APACHE = 0x468CL;

    private static final Set<String> SYMBOLS = Set.of(
            "avocet:xa-start:list",
            "avocet:xa-prepare:list",
            "avocet:xa-commit:list",
            "avocet:xa-rollback:list",
            "avocet:xa-forget:list",
            "avocet:xa-recover:list",
            "apache.org:selector-filter:string",
            "apache.org:no-local-filter:list",
            "apache.org:legacy-amqp-direct-binding:string",
            "apache.org:legacy-amqp-topic-binding:string",
            "amqp:accepted:list",
            "amqp:rejected:list",
            "amqp:released:list",
            "amqp:modified:list",
            "amqp:received:list",
            "amqp:source:list",
            "amqp:target:list",
            "amqp:error:list",
            "amqp:coordinator:list",
            "amqp:declare:list",
            "amqp:discharge:list",
            "amqp:declared:list",
            "amqp:transactional-state:list");

    /** SASL mechanisms that are looked at, so that no others are remembered. */
    private static final List<byte[]> MECHANISMS = List.of(
            ascii("PLAIN"),
            ascii("ANONYMOUS"),
            ascii("EXTERNAL"),
            ascii("SCRAM-SHA-256"),
            ascii("OAUTHBEARER"),
            ascii("XOAUTH2"));

    private Descriptors() {}

    static boolean isKnown(byte[] bytes, int from, int to) {
        return switch (bytes[from] & 0xFF) {
            case SMALL_ULONG -> true;
            case ULONG -> isKnown(ulong(bytes, from + 1));
            case SYMBOL_8 -> SYMBOLS.contains(new String(bytes, from + 2, to - from - 2, StandardCharsets.US_ASCII));
            default -> false;
        };
    }

    private static boolean isKnown(long descriptor) {
        long domain = descriptor >>> Integer.SIZE;
        return (domain == 0 || domain == APACHE) && (descriptor & 0xFFFF_FFFFL) <= WITHIN_DOMAIN_MAX;
    }

    private static long ulong(byte[] bytes, int at) {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | bytes[at + i] & 0xFF;
        }
        return value;
    }

    /**
     * Whether the frame with which a client begins the SASL dialogue names a mechanism that is known here; true for all
     * other performatives. ProtonJ2 remembers each name that it decodes for ever, and the client is not known yet.
     */
    public static boolean isKnownMechanism(Frame frame) {
        byte[] bytes = frame.bytes();
        int at = frame.bodyFrom();
        if ((bytes[at + 1] & 0xFF) != SMALL_ULONG) {
            return false;
        }
        if (bytes[at + 2] != SASL_INIT) {
            return true;
        }
        int fields = at + 3 + (bytes[at + 3] == (byte) 0xC0 ? 3 : 9);
        if (fields + 1 >= frame.to() || (bytes[fields] & 0xFF) != SYMBOL_8) {
            return false;
        }
        int from = fields + 2;
        int to = from + (bytes[fields + 1] & 0xFF);
        return MECHANISMS.stream().anyMatch(known -> Arrays.equals(known, 0, known.length, bytes, from, to));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
