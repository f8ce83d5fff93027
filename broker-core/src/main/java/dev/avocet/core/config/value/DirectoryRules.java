package dev.avocet.core.config.value;

import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/** What names of entries and attributes of a directory must be built like (RFC 4514, RFC 4512). */
final class DirectoryRules {
    private static final Pattern ATTRIBUTE =
            Pattern.compile("((\\*|[A-Za-z][A-Za-z0-9-]*):)?([A-Za-z][A-Za-z0-9-]*|[0-9]+(\\.[0-9]+)+)");

    private DirectoryRules() {}

    static void checkName(String text) throws InvalidValueException {
        try {
            LdapName unused = new LdapName(text);
        } catch (InvalidNameException e) {
            throw new InvalidValueException("'" + text
                    + "' is not a distinguished name, such as ou=people,dc=example,dc=com; a backslash goes before a comma"
                    + " or plus sign that belongs to a value");
        }
    }

    static void checkAttribute(String text) throws InvalidValueException {
        if (!ATTRIBUTE.matcher(text).matches()) {
            throw new InvalidValueException("'" + text + "' is not an attribute, such as uid or inetOrgPerson:uid");
        }
    }
}
