package dev.avocet.jms.client.wire;

import java.util.Map;
import org.apache.qpid.protonj2.engine.Link;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/** The link property by which our broker is asked, and says, how messages have to be sealed. */
final class LinkProtection {
    private static final Symbol PROPERTY = Symbol.valueOf("avocet:protection");
    /** What is asked for; other servers pass over it. */
    static final Map<Symbol, Object> ASKED = Map.of(PROPERTY, true);

    private LinkProtection() {}

    /** The server's word; null: nothing is protected. */
    static @Nullable Object of(final Link<?> link) {
        final Map<Symbol, Object> said = link.getRemoteProperties();
        return said == null ? null : said.get(PROPERTY);
    }
}
