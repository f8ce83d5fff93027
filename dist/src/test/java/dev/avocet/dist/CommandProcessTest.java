package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Administered.Outcome;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * bin/broker-admin against a broker: what each command prints, and what it ends with. Most commands run in this JVM, as
 * a process of each takes a second; each code of the manual that a command can end with here is that of a process too.
 */
@InTurn
@Timeout(240)
@TestInstance(Lifecycle.PER_CLASS)
class CommandProcessTest {
    private static final Pattern CODE = Pattern.compile("^ +(\\d+) {2,}\\S", Pattern.MULTILINE);

    private Path directory;
    private Administered broker;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        directory = temporary;
        broker = Administered.start(directory.resolve("data"), Map.of());
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    /** HelpTest of admin-cli asks all of them. */
    @ParameterizedTest
    @ValueSource(strings = {"endpoint create", "doctor", "imaserver get"})
    void shouldExplainItself(String command) throws IOException, InterruptedException {
        Outcome help = Administered.run(Administered.THIS_JAVA, (command + " --help").split(" "));

        assertThat(help.exitCode()).as(help.output()).isZero();
        assertThat(help.output()).contains("Usage: broker-admin " + command).doesNotContain("%n", "$${");
        assertThat(help.output().lines().count()).isGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queue list",
                "endpoint show DemoEndpoint",
                "client list",
                "retained list",
                "subscription list",
                "transaction list",
                "server show"
            })
    void shouldPrintEachForm(String command) {
        for (String form : List.of("table", "json", "yaml", "csv", "name")) {
            Outcome outcome = broker.adminHere((command + " -o " + form).split(" "));
            assertThat(outcome.exitCode()).as(form + ": " + outcome.output()).isZero();
            if (form.equals("json")) {
                assertThat(outcome.output()).matches("(?s)[\\[{].*[]}]");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue create q1|0",
                "queue create q1|10",
                "queue update q1 --max-messages 5|0",
                "queue update q1 --max-messages 0|7",
                "queue browse q1 --selector n=1|0",
                "queue browse nobody|9",
                "queue purge q1|0",
                "queue purge q1 --reference 1|9",
                "queue move q1 nobody|9",
                "queue delete q1|0",
                "queue delete q1|9",
                "queue update nobody --max-messages 5|9",
                "queue show nobody|9",
                "message-hub delete DemoHub|10",
                "export|0",
                "apply -f no-such-file.yaml|2",
                "import no-such-file|2",
                "imaserver get LogLevel|0",
                "imaserver set LogLevel=NORMAL|0",
                "imaserver list Queue|0",
                "imaserver status|0",
                "imaserver version|0",
                "imaserver harole|0",
                "imaserver trace flush|0",
                "imaserver close connection ClientID=nobody|0",
                "imaserver test LDAP|11",
                "imaserver set FIPS=True|0",
                "imaserver get FIPS|0",
                "service maintenance now|2",
                "client show nobody|9",
                "client delete nobody|9",
                "client disconnect nobody|9",
                "client disconnect --id nobody|9",
                "config history|0",
                "config history -o json|0",
                "config diff|0",
                "config diff 99999|9",
                "config rollback 99999|9",
                "config rollback x|2",
                "security-profile create P --tls-enabled=false|0",
                "security-profile update P --tls-enabled false --use-client-cipher|0",
                "security-profile delete P|0",
                "client trace phone|0",
                "client trace phone --off|0",
                "client trace phone --off|9",
                "subscription show nobody x|9",
                "subscription delete nobody x|9",
                "subscription delete __Shared x|9",
                "retained list --filter a/#/b|7",
                "retained list --body-bytes 7000000|7",
                "retained show nothing|9",
                "retained delete nothing|9",
                "retained delete|2",
                "retained delete a --filter b|2",
                "retained delete --filter none/#|0",
                "client-set delete|2",
                "client-set delete --client-id (|7",
                "client-set delete --client-id ^nobody$ --retain ^none/ --force --wait 5|0",
                "transaction commit 1:0a:0b|9",
                "transaction rollback 1:0a:0b|9",
                "transaction forget 1:0a:0b|9",
                "transaction commit x|7",
                "user list|0",
                "group list|0",
                "file list|0",
                "service status|0",
                "service trace|0",
                "service trace --bytes 0|7",
                "service restart --clean-store|2",
                "store stat|0",
                "store stat -o json|0",
                "client list --limit -1|2",
                "client lits|2",
                "no-such-command|2"
            })
    void shouldEndWithTheCodeOfTheManual(String command, int exitCode) {
        assertEndsWith(exitCode, broker.adminHere(command.split(" ")));
    }

    @ParameterizedTest
    @CsvSource({"completion bash, 0", "completion zsh, 0", "completion fish, 0", "completion tcsh, 2"})
    void shouldEndWithTheCodeOfTheManualWithoutABroker(String command, int exitCode) {
        assertEndsWith(exitCode, Administered.runHere(command.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue create q2|0",
                "queue create q2|10",
                "queue update q2 --max-messages 0|7",
                "queue show nobody|9",
                "service status -o json|0",
                "completion bash|0",
                "client list --url http://127.0.0.1:1|3",
                "client list --limit -1|2",
                "no-such-command|2",
                "--version|0"
            })
    void shouldEndTheProcessWithTheCodeOfTheManual(String command, int exitCode)
            throws IOException, InterruptedException {
        assertEndsWith(exitCode, broker.admin(command.split(" ")));
    }

    private static void assertEndsWith(int exitCode, Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(exitCode);
        assertThat(outcome.output()).doesNotContain("\tat ");
        if (exitCode != 0) {
            assertThat(outcome.output()).contains("broker-admin");
        }
    }

    @Test
    void shouldTakeAnEncryptedExportBackIn() throws IOException, InterruptedException {
        // given
        String file = directory.resolve("kept.export").toString();
        String password =
                Files.writeString(directory.resolve("password"), "sealed\n").toString();
        String wrong =
                Files.writeString(directory.resolve("wrong"), "unsealed\n").toString();
        broker.adminDoneHere("queue", "create", "exported");
        broker.adminDone("export", "--encrypted", file, "--export-password-file", password);
        broker.adminDoneHere("queue", "delete", "exported");

        // then
        assertThat(broker.adminHere("export", "--encrypted", file, "--export-password-file", password)
                        .exitCode())
                .isEqualTo(2);
        Outcome refused = broker.admin("import", file, "--export-password-file", wrong);
        assertThat(refused.exitCode()).isEqualTo(7);
        assertThat(refused.output()).contains("the password is wrong");
        assertThat(broker.adminDone("import", file, "--export-password-file", password, "--dry-run"))
                .isEqualTo("+ Queue 'exported'");
        assertThat(broker.adminHere("queue", "show", "exported").exitCode()).isEqualTo(9);
        broker.adminDone("import", file, "--export-password-file", password);
        broker.adminDoneHere("queue", "show", "exported");
        assertThat(broker.adminDone("import", file, "--export-password-file", password))
                .isEqualTo("nothing to change");
    }

    @Test
    void shouldGoBackToAnOldConfigurationAndSayWhoDidThat() {
        // given
        broker.adminDoneHere("queue", "create", "history", "--max-messages", "100");
        String before = newestVersion();
        broker.adminDoneHere("queue", "update", "history", "--max-messages", "7000");
        assertThat(broker.adminDoneHere("config", "diff"))
                .endsWith(String.format("%n~ Queue history%n    MaxMessages: 100 -> 7000"));

        // when
        String rolledBack = broker.adminDoneHere("config", "rollback", before);

        // then
        assertThat(rolledBack).contains("MaxMessages: 7000 -> 100", "rolled back to version " + before);
        assertThat(broker.adminDoneHere("queue", "show", "history")).containsPattern("MaxMessages +100\\n");
        assertThat(broker.adminDoneHere("config", "history", "--limit", "2"))
                .contains("rollback to version " + before, "127.0.0.1", "changed Queue 'history': MaxMessages");
        broker.adminDoneHere("queue", "delete", "history");
    }

    private String newestVersion() {
        return broker.adminDoneHere("config", "history", "-o", "name", "--limit", "1")
                .lines()
                .findFirst()
                .orElseThrow();
    }

    /** What a broker, a manual and a program say about the codes is the same. */
    @Test
    void shouldListEveryExitCodeInItsHelpAndInTheManual() throws IOException, InterruptedException {
        List<String> inHelp = codes(broker.adminDone("--help"), CODE);
        String manual = Files.readString(Path.of("..", "docs", "operations.md"));
        int begin = manual.indexOf("### Exit codes of broker-admin");
        String section = manual.substring(begin, manual.indexOf("\n### ", begin + 1));

        assertThat(inHelp).contains("0", "9", "11");
        assertThat(codes(section, Pattern.compile("^\\| (\\d+) \\|", Pattern.MULTILINE)))
                .isEqualTo(inHelp);
    }

    private static List<String> codes(String text, Pattern pattern) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
