package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.imaserver.ImaserverCommand;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code imaserver} does with the server: what it asks, and what it makes of the answers. */
class OldServerVerbsTest {
    private static final String STATUS =
            "{\"Server\":{\"StateDescription\":\"Running (maintenance)\",\"Version\":\"1.2\","
                    + "\"UpTimeDescription\":\"1 days\",\"ServerTime\":\"now\",\"ErrorMessage\":\"\"}}";
    private static final String DONE = "{\"Code\":\"CWLNA6011\",\"Message\":\"It is done.\"}";

    @TempDir
    private Path directory;

    private FakeService broker;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeService();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "status|Status = Running (maintenance);ServerUpTime = 1 days;ServerTime = now",
                "status imaserver|Status = Running (maintenance);ServerUpTime = 1 days;ServerTime = now",
                "status mqconnectivity|Status = Stopped",
                "start|Status = Running (maintenance)",
                "version|Avocet version is 1.2",
                "harole|NewRole = HADISABLED;OldRole = HADISABLED;ActiveNodes = 0;SyncNodes = 0;ReasonCode = 0"
            })
    void shouldTellHowTheServerIs(String command, String printed) {
        assertThat(broker.answers(STATUS).run(("imaserver " + command).split(" ")))
                .isZero();
        assertThat(broker.out().lines()).containsExactly(printed.split(";"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trace flush|POST /api/v1/service/trace/flush {}",
                "close connection ClientID=plant*|POST /api/v1/service/close/connection {\"ClientID\":\"plant*\"}",
                "purge message Name=a/b|POST /api/v1/service/queue/a%2Fb/purge {}",
                "runmode maintenance|POST /api/v1/service/maintenance {\"Maintenance\":\"start\"}",
                "runmode production|POST /api/v1/service/maintenance {\"Maintenance\":\"stop\"}",
                "stop force|POST /api/v1/service/stop {\"Service\":\"Server\"}"
            })
    void shouldHaveTheServerDoIt(String command, String request) {
        assertThat(broker.answers(DONE).run(("imaserver " + command).split(" ")))
                .isZero();
        assertThat(broker.requests()).containsExactly(request);
        assertThat(broker.out()).isEqualToIgnoringNewLines("It is done.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trace flsh|2|did you mean 'flush'",
                "close conection ClientID=x|2|did you mean 'connection'",
                "purge log|2|conf/logback.xml",
                "runmode clean_store|2|broker-admin service restart --clean-store",
                "status mqconectivity|2|did you mean 'mqconnectivity'",
                "test LogAutoTransfer|7|conf/logback.xml",
                "test LADP|2|did you mean 'LDAP'",
                "backup Password=x StoreDestinationURL=scp://y|2|copy data/store",
                "restore Name=no-such-file Password=x|2|no-such-file"
            })
    void shouldSayWhatItCannotDo(String command, int exitCode, String message) {
        assertThat(broker.run(("imaserver " + command).split(" "))).isEqualTo(exitCode);
        assertThat(broker.err()).contains(message);
        assertThat(broker.requests()).isEmpty();
    }

    @Test
    void shouldTestTheDirectory() {
        // given
        String answer = "{\"Works\":false,\"Steps\":[{\"Step\":\"connection\",\"Works\":true,\"Detail\":\"encrypted\"},"
                + "{\"Step\":\"bind\",\"Works\":false,\"Detail\":\"correct BindDN\"}]}";

        // when
        int exitCode = broker.answers(answer).run("imaserver", "test", "LDAP", "Name=x");

        // then
        assertThat(exitCode).isEqualTo(11);
        assertThat(broker.requests()).containsExactly("POST /api/v1/service/ldap/test {}");
        assertThat(broker.out()).contains("ok     connection: encrypted", "FAILED bind: correct BindDN");
    }

    @Test
    void shouldWriteABackupAndTakeItBack() throws IOException {
        // given
        String file = directory.resolve("imaBackup.test").toString();

        // when
        assertThat(broker.answers("{\"Content\":\"aGVsbG8=\"}")
                        .run("imaserver", "backup", "Password=secret", "Name=" + file))
                .isZero();
        assertThat(broker.answers(DONE).run("imaserver", "restore", "Name=" + file, "Password=secret"))
                .isZero();

        // then
        assertThat(Path.of(file)).hasContent("hello");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file))))
                .isEqualTo("rw-------");
        assertThat(broker.requests())
                .containsExactly(
                        "POST /api/v1/service/export {\"Password\":\"secret\"}",
                        "POST /api/v1/service/import"
                                + " {\"Content\":\"aGVsbG8=\",\"Password\":\"secret\",\"OverwriteFiles\":true}");
        assertThat(broker.err()).contains("every user of this machine can read a password");
    }

    @Test
    void shouldSayWhatValuesOfTheReferenceProductMean() {
        broker.answers("{\"Code\":\"CWLNA6011\",\"Warnings\":[\"FIPS has no effect: because\"]}");
        assertThat(broker.run("imaserver", "set", "FIPS=True")).isZero();
        assertThat(broker.requests()).containsExactly("POST /ima/v1/configuration {\"FIPS\":true}");
        assertThat(broker.out()).isEqualToIgnoringNewLines("FIPS set");
        assertThat(broker.err()).contains("broker-admin: caution: FIPS has no effect: because");

        broker.answers("{\"FIPS\":false}");
        assertThat(broker.run("imaserver", "get", "FIPS")).isZero();
        assertThat(broker.requests()).last().isEqualTo("GET /ima/v1/configuration/FIPS");
    }

    @ParameterizedTest
    @CsvSource({"imaserver help", "imaserver help backup", "imaserver backup help", "imaserver set LogLevel help"})
    void shouldHelp(String command) {
        // given
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);

        // when
        int exitCode = Main.run(directory, writer, writer, command.split(" "));

        // then
        assertThat(out.toString()).contains("Usage: broker-admin imaserver");
        assertThat(exitCode).isZero();
    }

    @Test
    void shouldHelpInTheOldForm() {
        assertThat(ImaserverCommand.withHelp("imaserver", "set", "LogLevel", "help"))
                .containsExactly("imaserver", "set", "--help");
        assertThat(ImaserverCommand.withHelp("imaserver", "help")).containsExactly("imaserver", "help");
        assertThat(ImaserverCommand.withHelp("queue", "create", "help")).containsExactly("queue", "create", "help");
    }

    @Test
    void shouldBeginAndEndMaintenanceMode() {
        assertThat(broker.answers(DONE).run("service", "maintenance", "start")).isZero();
        assertThat(broker.requests()).containsExactly("POST /api/v1/service/maintenance {\"Maintenance\":\"start\"}");
        assertThat(broker.run("service", "maintenance", "strt")).isEqualTo(ExitCode.USAGE);
        assertThat(broker.err()).contains("did you mean 'start'");
    }
}
