package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.Performatives.binary;
import static dev.avocet.amqp.faults.Performatives.symbol;
import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.provider.UserAuthenticator;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log says of logins that came to nothing: who tried, from where and how. */
final class LoginLogTest {
    private static final int SASL = 1;

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private QpidJms jms;

    @BeforeEach
    void start() {
        SecureRandom random = new SecureRandom();
        ScramCredential credential = ScramCredential.derive("secret".toCharArray(), new byte[16], 4_096);
        jms = QpidJms.start(TestBroker.with(QpidJms.frontEnd(new UserAuthenticator(
                new InMemoryUsers(Map.of("ada", credential)), new PasswordHasher(random), Runnable::run, random))));
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void stop() throws JMSException {
        root.detachAppender(log);
        jms.close();
    }

    @Test
    void shouldNameALoginThatTakesTooLong() throws IOException {
        try (RawClient client = begunScram("ada")) {
            jms.broker().advance(Duration.ofSeconds(11));
            client.untilClosed();

            shouldSay("login not completed", "'ada'", "127.0.0.1:", "SCRAM-SHA-256", "10000 ms");
        }
    }

    @Test
    void shouldNameALoginThatIsCut() throws IOException {
        begunScram("ada").close();

        shouldSay("login not completed", "'ada'", "127.0.0.1:", "SCRAM-SHA-256", "the client has gone");
    }

    @Test
    void shouldNameAClientThatChoosesNoMechanism() throws IOException {
        try (RawClient client = client().header(3)) {
            client.until("ANONYMOUS");
        }

        shouldSay("login not begun", "127.0.0.1:", "no SASL mechanism chosen");
    }

    @Test
    void shouldNameAClientThatLogsInAndSendsNoOpen() throws IOException {
        try (RawClient client =
                client().header(3).frame(SASL, described(0x41, list(symbol("PLAIN"), binary("\0ada\0secret"))))) {
            client.until("\0S\104");
            jms.broker().advance(Duration.ofSeconds(11));
            client.untilClosed();

            shouldSay("connection not opened", "'ada'", "127.0.0.1:", "10000 ms", "has not sent open");
        }
    }

    @Test
    void shouldNameWhoIsRefused() throws IOException {
        try (RawClient client =
                client().header(3).frame(SASL, described(0x41, list(symbol("PLAIN"), binary("\0bob\0secret"))))) {
            client.untilClosed();

            shouldSay("login refused", "'bob'", "127.0.0.1:", "PLAIN");
        }
    }

    @Test
    void shouldSayNothingOfAConnectionThatSaidNothing() throws IOException {
        client().send(new byte[] {'A', 'M', 'Q', 'P'}).close();
        jms.broker().awaitCount(Counter.CONNECTIONS_BAD, 1);

        assertThat(lines()).isEmpty();
    }

    private RawClient client() throws IOException {
        return new RawClient(jms.broker().port());
    }

    /** The broker has sent its challenge, and waits for the proof. */
    private RawClient begunScram(String user) throws IOException {
        RawClient client = client().header(3)
                .frame(SASL, described(0x41, list(symbol("SCRAM-SHA-256"), binary("n,,n=" + user + ",r=abc"))));
        client.until("i=");
        return client;
    }

    private void shouldSay(String... parts) {
        await().untilAsserted(
                        () -> assertThat(lines()).singleElement().asString().contains(parts));
    }

    private List<String> lines() {
        synchronized (log) { // the appender's own lock, which its writers hold
            return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }
    }
}
