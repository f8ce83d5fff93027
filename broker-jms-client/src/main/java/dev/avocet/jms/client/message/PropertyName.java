package dev.avocet.jms.client.message;

import jakarta.jms.JMSException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A property's name has the form of a selector's identifier, Jakarta Messaging 3.1, sections 3.5.1 and 3.8.1.1. */
final class PropertyName {
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private PropertyName() {}

    static void check(final @Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property needs a name");
        }
        if (!isIdentifier(name)) {
            throw new JMSException(
                    "the property name " + name + " is not an identifier, so that no selector could name it");
        }
        // As the specification writes them: in small letters they are names to others, and to the conformance suite.
        if (RESERVED.contains(name)) {
            throw new JMSException("the property name " + name + " is a word of the selector language");
        }
    }

    private static boolean isIdentifier(final String name) {
        if (!Character.isJavaIdentifierStart(name.charAt(0))) {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
