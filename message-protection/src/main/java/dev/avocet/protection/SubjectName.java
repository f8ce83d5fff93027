package dev.avocet.protection;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/** The subjects of certificates, as policies name them: distinguished names as text (RFC 4514). */
public final class SubjectName {
    private SubjectName() {}

    static String of(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
    }

    static String canonical(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName(X500Principal.CANONICAL);
    }

    /**
     * The form in which names are compared.
     *
     * @throws IllegalArgumentException when it is no distinguished name
     */
    public static String canonical(String name) {
        try {
            return new X500Principal(name).getName(X500Principal.CANONICAL);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + name + "' is not a subject name; write it as CN=orders,O=Acme", e);
        }
    }

    /**
     * Checks that a text is a distinguished name.
     *
     * @throws IllegalArgumentException when it is none; the message says how one is written
     */
    public static void check(String name) {
        String unused = canonical(name);
    }

    /**
     * Takes a list of names apart.
     *
     * @param list names with semicolons between; a semicolon that belongs to a name has a backslash before it
     */
    public static List<String> list(String list) {
        List<String> names = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c == ';') {
                add(names, name);
            } else {
                name.append(c);
                if (c == '\\' && i + 1 < list.length()) {
                    name.append(list.charAt(++i));
                }
            }
        }
        add(names, name);
        return names;
    }

    private static void add(List<String> names, StringBuilder name) {
        String stripped = name.toString().strip();
        if (!stripped.isEmpty()) {
            names.add(stripped);
        }
        name.setLength(0);
    }
}
