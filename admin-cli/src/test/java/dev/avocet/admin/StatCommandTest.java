package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.store.BrokerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatCommandTest {
    private static final String SUBSCRIPTIONS = """
            {"Version": "v1", "Found": 3, "Subscription": [
              {"SubName": "a,b", "ClientID": "c1", "IsDurable": true, "BufferedMsgs": 7, "BufferedPercent": 0.5},
              {"SubName": "d", "ClientID": "c2", "IsDurable": false, "BufferedMsgs": 1, "BufferedPercent": 0.1}]}
            """;
    private static final String SERVER = "{\"Version\": \"v1\", \"Server\": {\"MsgRead\": 5, \"MsgWrite\": 6}}";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> questions = new ArrayList<>();
    private HttpServer broker;
    private int status = 200;
    private String answer = SUBSCRIPTIONS;

    @BeforeEach
    void start() throws IOException {
        broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broker.createContext("/", exchange -> {
            questions.add(exchange.getRequestURI().getRawPath()
                    + (exchange.getRequestURI().getRawQuery() == null
                            ? ""
                            : "?" + exchange.getRequestURI().getRawQuery()));
            byte[] body = answer.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        broker.start();
    }

    @AfterEach
    void stop() {
        broker.stop(0);
    }

    @Test
    void shouldShowATableOfWhatTellsMost() {
        assertThat(run("stat", "Subscription")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "SubName  ClientID  BufferedMsgs  BufferedPercent",
                        "a,b      c1        7             0.5",
                        "d        c2        1             0.1",
                        "(2 of 3; --top shows more)");
        assertThat(questions).containsExactly("/api/v1/monitor/Subscription");
    }

    @Test
    void shouldSayThatThereIsNothing() {
        // given
        answer = "{\"Version\": \"v1\", \"Found\": 0, \"Subscription\": []}";

        // then
        assertThat(run("stat", "Subscription")).isZero();
        assertThat(out.toString().lines()).containsExactly("(none)");
        assertThat(run("stat", "Subscription", "-o", "json")).isZero();
        assertThat(out.toString()).endsWith("[ ]\n");
    }

    @Test
    void shouldAskForWhatWasSaid() {
        assertThat(run(
                        "stat",
                        "subscriptions",
                        "--sort",
                        "BufferedMsgsHighest",
                        "--top",
                        "All",
                        "ClientID=a b*",
                        "SubType=Durable"))
                .isZero();
        assertThat(questions)
                .containsExactly("/api/v1/monitor/Subscription?ClientID=a%20b*&SubType=Durable"
                        + "&StatType=BufferedMsgsHighest&ResultCount=All");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "csv|`SubName,ClientID,IsDurable,BufferedMsgs,BufferedPercent;\"a,b\",c1,true,7,0.5;d,c2,false,1,0.1`",
                "name|`a,b;d`",
            })
    void shouldPrintForPrograms(String format, String lines) {
        assertThat(run("stat", "Subscription", "-o", format)).isZero();
        assertThat(String.join(";", out.toString().lines().toList())).isEqualTo(lines);
    }

    @Test
    void shouldPrintTheColumnsThatWereAskedFor() {
        assertThat(run("stat", "Subscription", "--columns", "ClientID,IsDurable"))
                .isZero();
        assertThat(out.toString())
                .contains("ClientID  IsDurable", "c1        true")
                .doesNotContain("SubName");
        assertThat(run("stat", "Subscription", "--columns", "Color")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("Subscription does not tell 'Color'; there are SubName,");
    }

    @Test
    void shouldPrintDocuments() {
        assertThat(run("stat", "Subscription", "-o", "json")).isZero();
        assertThat(out.toString()).startsWith("[ {").contains("\"BufferedMsgs\" : 7");
        out.getBuffer().setLength(0);
        assertThat(run("stat", "Subscription", "-o", "yaml")).isZero();
        assertThat(out.toString()).startsWith("- SubName:").contains("BufferedMsgs: 7");
    }

    @Test
    void shouldShowOneThingLineByLine() {
        // given
        answer = SERVER;

        // then
        assertThat(run("stat", "server")).isZero();
        assertThat(out.toString().lines()).containsExactly("MsgRead   5", "MsgWrite  6");
    }

    @Test
    void shouldShowItAgainAndAgainWithOneHeading() {
        assertThat(run("stat", "Subscription", "--watch", "1", "--count", "2", "-o", "csv"))
                .isZero();
        assertThat(out.toString().lines()).hasSize(5);
        assertThat(questions).hasSize(2);
        assertThat(run("stat", "Subscription", "--watch", "-1")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldTakeTheShapeOfMessageSight1() {
        assertThat(run("imaserver", "stat", "Subscription", "StatType=BufferedMsgsHighest", "ResultCount=25"))
                .isZero();
        assertThat(questions)
                .containsExactly("/api/v1/monitor/Subscription?StatType=BufferedMsgsHighest&ResultCount=25");
        assertThat(out.toString().lines())
                .containsExactly(
                        "\"SubName\",\"ClientID\",\"IsDurable\",\"BufferedMsgs\",\"BufferedPercent\"",
                        "\"a,b\",\"c1\",\"true\",\"7\",\"0.5\"",
                        "\"d\",\"c2\",\"false\",\"1\",\"0.1\"");
    }

    @Test
    void shouldShowTheServerWhereNothingIsNamed() {
        // given
        answer = SERVER;

        // then
        assertThat(run("imaserver", "stat")).isZero();
        assertThat(out.toString().lines()).containsExactly("\"MsgRead\",\"MsgWrite\"", "\"5\",\"6\"");
    }

    @ParameterizedTest
    @CsvSource({"400, 7", "404, 9", "401, 8", "403, 8", "503, 7"})
    void shouldEndWithTheCodeForWhatTheBrokerSays(int httpStatus, int exitCode) {
        // given
        status = httpStatus;
        answer = "{\"Version\": \"v1\", \"Code\": \"X\", \"Message\": \"did you mean 'Subscription'?\"}";

        // then
        assertThat(run("stat", "Subscriptoin")).isEqualTo(exitCode);
        assertThat(questions).containsExactly("/api/v1/monitor/Subscriptoin");
    }

    @Test
    void shouldRefuseAnAnswerOfAnotherKind() {
        // given
        answer = "{\"Version\": \"v1\"}";

        // then
        assertThat(run("stat", "Server")).isEqualTo(ExitCode.REFUSED);
        assertThat(err.toString()).contains("the answer cannot be understood");
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", "http://127.0.0.1:" + broker.getAddress().getPort()));
        return Main.commandLine(
                        new BrokerProgram(Path.of("none")),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        arguments[0]::equals)
                .execute(all.toArray(String[]::new));
    }
}
