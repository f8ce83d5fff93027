package dev.avocet.server.setup;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.DefaultConfiguration;
import dev.avocet.core.config.object.Interfaces;
import dev.avocet.core.security.PasswordHasher;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.SelfSigned;
import dev.avocet.core.tls.TlsException;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Gives a data directory in which nothing has been configured a first configuration: an endpoint with TLS and passwords
 * for MQTT and JMS, policies that give each user topics of its own and all of them some in common, queues for all of
 * them, a first user, and a password for the administration.
 */
public final class Setup {
    /** What the uploaded certificate is called. */
    public static final String CERTIFICATE = "server.pem";

    private static final String KEY = "server.key";
    private static final String ENDPOINT = "Main";
    private static final String SECURITY = "TlsAndPassword";
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
                    ChangeReader.read(objects(wishes)), DefaultConfiguration.VERSION, ChangeOrigin.ofBroker("init"));
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

    private static Map<String, Object> objects(SetupWishes wishes) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("AdminUserPassword", wishes.adminPassword());
        tree.put("MessageHub", Map.of("MainHub", Map.of("Description", "Endpoints and policies of the setup.")));
        tree.put("CertificateProfile", Map.of(ENDPOINT, Map.of("Certificate", CERTIFICATE, "Key", KEY)));
        tree.put("SecurityProfile", Map.of(SECURITY, Map.of("CertificateProfile", ENDPOINT)));
        tree.put("ConnectionPolicy", Map.of("EveryUser", Map.of("UserID", "*")));
        tree.put(
                "TopicPolicy",
                Map.of(
                        "OwnTopics",
                        Map.of("UserID", "*", "Topic", "${UserID}/*", "ActionList", "Publish,Subscribe"),
                        "CommonTopics",
                        Map.of("UserID", "*", "Topic", "common/*", "ActionList", "Publish,Subscribe")));
        Map<String, Object> endpoint = new LinkedHashMap<>();
        endpoint.put("Port", (long) wishes.port());
        endpoint.put("Interface", wishes.address());
        endpoint.put("Protocol", "MQTT,JMS");
        endpoint.put("MessageHub", "MainHub");
        endpoint.put("SecurityProfile", SECURITY);
        endpoint.put("ConnectionPolicies", "EveryUser");
        endpoint.put("TopicPolicies", "OwnTopics,CommonTopics");
        if (!wishes.queues().isEmpty()) {
            tree.put("Queue", each(wishes.queues(), queue -> Map.of()));
            tree.put("QueuePolicy", each(wishes.queues(), Setup::everyUserMayUse));
            endpoint.put("QueuePolicies", String.join(",", wishes.queues()));
        }
        if (!wishes.adminAddress().isEmpty()) {
            tree.put("AdminEndpoint", adminEndpoint(wishes));
        }
        tree.put(
                "Endpoint",
                Map.of(
                        ENDPOINT,
                        endpoint,
                        "DemoMqttEndpoint",
                        Map.of("Enabled", false),
                        "DemoEndpoint",
                        Map.of("Enabled", false)));
        return tree;
    }

    private static Map<String, Object> each(List<String> names, Function<String, Map<String, Object>> properties) {
        Map<String, Object> objects = new LinkedHashMap<>();
        names.forEach(name -> objects.put(name, properties.apply(name)));
        return objects;
    }

    private static Map<String, Object> everyUserMayUse(String queue) {
        return Map.of("UserID", "*", "Queue", queue, "ActionList", "Send,Receive,Browse");
    }

    /** With TLS where other machines reach it. */
    private static Map<String, Object> adminEndpoint(SetupWishes wishes) {
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("Interface", wishes.adminAddress());
        place.put("Port", (long) wishes.adminPort());
        if (Interfaces.isExposed(wishes.adminAddress())) {
            place.put("SecurityProfile", SECURITY);
        }
        return place;
    }
}
