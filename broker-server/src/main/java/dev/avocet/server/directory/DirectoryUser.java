package dev.avocet.server.directory;

/**
 * A user's entry.
 *
 * @param dn its distinguished name
 * @param name the user name as the directory spells it
 */
record DirectoryUser(String dn, String name) {}
