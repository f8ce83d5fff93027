package dev.avocet.server.setup;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.DefaultConfiguration;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.SelfSigned;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.server.certificates.CertificateRules;
import dev.avocet.server.certificates.FileRefusedException;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.users.UserDirectory;
import dev.avocet.server.users.UserDirectoryException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Gives a data directory in which nothing has been configured a first configuration: an endpoint with TLS and passwords
 * for MQTT and JMS, policies that give each user topics of its own and all of them some in common, queues for all of
 * them, a first user, and a password for the administration.
 */
public final class Setup {
    /** What the uploaded certificate is called. */
    public static final String CERTIFICATE = "server.pem";

    private static final String KEY = "server.key";
    private static final String USERS = "users.json";
    private static final Duration CERTIFICATE_GOOD_FOR = Duration.ofDays(365);

    private final Path data;

    /** @param data is locked for this process */
    public Setup(Path data) {
        this.data = data;
    }

    /** Does what is wished for. When it fails, what has been written is used by the next try. */
    public void carryOut(SetupWishes wishes) throws SetupException {
        if (wishes.adminPassword().isEmpty()
                || wishes.userPassword().isEmpty()
                || wishes.user().isEmpty()) {
            throw new SetupException(
                    "the administrator and the first user need names and passwords that are not empty");
        }
        try (ConfigurationStore objects = ConfigurationStore.open(data.resolve("config"))) {
            if (objects.current().version() != DefaultConfiguration.VERSION) {
                throw new SetupException("the broker in " + data + " has been configured already; change it with"
                        + " broker-admin, or give another directory with --data");
            }
            UploadedFiles files = UploadedFiles.of(data);
            putCertificate(files, wishes);
            addUser(wishes);
            objects.changeRule(new CertificateRules(files, new SystemClock()));
            var unused = objects.make(
                    ChangeReader.read(SetupObjects.of(wishes, CERTIFICATE, KEY)),
                    DefaultConfiguration.VERSION,
                    ChangeOrigin.ofBroker("init"));
        } catch (ConfigurationStoreException
                | ConfigurationRefusedException
                | FileRefusedException
                | UserDirectoryException
                | TlsException
                | IllegalArgumentException e) {
            throw new SetupException(String.valueOf(e.getMessage()));
        }
    }

    private static void putCertificate(UploadedFiles files, SetupWishes wishes)
            throws FileRefusedException, TlsException {
        if (wishes.certificate().isEmpty()) {
            SelfSigned made = SelfSigned.of(
                    wishes.hostName().isEmpty() ? "localhost" : wishes.hostName(),
                    CERTIFICATE_GOOD_FOR,
                    Instant.ofEpochMilli(new SystemClock().wallTimeMs()));
            files.put(CERTIFICATE, made.certificate().getBytes(StandardCharsets.US_ASCII));
            files.put(KEY, made.key().getBytes(StandardCharsets.US_ASCII));
        } else {
            files.put(CERTIFICATE, wishes.certificate().getBytes(StandardCharsets.UTF_8));
            files.put(KEY, wishes.key().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void addUser(SetupWishes wishes) throws UserDirectoryException {
        SecureRandom random = new SecureRandom();
        UserDirectory users =
                UserDirectory.open(data.resolve("security").resolve(USERS), new PasswordHasher(random), random);
        users.replaceUser(wishes.user(), wishes.userPassword().toCharArray(), List.of());
    }
}
