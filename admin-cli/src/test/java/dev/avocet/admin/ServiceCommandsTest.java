package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands about clients, subscriptions and transactions: what they ask, and what they make of the answers. */
class ServiceCommandsTest {
    private static final String CLIENT =
            "{\"MQTTClient\":[{\"ClientID\":\"plant\",\"IsConnected\":false,\"BufferedMsgs\":3,"
                    + "\"Subscription\":[{\"ClientID\":\"plant\",\"SubName\":\"a/#\",\"QoS\":1}]}],\"Total\":1}";
    private static final String DONE = "{\"Code\":\"CWLNA6011\",\"Message\":\"It is done.\"}";

    private FakeService broker;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeService();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldAskForTheClientsThatFit() {
        // when
        int exitCode = broker.answers(CLIENT)
                .run(
                        "client",
                        "list",
                        "--id",
                        "pl*",
                        "--user-id",
                        "anna",
                        "--state",
                        "disconnected",
                        "--endpoint",
                        "e/1");

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests())
                .containsExactly("GET /api/v1/service/MQTTClient?ClientID=pl*&UserID=anna&Endpoint=e%2F1"
                        + "&ConnectionState=disconnected&ResultCount=1000");
        assertThat(broker.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "ClientID IsConnected UserID Endpoint ClientAddress Subscriptions BufferedMsgs LastConnectedTime",
                        "plant false 3");
    }

    @Test
    void shouldTurnPagesUntilTheLast() {
        // given
        String full = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"ClientID\":\"c" + i + "\"}")
                .collect(Collectors.joining(",", "{\"MQTTClient\":[", "],\"Total\":1001}"));
        broker.answers(full).answers("{\"MQTTClient\":[{\"ClientID\":\"z\"}],\"Total\":1001}");

        // when
        int exitCode = broker.run("client", "list", "--limit", "0", "-o", "name");

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests()).hasSize(2);
        assertThat(broker.requests().get(1)).contains("After=c999");
        assertThat(broker.out().lines()).hasSize(1_001).endsWith("z");
        assertThat(broker.err()).isEmpty();
    }

    @Test
    void shouldSayThatThereIsMore() {
        broker.answers("{\"MQTTClient\":[{\"ClientID\":\"a\"}],\"Total\":7}");
        assertThat(broker.run("client", "list", "--limit", "1")).isZero();
        assertThat(broker.err()).isEqualToIgnoringNewLines("broker-admin: these are 1 of 7; --limit 0 shows all");
    }

    @Test
    void shouldShowAClientWithItsSubscriptions() {
        assertThat(broker.answers(CLIENT).run("client", "show", "pl ant/1")).isZero();
        assertThat(broker.requests()).containsExactly("GET /api/v1/service/MQTTClient/pl%20ant%2F1");
        assertThat(broker.out()).contains("BufferedMsgs", "SubName", "a/#");
    }

    @Test
    void shouldDisconnectWhoFits() {
        broker.answers("{\"Message\":\"2 connections were closed.\",\"Closed\":2}");
        assertThat(broker.run("client", "disconnect", "pl*", "--user-id", "anna"))
                .isZero();
        assertThat(broker.requests())
                .containsExactly("POST /api/v1/service/close/connection {\"ClientID\":\"pl*\",\"UserID\":\"anna\"}");
        assertThat(broker.out()).contains("2 connections were closed.");

        broker.answers("{\"Message\":\"1 connection was closed.\",\"Closed\":1}");
        assertThat(broker.run("client", "disconnect", "--id", "plant-7")).isZero();
        assertThat(broker.requests()).last().asString().endsWith("{\"ClientID\":\"plant-7\"}");
        assertThat(broker.run("client", "disconnect", "plant-7", "--id", "plant-8"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(broker.err()).contains("the client identifier is there twice");

        broker.answers("{\"Message\":\"No connection fits.\",\"Closed\":0}");
        assertThat(broker.run("client", "disconnect", "nobody")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(broker.run("client", "disconnect")).isEqualTo(ExitCode.USAGE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client delete a/b|DELETE /api/v1/service/MQTTClient/a%2Fb",
                "client delete a --force|DELETE /api/v1/service/MQTTClient/a?Force=true",
                "subscription delete a b/+/#|DELETE /api/v1/service/Subscription/a/b%2F%2B%2F%23",
                "subscription delete __Shared $share/x/y --discard-sharers"
                        + "|DELETE /api/v1/service/Subscription/__Shared/%24share%2Fx%2Fy?Force=true",
                "queue purge or/ders|POST /api/v1/service/queue/or%2Fders/purge {}",
                "queue move dead orders|POST /api/v1/service/queue/dead/move {\"To\":\"orders\"}",
                "queue move dead orders --limit 7|POST /api/v1/service/queue/dead/move {\"To\":\"orders\",\"Count\":7}",
                "queue move dead orders --reference 7 --reference -3"
                        + "|POST /api/v1/service/queue/dead/move {\"To\":\"orders\",\"References\":[7,-3]}",
                "queue resend dead|POST /api/v1/service/queue/dead/resend {}",
                "queue resend dead --limit 7 --to lost|POST /api/v1/service/queue/dead/resend {\"To\":\"lost\",\"Count\":7}",
                "queue resend dead --reference 7|POST /api/v1/service/queue/dead/resend {\"References\":[7]}",
                "queue send or/ders hello|POST /api/v1/service/queue/or%2Fders/message {\"Body\":\"hello\"}",
                "queue send orders hi --bytes --not-persistent --priority 9 --delay 5 --property a=b"
                        + "|POST /api/v1/service/queue/orders/message {\"Body\":\"aGk=\",\"BodyEncoding\":\"base64\","
                        + "\"Persistent\":false,\"Priority\":9,\"DelaySeconds\":5,\"Properties\":{\"a\":\"b\"}}",
                "queue purge orders --reference 17|DELETE /api/v1/service/queue/orders/message/17",
                "transaction commit 1:0a:01|POST /api/v1/service/commit/transaction {\"XID\":\"1:0a:01\"}",
                "transaction rollback 1:0a:01|POST /api/v1/service/rollback/transaction {\"XID\":\"1:0a:01\"}",
                "transaction forget 1:0a:01|POST /api/v1/service/forget/transaction {\"XID\":\"1:0a:01\"}"
            })
    void shouldAskForWhatTheCommandSays(String command, String request) {
        assertThat(broker.answers(DONE).run(command.split(" "))).isZero();
        assertThat(broker.requests()).containsExactly(request);
        assertThat(broker.out()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"404,9", "409,10", "403,8", "503,7"})
    void shouldEndWithACodeForEachRefusal(int status, int exitCode) {
        broker.answers(status, "{\"Code\":\"X\",\"Message\":\"the reason\"}");
        assertThat(broker.run("client", "delete", "a")).isEqualTo(exitCode);
        assertThat(broker.err()).contains("the reason");
    }

    @Test
    void shouldShowTheMessagesOfAQueue() {
        // given
        broker.answers("{\"Message\":[{\"Reference\":17,\"Priority\":4,\"DeliveryCount\":2,\"Persistent\":true,"
                + "\"Bytes\":9,\"BodyBytes\":5,\"MessageID\":\"ID:1\",\"Time\":\"2026-11-22T10:00:00Z\",\"Properties\":{\"n\":\"1\"},"
                + "\"Body\":\"hello\",\"DeadLetterCause\":\"EXPIRED\",\"DeadLetterQueue\":\"a\"}]}");

        // when
        int exitCode = broker.run(
                "queue", "browse", "or/ders", "--selector", "JMSPriority > 3", "--limit", "7", "--body-bytes", "5");

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("GET /api/v1/service/queue/or%2Fders/message?")
                .contains("Selector=JMSPriority%20%3E%203", "ResultCount=7", "BodyBytes=5");
        assertThat(broker.out().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "Reference Priority DeliveryCount Persistent Time BodyBytes MessageID CorrelationID Properties"
                                + " Body DeadLetterCause DeadLetterQueue DeadLetterDeliveryCount DeadLetterDescription",
                        "17 4 2 true 2026-11-22T10:00:00Z 5 ID:1 {n=1} hello EXPIRED a");
        assertThat(broker.run("queue", "browse")).isEqualTo(ExitCode.USAGE);
        assertThat(broker.run("queue", "move", "only-one")).isEqualTo(ExitCode.USAGE);
        assertThat(broker.run("queue", "resend", "dead", "--reference", "7", "--limit", "3"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(broker.run("queue", "send", "orders", "text", "--in", "file"))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldShowOneMessageOfAQueueAsAWhole() {
        // given
        broker.answers("{\"Message\":[{\"Reference\":17,\"SentTo\":\"orders\",\"Body\":\"hello\"}]}");

        // when
        int exitCode = broker.run("queue", "browse", "or/ders", "--reference", "17");

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("GET /api/v1/service/queue/or%2Fders/message/17");
        assertThat(broker.out()).contains("SentTo", "orders", "hello");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "phone|``|``|clientid=phone|8",
                "phone --level 9|clientid=tablet|8|clientid=tablet,clientid=phone|9",
                "phone|clientid=tablet|7,mqtt:9|clientid=tablet,clientid=phone|7,mqtt:9",
                "phone|ClientID = phone|5|clientid=phone|8",
                "phone --off|clientid=phone|8|``|``"
            })
    void shouldTraceAClientToo(String command, String connections, String level, String after, String levelAfter) {
        // given
        broker.answers("{\"TraceConnection\":\"" + connections + "\",\"TraceSelected\":\"" + level + "\"}")
                .answers(DONE)
                .answers(DONE);

        // when
        int exitCode = broker.run(("client trace " + command).split(" "));

        // then
        assertThat(exitCode).as(broker.err()).isZero();
        assertThat(broker.requests().get(1))
                .startsWith("POST /api/v1/configuration {")
                .contains("\"TraceConnection\":\"" + after + "\"", "\"TraceSelected\":\"" + levelAfter + "\"");
        assertThat(broker.out()).contains("trace/trace.log");
    }

    @Test
    void shouldLeaveAloneWhoElseIsTraced() {
        // when
        broker.answers("{\"TraceConnection\":\"clientid=a,clientid=b\",\"TraceSelected\":\"9\"}")
                .answers(DONE)
                .answers(DONE);
        assertThat(broker.run("client", "trace", "a", "--off")).isZero();

        // then
        assertThat(broker.requests().get(1))
                .isEqualTo("POST /api/v1/configuration {\"TraceConnection\":\"clientid=b\"}");
        assertThat(broker.requests().get(2)).startsWith("POST /api/v1/service/trace/flush");

        // when, then
        broker.answers("{\"TraceConnection\":\"endpoint=field\",\"TraceSelected\":\"9\"}");
        assertThat(broker.run("client", "trace", "a")).isEqualTo(ExitCode.CONFLICT);
        broker.answers("{\"TraceConnection\":\"clientid=b\"}");
        assertThat(broker.run("client", "trace", "a", "--off")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(broker.run("client", "trace", "a,b")).isEqualTo(ExitCode.USAGE);
        assertThat(broker.run("client", "trace", "a", "--level", "6")).isEqualTo(ExitCode.USAGE);
        assertThat(broker.requests()).hasSize(5);
    }

    @Test
    void shouldListSubscriptionsAndTransactions() {
        broker.answers("{\"Subscription\":[{\"ClientID\":\"c\",\"SubName\":\"a/#\"}],\"Total\":1}");
        assertThat(broker.run("subscription", "list", "--kind", "shared", "--topic", "a*", "-o", "name"))
                .isZero();
        broker.answers("{\"Transaction\":[{\"XID\":\"1:0a:\",\"TranState\":\"Prepared\"}]}");
        assertThat(broker.run("transaction", "list", "--state", "heuristic_commit", "-o", "csv"))
                .isZero();

        assertThat(broker.requests())
                .containsExactly(
                        "GET /api/v1/service/Subscription?TopicString=a*&SubType=shared&ResultCount=1000",
                        "GET /api/v1/service/Transaction?TranState=HeuristicCommit");
        assertThat(broker.out().lines()).containsExactly("c\ta/#", "XID,TranState", "1:0a:,Prepared");
    }
}
