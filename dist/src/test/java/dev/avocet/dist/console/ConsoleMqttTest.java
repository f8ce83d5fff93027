package dev.avocet.dist.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packets of MQTT that the console's scripts write and read, in the browser that runs them. */
@InTurn
@Timeout(240)
class ConsoleMqttTest {
    /** What the snippets of these tests begin with. */
    private static final String PRELUDE = """
            const mqtt = await import('/console/js/mqtt.js');
            const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join(' ');
            const unhex = (text) => Uint8Array.from(text.split(' ').map((each) => parseInt(each, 16)));
            let state = 20261124;
            const random = (below) => {
              state = (Math.imul(state, 1103515245) + 12345) >>> 0;
              return (state >>> 12) % below;
            };
            const tried = (text, limit) => {
              try {
                return JSON.stringify(new mqtt.PacketReader(limit).take(unhex(text)));
              } catch (failure) {
                return failure instanceof mqtt.Malformed ? failure.message : `${failure.name}: ${failure.message}`;
              }
            };
            """;

    private static Administered broker;
    private static ConsoleBrowser browser;
    private static Page page;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        page = browser.open(broker.url(), 1280, 800);
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void requireThatItComplainsOfNothingAndAsksNoOtherHost() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldWriteConnect() {
        assertThat(run("""
                return hex(mqtt.connect({ clientId: 'c', user: 'u', password: 'p', keepAliveSeconds: 30,
                  receiveMaximum: 200, maximumPacketBytes: 1048576 }));"""))
                .isEqualTo(
                        "10 1c" // CONNECT, remaining length
                                + " 00 04 4d 51 54 54 05" // MQTT, version 5
                                + " c2 00 1e" // user, password, clean start; keep alive
                                + " 08 21 00 c8 27 00 10 00 00" // properties: receive maximum, maximum packet size
                                + " 00 01 63 00 01 75 00 01 70"); // client identifier, user, password
        assertThat(run("return hex(mqtt.connect({ clientId: '', keepAliveSeconds: 0 }));"))
                .isEqualTo("10 0d 00 04 4d 51 54 54 05 02 00 00 00 00 00");
    }

    @Test
    void shouldWritePublishWithItsProperties() {
        assertThat(run("""
                return hex(mqtt.publish({ topic: 'a/b', payload: unhex('ff 00'), qos: 1, retain: true, packetId: 258,
                  properties: { payloadFormat: undefined, expirySeconds: 4294967295, contentType: 'x',
                    responseTopic: 'r', correlationData: unhex('01'),
                    userProperties: [['k', 'v'], ['k', 'ü']] } }));"""))
                .isEqualTo(
                        "33 2a" // PUBLISH, QoS 1, retain
                                + " 00 03 61 2f 62 01 02" // topic, packet identifier
                                + " 20" // length of the properties
                                + " 02 ff ff ff ff 03 00 01 78 08 00 01 72 09 00 01 01" // expiry, content type,
                                // response topic, correlation
                                + " 26 00 01 6b 00 01 76 26 00 01 6b 00 02 c3 bc" // user properties
                                + " ff 00"); // payload
        assertThat(run("return hex(mqtt.publish({ topic: 't', payload: unhex('61'), qos: 0, retain: false }));"))
                .isEqualTo("30 05 00 01 74 00 61");
    }

    @Test
    void shouldWriteTheSmallPackets() {
        assertThat(run("""
                return [mqtt.subscribe(1, 'a/#', 2), mqtt.unsubscribe(2, 'a'),
                  mqtt.acknowledgement(mqtt.TYPE.PUBACK, 3), mqtt.acknowledgement(mqtt.TYPE.PUBREL, 65535),
                  mqtt.pingRequest(), mqtt.disconnect(0), mqtt.disconnect(0x81)]
                  .map(hex).join(' / ');"""))
                .isEqualTo(String.join(
                        " / ",
                        "82 09 00 01 00 00 03 61 2f 23 02",
                        "a2 06 00 02 00 00 01 61",
                        "40 02 00 03",
                        "62 02 ff ff",
                        "c0 00",
                        "e0 00",
                        "e0 01 81"));
    }

    @Test
    void shouldReadWhatTheBrokerSendsWhereverItIsCut() {
        assertThat(run("""
                const sent = '20 0a 00 00 07 12 00 02 69 64 24 01' // CONNACK: client identifier, maximum QoS
                  + ' 90 04 00 01 00 02' // SUBACK
                  + ' 35 0c 00 01 74 00 07 04 03 00 01 78 68 69' // PUBLISH: QoS 2, retained
                  + ' 50 02 00 05 40 03 00 06 10 d0 00 e0 01 8b'; // PUBREC, PUBACK, PINGRESP, DISCONNECT
                const bytes = unhex(sent);
                const whole = JSON.stringify(new mqtt.PacketReader().take(bytes));
                for (let first = 0; first <= bytes.length; first += 1) {
                  for (let second = first; second <= bytes.length; second += 1) {
                    const reader = new mqtt.PacketReader();
                    const packets = [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)]
                      .flatMap((part) => reader.take(part));
                    if (JSON.stringify(packets) !== whole) {
                      return `differs when cut at ${first} and ${second}`;
                    }
                  }
                }
                return JSON.parse(whole).map((each) => [each.type, each.reasonCode, each.packetId,
                  each.properties?.assignedClientId, each.properties?.contentType, each.topic, each.qos, each.retain]
                  .map((value) => value ?? '-').join(' ')).join(' / ');
                """))
                .isEqualTo(String.join(
                        " / ",
                        "2 0 - id - - - -",
                        "9 2 1 - - - - -",
                        "3 - 7 - x t 2 true",
                        "5 0 5 - - - - -",
                        "4 16 6 - - - - -",
                        "13 - - - - - - -",
                        "14 139 - - - - - -"));
    }

