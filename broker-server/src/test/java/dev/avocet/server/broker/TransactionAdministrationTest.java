package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.broker.TransactionCoordinator;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.MqttFrontEnd;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.content.TransactionAdministration;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.RestApi;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.testkit.TestBroker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions in doubt, which an administrator ends over HTTP. */
class TransactionAdministrationTest {
    private static final String LIST = "/ima/v1/service/Transaction";

    @TempDir
    private Path directory;

    private TestBroker broker;
    private ConfigurationStore objects;
    private AdminServer server;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.with(core ->
                        new MqttFrontEnd(new MqttConnections(core, MqttOptions.DEFAULT, new AnonymousAuthenticator())))
                .start();
        objects = ConfigurationStore.open(directory.resolve("config"));
        RestApi api = new RestApi(objects, new RunningProcess(), true);
        api.administer(new Administered(new TransactionAdministration(broker.broker())));
        server = AdminServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new RunningProcess(), api);
    }

    @AfterEach
    void stop() {
        server.close();
        objects.close();
        broker.close();
    }

    @Test
    void shouldCommitWhatIsInDoubtAndRememberThatItDid() throws Exception {
        // given
        prepare(new BranchId(1, new byte[] {10}, new byte[] {1}));
        assertThat(get(LIST).body())
                .contains(
                        "\"XID\" : \"1:0a:01\"",
                        "\"TranState\" : \"Prepared\"",
                        "\"UserID\" : \"anna\"",
                        "\"Messages\" : 1");
        assertThat(end("forget", "1:0a:01").statusCode()).isEqualTo(409);

        // when
        HttpResponse<String> committed = end("commit", "1:0a:01");

        // then
        assertThat(committed.body()).contains("CWLNA6011");
        assertThat(broker.broker().transactions().recover()).isEmpty();
        assertThat(broker.broker().retained().count()).isEqualTo(1);
        assertThat(get(LIST + "?TranState=Prepared").body()).doesNotContain("1:0a:01");
        assertThat(get(LIST + "?TranState=HeuristicCommit").body()).contains("1:0a:01");
        assertThat(end("commit", "1:0a:01").statusCode()).isEqualTo(404);

        // when
        assertThat(end("forget", "1:0a:01").statusCode()).isEqualTo(200);

        // then
        assertThat(get(LIST).body()).doesNotContain("1:0a:01");
        assertThat(end("forget", "1:0a:01").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldRollBackWhatIsInDoubt() throws Exception {
        prepare(new BranchId(7, new byte[] {1}, new byte[0]));

        assertThat(end("rollback", "7:01:").statusCode()).isEqualTo(200);

        assertThat(broker.broker().retained().count()).isZero();
        assertThat(get(LIST + "?TranState=Heuristic").body()).contains("HeuristicRollback");
    }

    @Test
    void shouldListPageByPage() throws Exception {
        // given
        for (byte i = 1; i <= 3; i++) {
            prepare(new BranchId(1, new byte[] {i}, new byte[] {1}));
        }

        // when
        String first = get(LIST + "?StatType=OldestFirst&ResultCount=2").body();
        String second =
                get(LIST + "?StatType=OldestFirst&ResultCount=2&ResultOffset=2").body();

        // then
        assertThat(first)
                .contains("\"Found\" : 3", "1:01:01", "1:02:01", "PreparedAt")
                .doesNotContain("1:03:01");
        assertThat(second).contains("\"Found\" : 3", "1:03:01").doesNotContain("1:02:01");
        assertThat(get(LIST + "?UserID=ann*").body()).contains("\"Found\" : 3");
        assertThat(get(LIST + "?UserID=bert").body()).contains("\"Found\" : 0");
        assertThat(get(LIST + "?StatType=Weight").statusCode()).isEqualTo(400);
        assertThat(get(LIST + "?ResultOffset=-1").statusCode()).isEqualTo(400);
    }

    @Test
    void shouldSayWhatIsNoIdentifier() throws Exception {
        assertThat(end("commit", "x").body()).contains("FORMAT:GLOBAL:BRANCH");
        assertThat(end("commit", "x:0a:0a").statusCode()).isEqualTo(400);
        assertThat(end("commit", "1:0:0a").statusCode()).isEqualTo(400);
        assertThat(end("commit", "1:0a:0b").statusCode()).isEqualTo(404);
    }

    /** A transaction with a retained message. */
    private void prepare(BranchId branch) {
        TransactionCoordinator coordinator = broker.broker().transactions();
        IoLoop loop = broker.broker().loops().get(0);
        AtomicReference<@Nullable TransactionOutcome> outcome = new AtomicReference<>();
        loop.execute(() -> {
            Transaction transaction = coordinator.begin(loop);
            transaction.owner("anna");
            transaction.publish(new Message(
                    TopicName.of("a"),
                    QualityOfService.AT_LEAST_ONCE,
                    true,
                    new byte[] {1},
                    MessageProperties.NONE,
                    Message.NEVER,
                    ""));
            coordinator.prepare(transaction, branch, outcome::set);
        });
        await().until(() -> outcome.get() == TransactionOutcome.PREPARED);
    }

    private HttpResponse<String> end(String how, String branch) throws Exception {
        return send(HttpRequest.newBuilder(uri("/api/v1/service/" + how + "/transaction"))
                .POST(BodyPublishers.ofString("{\"XID\": \"" + branch + "\"}")));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private record Administered(TransactionAdministration transactions) implements RunningBroker {
        @Override
        public List<InetSocketAddress> endpoints() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    private static final class RunningProcess implements ProcessFacts {
        @Override
        public Health health() {
            return new Health(Health.Status.RUNNING, "1.2.3", 42, List.of(), StoreHealth.ofMemory("memory"));
        }
    }
}
