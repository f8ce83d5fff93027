package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.config.schema.Property;
import dev.avocet.ha.CoordinatorChoice;
import dev.avocet.ha.MemberOptions;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.StartException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairConfigTest {
    private static final HighAvailability DEFAULTS = Configuration.EMPTY.single(HighAvailability.class);

    private static final String THREE = "a=127.0.0.1:7800,b=127.0.0.1:7810,c=127.0.0.1:7820";
    private static final String TWO = "a=127.0.0.1:7800,b=127.0.0.1:7810";
    private static final String REMOTE = "a=10.0.0.1:7800,b=10.0.0.2:7800";

    private static final PairCredentials NOTHING = new PairCredentials();

    @TempDir
    private Path directory;

    @Test
    void shouldKeepTheGroupInTheDataDirectoryByDefault() throws Exception {
        // when
        PairConfig pair = broker("a", THREE, null, null);

        // then
        assertThat(pair.members().partnerOf("a")).isEqualTo("b");
        assertThat(pair.members().arbiter()).isEqualTo("c");
        assertThat(pair.place().in(directory)).isEqualTo(new CoordinatorChoice.Group(directory.resolve("pair")));
        assertThat(pair.credentials()).isEqualTo(Credentials.NONE);
        assertThat(pair.openTls()).isNull();
    }

    @Test
    void shouldNeedNoArbiterWhereAnotherPlaceIsNamed() throws Exception {
        assertThat(broker("b", TWO, "file:" + directory, null).place().in(Path.of("elsewhere")))
                .isEqualTo(new CoordinatorChoice.SharedDirectory(directory));
        assertThat(broker("b", TWO, "zookeeper:z1:2181,z2:2181", null).place().in(directory))
                .isEqualTo(new CoordinatorChoice.ZooKeeper("z1:2181,z2:2181"));
    }

    @Test
    void shouldShowWhatIsOfTheNode() throws Exception {
        // when
        PairConfig config = broker("b", TWO, "file:" + directory, null).with(PairTuning.of(null, 7_000L, 2, null));

        // then
        assertThat(config.shown())
                .containsEntry("EnableHA", true)
                .containsEntry("NodeID", "b")
                .containsEntry("Members", TWO)
                .containsEntry("Coordinator", "file:" + directory)
                .containsEntry("UseSecuredConnections", false)
                .containsEntry("DiskTimeout", 7_000L)
                .containsEntry("MinInSync", 2L)
                .containsEntry("SetByOptions", "DiskTimeout,MinInSync")
                .doesNotContainKeys("SyncTimeout", "MaxRetainedBytes");
        assertThat(ObjectTypes.of(HighAvailability.class).properties())
                .extracting(Property::name)
                .containsAll(config.shown().keySet());
    }

    @Test
    void shouldTakeWhatAdministratorsChoose() throws Exception {
        // when
        PairTuning tuning = PairTuning.of(2_000L, 10_000L, 2, 1_000L);

        // then
        PairSettings settings = tuning.settings("a", "b", DEFAULTS);
        assertThat(settings.syncTimeout()).hasSeconds(2);
        assertThat(settings.diskTimeout()).hasSeconds(10);
        assertThat(settings.minInSync()).isEqualTo(2);
        assertThat(tuning.maxRetainedBytes(DEFAULTS)).isEqualTo(1_000);
        assertThat(PairTuning.NONE.maxRetainedBytes(DEFAULTS)).isEqualTo(MemberOptions.DEFAULT_MAX_RETAINED_BYTES);
        assertThat(DEFAULTS.catchUpBytesPerSecond()).isEqualTo(MemberOptions.DEFAULT_CATCH_UP_BYTES);
        assertThat(PairTuning.NONE.settings("a", "b", DEFAULTS)).isEqualTo(PairSettings.of("a", "b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "499 | 5000 | 1 | 0 | --ha-sync-timeout is 500 to 60000 milliseconds, not 499",
                "1000 | 60001 | 1 | 0 | --ha-disk-timeout is 500 to 60000 milliseconds, not 60001",
                "1000 | 5000 | 3 | 0 | --ha-min-in-sync is 1 or 2, not 3",
                "1000 | 5000 | 1 | -1 | --ha-max-retained-bytes is 0 or more, not -1"
            })
    void shouldNameTheLimitsOfWhatAdministratorsChoose(
            long syncTimeoutMs, long diskTimeoutMs, int minInSync, long maxRetainedBytes, String problem) {
        assertThatThrownBy(() -> PairTuning.of(syncTimeoutMs, diskTimeoutMs, minInSync, maxRetainedBytes))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a | a=127.0.0.1:7800,b=127.0.0.1:7810 | | needs an arbiter as the third",
                "c | a=127.0.0.1:7800,b=127.0.0.1:7810,c=127.0.0.1:7820 | | start it with bin/arbiter",
                "d | a=127.0.0.1:7800,b=127.0.0.1:7810,c=127.0.0.1:7820 | | which are a, b, c",
                "a | a=127.0.0.1:7800 | file:/x | a pair has two brokers",
                "a | a=127.0.0.1:7800,a=127.0.0.1:7810 | file:/x | names a twice",
                "a | a=127.0.0.1:7800,b | file:/x | 'b' is not a member; write ID=HOST:PORT",
                "a | a=127.0.0.1:7800,b=127.0.0.1 | file:/x | '127.0.0.1' is not an address",
                "a | a=127.0.0.1:65535,b=127.0.0.1:7810 | file:/x | the port above it is used too",
                "a | a=127.0.0.1:7800,b b=127.0.0.1:7810 | file:/x | 'b b' is not a name",
                "a | a=127.0.0.1:7800,b=127.0.0.1:7810 | etcd:x | not one of ratis, zookeeper:HOST:PORT,..., file:DIR",
                "a | a=10.0.0.1:7800,b=10.0.0.2:7800 | file:/x | --ha-secret-file is required"
            })
    void shouldSayWhatIsWrongAndWhatToDo(String node, String members, @Nullable String coordinator, String problem) {
        assertThatThrownBy(() -> broker(node, members, coordinator, null))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(problem)
                .extracting(refused -> ((StartException) refused).exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldReadTheSecretWithoutTheEndOfTheLine() throws Exception {
        // given
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");

        // when
        PairConfig pair = broker("a", REMOTE, "file:/x", file);

        // then
        assertThat(pair.credentials())
                .isEqualTo(Credentials.of(PairSecret.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII))));
        assertThat(pair).asString().doesNotContain("0123");
    }

    @Test
    void shouldRefuseASecretThatIsShortOrNotThere() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "short\n");
        assertThatThrownBy(() -> broker("a", REMOTE, "file:/x", file)).hasMessageContaining("openssl rand -hex 32");
        assertThatThrownBy(() -> broker("a", REMOTE, "file:/x", directory.resolve("none")))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void shouldTakeTheLastMemberForTheArbiterAlone() throws Exception {
        assertThat(PairConfig.ofArbiter("g", "c", THREE, NOTHING).node()).isEqualTo("c");
        assertThatThrownBy(() -> PairConfig.ofArbiter("g", "a", THREE, NOTHING)).hasMessageContaining("a is a broker");
        assertThatThrownBy(() -> PairConfig.ofArbiter("g", "b", TWO, NOTHING)).hasMessageContaining("needs an arbiter");
    }

    @Test
    void shouldWantAllThreeFilesOfACertificateOrNone() {
        PairCredentials half = new PairCredentials(null, directory.resolve("certificate"), null, null);
        assertThatThrownBy(() -> PairConfig.ofBroker("g", "a", REMOTE, "file:/x", half))
                .hasMessageContaining("--ha-key is missing; name all three, or none");
    }

    @Test
    void shouldTakeCertificatesInPlaceOfASecretAndNameTheFileThatCannotBeUsed() throws Exception {
        // given
        Path none = directory.resolve("none.pem");
        PairCredentials files = new PairCredentials(null, none, none, none);

        // when
        PairConfig pair = PairConfig.ofBroker("g", "a", REMOTE, "file:/x", files);

        // then
        assertThatThrownBy(pair::openTls).isInstanceOf(StartException.class).hasMessageContaining("there is no file");
        assertThatThrownBy(pair::openTls).hasMessageContaining("none.pem");
    }

    private static PairConfig broker(String node, String members, @Nullable String coordinator, @Nullable Path secret)
            throws StartException {
        return PairConfig.ofBroker("g", node, members, coordinator, new PairCredentials(secret, null, null, null));
    }
}
