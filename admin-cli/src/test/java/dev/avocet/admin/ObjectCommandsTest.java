package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectCommandsTest {
    @TempDir
    private Path directory;

    private FakeAdminApi api;
    private Shell shell;

    @BeforeEach
    void startBroker() throws IOException {
        api = new FakeAdminApi()
                .with("{\"LogLevel\":\"NORMAL\",\"ServerUID\":\"u1\",\"AdminEndpoint\":{\"Port\":9089}}")
                .with("{\"Queue\":{\"orders\":{\"MaxMessages\":5000,\"Description\":\"\"},"
                        + "\"bills\":{\"MaxMessages\":100,\"Description\":\"a, \\\"b\\\"\"}}}");
        shell = new Shell(api);
    }

    @AfterEach
    void stopBroker() {
        api.close();
    }

    @Test
    void shouldCreateAnEndpoint() {
        assertThat(shell.run(
                        "endpoint",
                        "create",
                        "Plants",
                        "--port",
                        "1883",
                        "--hub",
                        "H",
                        "--topic-policies",
                        "P,Q",
                        "--topic-policies",
                        "R",
                        "--enabled",
                        "false",
                        "--set",
                        "MaxMessageSize=4MB"))
                .isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("Endpoint Plants created");
        assertThat(api.object("Endpoint", "Plants"))
                .containsEntry("Port", 1883L)
                .containsEntry("MessageHub", "H")
                .containsEntry("TopicPolicies", "P,Q,R")
                .containsEntry("Enabled", false)
                .containsEntry("MaxMessageSize", "4MB")
                .hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({
        "--tls-enabled P, true",
        "P --tls-enabled, true",
        "--tls-enabled=false P, false",
        "--tls-enabled false P, false",
        "P --tls-enabled TRUE, true",
        "P --tls-enabled --set Ciphers=Best, true",
        "P --set TLSEnabled=false, false"
    })
    void shouldTakeABooleanAsAFlagOrWithItsValue(String arguments, boolean expected) {
        // when
        int exitCode = shell.run(("security-profile create " + arguments).split(" "));

        // then
        assertThat(shell.err()).isEmpty();
        assertThat(exitCode).isZero();
        assertThat(api.object("SecurityProfile", "P")).containsEntry("TLSEnabled", expected);
    }

    @Test
    void shouldRefuseABooleanThatIsNone() {
        assertThat(shell.run("security-profile", "create", "P", "--tls-enabled=maybe"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("--tls-enabled").contains("'maybe'");
    }

    @Test
    void shouldNotCreateWhatIsThere() {
        assertThat(shell.run("queue", "create", "orders", "--max-messages", "7"))
                .isEqualTo(ExitCode.CONFLICT);
        assertThat(shell.err()).contains("Queue orders exists already; change it with 'broker-admin queue update'");
        assertThat(api.changes()).isEmpty();
    }

    @Test
    void shouldNotUpdateWhatIsNotThere() {
        assertThat(shell.run("queue", "update", "order", "--max-messages", "7")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(shell.err()).contains("there is no Queue order, did you mean 'orders'?");
        assertThat(api.changes()).isEmpty();
    }

    @Test
    void shouldLookAgainWhenSomebodyElseWasQuicker() {
        // given
        api.answerStale(2);

        // when
        int exitCode = shell.run("queue", "update", "orders", "--max-messages", "7");

        // then
        assertThat(exitCode).isZero();
        assertThat(api.object("Queue", "orders")).containsEntry("MaxMessages", 7L);
        assertThat(api.conditions()).containsExactly("\"1\"", "\"2\"", "\"3\"");
    }

    @Test
    void shouldGiveUpWhenSomebodyElseIsAlwaysQuicker() {
        // given
        api.answerStale(1000);

        // then
        assertThat(shell.run("queue", "update", "orders", "--max-messages", "7"))
                .isEqualTo(ExitCode.CONFLICT);
        assertThat(shell.err()).contains("the configuration was changed meanwhile");
    }

    @Test
    void shouldShowWhatWouldChange() {
        assertThat(shell.run("queue", "update", "orders", "--max-messages", "7", "--description", "", "--dry-run"))
                .isZero();
        assertThat(shell.out().lines()).containsExactly("~ Queue orders", "    MaxMessages: 5000 -> 7");
        assertThat(api.changes()).singleElement().asString().startsWith("POST /check ");
    }

    @Test
    void shouldUpdateWhatThereIsOneOf() {
        assertThat(shell.run("server", "update", "--log-level", "MAX")).isZero();
        assertThat(shell.run("admin-endpoint", "update", "--port", "9090")).isZero();
        assertThat(api.changes())
                .containsExactly("POST  {\"LogLevel\":\"MAX\"}", "POST  {\"AdminEndpoint\":{\"Port\":9090}}");
    }

    @Test
    void shouldShowWhatThereIsOneOf() {
        assertThat(shell.run("server", "show")).isZero();
        assertThat(shell.out().lines()).containsExactly("ServerUID  u1", "LogLevel   NORMAL");
        assertThat(shell.run("admin-endpoint", "show")).isZero();
        assertThat(shell.out().lines()).containsExactly("Port  9089");
    }

    @Test
    void shouldTakeAPasswordFromAFileOnly() throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("password"), "s3cret\n");

        // when
        int fromFile = shell.run("server", "update", "--admin-user-password-file", file.toString());

        // then
        assertThat(fromFile).isZero();
        assertThat(api.configuration()).containsEntry("AdminUserPassword", "s3cret");
        assertThat(shell.run("server", "update", "--set", "AdminUserPassword=x"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("use 'broker-admin server update --admin-user-password-file FILE'");
        assertThat(shell.out() + shell.err()).doesNotContain("s3cret");
    }

    @Test
    void shouldDeleteByNamesThatNeedEncoding() {
        assertThat(shell.run("admin-subscription", "create", "/s h/a/#", "--subscription-policy", "P"))
                .isZero();
        assertThat(shell.run("admin-subscription", "delete", "/s h/a/#", "--discard-sharers", "--discard-messages"))
                .isZero();
        assertThat(api.changes().get(1))
                .isEqualTo("DELETE /AdminSubscription/%2Fs%20h%2Fa%2F%23?DiscardMessages=true&DiscardSharers=true");
        assertThat(api.has("AdminSubscription", "/s h/a/#")).isFalse();
        assertThat(shell.run("queue", "delete", "none")).isEqualTo(ExitCode.NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name|bills;orders",
                "table|Name    Description  MaxMessages;bills   a, \"b\"       100;orders               5000",
                "csv|Name,Description,AllowSend,ConcurrentConsumers,MaxMessages,MaxBytes,DeadLetterQueue,ExpiryQueue,"
                        + "MaxDeliveries,RedeliveryDelay,RedeliveryBackoff,MaxRedeliveryDelay,LastValueProperty;"
                        + "bills,\"a, \"\"b\"\"\",,,100,,,,,,,,;orders,,,,5000,,,,,,,,",
                "json|[ {;  \"Name\" : \"bills\",;  \"Description\" : \"a, \\\"b\\\"\",;  \"MaxMessages\" : 100;}, {;"
                        + "  \"Name\" : \"orders\",;  \"Description\" : \"\",;  \"MaxMessages\" : 5000;} ]",
                "yaml|- Name: bills;  Description: \"a, \\\"b\\\"\";  MaxMessages: 100;- Name: orders;"
                        + "  Description: \"\";  MaxMessages: 5000",
            })
    void shouldListInManyFormats(String format, String lines) {
        assertThat(shell.run("queue", "list", "-o", format)).isZero();
        assertThat(shell.out().lines()).containsExactly(lines.split(";", -1));
    }

    @Test
    void shouldListTheColumnsAskedFor() {
        assertThat(shell.run("queue", "list", "--columns", "MaxMessages")).isZero();
        assertThat(shell.out().lines()).containsExactly("MaxMessages", "100", "5000");
        assertThat(shell.run("queue", "list", "--columns", "MaxMessage")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("a Queue has no property 'MaxMessage', did you mean 'MaxMessages'?");
    }

    @Test
    void shouldListNothing() {
        assertThat(shell.run("topic-monitor", "list", "-o", "name")).isZero();
        assertThat(shell.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{\"Code\":\"Invalid\",\"Message\":\"2 problems\",\"Problems\":[{\"Object\":\"Queue q\","
                        + "\"Property\":\"MaxMessages\",\"Message\":\"0 is outside 1-20000000\"},\"another\"]}"
                        + "|7|answered 400: 2 problems;  - Queue q: MaxMessages: 0 is outside 1-20000000;  - another",
                "400|{\"message\":\"a: b\",\"problems\":[\"a: b\"]}|7|answered 400: a: b",
                "400|{\"message\":\"a is b, c is d\",\"problems\":[\"a is b\",\"c is d\"]}"
                        + "|7|answered 400: refused, for 2 reasons;  - a is b;  - c is d",
                "401|{\"code\":\"Unauthorised\",\"message\":\"who?\"}|8|name yourself with --user",
                "403|{\"code\":\"Forbidden\",\"message\":\"you may not configure\"}|8|you may not configure",
                "409|{\"code\":\"InUse\",\"message\":\"Queue q is used\"}|10|Queue q is used",
            })
    void shouldSayWhatTheBrokerSays(int status, String body, int exitCode, String lines) {
        // given
        api.refuse(status, body);

        // then
        assertThat(shell.run("queue", "create", "q", "--max-messages", "0")).isEqualTo(exitCode);
        for (String line : lines.split(";", -1)) {
            assertThat(shell.err()).contains(line);
        }
        assertThat(shell.err()).startsWith("broker-admin: ").doesNotContain("\tat ");
    }

    @Test
    void shouldSayWhoAsks() throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("password"), "pass\nnote");

        // when
        shell.run("queue", "list", "--user", "ada", "--password-file", file.toString());

        // then: ada:pass in Base64
        assertThat(api.authorizations()).containsExactly("Basic YWRhOnBhc3M=");
        shell.run("queue", "list");
        assertThat(api.authorizations()).endsWith("null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue|see 'broker-admin queue --help'",
                "queue create|Missing required parameter: 'Name'",
                "queue update orders|say what to change",
                "queue create q --set MaxMessages|'MaxMessages' sets nothing; write Name=value",
                "queue create q --max-message 1|--max-messages",
                "queue creat q|did you mean create",
                "queue list --password-file f|--password-file needs --user",
                "queue list --user a --password-file /no/file|/no/file: there is no such file",
                "queue list --user a|there is no terminal to ask for the password of a",
                "server create|Unmatched argument",
                "durable-namespace-admin-sub update d --topic-filter a|Unknown option",
                "server update --server-uid x|Unknown option",
            })
    void shouldRefuseWhatCannotBeUsed(String arguments, String message) {
        assertThat(shell.run(arguments.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).startsWith("broker-admin: ").contains(message);
        assertThat(api.changes()).isEmpty();
    }
}
