package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.process.DataDirectory;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.StartException;
import dev.avocet.server.store.StoreInspector;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreCommandTest {
    private static final String DAMAGE = "1.segment is damaged at byte 4711: its checksum is wrong";

    @TempDir
    private Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path data = Path.of(".");

    @BeforeEach
    void makeStore() throws IOException {
        data = home.resolve("the data");
        Files.createDirectories(data.resolve("store"));
    }

    @Test
    void shouldShowATable() {
        assertThat(execute("stat", "--data", data.toString())).isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString().lines())
                .containsExactly(
                        "directory        " + data.resolve("store"),
                        "live references  12",
                        "",
                        "file       first sequence",
                        "1.segment  1");
    }

    @Test
    void shouldShowJson() {
        assertThat(execute("verify", "--json", "--data", data.toString())).isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString().replaceAll("\\s+", ""))
                .isEqualTo(("{'directory':'" + data.resolve("store") + "','liveReferences':12,"
                                + "'segmentList':[{'file':'1.segment','firstSequence':1}],'damages':[],'consequences':[],"
                                + "'repaired':false}")
                        .replace("'", "\"")
                        .replace(" ", ""));
    }

    @Test
    void shouldTellDamageByTheExitCode() {
        assertThat(execute(new FakeInspector(DAMAGE), "verify", "--data", data.toString()))
                .isEqualTo(ExitCode.STORE_UNUSABLE);
        assertThat(out.toString()).contains("damaged: " + DAMAGE);
    }

    @Test
    void shouldTellWhatWasTakenAway() {
        assertThat(execute(new FakeInspector(DAMAGE), "repair", "--data", data.toString()))
                .isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString())
                .contains("taken away: " + DAMAGE + System.lineSeparator() + "may be lost: a message");
    }

    @Test
    void shouldTellWhatCannotBeRead() {
        assertThat(execute(new FakeInspector("unreadable"), "stat", "--data", data.toString()))
                .isEqualTo(ExitCode.STORE_UNUSABLE);
        assertThat(err.toString()).isEqualToIgnoringNewLines("broker: cannot read 1.segment: no permission");
    }

    @Test
    void shouldTakeTheDirectoryFromTheConfiguration() throws IOException {
        // given
        Path config = Files.writeString(
                home.resolve("broker.json"),
                "{\"dataDirectory\": \"the data\", \"store\": {\"directory\": \"elsewhere\"}}");
        Files.createDirectories(data.resolve("elsewhere"));

        // then
        assertThat(execute("stat", "--config", config.toString())).isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString()).contains(data.resolve("elsewhere").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat", "verify", "repair"})
    void shouldLeaveAStoreAloneThatABrokerUses(String command) throws StartException {
        // given
        DataDirectory broker = DataDirectory.lock(data);

        // when
        int exitCode = execute(command, "--data", data.toString());
        broker.close();

        // then
        assertThat(exitCode).isEqualTo(ExitCode.DATA_LOCKED);
        assertThat(err.toString())
                .contains("is used by a broker that runs (process "
                        + ProcessHandle.current().pid())
                .contains("ask that one with 'broker-admin store stat'");
    }

    @Test
    void shouldCreateNothing() {
        // given
        Path missing = home.resolve("missing");

        // then
        assertThat(execute("stat", "--data", missing.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).isEqualToIgnoringNewLines("broker: there is no data directory " + missing);
        assertThat(missing).doesNotExist();
    }

    @Test
    void shouldSayThatThereIsNoStore() throws IOException {
        // given
        Path empty = Files.createDirectory(home.resolve("empty"));

        // then
        assertThat(execute("stat", "--data", empty.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).isEqualToIgnoringNewLines("broker: there is no store in " + empty.resolve("store"));
    }

    @Test
    void shouldAskWhatToDo() {
        assertThat(execute()).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .contains("say what to do: stat, verify, repair or upgrade", "see 'broker store --help'");
    }

    @Test
    void shouldListItsExitCodes() {
        assertThat(execute("--help")).isEqualTo(ExitCode.STOPPED);
        assertThat(out.toString()).contains("stat", "verify", "repair").containsPattern("6 +the store is damaged");
    }

    private int execute(String... arguments) {
        return execute(new FakeInspector(), arguments);
    }

    private int execute(StoreInspector inspector, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "store";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Main.commandLine(
                        config -> plan -> {
                            throw new CannotListenException("no", "broker", new BindException("here"));
                        },
                        inspector,
                        home,
                        new PrintWriter(out, true),
                        new PrintWriter(err, true))
                .execute(all);
    }
}
