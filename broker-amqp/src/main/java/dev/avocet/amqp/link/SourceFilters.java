package dev.avocet.amqp.link;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a source that are understood: a selector and noLocal.
 *
 * @param granted the filters as the client wrote them, those that are heeded
 */
public record SourceFilters(
        @Nullable Selector selector,
        boolean noLocal,
        @Nullable Map<Symbol, Object> granted) {
    private static final UnsignedLong SELECTOR_CODE = UnsignedLong.valueOf(0x0000_468C_0000_0004L);
    private static final Symbol SELECTOR_NAME = Symbol.valueOf("apache.org:selector-filter:string");
    private static final UnsignedLong NO_LOCAL_CODE = UnsignedLong.valueOf(0x0000_468C_0000_0003L);
    private static final Symbol NO_LOCAL_NAME = Symbol.valueOf("apache.org:no-local-filter:list");

    public static SourceFilters of(Source source) throws AmqpException {
        Selector selector = null;
        boolean noLocal = false;
        Map<Symbol, Object> granted = new LinkedHashMap<>();
        if (source.getFilter() != null) {
            for (Map.Entry<Symbol, Object> entry : source.getFilter().entrySet()) {
                if (isOf(entry.getValue(), SELECTOR_CODE, SELECTOR_NAME)) {
                    selector = selector(((DescribedType) entry.getValue()).getDescribed());
                } else if (isOf(entry.getValue(), NO_LOCAL_CODE, NO_LOCAL_NAME)) {
                    noLocal = true;
                } else {
                    continue;
                }
                granted.put(entry.getKey(), entry.getValue());
            }
        }
        return new SourceFilters(selector, noLocal, granted.isEmpty() ? null : granted);
    }

    private static boolean isOf(@Nullable Object value, UnsignedLong code, Symbol name) {
        return value instanceof DescribedType described
                && (code.equals(described.getDescriptor()) || name.equals(described.getDescriptor()));
    }

    private static @Nullable Selector selector(Object text) throws AmqpException {
        try {
            return Selector.compile(String.valueOf(text));
        } catch (InvalidSelectorException e) {
            throw new AmqpException(AmqpError.INVALID_FIELD, "the selector: " + e.getMessage());
        }
    }
}
