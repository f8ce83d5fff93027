package dev.avocet.amqp.link;

import java.util.Map;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * A client that says so by the link property {@code avocet:batchable} means the flag {@code batchable} of its transfers
 * [AMQP 1.0 part 2, 2.7.5]: the answers to such messages, if they are not persistent, go out with other frames. Others
 * set the flag and wait all the same.
 */
public final class HeldAnswers {
    private static final Symbol PROPERTY = Symbol.valueOf("avocet:batchable");

    private HeldAnswers() {}

    public static boolean areWanted(Receiver link) {
        @Nullable Map<Symbol, Object> said = link.getRemoteProperties();
        return said != null && Boolean.TRUE.equals(said.get(PROPERTY));
    }
}