    @Test
    void shouldReadWhatItWrites() {
        assertThat(run("""
                const characters = [...'aü€😀/ "<'];
                const text = () => Array.from({ length: random(9) }, () => characters[random(8)]).join('');
                const octets = (length) => Uint8Array.from({ length }, () => random(256));
                let bytes = 0;
                for (let round = 0; round < 2000; round += 1) {
                  const qos = random(3);
                  const message = { topic: text(), payload: octets(random(round % 100 === 0 ? 20000 : 300)),
                    qos, retain: random(2) === 1, packetId: qos === 0 ? 0 : 1 + random(65535),
                    properties: { expirySeconds: random(2) ? random(32768) * 131072 : undefined,
                      contentType: random(2) ? text() : undefined,
                      correlationData: random(2) ? octets(random(20)) : undefined,
                      userProperties: Array.from({ length: random(4) }, () => [text(), text()]) } };
                  const packet = mqtt.publish(message);
                  bytes += packet.length;
                  const [read, ...more] = new mqtt.PacketReader().take(packet);
                  const same = (a, b) => (a === undefined ? b === undefined : hex(a) === hex(b));
                  if (more.length > 0 || read.topic !== message.topic || read.qos !== qos
                    || read.retain !== message.retain
                    || read.packetId !== message.packetId || !same(message.payload, read.payload)
                    || read.properties.expirySeconds !== message.properties.expirySeconds
                    || read.properties.contentType !== message.properties.contentType
                    || !same(message.properties.correlationData, read.properties.correlationData)
                    || JSON.stringify(read.properties.userProperties)
                      !== JSON.stringify(message.properties.userProperties)) {
                    return `round ${round}: ${JSON.stringify(message)} became ${JSON.stringify(read)}`;
                  }
                }
                return bytes > 300000 ? 'all alike' : `only ${bytes} bytes`;
                """)).isEqualTo("all alike");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30 ff ff ff ff 01|a length has more than four bytes",
                "36 05 00 01 74 00 61|a message has QoS 3",
                "30 02 00 05|a packet ends too early",
                "30 05 00 01 74 09 61|a packet ends too early",
                "30 05 00 01 ff 00 61|a text is not UTF-8",
                "30 06 00 01 74 02 63 00|a property is not one of MQTT 5",
                "20 01 00|a packet ends too early",
                "f0 00|a packet has the type 15",
                "10 00|a packet has the type 1",
                "30 80 08|a packet is longer than this client takes",
            })
    void shouldRefuseWhatIsNoPacket(String bytes, String expected) {
        assertThat(run("return tried('" + bytes + "', 1000);")).isEqualTo(expected);
    }

    @Test
    void shouldThrowNothingButMalformedForRandomBytes() {
        assertThat(run("""
                const outcomes = new Set();
                for (let round = 0; round < 20000; round += 1) {
                  const length = 2 + random(20);
                  const bytes = [random(256), length, ...Array.from({ length }, () => random(random(2) ? 3 : 256))];
                  const outcome = tried(hex(bytes), 1000);
                  outcomes.add(outcome.startsWith('[') ? 'packets' : outcome.replace(/\\d+/, 'N'));
                }
                return [...outcomes].sort().join('; ');
                """))
                .isEqualTo("a length has more than four bytes; a message has QoS N; a packet ends too early;"
                        + " a packet has the type N;"
                        + " a property is not one of MQTT N; a text is not UTF-N; packets");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a|",
                "a/+/b|",
                "+|",
                "#|",
                "/|",
                "$share/g/a/#|",
                "$SYS/#|",
                "a/#/b|Write #",
                "a#|Write #",
                "##|Write #",
                "a+/b|Write +",
                "$share/g|Write a shared",
                "$share//a|Write a shared",
                "$share/g/|Write a shared",
                "$share/+/a|Write a shared",
                "$share/g/#/b|Write #",
            })
    void shouldKnowTopicFilters(String filter, String expected) {
        Object problem = run("return mqtt.filterProblem('" + filter + "');");
        if (expected == null) {
            assertThat(problem).isEqualTo("");
        } else {
            assertThat(String.valueOf(problem)).startsWith(expected);
        }
    }

    @Test
    void shouldRefuseTextsThatNoPacketCanHold() {
        assertThat(run("""
                const long = 'x'.repeat(65536);
                const acts = [() => mqtt.publish({ topic: long, payload: [], qos: 0 }),
                  () => mqtt.subscribe(1, long, 0)];
                const failures = acts.map((act) => {
                  try { act(); return 'taken'; } catch (failure) { return failure instanceof mqtt.Malformed; }
                });
                return [...failures, mqtt.topicProblem(long) !== '', mqtt.filterProblem('a\\0') !== '',
                  mqtt.topicProblem('a\\0') !== ''].join();
                """)).isEqualTo("true,true,true,true,true");
    }

    private static Object run(String script) {
        return page.evaluate("async () => {" + PRELUDE + script + "}");
    }
}
