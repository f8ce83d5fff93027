package dev.avocet.server.rest.config;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.tls.key.SelfSigned;
import dev.avocet.server.rest.RestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that objects name, and whole configurations, into a broker by requests. */
@InTurn
class TransferConfigurationTest {
    private static final String IMPORT = "/api/v1/service/import";

    @TempDir
    private Path data;

    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldShowAnImportAsADifferenceAndTakeItInForTheVersionThatWasLookedAtAlone() throws Exception {
        // given
        broker.configure("{\"Queue\": {\"orders\": {\"MaxMessages\": 7}}}");
        String content = RestBroker.json(broker.send("POST", "/api/v1/service/export", "{\"Password\": \"sealed\"}"))
                .get("Content")
                .toString();
        broker.send("DELETE", "/api/v1/configuration/Queue/orders", null);
        String request = "{\"Password\": \"sealed\", \"Content\": \"" + content + "\"";

        // when
        HttpResponse<String> preview = broker.send("POST", IMPORT, request + ", \"ApplyConfig\": false}");
        String tag = preview.headers().firstValue("ETag").orElseThrow();

        // then
        assertThat(ChangeSetRequestsTest.differences(preview))
                .containsExactly("created Queue orders {MaxMessages: null -> 7}");
        assertThat(tag).isEqualTo("\"" + broker.objects().current().version() + "\"");

        // when
        broker.configure("{\"Queue\": {\"bills\": {}}}");
        HttpResponse<String> stale = broker.send("POST", IMPORT, request + "}", "If-Match", tag);

        // then
        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(broker.objects().current().find(Queue.class, "orders")).isEmpty();

        // when
        HttpResponse<String> taken = broker.send(
                "POST",
                IMPORT,
                request + "}",
                "If-Match",
                "\"" + broker.objects().current().version() + "\"");

        // then
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
        assertThat(broker.objects().current().find(Queue.class, "orders")).isPresent();
    }

    @Test
    void shouldTellWhatUploadedFilesAreAndWhenTheyRunOutAndGiveNoneBack() throws Exception {
        // given
        Instant now = Instant.now();
        SelfSigned pair = SelfSigned.of("broker.example", Duration.ofDays(30), now);

        // when
        HttpResponse<String> put =
                broker.sendBytes("PUT", "/api/v1/file/a.pem", pair.certificate().getBytes(US_ASCII));
        broker.sendBytes("PUT", "/api/v1/file/a.key", pair.key().getBytes(US_ASCII));

        // then
        assertThat(put.body()).contains("\"Kind\" : \"Certificate\"", "CN=broker.example");
        HttpResponse<String> listed = broker.get("/api/v1/file");
        assertThat(RestBroker.json(listed).get("File"))
                .asString()
                .contains("Kind=Certificate", "Subject=CN=broker.example", "ExpirationDate=", "Kind=Key");
        assertThat(listed.body()).doesNotContain("PRIVATE KEY");
        assertThat(broker.get("/api/v1/file/a.key").statusCode()).isEqualTo(405);
    }

    @Test
    void shouldWarnWhenAFileThatIsUsedIsReplacedByOneOfAnotherKind() throws Exception {
        // given
        SelfSigned pair = SelfSigned.of("broker.example", Duration.ofDays(30), Instant.now());
        broker.sendBytes("PUT", "/api/v1/file/a.pem", pair.certificate().getBytes(US_ASCII));
        broker.sendBytes("PUT", "/api/v1/file/a.key", pair.key().getBytes(US_ASCII));
        broker.configure("{\"CertificateProfile\": {\"Hall\": {\"Certificate\": \"a.pem\", \"Key\": \"a.key\"}}}");

        // when
        HttpResponse<String> same =
                broker.sendBytes("PUT", "/api/v1/file/a.pem", pair.certificate().getBytes(US_ASCII));
        HttpResponse<String> other =
                broker.sendBytes("PUT", "/api/v1/file/a.pem", pair.key().getBytes(US_ASCII));

        // then
        assertThat(RestBroker.json(same)).doesNotContainKey("Warnings");
        assertThat(RestBroker.json(other).get("Warnings"))
                .asString()
                .contains("was of the kind Certificate and is of the kind Key now", "CertificateProfile 'Hall'");
        assertThat(broker.send("DELETE", "/api/v1/file/a.pem", null).statusCode())
                .isEqualTo(409);
    }
}
