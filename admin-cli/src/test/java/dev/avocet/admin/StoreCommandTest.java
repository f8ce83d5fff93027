package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.store.BrokerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreCommandTest {
    private static final String PATH = "/api/v1/monitor/Store";
    private static final String ANSWER =
            "{\"mode\":\"sync\",\"state\":\"accepting\",\"diskBytes\":805306368,\"livePercent\":33.3,"
                    + "\"commitLatencyUs\":{\"p50\":100,\"max\":200}}";

    @TempDir
    private Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldShowTheAnswerAsATable() throws IOException {
        try (FakeBroker broker = new FakeBroker(PATH, 200, ANSWER)) {
            assertThat(execute("store", "stat", "--server", broker.url())).isZero();
        }
        assertThat(out.toString().lines())
                .containsExactly(
                        "mode                   sync",
                        "state                  accepting",
                        "disk bytes             805306368",
                        "live percent           33.3",
                        "commit latency us p50  100",
                        "commit latency us max  200");
    }

    @Test
    void shouldPassJsonOnAsItIs() throws IOException {
        try (FakeBroker broker = new FakeBroker(PATH, 200, ANSWER)) {
            assertThat(execute("store", "stat", "--server", broker.url() + "/", "-o", "json"))
                    .isZero();
        }
        assertThat(out.toString()).isEqualToIgnoringNewLines(ANSWER);
    }

    @Test
    void shouldSayThatNobodyListens() throws IOException {
        // given
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        // when
        int exitCode = execute("store", "stat", "--server", "http://127.0.0.1:" + port);

        // then
        assertThat(exitCode).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("broker-admin: no answer from http://127.0.0.1:" + port
                        + ": no server listens there. Is the broker running, and is this its admin end point?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                PATH
                        + "|500|{\"error\":\"internal error; the log says more\"}|answered 500: internal error; the log says more",
                PATH + "|502|Bad Gateway|answered 502: Bad Gateway",
                PATH + "|200|<html>|the answer is not a JSON object",
                PATH + "|200|[]|the answer is not a JSON object",
                "/other|200|{}|answered 404: it does not know the question",
            })
    void shouldSayWhatTheServerSays(String path, int status, String answer, String message) throws IOException {
        try (FakeBroker broker = new FakeBroker(path, status, answer)) {
            assertThat(execute("store", "stat", "--server", broker.url())).isEqualTo(ExitCode.REFUSED);
        }
        assertThat(err.toString())
                .startsWith("broker-admin: ")
                .contains(message)
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store stat --server localhost:9089|is not an address of a server; write http://HOST:PORT",
                "store stat --server http:|Invalid value for option '--server'",
                "store stat --data x|--data goes with --offline",
                "store stat -o xml|expected one of",
                "store|say what to do: stat, verify or repair",
                "stores|see 'broker-admin --help'",
            })
    void shouldRefuseWhatCannotBeUsed(String arguments, String message) {
        assertThat(execute(arguments.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("broker-admin: ").contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat --offline", "verify", "repair"})
    void shouldLetTheBrokersProgramWorkOnFiles(String command) throws IOException {
        // given
        Path said = home.resolve("said");
        Path program = Files.createDirectories(home.resolve("bin")).resolve("broker");
        Files.writeString(program, "#!/bin/sh\necho \"$*\" >'" + said + "'\nexit 6\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));

        // when
        int exitCode = execute(("store " + command + " --data /the/data -o json").split(" ", -1));

        // then
        assertThat(exitCode).isEqualTo(6);
        assertThat(Files.readString(said))
                .isEqualToIgnoringNewLines("store " + command.replace(" --offline", "") + " --data /the/data --json");
    }

    @Test
    void shouldSayThatTheBrokersProgramIsMissing() {
        assertThat(execute("store", "verify")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("needs the broker's program, and there is none at " + home);
    }

    @Test
    void shouldListExitCodesAndTellItsVersion() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("store").containsPattern("3 +no broker answers");
        assertThat(execute("--version")).isZero();
        assertThat(out.toString()).contains("Avocet ");
    }

    private int execute(String... arguments) {
        return Main.commandLine(
                        new BrokerProgram(home),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        "store"::equals)
                .execute(arguments);
    }
}
