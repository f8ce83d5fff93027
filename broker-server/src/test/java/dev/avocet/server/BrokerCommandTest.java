package dev.avocet.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.server.broker.ProcessStarter;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.process.DataDirectory;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.HostAndPort;
import dev.avocet.server.process.StartException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line where it does not lead to a running broker; the distribution's tests start real processes. */
class BrokerCommandTest {
    @TempDir
    private Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldListOptionsAndExitCodes() {
        assertThat(execute("--help")).isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString())
                .contains(
                        "--data=DIR", "--config=FILE", "--endpoint=HOST:PORT", "--admin=HOST:PORT|off", "--gc=PROFILE")
                .contains("--store=MODE", "--allow-insecure", "hash-password", "store")
                .contains("throughput, default, realtime, large, metronome")
                .containsPattern("4 +another broker uses the data directory");
    }

    @Test
    void shouldTellItsVersion() {
        assertThat(execute("--version")).isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString()).startsWith("Avocet ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nonsense|see 'broker --help'",
                "--endpoint=1883|is not an address; write HOST:PORT",
                "--endpoint=localhost:99999|command line cannot be used",
                "--store=disk|expected one of [SYNC, OS, MEMORY]",
                "--gc=serial|expected one of [THROUGHPUT, DEFAULT, REALTIME, LARGE, METRONOME]",
                "--endpoint=0.0.0.0:1883|can be reached by others, and there are no users",
                "--endpoint=[::]:1883|can be reached by others",
                "--admin=0.0.0.0:9089|the admin end point asks for no password",
                "--config=missing.json|missing.json cannot be used",
                "--data=|data directory",
            })
    void shouldRefuseWhatCannotBeUsedAndSayWhy(String option, String message) throws IOException {
        // given
        Files.createFile(home.resolve("file"));
        String argument = option.equals("--data=") ? "--data=" + home.resolve("file") : option;

        // when
        int exitCode = execute(argument);

        // then
        assertThat(exitCode).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    @Test
    void shouldReportTheProblemsOfTheUsualFile() throws IOException {
        // given
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/broker.json"), "{\"adnim\": {}, \"ioThreads\": -1}");

        // when
        int exitCode = execute();

        // then
        assertThat(exitCode).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().lines())
                .containsExactly(
                        "broker: " + home.resolve("conf/broker.json") + " cannot be used:",
                        "  unknown key 'adnim', did you mean 'admin'?",
                        "  ioThreads: -1 is outside 0-1024");
    }

    @Test
    void shouldSayThatAnAddressIsTaken() {
        // when
        int exitCode = execute("--admin", "off");

        // then
        assertThat(exitCode).isEqualTo(ExitCode.CANNOT_LISTEN);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "broker: endpoint 'default' cannot listen on 127.0.0.1:1883: another process listens there already");
    }

    @Test
    void shouldKeepItsDataFromOthers() throws StartException, IOException {
        // when
        DataDirectory made = DataDirectory.lock(home.resolve("new").resolve("data"));

        // then
        made.close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldSayThatTheDataDirectoryIsUsed() throws StartException {
        // given
        DataDirectory other = DataDirectory.lock(home.resolve("data"));

        // when
        int exitCode = execute("--admin", "off");
        other.close();

        // then
        assertThat(exitCode).isEqualTo(ExitCode.DATA_LOCKED);
        assertThat(err.toString())
                .contains("is used by another broker (process "
                        + ProcessHandle.current().pid() + ")");
        assertThat(execute("--admin", "off")).isEqualTo(ExitCode.CANNOT_LISTEN);
    }

    @Test
    void shouldSayThatTheStoreIsDamagedAndWhatCanBeDone() {
        // given
        Path data = home.resolve("data");
        ProcessStarter starter = config -> plan -> {
            throw new CannotOpenStoreException(
                    plan.dataDirectory(),
                    new CorruptJournalException(Path.of("7.segment"), 4_711, "its checksum is wrong"));
        };

        // when
        int exitCode = execute(starter, "--admin", "off");

        // then
        assertThat(exitCode).isEqualTo(ExitCode.STORE_UNUSABLE);
        assertThat(err.toString().lines())
                .first()
                .isEqualTo(
                        "broker: the store cannot be opened: 7.segment is damaged at byte 4711: its checksum is wrong");
        assertThat(err.toString())
                .contains("broker-admin store stat --offline --data " + data)
                .contains("broker-admin store verify --data " + data)
                .contains("broker-admin store repair --data " + data);
    }

    @Test
    void shouldNotAdviseRepairWhereNothingIsDamaged() {
        // given
        ProcessStarter starter = config -> plan -> {
            throw new CannotOpenStoreException(
                    plan.dataDirectory(), new JournalException("cannot read 7.segment: no permission"));
        };

        // then
        assertThat(execute(starter, "--admin", "off")).isEqualTo(ExitCode.STORE_UNUSABLE);
        assertThat(err.toString()).contains("no permission", "store verify").doesNotContain("repair");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1883", "localhost:0", "[::1]:65535"})
    void shouldReadAddresses(String text) {
        HostAndPort address = HostAndPort.parse(text);
        assertThat(HostAndPort.show(address.host(), address.port())).isEqualTo(text);
    }

    @Test
    void shouldPrintAUserThatTheConfigurationTakes() throws Exception {
        // given
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("geheim\u00e4\n".getBytes(UTF_8)));

        // when
        int exitCode = execute("hash-password", "ann\"a", "--iterations", "4096");
        System.setIn(before);

        // then
        assertThat(exitCode).isEqualTo(ExitCode.STOPPED);
        ServerConfig config = ConfigurationFile.parse("{\"security\": {\"users\": [" + out + "]}}");
        assertThat(config.security().userStore().userOf("ann\"a"))
                .satisfies(user -> assertThat(user.scram().verifyPassword("geheim\u00e4".toCharArray()))
                        .isTrue());
    }

    @Test
    void shouldRefuseAnEmptyPassword() {
        // given
        InputStream before = System.in;
        System.setIn(InputStream.nullInputStream());

        // when
        int exitCode = execute("hash-password", "anna");
        System.setIn(before);

        // then
        assertThat(exitCode).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("a password is not empty");
    }

    private int execute(String... arguments) {
        return execute(
                config -> plan -> {
                    throw new CannotListenException(
                            "endpoint 'default'", "127.0.0.1:1883", new BindException("Address already in use"));
                },
                arguments);
    }

    private int execute(ProcessStarter starter, String... arguments) {
        return Main.commandLine(
                        starter, new FakeInspector(), home, new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }
}
