package dev.avocet.core.endpoint;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The cipher suites that a client offers in its first record, so that a log line can name them when none is taken.
 *
 * @param codes their registered numbers, in the client's order
 * @param hasIdentity whether it offers a key of TLS 1.3 that it shares with the broker, rather than a session ticket
 */
record ClientOffer(List<Integer> codes, boolean hasIdentity) {
    static final ClientOffer UNKNOWN = new ClientOffer(List.of(), false);

    private static final int HEADER_BYTES = 5;
    private static final int PRE_SHARED_KEY = 41;
    /** Session tickets are longer. */
    private static final int MAX_IDENTITY_BYTES = 127;

    private static final int MAX_CODES = 128;
    private static final int MAX_NAMED = 6;
    /** Record header, type and length of the handshake message, version, random. */
    private static final int SESSION_ID_AT = 5 + 4 + 2 + 32;

    private static final int CLIENT_HELLO = 1;
    /** Values without a meaning, which clients send so that servers get used to unknown ones [RFC 8701]. */
    private static final int GREASE = 0x0A0A;

    private static final int SIGNALS_RENEGOTIATION = 0x00FF;
    private static final int SIGNALS_FALLBACK = 0x5600;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(0x000A, "TLS_RSA_WITH_3DES_EDE_CBC_SHA"),
            Map.entry(0x002F, "TLS_RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0x003C, "TLS_RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0x003D, "TLS_RSA_WITH_AES_256_CBC_SHA256"),
            Map.entry(0x009C, "TLS_RSA_WITH_AES_128_GCM_SHA256"),
            Map.entry(0x009D, "TLS_RSA_WITH_AES_256_GCM_SHA384"),
            Map.entry(0x009E, "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"),
            Map.entry(0x009F, "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"),
            Map.entry(0x008C, "TLS_PSK_WITH_AES_128_CBC_SHA"),
            Map.entry(0x008D, "TLS_PSK_WITH_AES_256_CBC_SHA"),
            Map.entry(0x00A8, "TLS_PSK_WITH_AES_128_GCM_SHA256"),
            Map.entry(0x00A9, "TLS_PSK_WITH_AES_256_GCM_SHA384"),
            Map.entry(0x00AA, "TLS_DHE_PSK_WITH_AES_128_GCM_SHA256"),
            Map.entry(0x00AB, "TLS_DHE_PSK_WITH_AES_256_GCM_SHA384"),
            Map.entry(0x1301, "TLS_AES_128_GCM_SHA256"),
            Map.entry(0x1302, "TLS_AES_256_GCM_SHA384"),
            Map.entry(0x1303, "TLS_CHACHA20_POLY1305_SHA256"),
            Map.entry(0xC009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0xC00A, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0xC013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0xC014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0xC023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0xC024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"),
            Map.entry(0xC027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0xC028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"),
            Map.entry(0xC02B, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
            Map.entry(0xC02C, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
            Map.entry(0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
            Map.entry(0xC030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
            Map.entry(0xCCA8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
            Map.entry(0xCCA9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"));

    ClientOffer {
        codes = List.copyOf(codes);
    }

    /** Reads them, and leaves the bytes as they are; {@link #UNKNOWN} unless all of them are there. */
    static ClientOffer of(ByteBuf record) {
        int start = record.readerIndex();
        int end = record.writerIndex();
        int at = start + SESSION_ID_AT;
        if (at >= end || record.getByte(start + 5) != CLIENT_HELLO) {
            return UNKNOWN;
        }
        at += 1 + record.getUnsignedByte(at);
        if (at + 2 > end) {
            return UNKNOWN;
        }
        int bytes = record.getUnsignedShort(at);
        if (at + 2 + bytes > end) {
            return UNKNOWN;
        }
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i + 1 < bytes && codes.size() < MAX_CODES; i += 2) {
            int code = record.getUnsignedShort(at + 2 + i);
            boolean isSuite = (code & 0x0F0F) != GREASE && code != SIGNALS_RENEGOTIATION && code != SIGNALS_FALLBACK;
            if (isSuite) {
                codes.add(code);
            }
        }
        return new ClientOffer(codes, hasIdentity(record, at + 2 + bytes, end));
    }

    /** Whether the first record has come as a whole. */
    static boolean isWhole(ByteBuf bytes) {
        int start = bytes.readerIndex();
        return bytes.readableBytes() >= HEADER_BYTES
                && bytes.readableBytes() >= HEADER_BYTES + bytes.getUnsignedShort(start + 3);
    }

    /** Whether it asks for a handshake with a pre-shared key. */
    boolean isForPreSharedKey() {
        return hasIdentity || codes.stream().anyMatch(ClientOffer::isForPreSharedKey);
    }

    private static boolean isForPreSharedKey(int code) {
        return isWithin(code, 0x008A, 0x0095)
                || isWithin(code, 0x00A8, 0x00B9)
                || isWithin(code, 0xC033, 0xC03B)
                || isWithin(code, 0xCCAB, 0xCCAE)
                || isWithin(code, 0xD001, 0xD005);
    }

    private static boolean isWithin(int code, int first, int last) {
        return code >= first && code <= last;
    }

    /** Looks at the extensions, which come behind the methods of compression. */
    private static boolean hasIdentity(ByteBuf record, int compressionAt, int end) {
        if (compressionAt >= end) {
            return false;
        }
        int at = compressionAt + 1 + record.getUnsignedByte(compressionAt) + 2;
        while (at + 4 <= end) {
            int type = record.getUnsignedShort(at);
            int length = record.getUnsignedShort(at + 2);
            if (type == PRE_SHARED_KEY) {
                boolean isThere = length >= 4 && at + 8 <= end;
                return isThere && isWithin(record.getUnsignedShort(at + 6), 1, MAX_IDENTITY_BYTES);
            }
            at += 4 + length;
        }
        return false;
    }

    /** The first of them by name. */
    String names() {
        List<String> names =
                codes.stream().limit(MAX_NAMED).map(ClientOffer::name).toList();
        String first = names.isEmpty() ? "nothing that can be read" : String.join(", ", names);
        return codes.size() > MAX_NAMED ? first + " and " + (codes.size() - MAX_NAMED) + " more" : first;
    }

    private static String name(int code) {
        return NAMES.getOrDefault(code, String.format(Locale.ROOT, "0x%04X", code));
    }
}
