package dev.avocet.jms.client.message;

import java.io.ObjectInputFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which classes an object message may be made of; by default none. {@code *} trusts all; {@code com.example.} with its
 * dot trusts a package and those below it; anything else is the name of a class. With a class its superclasses are
 * trusted, whose part of the object it has. An array is trusted as such, since only its elements are made of what came.
 * Depth, references and size are bounded whatever is trusted.
 */
public final class TrustedClasses {
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

    /** A filter for one object. */
    Check check() {
        return new Check();
    }

    private boolean names(final String name) {
        for (final String entry : trusted) {
            if (entry.equals("*") || entry.equals(name) || entry.endsWith(".") && name.startsWith(entry)) {
                return true;
            }
        }
        return false;
    }

    /** Looks at what one object is made of, as it comes; knows afterwards what it has refused. */
    final class Check implements ObjectInputFilter {
        private final Set<Class<?>> superclasses = new HashSet<>();
        private @Nullable String refusal;

        /** What was refused, and what to do about it; null: nothing was. */
        @Nullable String refusal() {
            return refusal;
        }

        @Override
        public Status checkInput(final FilterInfo info) {
            final Class<?> type = info.serialClass();
            if (info.depth() > DEPTH_MAX) {
                return refuse("it is nested deeper than " + DEPTH_MAX + " objects");
            }
            if (info.references() > REFERENCES_MAX) {
                return refuse("it holds more than " + REFERENCES_MAX + " objects");
            }
            if (info.arrayLength() > ARRAY_LENGTH_MAX) {
                return refuse("it holds an array of more than " + ARRAY_LENGTH_MAX + " elements");
            }
            if (type == null || type.isArray() || type.isPrimitive() || superclasses.contains(type)) {
                return Status.ALLOWED;
            }
            if (!names(type.getName())) {
                return refuse("it holds the class " + type.getName()
                        + ", which the option trustedClasses does not name; add it there if you trust the senders");
            }
            for (Class<?> above = type.getSuperclass(); above != null; above = above.getSuperclass()) {
                superclasses.add(above);
            }
            return Status.ALLOWED;
        }

        private Status refuse(final String why) {
            refusal = why;
            return Status.REJECTED;
        }
    }
}
