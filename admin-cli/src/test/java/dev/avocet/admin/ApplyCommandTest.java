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
import org.junit.jupiter.params.provider.ValueSource;

class ApplyCommandTest {
    private static final String WANTED = """
            LogLevel: MAX
            MessageHub:
              H:
            Queue:
              orders: {MaxMessages: 7, MaxBytes: 64MB, AllowSend: true}
            ---
            Endpoint:
              Plants:
                Port: 1883
                TopicPolicies: [P, Q]
                Protocol: All
            """;

    @TempDir
    private Path directory;

    private FakeAdminApi api;
    private Shell shell;

    @BeforeEach
    void startBroker() throws IOException {
        api = new FakeAdminApi()
                .with("{\"LogLevel\":\"NORMAL\",\"ServerUID\":\"u1\",\"AdminUserPassword\":\"********\"}")
                .with("{\"AdminEndpoint\":{\"Port\":9089}}")
                .with("{\"MessageHub\":{\"old\":{}},\"TopicPolicy\":{\"P\":{\"Topic\":\"${ClientID}\"}}}")
                .with("{\"Queue\":{\"orders\":{\"MaxMessages\":5000,\"MaxBytes\":\"65536KB\",\"AllowSend\":true,"
                        + "\"Description\":\"yes\"},\"bills\":{}}}");
        shell = new Shell(api);
    }

    @AfterEach
    void stopBroker() {
        api.close();
    }

    @Test
    void shouldShowWhatItWouldDo() throws IOException {
        assertThat(apply(WANTED, "--dry-run", "--prune")).isZero();
        assertThat(shell.out().lines())
                .containsExactly(
                        "~ server",
                        "    LogLevel: NORMAL -> MAX",
                        "+ MessageHub H",
                        "+ Endpoint Plants",
                        "    Port: 1883",
                        "    TopicPolicies: P,Q",
                        "    Protocol: All",
                        "~ Queue orders",
                        "    MaxMessages: 5000 -> 7",
                        "- Queue bills",
                        "- MessageHub old");
        assertThat(api.changes())
                .as("the broker is asked, and nothing else")
                .singleElement()
                .asString()
                .startsWith("POST /check ")
                .contains("\"Deletions\":[{", "bills");
    }

    @Test
    void shouldMakeAllChangesAsOne() throws IOException {
        assertThat(apply(WANTED)).isZero();
        assertThat(api.changes()).hasSize(1);
        assertThat(api.object("Queue", "orders"))
                .containsEntry("MaxMessages", 7L)
                .containsEntry("Description", "yes");
        assertThat(api.has("Queue", "bills")).isTrue();
        assertThat(apply(WANTED)).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("nothing to change");
        assertThat(api.changes()).hasSize(1);
    }

    @Test
    void shouldDeleteOnlyOfTheTypesThatAreNamed() throws IOException {
        assertThat(apply(WANTED, "--prune")).isZero();
        assertThat(api.changes())
                .as("one change for all of it")
                .singleElement()
                .asString()
                .startsWith("POST /changes ")
                .contains("\"Deletions\":[{", "bills", "old");
        assertThat(api.has("Queue", "bills")).isFalse();
        assertThat(api.has("MessageHub", "old")).isFalse();
        assertThat(api.has("TopicPolicy", "P")).isTrue();
        assertThat(apply("Queue: {}", "--prune")).isZero();
        assertThat(api.has("Queue", "orders")).isFalse();
    }

    @Test
    void shouldNotOverwriteWhatSomebodyElseChangedMeanwhile() throws IOException {
        // given
        api.answerStale(1);

        // then
        assertThat(apply(WANTED)).isEqualTo(ExitCode.CONFLICT);
        assertThat(api.conditions()).containsExactly("\"1\"");
        assertThat(api.object("Queue", "orders")).containsEntry("MaxMessages", 5000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "json"})
    void shouldApplyWhatWasExported(String format) throws IOException {
        // given
        assertThat(shell.run("export", "-o", format)).isZero();
        String exported = shell.out();
        assertThat(exported).contains("5000", "${ClientID}").doesNotContain("****", "ServerUID");

        // when
        Path file = Files.writeString(directory.resolve("all." + format), exported);
        int exitCode = shell.run("apply", "--prune", "-f", file.toString());

        // then
        assertThat(exitCode).as(shell.err()).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("nothing to change");
        try (FakeAdminApi other = new FakeAdminApi()) {
            new Shell(other).run("apply", "-f", file.toString());
            assertThat(other.object("Queue", "orders")).isEqualTo(api.object("Queue", "orders"));
            assertThat(other.has("MessageHub", "old")).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Queues: {}|there is no type 'Queues', did you mean 'Queue'?",
                "[]|a document must be an object",
                "Queue: 5|Queue must be an object, not '5'",
                "Queue: {q: x}|Queue q must be an object, not 'x'",
                "Queue: {q: {A: 1, A: 2}}|line 1: Duplicate field 'A'",
                "Queue: {q|line 1",
                "LogLevel: MAX;---;LogLevel: MIN|server: LogLevel is there twice; take one away",
            })
    void shouldRefuseFilesThatCannotBeUsed(String lines, String message) throws IOException {
        assertThat(apply(lines.replace(";", "\n"))).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).startsWith("broker-admin: " + directory).contains(message);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(api.changes()).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        assertThat(shell.run("apply", "-f", "/no/file")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("/no/file: there is no such file");
        assertThat(shell.run("apply")).isEqualTo(ExitCode.USAGE);
    }

    private int apply(String yaml, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("wanted.yaml"), yaml);
        String[] arguments = new String[options.length + 3];
        arguments[0] = "apply";
        arguments[1] = "-f";
        arguments[2] = file.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return shell.run(arguments);
    }
}
