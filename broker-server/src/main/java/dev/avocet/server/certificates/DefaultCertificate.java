package dev.avocet.server.certificates;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.avocet.core.config.DefaultConfiguration;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.SelfSigned;
import dev.avocet.core.tls.key.TlsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that a new broker has for its administration: one that no authority vouches for, so that TLS takes
 * one command.
 */
public final class DefaultCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultCertificate.class);
    /** It is never renewed. */
    private static final Duration GOOD_FOR = Duration.ofDays(3_650);

    private DefaultCertificate() {}

    /**
     * Makes it and its key unless one of them is there. Computes and blocks on the disk; failing to is no harm before
     * it is used.
     */
    public static void makeIfMissing(UploadedFiles files, Clock clock) {
        boolean isThere = Files.exists(files.folder().resolve(DefaultConfiguration.ADMIN_CERTIFICATE_FILE))
                || Files.exists(files.folder().resolve(DefaultConfiguration.ADMIN_KEY_FILE));
        if (isThere) {
            return;
        }
        try {
            SelfSigned made = SelfSigned.of(hostName(), GOOD_FOR, Instant.ofEpochMilli(clock.wallTimeMs()));
            files.put(DefaultConfiguration.ADMIN_KEY_FILE, made.key().getBytes(US_ASCII));
            files.put(
                    DefaultConfiguration.ADMIN_CERTIFICATE_FILE,
                    made.certificate().getBytes(US_ASCII));
        } catch (TlsException | FileRefusedException e) {
            LOG.warn("There is no certificate for the administration: {}", e.getMessage());
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
