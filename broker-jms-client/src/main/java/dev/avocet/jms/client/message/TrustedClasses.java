package dev.avocet.jms.client.message;

import java.io.ObjectInputFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which classes an object message may be made of; by default none. {@code *} trusts all; {@code com.example.} with its dot trusts a
 * package and those below it; anything else is the name of a class. Depth, references and size are bounded whatever is trusted.
 */
public final class TrustedClasses implements ObjectInputFilter {
    private static final long DEPTH_MAX = 64;
    private static final long REFERENCES_MAX = 1_000_000;
    private static final long ARRAY_LENGTH_MAX = 64 << 20;

    private final List<String> trusted;

    public TrustedClasses(final List<String> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    /** Object messages are refused altogether. */
    public boolean isEmpty() {
        return trusted.isEmpty();
    }

    @Override
    public Status checkInput(final FilterInfo info) {
        if (info.depth() > DEPTH_MAX || info.references() > REFERENCES_MAX || info.arrayLength() > ARRAY_LENGTH_MAX) {
            return Status.REJECTED;
        }
        final Class<?> type = element(info.serialClass());
        return type == null || type.isPrimitive() || isTrusted(type.getName()) ? Status.ALLOWED : Status.REJECTED;
    }

    private static @Nullable Class<?> element(final @Nullable Class<?> type) {
        Class<?> element = type;
        while (element != null && element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    private boolean isTrusted(final String name) {
        // What the stream format itself is made of.
        if (name.equals("java.lang.Number") || name.equals("java.lang.Enum")) {
            return true;
        }
        for (final String entry : trusted) {
            if (entry.equals("*") || entry.equals(name) || entry.endsWith(".") && name.startsWith(entry)) {
                return true;
            }
        }
        return false;
    }
}
