package dev.avocet.core.tls.client;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What clients' certificates are held against: one of the two is enough.
 *
 * @param authorities PEM files with authorities, or single certificates, whose word about clients counts
 * @param pinned PEM files with certificates of clients that are trusted by themselves, as long as they are valid
 */
public record ClientTrust(List<Path> authorities, List<Path> pinned) {
    /** No client. */
    public static final ClientTrust NONE = new ClientTrust(List.of(), List.of());

    public ClientTrust {
        authorities = List.copyOf(authorities);
        pinned = List.copyOf(pinned);
    }

    /** Every file that is read. */
    public List<Path> files() {
        return Stream.concat(authorities.stream(), pinned.stream()).toList();
    }
}
