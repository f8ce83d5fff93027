package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 3.1 and 3.2: CONNECT and CONNACK. */
class ConnectTest extends V311Test {
    private static final int CLEAN = 0x02;
    private static final int USER_NAME = 0x80;
    private static final int PASSWORD = 0x40;

    @Test
    @Proves({"MQTT311-3.1.0-1", "MQTT311-4.8.0-1"})
    void shouldCloseWhenTheFirstPacketIsNotConnect() {
        for (byte[] packet : List.of(
                bytes(PingReq.INSTANCE),
                bytes(publish("t", AT_MOST_ONCE, 0, "x")),
                bytes(new Subscribe(1, new TopicSubscription("t", AT_MOST_ONCE))))) {
            RawClient client = client();
            client.sendBytes(packet);
            client.expectClosed();
        }
    }

    @Test
    @Proves({"MQTT311-3.1.0-2", "MQTT311-4.8.0-1"})
    void shouldCloseOnASecondConnect() {
        RawClient client = connected("client");

        client.send(connect("client").build());

        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MQTX", "mqtt", "HTTP"})
    @Proves("MQTT311-3.1.2-1")
    void shouldNotProcessOtherProtocolNames(String name) {
        byte[] packet = bytes(connect("client").build());
        System.arraycopy(utf8(name), 0, packet, 4, 4);
        RawClient client = client();

        client.sendBytes(packet);

        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Proves({"MQTT311-3.1.2-2", "MQTT311-3.2.2-5", "MQTT311-3.2.2-4"})
    void shouldRefuseUnknownProtocolLevels(int level) {
        byte[] packet = bytes(connect("client").build());
        packet[8] = (byte) level;
        RawClient client = client();

        client.sendBytes(packet);

        assertThat(read(client, 4)).containsExactly(0x20, 2, 0, 1);
        client.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.1.2-3", "MQTT311-3.1.4-1"})
    void shouldCheckTheReservedFlag() {
        expectRefusedFlags(CLEAN | 0x01);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x08, 0x10, 0x18, 0x20, 0x28})
    @Proves({"MQTT311-3.1.2-11", "MQTT311-3.1.2-13", "MQTT311-3.1.2-15", "MQTT311-3.1.4-1"})
    void shouldRefuseWillFlagsWithoutAWill(int flags) {
        expectRefusedFlags(CLEAN | flags);
    }

    private void expectRefusedFlags(int flags) {
        byte[] packet = bytes(connect("client").build());
        packet[CONNECT_FLAGS] = (byte) flags;
        RawClient client = client();
        client.sendBytes(packet);
        client.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.1.2-14", "MQTT311-3.1.4-1"})
    void shouldRefuseWillQosThree() {
        byte[] packet =
                bytes(connect("client").will(will("t", EXACTLY_ONCE, false)).build());
        packet[CONNECT_FLAGS] |= 0x18;
        RawClient client = client();

        client.sendBytes(packet);

        client.expectClosed();
    }

    @Test
    @Proves({
        "MQTT311-3.1.2-18",
        "MQTT311-3.1.2-19",
        "MQTT311-3.1.2-20",
        "MQTT311-3.1.2-21",
        "MQTT311-3.1.2-22",
        "MQTT311-3.1.4-1"
    })
    void shouldRefuseCredentialsThatTheFlagsDoNotAnnounce() {
        Connect both =
                connect("client").userName("user").password(utf8("secret")).build();
        Connect none = connect("client").build();
        expectRefused(both, CLEAN); // both are there, none is announced
        expectRefused(both, CLEAN | USER_NAME); // a password that is not announced
        expectRefused(both, CLEAN | PASSWORD); // a password without a user name
        expectRefused(none, CLEAN | USER_NAME); // an announced user name is missing
        expectRefused(connect("client").userName("user").build(), CLEAN | USER_NAME | PASSWORD); // the password is
    }

    private void expectRefused(Connect connect, int flags) {
        byte[] packet = bytes(connect);
        packet[CONNECT_FLAGS] = (byte) flags;
        RawClient client = client();
        client.sendBytes(packet);
        client.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.1.2-19", "MQTT311-3.1.2-21", "MQTT311-3.1.3-1", "MQTT311-3.1.2-9"})
    void shouldReadThePayloadInItsOrder() {
        List<String> seen = new ArrayList<>();
        Authenticator noting = new NotingAuthenticator(seen);
        try (TestBroker secured = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT, noting))
                        .start();
                RawClient watcher = new RawClient(secured.port(), ProtocolVersion.V3_1_1);
                RawClient client = new RawClient(secured.port(), ProtocolVersion.V3_1_1)) {
            assertAccepted(watcher.connect(connect("watcher").build()));
            watcher.subscribe("will", EXACTLY_ONCE);

            assertAccepted(client.connect(connect("client")
                    .will(will("will", AT_LEAST_ONCE, false))
                    .userName("user")
                    .password(utf8("secret"))
                    .build()));
            client.drop();

            Publish will = watcher.receivePublish();
            assertThat(text(will)).isEqualTo("gone");
            assertThat(will.qos()).isEqualTo(AT_LEAST_ONCE);
            assertThat(seen).containsExactly("null/null", "user/secret");
        }
    }

    /** Lets everybody in and remembers their credentials. */
    private record NotingAuthenticator(List<String> seen) implements Authenticator {
        @Override
        public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
            byte[] password = request.password();
            seen.add(request.userName() + "/"
                    + (password == null ? null : new String(password, StandardCharsets.UTF_8)));
            new AnonymousAuthenticator().authenticate(request, loop, answer);
        }

        @Override
        public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 60})
    @Proves("MQTT311-3.1.2-24")
    void shouldCloseAfterOneAndAHalfKeepAliveIntervals(int keepAliveSeconds) {
        RawClient client =
                connected(connect("client").keepAliveSeconds(keepAliveSeconds).build());
        broker.advance(Duration.ofMillis(keepAliveSeconds * 1400L));
        client.expectNothing();

        broker.advance(Duration.ofMillis(keepAliveSeconds * 1400L));
        client.expectNothing();
        broker.advance(Duration.ofMillis(keepAliveSeconds * 1500L + 100));

        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "abcdefghijklmnopqrstuvw", "ABCDEFGHIJKLMNOPQRSTUVW", "xyzXYZ0123456789"})
    @Proves({"MQTT311-3.1.3-3", "MQTT311-3.1.3-5", "MQTT311-3.1.4-4", "MQTT311-3.2.0-1"})
    void shouldAllowIdentifiersOfDigitsAndLetters(String clientId) {
        assertThat(client().connect(connect(clientId).build()).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    @Proves({"MQTT311-3.1.3-6", "MQTT311-3.1.3-2"})
    void shouldGiveClientsWithoutAnIdentifierOneEach() {
        RawClient first = connected("");
        RawClient second = connected("");

        first.expectNothing();
        second.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.1.3-8", "MQTT311-3.1.3-9", "MQTT311-3.2.2-4", "MQTT311-3.2.2-5"})
    void shouldRefuseAnEmptyIdentifierForASessionToKeep() {
        expectIdentifierRefused(connect("").cleanStart(false).build());
    }

    @Test
    @Proves({"MQTT311-3.1.3-9", "MQTT311-3.2.2-4", "MQTT311-3.2.2-5"})
    void shouldRefuseIdentifiersOfItsOwn() {
        expectIdentifierRefused(connect("__broker").build());
        expectIdentifierRefused(connect("x".repeat(1024)).build());
    }

    private void expectIdentifierRefused(Connect connect) {
        RawClient client = client();
        client.send(connect);
        assertThat(read(client, 4)).containsExactly(0x20, 2, 0, 2);
        client.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.1.3-3", "MQTT311-3.1.4-1"})
    void shouldRefuseAConnectThatEndsBeforeTheIdentifier() {
        RawClient client = client();

        client.sendBytes(0x10, 10, 0, 4, 'M', 'Q', 'T', 'T', 4, CLEAN, 0, 0);

        client.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.1.4-2", "MQTT311-3.1.3-2"})
    void shouldCloseTheOlderConnectionOfAClient() {
        RawClient older = connected("client");

        RawClient newer = connected("client");

        older.expectClosed();
        newer.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.1.4-5", "MQTT311-3.2.2-5"})
    void shouldProcessNothingBehindARefusedConnect() {
        RawClient watcher = connected("watcher");
        watcher.subscribe("t", AT_MOST_ONCE);
        RawClient client = client();

        client.send(connect("").cleanStart(false).build(), publish("t", AT_MOST_ONCE, 0, "x"));

        assertThat(client.receive(ConnAck.class).reasonCode()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        client.expectClosed();
        watcher.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.2.0-1", "MQTT311-3.1.4-4"})
    void shouldAnswerConnectBeforeWhatComesBehindIt() {
        RawClient client = client();

        client.send(connect("client").build(), new Subscribe(1, new TopicSubscription("t", AT_MOST_ONCE)));

        assertThat(read(client, 4)).containsExactly(0x20, 2, 0, 0);
        assertThat(read(client, 5)).containsExactly(0x90, 3, 0, 1, 0);
    }

    @Test
    @Proves("MQTT311-3.2.2-6")
    void shouldCloseWithoutAnswerWhereNoReturnCodeFits() {
        RawClient client = client();

        client.send(connect("client").will(will("no/#", AT_MOST_ONCE, false)).build());

        client.expectClosed();
    }
}
