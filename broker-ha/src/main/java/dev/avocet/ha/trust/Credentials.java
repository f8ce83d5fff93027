package dev.avocet.ha.trust;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a member proves that it is one: by nothing, by the secret of its group, by certificates, or by both.
 *
 * @param secret the same for all members
 * @param files certificates; null where the secret has to do
 */
public record Credentials(PairSecret secret, @Nullable Files files) {
    /** Of members that are all on loopback. */
    public static final Credentials NONE = new Credentials(PairSecret.NONE, null);

    /** Of members that have a secret alone. */
    public static Credentials of(PairSecret secret) {
        return new Credentials(secret, null);
    }

    public boolean areNone() {
        return files == null && secret.isNone();
    }

    /**
     * PEM files, which may be replaced while the process runs.
     *
     * @param certificate the member's own, followed by those of intermediate authorities
     * @param key of the certificate, not encrypted
     * @param trust certificates of authorities, or of the members themselves
     */
    public record Files(Path certificate, Path key, Path trust) {
        List<Path> all() {
            return List.of(certificate, key, trust);
        }
    }
}
