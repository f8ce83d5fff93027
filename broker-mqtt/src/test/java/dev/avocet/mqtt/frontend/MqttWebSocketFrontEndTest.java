package dev.avocet.mqtt.frontend;

import static dev.avocet.mqtt.testing.WebSocketClient.BINARY;
import static dev.avocet.mqtt.testing.WebSocketClient.CLOSE;
import static dev.avocet.mqtt.testing.WebSocketClient.CONTINUATION;
import static dev.avocet.mqtt.testing.WebSocketClient.PING;
import static dev.avocet.mqtt.testing.WebSocketClient.PONG;
import static dev.avocet.mqtt.testing.WebSocketClient.TEXT;
import static dev.avocet.mqtt.testing.WebSocketClient.UPGRADE;
import static dev.avocet.mqtt.testing.WebSocketClient.encode;
import static dev.avocet.mqtt.testing.WebSocketClient.frame;
import static dev.avocet.mqtt.testing.WebSocketClient.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.mqtt.testing.WebSocketClient;
import dev.avocet.mqtt.testing.WebSocketClient.Frame;
import dev.avocet.testkit.TestBroker;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MqttWebSocketFrontEndTest {
    private static final int MAX_BYTES = 256 << 10;
    private static final byte[] CONNECT = encode(Connect.builder("web").build());

    private final TestBroker broker = start(WebSocketOptions.DEFAULT);

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldProveThatTheRequestWasUnderstood() {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            String answer = client.request(UPGRADE + "Sec-WebSocket-Protocol: mqtt\r\n\r\n");

            assertThat(answer.split("\r\n"))
                    .startsWith("HTTP/1.1 101 Switching Protocols")
                    .contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") // the example of RFC 6455
                    .contains("sec-websocket-protocol: mqtt");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"mqttv3.1|mqttv3.1", "chat, mqtt|mqtt", "mqttv3.1, mqtt|mqttv3.1", "mqtt,chat|mqtt"})
    @Proves({"MQTT-6.0.0-4", "MQTT311-6.0.0-4"})
    void shouldChooseTheFirstSubProtocolThatItSpeaks(String offered, String chosen) {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            String answer = client.request(UPGRADE + "Sec-WebSocket-Protocol: " + offered + "\r\n\r\n");

            assertThat(answer.split("\r\n")).contains("sec-websocket-protocol: " + chosen);
        }
    }

    @Test
    @Proves({"MQTT-6.0.0-1", "MQTT311-6.0.0-1"})
    void shouldCarryMqttBothWays() {
        try (WebSocketClient client = connected();
                RawClient plain = RawClient.connected(broker.port(), "plain")) {
            client.send(new Subscribe(1, new TopicSubscription("up/#", QualityOfService.AT_LEAST_ONCE)));
            client.receive(SubAck.class);
            plain.subscribe("down", QualityOfService.AT_MOST_ONCE);

            byte[] large = new byte[200_000];
            Arrays.fill(large, (byte) 'x');
            client.send(new Publish("down", QualityOfService.AT_LEAST_ONCE, false, 9, large));
            assertThat(plain.receivePublish().payload()).isEqualTo(large);
            assertThat(client.receive(PubAck.class).packetId()).isEqualTo(9);

            plain.send(new Publish("up/it", QualityOfService.AT_MOST_ONCE, false, 0, large));
            assertThat(client.receive(Publish.class).payload()).isEqualTo(large);
        }
    }

    @Test
    @Proves({"MQTT-6.0.0-2", "MQTT311-6.0.0-2"})
    void shouldTakeSeveralPacketsInOneFrame() {
        try (WebSocketClient client = connected()) {
            client.send(PingReq.INSTANCE, new Publish("t", QualityOfService.AT_LEAST_ONCE, false, 1, new byte[0]));

            // answered within one batch, hence in one frame: nobody may rely on frames to divide packets [MQTT-6.0.0-2]
            byte[] answer = client.receive().payload();
            assertThat(Arrays.copyOf(answer, 2)).isEqualTo(encode(PingResp.INSTANCE));
            assertThat(answer[2]).isEqualTo((byte) 0x40);
        }
    }

    @Test
    @Proves({"MQTT-6.0.0-2", "MQTT311-6.0.0-2"})
    void shouldTakeAPacketInFragmentsWithAPingBetween() {
        try (WebSocketClient client = WebSocketClient.upgraded(broker.port())) {
            client.sendRaw(frame(false, BINARY, Arrays.copyOf(CONNECT, 5)));
            client.sendRaw(frame(false, CONTINUATION, new byte[0]));
            client.send(PING, new byte[] {1, 2, 3});
            client.sendRaw(frame(true, CONTINUATION, Arrays.copyOfRange(CONNECT, 5, CONNECT.length)));

            Frame pong = client.receive();
            assertThat(pong.opcode()).isEqualTo(PONG);
            assertThat(pong.payload()).containsExactly(1, 2, 3);
            assertThat(client.receive(ConnAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        }
    }

    @Test
    void shouldTakeOneByteAFrameAndOneByteARead() {
        try (WebSocketClient client = WebSocketClient.upgraded(broker.port())) {
            for (byte b : CONNECT) {
                for (byte raw : frame(true, BINARY, new byte[] {b})) {
                    client.sendRaw(new byte[] {raw});
                }
            }

            client.receive(ConnAck.class);
        }
    }

    @Test
    void shouldTakeManyFramesInOneRead() {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        byte[] publish = encode(new Publish("many", QualityOfService.AT_MOST_ONCE, false, 0, new byte[37]));
        for (int i = 0; i < 500; i++) {
            int cut = 1 + i % (publish.length - 1);
            frames.writeBytes(frame(false, BINARY, Arrays.copyOf(publish, cut)));
            frames.writeBytes(frame(true, CONTINUATION, Arrays.copyOfRange(publish, cut, publish.length)));
        }
        try (WebSocketClient client = connected();
                RawClient plain = RawClient.connected(broker.port(), "plain")) {
            plain.subscribe("many", QualityOfService.AT_MOST_ONCE);

            client.sendRaw(frames.toByteArray());

            for (int i = 0; i < 500; i++) {
                assertThat(plain.receivePublish().payload()).hasSize(37);
            }
            plain.expectNothing();
        }
    }

    @Test
    void shouldTakeFramesThatCameTogetherWithTheRequest() {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes((UPGRADE + "Sec-WebSocket-Protocol: mqtt\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(frame(true, BINARY, CONNECT));
            client.sendRaw(all.toByteArray());

            assertThat(client.head()).startsWith("HTTP/1.1 101");
            client.receive(ConnAck.class);
        }
    }

    @Test
    void shouldTakeARequestByteByByte() {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            for (byte b : (UPGRADE + "Sec-WebSocket-Protocol: mqtt\r\n\r\n").getBytes(StandardCharsets.US_ASCII)) {
                client.sendRaw(new byte[] {b});
            }

            assertThat(client.head()).startsWith("HTTP/1.1 101");
        }
    }

    @Test
    void shouldAnswerACloseFrameAndPublishTheWill() {
        try (WebSocketClient client = connected()) {
            client.send(CLOSE, status(1001));

            client.expectClose(1001);
        }
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
    }

    @Test
    void shouldHandleDataBeforeACloseFrameInTheSameRead() {
        try (WebSocketClient client = connected()) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(frame(true, BINARY, encode(PingReq.INSTANCE)));
            both.writeBytes(frame(true, CLOSE, new byte[0]));
            client.sendRaw(both.toByteArray());

            broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
            assertThat(broker.count(Counter.PROTOCOL_ERRORS)).isZero();
        }
    }

    @Test
    void shouldCloseInWebSocketsWordsAfterDisconnect() {
        try (WebSocketClient client = connected()) {
            client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION, null));

            client.expectClose(1000);
        }
    }

    @Test
    void shouldSayWhyInMqttsWordsAndClose() {
        try (WebSocketClient client = connected()) {
            client.send(Connect.builder("web").build());

            assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(ReasonCode.PROTOCOL_ERROR);
            client.expectClose(1000);
        }
    }

    @Test
    @Proves({"MQTT-6.0.0-1", "MQTT311-6.0.0-1"})
    void shouldRefuseText() {
        try (WebSocketClient client = connected()) {
            client.send(TEXT, "hello".getBytes(StandardCharsets.US_ASCII));

            client.expectClose(1003); // [MQTT-6.0.0-1]
        }
        assertThat(broker.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
    }

    @Test
    void shouldRefuseAFrameLargerThanTheEndpointTakes() {
        try (WebSocketClient client = connected()) {
            byte[] start = Arrays.copyOf(frame(true, BINARY, new byte[MAX_BYTES + 1]), 14);
            client.sendRaw(start);

            client.expectClose(1009);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C2 81 00 00 00 00 00", // a reserved bit
                "82 01 00", // not masked
                "83 80 00 00 00 00", // an unknown kind
                "80 80 00 00 00 00", // continues nothing
                "02 80 00 00 00 00 82 80 00 00 00 00", // a message within a message
                "09 80 00 00 00 00", // a fragmented ping
                "89 FE 00 80 00 00 00 00" // a long ping
            })
    void shouldRefuseFramesThatBreakTheRules(String hex) {
        try (WebSocketClient client = connected()) {
            client.sendRaw(bytes(hex));

            client.expectClose(1002);
        }
    }

    @Test
    void shouldRefuseANegativeLength() {
        try (WebSocketClient client = connected()) {
            client.sendRaw(bytes("82 FF 80 00 00 00 00 00 00 00 00 00 00 00"));

            client.expectClose(1009);
        }
    }

    @Test
    void shouldCloseOnGarbageWithinFrames() {
        try (WebSocketClient client = WebSocketClient.upgraded(broker.port())) {
            client.send(BINARY, bytes("DE AD BE EF DE AD BE EF"));

            client.expectClose(1000);
        }
        broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        assertThat(broker.count(Counter.CONNECTIONS_BAD)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-WebSocket-Protocol: chat\r\n\r\n", "\r\n", "Sec-WebSocket-Protocol: MQTT5\r\n\r\n"})
    void shouldRefuseOtherSubProtocols(String rest) {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            assertThat(client.request(UPGRADE + rest)).startsWith("HTTP/1.1 400 ");
            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        }
        assertThat(broker.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1~Host: x~~|426",
                "GET /favicon.ico HTTP/1.0~~|426",
                "GET / HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Version: 8~~|426",
                "GET / HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Version: 13~~|400",
                "GET / HTTP/1.1~Content-Length: 10~~|400",
                "GET / HTTP/1.1~Transfer-Encoding: chunked~~|400",
                "GET nonsense~~|400"
            })
    void shouldAnswerOtherRequestsAndClose(String request, int status) {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            assertThat(client.request(request.replace("~", "\r\n"))).startsWith("HTTP/1.1 " + status + " ");
            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        }
    }

    @Test
    void shouldLimitTheSizeOfARequest() {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            assertThat(client.request("GET / HTTP/1.1\r\nCookie: " + "x".repeat(10_000)))
                    .startsWith("HTTP/1.1 431 ");
        }
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            assertThat(client.request("GET /" + "x".repeat(5_000))).startsWith("HTTP/1.1 414 ");
        }
    }

    @Test
    void shouldLimitTheTimeUntilConnect() {
        try (WebSocketClient silent = new WebSocketClient(broker.port());
                WebSocketClient upgraded = WebSocketClient.upgraded(broker.port())) {
            silent.sendRaw("GET /mqtt HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 2);

            broker.advance(Duration.ofSeconds(11));

            upgraded.expectClose(1000);
            silent.expectEnd();
        }
    }

    @Test
    void shouldTakeOnlyTheConfiguredPathAndOrigin() {
        WebSocketOptions options = new WebSocketOptions("/mqtt", (origin, host) -> !"http://evil".equals(origin));
        try (TestBroker strict = start(options)) {
            String accepted = UPGRADE + "Sec-WebSocket-Protocol: mqtt\r\n\r\n";
            assertThat(answer(strict, accepted)).startsWith("HTTP/1.1 101 ");
            assertThat(answer(strict, accepted.replace("/mqtt ", "/mqtt?token=1 ")))
                    .startsWith("HTTP/1.1 101 ");
            assertThat(answer(strict, accepted.replace("/mqtt ", "/other "))).startsWith("HTTP/1.1 404 ");
            assertThat(answer(strict, accepted.replace("\r\n\r\n", "\r\nOrigin: http://evil\r\n\r\n")))
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    private static String answer(TestBroker broker, String request) {
        try (WebSocketClient client = new WebSocketClient(broker.port())) {
            return client.request(request);
        }
    }

    private WebSocketClient connected() {
        WebSocketClient client = WebSocketClient.upgraded(broker.port());
        client.send(BINARY, CONNECT);
        assertThat(client.receive(ConnAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        return client;
    }

    private static TestBroker start(WebSocketOptions options) {
        return TestBroker.with(MqttTestBroker.mqtt())
                .and(MqttTestBroker.webSocket(options))
                .maxMessageBytes(MAX_BYTES)
                .start();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.ofDelimiter(" ").parseHex(hex);
    }
}
