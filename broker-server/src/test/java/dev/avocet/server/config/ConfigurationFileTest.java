package dev.avocet.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.topic.OverlapDelivery;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigurationFileTest {
    /** A verifier of "pencil" (RFC 7677 section 3). */
    private static final String USER = """
            {"name": "user", "salt": "W22ZaJ0SNY7soEsUEjb6gQ==", "iterations": 4096,
             "storedKey": "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=",
             "serverKey": "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="}""";

    /** All of TLS but {@code keyStore}, which stands in the place of two others. */
    private static final String TLS = """
            {"certificate": "c.pem", "key": "k.pem", "keyPassword": "secret", "trustedCertificates": "ca.pem",
             "minimumProtocol": "TLSv1.3", "ciphers": "best", "clientCertificates": "require",
             "commonNameIsUserName": true, "commonNameIsClientId": true, "passwordAuthentication": false,
             "handshakeTimeoutMs": 38000}""";

    /** Every key, each with a value that is not its default. */
    private static final String EVERY_KEY = """
            {
              "serverName": "s1", "dataDirectory": "d1", "ioThreads": 3, "transport": "nio",
              "store": {
                "mode": "os", "journal": "file", "directory": "s2", "segmentBytes": 16777216, "payloadCacheBytes": 32,
                "checkpointIntervalSeconds": 33, "diskFreeMinBytes": 34, "diskFreeMinPercent": 35, "stragglerPercent": 36,
                "moveBytesPerSecond": 37000},
              "endpoints": [
                {"name": "e1", "host": "127.0.0.2", "port": 2883, "protocols": ["websocket"],
                 "maxMessageSizeBytes": 4096, "allowInsecure": true, "tls": %s,
                 "allowedOrigins": ["https://a.example"], "allowControlCharacters": true,
                 "preciseSubscribeCodes": false, "bareNamesAreTopics": true}],
              "mqtt": {
                "maxTopicLevels": 8, "maxClientIdBytes": 100, "serverReceiveMaximum": 11, "outboundWindow": 12,
                "topicAliasMaximumIn": 13, "topicAliasMaximumOut": 14, "serverKeepAliveMaxSeconds": 15,
                "connectTimeoutMs": 1600, "firstPacketMaxBytes": 1700, "maxSubscriptionsPerClient": 18,
                "sessionExpiryMaxSeconds": 4294967295, "legacySessionExpirySeconds": 19, "stallTimeoutMs": 5000, "disconnectedClientNotificationSeconds": 32,
                "deliverOverlapping": "each", "retainedMaxCount": 20,
                "allowZeroLengthClientId": false, "responseInformationPrefix": "answers/",
                "serverReference": "other:1883", "redirectPermanently": true},
              "limits": {
                "maxMessages": 21, "maxBufferedBytes": 22000, "maxStoredBytes": 31000, "fullBehavior": "Backpressure", "backpressureMaxMs": 23,
                "maxConnections": 24, "maxUnacceptedConnections": 25, "connectionsPerSecond": 26,
                "heapFreeShrinkCachesPercent": 29, "heapFreeRejectMessagesPercent": 28,
                "heapFreeRefuseClientsPercent": 27, "neverAcknowledgingMultiple": 30, "maxTransactions": 32,
                         "maxTransactionOperations": 33, "maxTransactionBytes": 34, "maxTransactionBytesTogether": 35,
                         "transactionTimeoutSeconds": 36},
              "security": {"users": [%s], "allowAnonymous": "never", "userFile": true, "throttleLogins": false},
              "admin": {"enabled": false, "host": "127.0.0.3", "port": 31, "allowInsecure": true, "jmx": true}
            }""".formatted(TLS, USER);

    @TempDir
    private Path directory;

    @Test
    void shouldGiveTheDefaultsForAnEmptyObject() throws ConfigurationException {
        assertThat(ConfigurationFile.parse("{}")).isEqualTo(ServerConfig.defaults());
        assertThat(ConfigurationFile.defaults(UnaryOperator.identity())).isEqualTo(ServerConfig.defaults());
    }

    static Stream<Record> sections() {
        return Stream.of(
                ServerConfig.defaults(),
                EndpointConfig.defaults(),
                MqttConfig.defaults(),
                LimitsConfig.defaults(),
                StoreConfig.defaults(),
                SecurityConfig.defaults(),
                UserConfig.defaults(),
                AdminConfig.defaults());
    }

    @ParameterizedTest
    @MethodSource("sections")
    void shouldGiveEachOptionItsDefaultConstantAndItsSentence(Record defaults) throws ReflectiveOperationException {
        for (RecordComponent option : defaults.getClass().getRecordComponents()) {
            String constant =
                    "DEFAULT_" + option.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);

            assertThat(Reflected.valueOf(option, defaults))
                    .as("%s.%s", defaults.getClass().getSimpleName(), option.getName())
                    .isEqualTo(defaults.getClass().getField(constant).get(null));
            assertThat(option.getAnnotation(Doc.class).value()).endsWith(".");
        }
    }

    @Test
    void shouldMapEveryKey() throws ConfigurationException {
        // when
        ServerConfig config = ConfigurationFile.parse(EVERY_KEY);

        // then
        assertThat(config.serverName()).isEqualTo("s1");
        assertThat(config.dataDirectory()).isEqualTo("d1");
        assertThat(config.store())
                .isEqualTo(
                        new StoreConfig(StoreMode.OS, JournalKind.FILE, "s2", 16_777_216, 32, 33, 34, 35, 36, 37_000));
        assertThat(config.ioThreads()).isEqualTo(3);
        assertThat(config.transport()).isEqualTo(Transport.NIO);
        assertThat(config.endpoints())
                .containsExactly(new EndpointConfig(
                        "e1",
                        "127.0.0.2",
                        2883,
                        List.of(WireProtocol.WEBSOCKET),
                        4096,
                        true,
                        List.of("https://a.example"),
                        true,
                        false,
                        true,
                        new TlsConfig(
                                "c.pem",
                                "k.pem",
                                "secret",
                                "",
                                "ca.pem",
                                TlsVersion.TLS_1_3,
                                Ciphers.BEST,
                                ClientCertificates.REQUIRE,
                                true,
                                true,
                                false,
                                38_000)));
        assertThat(config.mqtt())
                .isEqualTo(new MqttConfig(
                        8,
                        100,
                        11,
                        12,
                        13,
                        14,
                        15,
                        1600,
                        1700,
                        18,
                        4_294_967_295L,
                        19,
                        5000,
                        32,
                        OverlapDelivery.EACH,
                        20,
                        false,
                        "answers/",
                        "other:1883",
                        true));
        assertThat(config.limits())
                .isEqualTo(new LimitsConfig(
                        21,
                        22_000,
                        31_000,
                        FullBehavior.BACKPRESSURE,
                        23,
                        24,
                        25,
                        26,
                        29,
                        28,
                        27,
                        30,
                        32,
                        33,
                        34,
                        35,
                        36));
        assertThat(config.security().allowAnonymous()).isEqualTo(AnonymousAccess.NEVER);
        assertThat(config.security().users())
                .singleElement()
                .extracting(UserConfig::name)
                .isEqualTo("user");
        assertThat(config.admin()).isEqualTo(new AdminConfig(false, "127.0.0.3", 31, true, true));
    }

    @Test
    void shouldMakeUsersThatKnowTheirPasswords() throws ConfigurationException {
        // given
        ServerConfig config = ConfigurationFile.parse(EVERY_KEY);

        // then
        assertThat(config.security().userStore().userOf("user"))
                .satisfies(user -> assertThat(user.scram().verifyPassword("pencil".toCharArray()))
                        .isTrue());
        assertThat(config.toString()).doesNotContain("WG5d8oPm").doesNotContain("secret");
    }

    @Test
    void shouldReportAllProblemsTogetherWithTheirPaths() {
        // when
        ConfigurationException refused = refusal("""
                {
                  "ioThreads": "many",
                  "endpoints": [
                    {"name": "a", "port": 70000},
                    {"name": "a", "port": 1884, "protocols": ["mqt"]}],
                  "mqtt": {"maxTopicLevels": 0, "maxClientIdBytes": 2.5, "sessionExpiryMaxSeconds": -1},
                  "limits": {"maxMesages": 5, "maxMessages": 99999999999999999999, "heapFreeRefuseClientsPercent": 60},
                  "security": [],
                  "admin": {"enabled": "yes", "host": null}
                }""");

        // then
        assertThat(refused.problems())
                .containsExactlyInAnyOrder(
                        "ioThreads: \"many\" is not a whole number",
                        "endpoints[0].port: 70000 is outside 0-65535",
                        "endpoints[1].name: 'a' is there twice",
                        "endpoints[1].protocols[0]: 'mqt' is not one of mqtt, websocket, amqp, did you mean 'mqtt'?",
                        "endpoints[1].protocols: must name at least one of mqtt, websocket, amqp",
                        "mqtt.maxTopicLevels: 0 is outside 1-65535",
                        "mqtt.maxClientIdBytes: 2.5 is not a whole number",
                        "mqtt.sessionExpiryMaxSeconds: -1 is outside 0-4294967295",
                        "limits: unknown key 'maxMesages', did you mean 'maxMessages'?",
                        "limits.maxMessages: 99999999999999999999 is outside 1-20000000",
                        "limits.heapFreeRefuseClientsPercent: 60 must not be above heapFreeRejectMessagesPercent,"
                                + " which is 15",
                        "security: must be an object in braces, not a list",
                        "admin.enabled: must be true or false, not \"yes\"",
                        "admin.host: must not be null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"store\": {\"mode\": \"disk\"}}|store.mode: 'disk' is not one of sync, os, memory",
                "{\"store\": \"memory\"}|store: must be an object in braces, not \"memory\"",
                "{\"store\": {\"journal\": \"files\"}}|store.journal: 'files' is not one of chronicle, file, did you mean 'file'?",
                "{\"store\": {\"directory\": \"\"}}|store.directory: must not be empty",
                "{\"store\": {\"segmentBytes\": 1048575}}|store.segmentBytes: 1048575 is outside 1048576-1073741824",
                "{\"store\": {\"segmentBytes\": 1048577}}|store.segmentBytes: 1048577 is not a multiple of 4096",
                "{\"store\": {\"mode\": \"sync\", \"segmentBytes\": 2097152}, \"endpoints\": [{}]}|endpoints[0].maxMessageSizeBytes: 1048576 must not be"
                        + " above a quarter of store.segmentBytes, which is 524288",
                "{\"store\": {\"segmentByte\": 1}}|store: unknown key 'segmentByte', did you mean 'segmentBytes'?",
                "{\"endpoints\": {}}|endpoints: must be a list in brackets, not an object",
                "{\"endpoints\": [{\"host\": \"0.0.0.0\"}]}|endpoints[0].host: '0.0.0.0' can be reached by others",
                "{\"endpoints\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}|endpoints[1].port: 127.0.0.1:1883 is there twice",
                "{\"endpoints\": [{\"name\": \" \"}]}|endpoints[0].name: must not be empty",
                "{\"admin\": {\"host\": \"0.0.0.0\"}}|admin.host: '0.0.0.0' can be reached by others",
                "{\"admin\": {\"host\": \"no such host\"}}|admin.host: 'no such host' is not an address",
                "{\"mqtt\": {\"redirectPermanently\": true}}|mqtt.redirectPermanently: needs a serverReference",
                "{\"mqtt\": {\"responseInformationPrefix\": \"a/#\"}}|mqtt.responseInformationPrefix: is the beginning",
                "{\"mqtt\": {\"responseInformationPrefix\": 5}}|mqtt.responseInformationPrefix: must be text in quotes, not 5",
                "{\"security\": {\"users\": [{\"name\": \"x\"}]}}|security.users[0]: is not a SCRAM-SHA-256 verifier",
                "{\"security\": {\"users\": [{\"iterations\": 5}]}}|security.users[0].iterations: 5 is outside 4096-10000000",
                "{\"completely\": 1}|unknown key 'completely'",
                "[]|must be an object in braces, not a list",
            })
    void shouldSayWhatIsWrong(String json, String problem) {
        assertThat(refusal(json).problems())
                .anySatisfy(found -> assertThat(found).startsWith(problem));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": }|line 1, column 7: not valid JSON: ",
                "{\"admin\": {}, \"admin\": {}}|line 1, column 22: not valid JSON: Duplicate",
                "{} {}|line 1, column 4: not valid JSON: there is more after the end",
                "{|line 1, column 2: not valid JSON: Unexpected end",
                "``|is empty",
            })
    void shouldSayWhereTheJsonIsBroken(String json, String problem) {
        assertThat(refusal(json).problems()).singleElement().asString().startsWith(problem);
    }

    @Test
    void shouldLetTheCommandLineMendWhatTheFileLacks() throws IOException, ConfigurationException {
        // given
        Path file = directory.resolve("broker.json");
        Files.writeString(file, "{\"endpoints\": [{\"host\": \"0.0.0.0\"}]}");

        // when
        ServerConfig config = ConfigurationFile.read(file, ServerConfig::insecure);

        // then
        assertThat(config.endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.isLoopback()).isFalse();
            assertThat(config.security().allowsAnonymous(endpoint)).isTrue();
        });
    }

    @Test
    void shouldLetUsersMakeAnEndpointReachable() throws ConfigurationException {
        // when
        ServerConfig config = ConfigurationFile.parse(
                "{\"endpoints\": [{\"host\": \"0.0.0.0\"}], \"security\": {\"users\": [" + USER + "]}}");

        // then
        assertThat(config.security().allowsAnonymous(config.endpoints().get(0))).isFalse();
        assertThat(config.security().allowsAnonymous(EndpointConfig.defaults())).isTrue();
    }

    @Test
    void shouldLetAUserFileOrRequiredCertificatesMakeAnEndpointReachable() throws ConfigurationException {
        String tls = "{\"certificate\": \"c\", \"key\": \"k\", \"trustedCertificates\": \"t\","
                + " \"clientCertificates\": \"require\"}";

        assertThat(ConfigurationFile.parse("{\"endpoints\": [{\"host\": \"0.0.0.0\", \"tls\": " + tls + "}]}"))
                .isNotNull();
        assertThat(ConfigurationFile.parse(
                        "{\"endpoints\": [{\"host\": \"0.0.0.0\"}], \"security\": {\"userFile\": true}}"))
                .isNotNull();
        assertThat(refusal("{\"endpoints\": [{\"host\": \"0.0.0.0\", \"tls\": " + tls.replace("require", "request")
                                + "}]}")
                        .problems())
                .singleElement()
                .asString()
                .contains("there are no users");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"minimumProtocol\": \"TLSv1.3\"|certificate: must name a PEM file",
                "\"keyStore\": \"s\", \"minimumProtocol\": \"TLSv1.1\"|minimumProtocol: TLSv1.1 is broken and not spoken",
                "\"certificate\": \"c\"|key: must name the PEM file",
                "\"certificate\": \"c\", \"key\": \"k\", \"keyStore\": \"s\"|keyStore: must not be there beside",
                "\"keyStore\": \"s\", \"clientCertificates\": \"request\"|trustedCertificates: must name a file",
                "\"keyStore\": \"s\", \"commonNameIsUserName\": true|clientCertificates: must be request or require",
                "\"keyStore\": \"s\", \"passwordAuthentication\": false|passwordAuthentication: can be false only"
            })
    void shouldRefuseTlsThatCannotBe(String tls, String problem) {
        assertThat(refusal("{\"endpoints\": [{\"tls\": {" + tls + "}}]}").problems())
                .singleElement()
                .asString()
                .startsWith("endpoints[0].tls." + problem);
    }

    @Test
    void shouldRefuseTheSameUserTwice() {
        assertThat(refusal("{\"security\": {\"users\": [" + USER + ", " + USER + "]}}")
                        .problems())
                .containsExactly("security.users[1].name: 'user' is there twice");
    }

    @Test
    void shouldSayThatAFileIsMissingOrNoText() throws IOException {
        // given
        Path missing = directory.resolve("missing.json");
        Path binary = directory.resolve("binary.json");
        Files.write(binary, new byte[] {(byte) 0xC3, 0x28});

        // then
        assertThat(refusal(missing).problems()).containsExactly("there is no such file");
        assertThat(refusal(binary).problems()).containsExactly("is not UTF-8 text");
        assertThat(refusal(binary)).hasMessageContaining("binary.json").hasNoCause();
        assertThat(refusal(binary).getStackTrace()).isEmpty();
    }

    private static ConfigurationException refusal(String json) {
        return catchThrowableOfType(ConfigurationException.class, () -> ConfigurationFile.parse(json));
    }

    private static ConfigurationException refusal(Path file) {
        return catchThrowableOfType(
                ConfigurationException.class, () -> ConfigurationFile.read(file, UnaryOperator.identity()));
    }
}
