package dev.avocet.jms.client.codec;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The symbols that a server has used in performatives. ProtonJ2 remembers each short one that it decodes for ever, so
 * no more are let through than sane servers use. One for each connection and all its lines; not for several threads at
 * once.
 */
public final class SymbolMemory {
    /** Some three megabytes at worst. */
    public static final int MOST = 10_000;
    /** ProtonJ2 remembers no longer ones. */
    private static final int REMEMBERED_BYTES = 64;

    private final Set<String> symbols = new HashSet<>();

    /**
     * The server uses the symbol of those bytes.
     *
     * @throws MalformedAmqpException when it is one too many
     */
    void use(final byte[] bytes, final int from, final int to) {
        if (to - from <= REMEMBERED_BYTES
                && symbols.add(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1))
                && symbols.size() > MOST) {
            throw new MalformedAmqpException(
                    "more than " + MOST + " different symbols, which the client would remember");
        }
    }
}
