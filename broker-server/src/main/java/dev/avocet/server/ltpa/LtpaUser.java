package dev.avocet.server.ltpa;

import dev.avocet.core.security.user.UserNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * Whom a token is about.
 *
 * @param realm of the server that knows the user
 * @param name a distinguished name mostly
 */
record LtpaUser(String realm, String name) {
    private static final String USER = "user:";

    /** Reads {@code user:realm/name}. */
    static LtpaUser of(String text) throws LtpaRefusedException {
        int slash = text.indexOf('/');
        if (!text.startsWith(USER) || slash < 0) {
            throw new LtpaRefusedException("it does not name a user");
        }
        return new LtpaUser(text.substring(USER.length(), slash), text.substring(slash + 1));
    }

    /**
     * What policies call the user.
     *
     * @param attributes with commas between; empty for the whole name
     */
    String userName(String attributes) throws LtpaRefusedException {
        String found = attributes.isBlank() ? name : part(List.of(attributes.split(",", -1)));
        if (found == null) {
            throw new LtpaRefusedException("its user '" + name + "' has none of the attributes " + attributes
                    + " of UserIdMap of the LTPAProfile");
        }
        if (found.isBlank()
                || found.length() > UserNames.MAX_CHARS
                || found.chars().anyMatch(Character::isISOControl)) {
            throw new LtpaRefusedException("the name of its user is empty, too long or has control characters");
        }
        return found;
    }

    private @Nullable String part(List<String> attributes) throws LtpaRefusedException {
        List<Rdn> parts;
        try {
            parts = new ArrayList<>(new LdapName(name).getRdns());
        } catch (InvalidNameException e) {
            return name;
        }
        Collections.reverse(parts); // the first one is the user's own
        for (String wanted : attributes) {
            for (Rdn part : parts) {
                Attribute attribute = part.toAttributes().get(wanted.strip());
                if (attribute != null) {
                    return value(attribute);
                }
            }
        }
        return null;
    }

    private static String value(Attribute attribute) throws LtpaRefusedException {
        try {
            if (attribute.get() instanceof String text) {
                return text;
            }
        } catch (NamingException e) {
            throw new LtpaRefusedException("the name of its user cannot be read");
        }
        throw new LtpaRefusedException("the name of its user is not text");
    }
}
