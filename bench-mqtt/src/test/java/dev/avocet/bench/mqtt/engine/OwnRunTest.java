package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.mqtt.engine.MeddlingProxy.Meddling;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Own;
import dev.avocet.bench.mqtt.files.ClientList;
import dev.avocet.bench.mqtt.files.ListedClient;
import dev.avocet.bench.mqtt.files.MessageFiles;
import dev.avocet.bench.mqtt.files.OwnMessage;
import dev.avocet.bench.mqtt.files.Positions;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs whose clients, or messages, stand in files. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OwnRunTest {
    private static final int EVERY = 37;

    private Path folder;
    private TestBroker broker;

    @BeforeAll
    void start(@TempDir Path shared) {
        folder = shared;
        broker = Brokers.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @Test
    void shouldCheckEveryMessageOfAList() throws IOException {
        // given two who publish, one who does both and does not want its own, one who shares with another, and one who
        // is idle
        Plans run = plans(clients("""
                - _id: first
                  version: TCP4
                  publishTopics: [{topicStr: 'own/${COUNT:1-3}', qos: 1}, {topicStr: own/low, qos: 0}]
                  lastWillMsg: {topicStr: own/gone, payload: gone, qos: 1}
                - _id: second
                  version: WS5
                  publishTopics: [{topicStr: own/2, qos: 2, userProperties: [{name: k, value: v}]}]
                - _id: both
                  version: TCP5
                  recvMaximum: 20
                  publishTopics: [{topicStr: own/both, qos: 1}]
                  subscriptions: [{topicStr: own/#, qos: 1, noLocal: true}]
                - {_id: one, version: TCP3, subscriptions: [{topicStr: own/2, qos: 2}, {topicStr: own/both, qos: 0}]}
                - {_id: two, version: WS4, cleanSession: false, subscriptions: [{topicStr: own/+, qos: 1}]}
                - {_id: idle, username: ada, password: c2VjcmV0, pingIntervalSecs: 60}
                """), List.of());

        // when
        RunResult result = run.run();

        // then
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.verdict().reasons()).isEmpty();
        assertThat(result.connections()).isEqualTo(6);
        assertThat(result.tally().sent()).isPositive();
        assertThat(result.tally().received()).isEqualTo(result.tally().expected());
        assertThat(result.tally().expected()).isGreaterThan(2 * result.tally().sent());
        assertThat(result.latencies().get("message").samples()).isPositive();
    }

    @Test
    void shouldHaveAPartOfAListConnect() throws IOException {
        // given a list whose second publisher, and second subscriber, are left out
        Plans run = plans(clients("""
                - {publishTopics: [{topicStr: part/a, qos: 1}]}
                - {publishTopics: [{topicStr: part/b, qos: 1}]}
                - {subscriptions: [{topicStr: part/#, qos: 1}]}
                - {subscriptions: [{topicStr: part/#, qos: 1}]}
                - {}
                """), List.of());
        run.own = new Own(run.own.clients(), List.of(), Positions.of("1,3,5"));

        // when
        RunResult result = run.run();

        // then
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.connections()).isEqualTo(3);
        assertThat(result.tally().expected()).isEqualTo(result.tally().sent()).isPositive();
        assertThat(result.tally().received()).isEqualTo(result.tally().expected());
    }

    @Test
    void shouldSayWhatOfSeveralSharesIsNotChecked() throws IOException {
        Plans run = plans(clients("""
                - {publishTopics: [{topicStr: shared/a, qos: 1}]}
                - {subscriptions: [{topicStr: $share/g/shared/#, qos: 1}]}
                - {subscriptions: [{topicStr: $share/g/shared/#, qos: 1}]}
                - {subscriptions: [{topicStr: $share/h/shared/a, qos: 1}]}
                """), List.of());

        RunResult result = run.run();

        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().expected()).isEqualTo(2 * result.tally().sent());
        assertThat(result.verdict().reasons())
                .containsExactly(
                        "not checked: doubles between clients that share a subscription, for the list has several");
    }

    @ParameterizedTest
    @EnumSource(
            value = Meddling.class,
            names = {"NONE", "DROP", "DOUBLE", "CORRUPT"})
    void shouldCountAndCompareMessagesOfOnesOwn(Meddling meddling) throws IOException {
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), meddling, EVERY)) {
            // given two publishers and one subscriber of each, and two messages
            Plans run = plans(List.of(), messages("""
                    - {payload: 'one of the two', qos: 0}
                    - {payload: '{"temperature": 21}'}
                    """));
            run.ports = List.of(proxy.port());
            run.producers = 2;
            run.schedule = RateSchedule.fixed(1000);

            // when
            RunResult result = run.run();

            // then
            long meddled = proxy.meddled();
            boolean isClean = meddling == Meddling.NONE;
            assertThat(meddled > 0).isEqualTo(!isClean);
            assertThat(result.verdict().outcome())
                    .as("%s", result.verdict())
                    .isEqualTo(isClean ? Outcome.PASSED : Outcome.FAILED);
            assertThat(result.tally().lost()).isEqualTo(meddling == Meddling.DROP ? meddled : 0);
            assertThat(result.tally().corrupt()).isEqualTo(meddling == Meddling.CORRUPT ? meddled : 0);
            if (meddling == Meddling.DOUBLE) {
                assertThat(result.verdict().reasons()).contains(meddled + " messages came beyond those that were sent");
            }
            long unchecked = result.tally().received() - result.tally().corrupt();
            assertThat(result.counts().get("unchecked")).containsEntry("messages", unchecked);
            assertThat(result.verdict().reasons())
                    .anySatisfy(reason -> assertThat(reason)
                            .startsWith("not checked: doubles and order of " + unchecked + " messages"));
        }
    }

    @Test
    void shouldSendMessagesToTheirOwnTopicsAndCheckThoseThatTheHarnessMade() throws IOException {
        // given a topic of each publisher, to which nobody listens, and one that a message names
        Plans run = plans(List.of(), messages("""
                - {payloadSizeBytes: 64, topic: named/a, qos: 2, contentType: text/plain, expiryIntervalSecs: 60}
                - {payloadSizeBytes: 30, retain: false}
                """));
        run.version = 5;
        run.topic = "unheard/{i}";
        run.consumers = 1;
        run.partitions = 1;
        run.filter = "named/#";
        run.qos = 2;

        // when
        RunResult result = run.run();

        // then
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.verdict().reasons()).isEmpty();
        assertThat(result.tally().received())
                .isEqualTo(result.tally().expected())
                .isPositive();
        assertThat(result.tally().expected())
                .isBetween(result.tally().sent() / 2 - 4, result.tally().sent() / 2 + 4);
        assertThat(result.latencies().get("message").samples()).isPositive();
    }

    @Test
    void shouldRefuseWhatCannotBe() throws IOException {
        Plans overlapping = plans(
                clients("[{subscriptions: [{topicStr: a/+}, {topicStr: a/b}]}, {publishTopics: [{topicStr: c}]}]"),
                List.of());
        Plans old = plans(List.of(), messages("{payload: a, contentType: text/plain}"));

        assertThatThrownBy(overlapping::run).hasMessageContaining("a/+ and a/b of client bl0 overlap");
        assertThatThrownBy(old::run).hasMessageContaining("only MQTT 5 has");
    }

    private Plans plans(List<ListedClient> clients, List<OwnMessage> messages) {
        Plans run = new Plans(broker.port());
        run.own = new Own(clients, messages);
        return run;
    }

    private List<ListedClient> clients(String yaml) throws IOException {
        return ClientList.read(Files.writeString(folder.resolve("clients.yaml"), yaml));
    }

    private List<OwnMessage> messages(String yaml) throws IOException {
        return MessageFiles.read(Files.writeString(folder.resolve("messages.yaml"), yaml));
    }
}
