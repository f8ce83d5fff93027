package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.Filter;

/**
 * An attribute by which entries are found.
 *
 * @param objectClass of the entries, or {@code *} for any
 */
record DirectoryAttribute(String objectClass, String name) {
    private static final String ANY = "*";

    /** @param text as in the LDAP object: {@code uid} or {@code inetOrgPerson:uid} */
    static DirectoryAttribute of(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new DirectoryAttribute(ANY, text)
                : new DirectoryAttribute(text.substring(0, colon), text.substring(colon + 1));
    }

    /** Finds the entries that have this value, whatever characters it holds. */
    Filter equalTo(String value) {
        Filter hasValue = Filter.createEqualityFilter(name, value);
        return objectClass.equals(ANY)
                ? hasValue
                : Filter.createANDFilter(Filter.createEqualityFilter("objectClass", objectClass), hasValue);
    }
}
