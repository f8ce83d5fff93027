package dev.avocet.server;

import dev.avocet.ha.PairMembers;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.server.process.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a member proves to the others that it is one; the same for brokers and arbiter. */
final class PairCredentials {
    private static final int SHORTEST_SECRET_BYTES = 16;
    private static final int LONGEST_SECRET_BYTES = 4_096;

    @Option(
            names = "--ha-secret-file",
            paramLabel = "FILE",
            description = "what all members know and others do not: TLS between them is made of it; it or"
                    + " certificates are needed unless all members are on loopback")
    private @Nullable Path secretFile;

    @Option(
            names = "--ha-certificate",
            paramLabel = "FILE",
            description = "this member's certificate, in PEM, for its host in --ha-members; needs --ha-key and"
                    + " --ha-trust")
    private @Nullable Path certificate;

    @Option(names = "--ha-key", paramLabel = "FILE", description = "the key of --ha-certificate, in PEM")
    private @Nullable Path key;

    @Option(
            names = "--ha-trust",
            paramLabel = "FILE",
            description = "who vouches for the other members: certificates of authorities, or of the members"
                    + " themselves, in PEM")
    private @Nullable Path trust;

    PairCredentials() {}

    PairCredentials(@Nullable Path secretFile, @Nullable Path certificate, @Nullable Path key, @Nullable Path trust) {
        this.secretFile = secretFile;
        this.certificate = certificate;
        this.key = key;
        this.trust = trust;
    }

    boolean areGiven() {
        return Stream.of(secretFile, certificate, key, trust).anyMatch(file -> file != null);
    }

    /** Reads the secret; refused when it is none, or when the members need one. */
    Credentials read(PairMembers members) throws StartException {
        Credentials.@Nullable Files files = files();
        Credentials given = new Credentials(secretFile == null ? PairSecret.NONE : secret(secretFile), files);
        if (given.areNone() && !members.areAllOnLoopback()) {
            throw PairConfig.unusable("--ha-secret-file is required, or --ha-certificate, --ha-key and --ha-trust, as"
                    + " not all members are on loopback; write the same random text into a file on all of them, for"
                    + " example with 'openssl rand -hex 32', and let only their user read it");
        }
        return given;
    }

    private Credentials.@Nullable Files files() throws StartException {
        if (certificate == null && key == null && trust == null) {
            return null;
        }
        if (certificate == null || key == null || trust == null) {
            throw PairConfig.unusable("--ha-certificate, --ha-key and --ha-trust belong together, and "
                    + (certificate == null ? "--ha-certificate" : key == null ? "--ha-key" : "--ha-trust")
                    + " is missing; name all three, or none");
        }
        return new Credentials.Files(certificate, key, trust);
    }

    private static PairSecret secret(Path file) throws StartException {
        try {
            long size = Files.size(file);
            byte[] text = size > LONGEST_SECRET_BYTES ? new byte[0] : stripped(Files.readAllBytes(file));
            if (text.length < SHORTEST_SECRET_BYTES) {
                throw PairConfig.unusable("--ha-secret-file " + file + " holds no secret of " + SHORTEST_SECRET_BYTES
                        + " to " + LONGEST_SECRET_BYTES + " bytes; make one with 'openssl rand -hex 32'");
            }
            return PairSecret.of(text);
        } catch (IOException e) {
            throw PairConfig.unusable("--ha-secret-file " + file + " cannot be read: " + e);
        }
    }

    /** Without the end of the line that editors add. */
    private static byte[] stripped(byte[] text) {
        int end = text.length;
        while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r')) {
            end--;
        }
        return Arrays.copyOf(text, end);
    }
}
