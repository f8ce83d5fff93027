package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.LtpaIssuer;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the administration says of {@code security.fips}, and what it refuses then. */
class ApprovedRequestsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path data;

    private final Provider provider = new Validated();
    private RestBroker rest;

    @BeforeEach
    void start() throws Exception {
        Security.insertProviderAt(provider, 1);
        rest = RestBroker.start(data, "{\"security\": {\"fips\": true}}");
    }

    @AfterEach
    void stop() {
        rest.close();
        Security.removeProvider(provider.getName());
    }

    @Test
    void shouldReadAsTheStartupFileSays() throws Exception {
        assertThat(rest.get("/ima/v1/configuration/FIPS").body()).contains("\"FIPS\" : true");
        assertThat(rest.send("POST", "/ima/v1/configuration", "{\"FIPS\": false}")
                        .body())
                .contains("FIPS has no effect: security.fips of the startup file");
    }

    @Test
    void shouldRefuseWhatNeedsOtherCryptography() throws Exception {
        // exports
        assertThat(rest.send("POST", "/api/v1/service/export", "{\"Password\": \"chalk\"}")
                        .body())
                .contains("Argon2id, which FIPS 140 does not approve");

        // LTPA tokens
        rest.sendBytes(
                "PUT",
                "/api/v1/file/ltpa.keys",
                LtpaIssuer.create().keyFile("WebAS").getBytes(UTF_8));
        rest.configure("{\"LTPAProfile\": {\"l\": {\"KeyFileName\": \"ltpa.keys\", \"Password\": \"WebAS\"}}}");
        assertThat(rest.send("POST", "/api/v1/service/ltpa/test", "{\"Name\": \"l\"}")
                        .body())
                .contains("\"Works\" : false", "Triple DES and SHA-1");

        // pre-shared keys
        Issued server = new TestAuthority("Test CA").issue("localhost");
        server.writeCertificate(data.resolve("server.pem"));
        server.writeKey(data.resolve("server.key"));
        for (String file : new String[] {"server.pem", "server.key"}) {
            rest.sendBytes("PUT", "/api/v1/file/" + file, Files.readAllBytes(data.resolve(file)));
        }
        rest.sendBytes("PUT", "/api/v1/file/keys.csv", "anna,0123456789abcdef0123456789abcdef\n".getBytes(UTF_8));
        rest.configure("{\"CertificateProfile\": {\"c\": {\"Certificate\": \"server.pem\", \"Key\": \"server.key\"}},"
                + " \"SecurityProfile\": {\"p\": {\"CertificateProfile\": \"c\", \"PreSharedKeys\": \"keys.csv\"}}}");
        rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(rest.get("/api/v1/service/status").body())
                                .contains("PreSharedKeys cannot be used with security.fips"));
    }

    /** Says that it is one, and leaves the work to those behind it. */
    private static final class Validated extends Provider {
        private static final long serialVersionUID = 1L;

        Validated() {
            super("OpenJCEPlusFIPS", "1", "of a test");
        }
    }
}
