package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.ScramScript.Proof;
import dev.avocet.jms.ScriptedServer.Turn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logins at servers that do what a test says. A client that noticed a failure only by a time-out would be too late for
 * these tests.
 */
@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LoginTest {
    @ParameterizedTest
    @EnumSource(names = {"IN_OUTCOME", "IN_CHALLENGE", "IN_BOTH"})
    void shouldTrustAServerThatKnowsThePassword(final Proof proof) throws IOException, JMSException {
        try (ScramScript server = new ScramScript("right", proof);
                Connection connection = factory(server.port()).createConnection("ada", "right")) {
            assertThat(connection.getClientID()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"IN_OUTCOME", "IN_CHALLENGE", "IN_BOTH", "CUT"})
    void shouldNotTrustAServerThatDoesNotProveThatItKnowsThePassword(final Proof proof) throws IOException {
        try (ScramScript server = new ScramScript("right", proof)) {
            assertThatThrownBy(() -> factory(server.port()).createConnection("ada", "right"))
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContainingAll(
                            "localhost:" + server.port(), "has not proved", "SCRAM-SHA-256", "user 'ada'");
        }
    }

    @Test
    void shouldNotTrustAServerThatKnowsAnotherPassword() throws IOException {
        try (ScramScript server = new ScramScript("another", Proof.IN_OUTCOME)) {
            assertThatThrownBy(() -> factory(server.port()).createConnection("ada", "right"))
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining("its signature is wrong");
        }
    }

    @Test
    void shouldSayWhoWasCutOff() throws IOException {
        try (ScramScript server = new ScramScript("right", Proof.CUT)) {
            assertThatThrownBy(() -> factory(server.port()).createConnection("ada", "right"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContainingAll("was cut before the login was over", "SCRAM-SHA-256", "user 'ada'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"right", "p\u00e4ssw\u00f6rt", "\u043f\u0430\u0440\u043e\u043b\u044c"})
    void shouldTakePasswordsOfAllLanguages(final String password) throws IOException, JMSException {
        try (ScramScript server = new ScramScript(password, Proof.IN_OUTCOME);
                Connection connection = factory(server.port()).createConnection("J\u00fcrgen", password)) {
            assertThat(connection.getClientID()).isNull();
        }
    }

    /** 1 to 4: auth, sys, sys-perm, sys-temp. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldSayWhatTheServerMeans(final int code) throws IOException {
        try (ScriptedServer server = new ScriptedServer()) {
            server.say(
                    Turn.OUTCOME,
                    ScriptedServer.frame(1, 0, ScriptedServer.described(0x44, ScriptedServer.list(new byte[] {
                        0x50, (byte) code
                    }))));

            assertThatThrownBy(() -> factory(server.port()).createConnection())
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContainingAll(
                            "localhost:" + server.port(),
                            "ANONYMOUS",
                            switch (code) {
                                case 1 -> "wants a user name and a password";
                                case 4 -> "try again later";
                                default -> "cannot check the login";
                            });
        }
    }

    @Test
    void shouldSayWhichMechanismsThereAre() throws IOException {
        try (ScriptedServer server = new ScriptedServer()) {
            assertThatThrownBy(() -> factory(server.port()).createConnection("ada", "right"))
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContainingAll("offers [ANONYMOUS]", "user name 'ada'", "SCRAM-SHA-256");
        }
    }

    /** Our broker gives a client ten seconds between its login and its first use of the connection. */
    @Test
    void shouldConnectAgainWhenWhatWasNotUsedYetIsCut() throws IOException, JMSException {
        try (ScriptedServer server = new ScriptedServer();
                Connection connection = factory(server.port()).createConnection()) {
            server.cut();

            assertThat(firstText(connection)).isEqualTo("well");
        }
    }

    /** The cut is on its way when the application begins. */
    @Test
    void shouldConnectAgainWhenTheFirstUseMeetsTheCut() throws IOException, JMSException {
        try (ScriptedServer server = new ScriptedServer();
                Connection connection = factory(server.port()).createConnection()) {
            server.cutInsteadOf(ScriptedServer.Turn.AMQP_HEADER);

            assertThat(firstText(connection)).isEqualTo("well");
        }
    }

    private static String firstText(final Connection connection) throws JMSException {
        connection.start();
        final Session session = connection.createSession();
        return session.createConsumer(session.createQueue("queue")).receive().getBody(String.class);
    }

    private static AvocetConnectionFactory factory(final int port) {
        return new AvocetConnectionFactory("avocet://localhost:" + port);
    }
}
