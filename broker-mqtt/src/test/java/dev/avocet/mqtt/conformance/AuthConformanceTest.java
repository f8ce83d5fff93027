package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.provider.UserAuthenticator;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.TestBroker;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords, enhanced authentication, and proving oneself again. */
class AuthConformanceTest extends ConformanceTest {
    private static final String USER = "user";
    private static final String PASSWORD = "pencil";

    @Override
    TestBroker newBroker() {
        ScramCredential credential = ScramCredential.derive(PASSWORD.toCharArray(), new byte[16], 4096);
        SecureRandom random = new SecureRandom();
        UserAuthenticator authenticator = new UserAuthenticator(
                new InMemoryUsers(Map.of(USER, credential)), CheapHasher.create(), Runnable::run, random);
        return TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT, authenticator))
                .start();
    }

    @Test
    @Proves({"MQTT-3.1.2-17", "MQTT-3.1.2-19", "MQTT-4.12.0-6"})
    void shouldTakeTheRightPasswordAndSayNothingOfMethods() {
        ConnAck answer = open().connect(Connect.builder(fresh("client"))
                .userName(USER)
                .password(utf8(PASSWORD))
                .build());

        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(answer.authenticationMethod()).isNull();
        assertThat(answer.authenticationData()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"user,wrong", "nobody,pencil", "user,"})
    @Proves({"MQTT-3.1.4-2", "MQTT-3.2.2-7"})
    void shouldRefuseWrongCredentials(String user, String password) {
        RawClient client = open();

        client.send(Connect.builder(fresh("client"))
                .userName(user)
                .password(password == null ? null : utf8(password))
                .build());

        expectRefusal(client, ReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    @Proves("MQTT-3.1.4-2")
    void shouldRefuseMissingCredentials() {
        RawClient client = open();

        client.send(Connect.builder(fresh("client")).build());

        expectRefusal(client, ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    @Proves("MQTT-4.12.0-1")
    void shouldRefuseAMethodThatItDoesNotKnow() {
        RawClient client = open();

        client.send(
                Connect.builder(fresh("client")).authenticationMethod("GSSAPI").build());

        expectRefusal(client, ReasonCode.BAD_AUTHENTICATION_METHOD);
    }

    @Test
    @Proves({"MQTT-4.12.0-2", "MQTT-4.12.0-3", "MQTT-4.12.0-5", "MQTT-3.2.0-1"})
    void shouldAdmitAClientThatProvesItself() throws GeneralSecurityException {
        RawClient client = open();
        ScramClient scram = new ScramClient(USER, PASSWORD);

        client.send(connect(scram));
        Auth challenge = client.receive(Auth.class);
        assertThat(challenge.reasonCode()).isEqualTo(ReasonCode.CONTINUE_AUTHENTICATION);
        assertThat(challenge.authenticationMethod()).isEqualTo(ScramClient.MECHANISM);
        client.send(proof(scram, challenge));

        ConnAck answer = client.receive(ConnAck.class);
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(answer.authenticationMethod()).isEqualTo(ScramClient.MECHANISM);
        assertThat(answer.authenticationData()).isEqualTo(scram.serverFinal());
    }

    @ParameterizedTest
    @CsvSource({"user,wrong", "nobody,pencil"})
    @Proves({"MQTT-4.12.0-4", "MQTT-3.1.4-2"})
    void shouldRefuseAClientThatCannotProveItself(String user, String password) throws GeneralSecurityException {
        RawClient client = open();
        ScramClient scram = new ScramClient(user, password);
        client.send(connect(scram));

        client.send(proof(scram, client.receive(Auth.class)));

        expectRefusal(client, ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    @Proves("MQTT-4.12.0-5")
    void shouldRefuseToChangeTheMethodOnTheWay() throws GeneralSecurityException {
        RawClient client = open();
        ScramClient scram = new ScramClient(USER, PASSWORD);
        client.send(connect(scram));
        byte[] proof = scram.answer(client.receive(Auth.class).authenticationData());

        client.send(new Auth(ReasonCode.CONTINUE_AUTHENTICATION, "PLAIN", proof));

        expectRefusal(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-4.12.0-3")
    void shouldRefuseAnotherReasonThanContinue() throws GeneralSecurityException {
        RawClient client = open();
        ScramClient scram = new ScramClient(USER, PASSWORD);
        client.send(connect(scram));
        byte[] proof = scram.answer(client.receive(Auth.class).authenticationData());

        client.send(new Auth(ReasonCode.REAUTHENTICATE, ScramClient.MECHANISM, proof));

        expectRefusal(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.1.4-6")
    void shouldTakeNothingButAuthBeforeItAdmitsAClient() {
        RawClient client = open();
        client.send(connect(new ScramClient(USER, PASSWORD)));
        client.receive(Auth.class);

        client.send(message("topic", AT_MOST_ONCE, "too early"));

        expectRefusal(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.1.0-2")
    void shouldTreatASecondConnectInTheMidstOfItAsProtocolError() {
        RawClient client = open();
        client.send(connect(new ScramClient(USER, PASSWORD)));
        client.receive(Auth.class);

        client.sendBytes(RawPacket.of(0x10).utf8("MQTT").bytes(9, 2, 0, 0).toBytes());

        expectRefusal(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.14.4-2")
    void shouldLetAClientLeaveInTheMidstOfIt() {
        RawClient client = open();
        client.send(connect(new ScramClient(USER, PASSWORD)));
        client.receive(Auth.class);

        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));

        client.expectClosed();
    }

    @Test
    @Proves({"MQTT-4.12.0-6", "MQTT-4.12.0-7"})
    void shouldRefuseAuthFromAClientThatNamedNoMethod() {
        RawClient client = open();
        client.connect(Connect.builder(fresh("client"))
                .userName(USER)
                .password(utf8(PASSWORD))
                .build());

        client.send(
                new Auth(ReasonCode.REAUTHENTICATE, ScramClient.MECHANISM, new ScramClient(USER, PASSWORD).first()));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves({"MQTT-4.12.1-2", "MQTT-4.12.0-5", "MQTT-3.15.1-1"})
    void shouldLetAClientProveItselfAgainWhileMessagesFlow() throws GeneralSecurityException {
        RawClient client = admitted();
        String topic = fresh("topic");
        client.subscribe(topic, AT_MOST_ONCE);
        ScramClient again = new ScramClient(USER, PASSWORD);

        client.send(new Auth(ReasonCode.REAUTHENTICATE, ScramClient.MECHANISM, again.first()));
        Auth challenge = client.receive(Auth.class);
        assertThat(challenge.reasonCode()).isEqualTo(ReasonCode.CONTINUE_AUTHENTICATION);
        client.send(message(topic, AT_MOST_ONCE, "meanwhile"));
        assertThat(text(client.receivePublish())).isEqualTo("meanwhile");
        client.send(proof(again, challenge));

        Auth success = client.receive(Auth.class);
        assertThat(success.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(success.authenticationMethod()).isEqualTo(ScramClient.MECHANISM);
        assertThat(success.authenticationData()).isEqualTo(again.serverFinal());
        client.expectNothing();
    }

    @Test
    @Proves("MQTT-4.12.1-2")
    void shouldDisconnectAClientThatCannotProveItselfAgain() throws GeneralSecurityException {
        RawClient client = admitted();
        ScramClient again = new ScramClient(USER, "wrong");
        client.send(new Auth(ReasonCode.REAUTHENTICATE, ScramClient.MECHANISM, again.first()));

        client.send(proof(again, client.receive(Auth.class)));

        expectDisconnect(client, ReasonCode.NOT_AUTHORIZED);
    }

    @ParameterizedTest
    @EnumSource(
            value = ReasonCode.class,
            names = {"CONTINUE_AUTHENTICATION", "SUCCESS"})
    @Proves("MQTT-4.12.1-2")
    void shouldRefuseAnAuthThatBelongsToNothing(ReasonCode reason) throws GeneralSecurityException {
        RawClient client = admitted();

        client.send(new Auth(reason, ScramClient.MECHANISM, new byte[1]));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-4.12.0-5")
    void shouldRefuseAnotherMethodThanConnectNamed() throws GeneralSecurityException {
        RawClient client = admitted();

        client.send(new Auth(ReasonCode.REAUTHENTICATE, "PLAIN", new byte[1]));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xF1, 0xF2, 0xF8})
    @Proves({"MQTT-3.15.1-1", "MQTT-2.1.3-1"})
    void shouldRefuseFlagsOnAuth(int header) throws GeneralSecurityException {
        RawClient client = admitted();

        client.sendBytes(header, 0);

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    private RawClient admitted() throws GeneralSecurityException {
        RawClient client = open();
        ScramClient scram = new ScramClient(USER, PASSWORD);
        client.send(connect(scram));
        client.send(proof(scram, client.receive(Auth.class)));
        assertThat(client.receive(ConnAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        return client;
    }

    private Connect connect(ScramClient scram) {
        return Connect.builder(fresh("client"))
                .authenticationMethod(ScramClient.MECHANISM)
                .authenticationData(scram.first())
                .build();
    }

    private static Auth proof(ScramClient scram, Auth challenge) throws GeneralSecurityException {
        return new Auth(
                ReasonCode.CONTINUE_AUTHENTICATION,
                ScramClient.MECHANISM,
                scram.answer(challenge.authenticationData()));
    }
}
